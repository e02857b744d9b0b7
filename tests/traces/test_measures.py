"""What planners say about positions, against exhaustive search by the reference dynamics."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from random import Random
from threading import Event

import pytest

from pushworld.datasets import classic_puzzles
from pushworld.puzzle import LETTERS, Puzzle, State
from pushworld.traces import measures
from pushworld.traces.cache import Cache, Outlook
from pushworld.traces.games import Game, read_games
from pushworld.traces.measures import EFFORTS, Effort, outlooks_of
from pushworld.traces.recording import Recording
from tests.state_space import StateSpace
from tests.traces.recordings import Script, write_recording

TRAP = Puzzle.parse("A . M1 G1 .\n. W . . .", name="trap")
"""Pushed too far, the object cannot come back."""

TWO = Puzzle.parse("A M1 . G1\n. . M2 .\n. G2 . .", name="two")


def walks(tmp_path: Path, puzzle: Puzzle, count: int = 3, length: int = 25) -> list[Game]:
    """Returns games of random moves, undos and resets."""
    random = Random(7)
    scripts = []
    for number in range(count):
        script = Script(f"s{number}", puzzle).play()
        for _ in range(length):
            if puzzle.is_solved(script.state):
                script.add("solved")
                break
            script.moves(random.choice(LETTERS + ("u" if script.line else "") + "x" * (not number)))
        scripts.append(script)
    with Recording(write_recording(tmp_path / f"{puzzle.name}.db", scripts)) as recording:
        return read_games(recording)


SEARCHING = replace(EFFORTS["quick"], space=0)
"""Every position is searched, as in puzzles that are too large to be explored."""


@pytest.mark.parametrize("effort", [EFFORTS["quick"], SEARCHING], ids=["explored", "searched"])
@pytest.mark.parametrize("puzzle", [TRAP, TWO], ids=lambda puzzle: puzzle.name)
def test_measures_agree_with_exhaustive_search(
    puzzle: Puzzle, effort: Effort, tmp_path: Path
) -> None:
    games = walks(tmp_path, puzzle)
    with Cache(tmp_path / "cache") as cache:
        (outlooks,) = outlooks_of(games, effort, cache).values()
    distances = StateSpace(puzzle).distances_to_goal()
    seen = {change.after for game in games for change in game.changes} | {puzzle.initial_state}
    assert set(outlooks) == seen
    for state, outlook in outlooks.items():
        truth = distances.get(state, math.inf)
        assert outlook.lower <= truth <= outlook.upper
        assert outlook.solvable in (None, truth < math.inf)
        if outlook.shortest:
            assert outlook.best == truth
    if effort is not SEARCHING:
        assert all(outlook.decided for outlook in outlooks.values())
    else:
        assert sum(outlook.decided for outlook in outlooks.values()) > 0.9 * len(outlooks)


def test_a_dead_end_is_proved(tmp_path: Path) -> None:
    script = Script("s", TRAP).play().moves("RRR")
    with Recording(write_recording(tmp_path / "a.db", [script])) as recording:
        games = read_games(recording)
    with Cache(tmp_path / "cache") as cache:
        (outlooks,) = outlooks_of(games, EFFORTS["quick"], cache).values()
        assert [outlooks[each.after].solvable for each in games[0].changes] == [True, True, False]
        assert [outlooks[each.before].best for each in games[0].changes] == [2, 1, 0]


def test_bounds_spread_along_the_moves_that_were_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A plan from the start judges every position on its way without another search."""
    searched = []
    real = measures._judge

    def count(puzzle: Puzzle, effort: Effort, stop: Event, state: State) -> object:
        searched.append(state)
        return real(puzzle, effort, stop, state)

    monkeypatch.setattr(measures, "_judge", count)
    puzzle = Puzzle.parse("A . M1 . . . G1", name="line")
    script = Script("s", puzzle).play().moves("RRRRR").add("solved")
    with Recording(write_recording(tmp_path / "a.db", [script])) as recording:
        games = read_games(recording)
    with Cache(tmp_path / "cache") as cache:
        (outlooks,) = outlooks_of(games, SEARCHING, cache).values()
    assert searched == [puzzle.initial_state]
    assert [outlooks[each.after].best for each in games[0].changes] == [4, 3, 2, 1, 0]
    assert all(outlook.shortest for outlook in outlooks.values())


def test_a_persons_plan_counts_where_planners_find_none(tmp_path: Path) -> None:
    script = Script("s", TRAP).play().moves("LRR").add("solved")
    with Recording(write_recording(tmp_path / "a.db", [script])) as recording:
        games = read_games(recording)
    with Cache(tmp_path / "cache") as cache:
        (outlooks,) = outlooks_of(games, None, cache).values()
    start = outlooks[TRAP.initial_state]
    assert (start.best, start.shortest, start.solvable) == (2, False, True)


def test_the_plans_of_the_package_are_known(tmp_path: Path) -> None:
    hard = classic_puzzles()[-1]
    script = Script("s", hard.puzzle).play().moves(hard.plan[:3])
    with Recording(write_recording(tmp_path / "a.db", [script])) as recording:
        games = read_games(recording)
    with Cache(tmp_path / "cache") as cache:
        (outlooks,) = outlooks_of(games, None, cache).values()
    best = [outlooks[change.after].best for change in games[0].changes]
    assert best == [len(hard.plan) - made for made in (1, 2, 3)]


def test_interrupted_work_is_continued(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    games = walks(tmp_path, TWO)
    real = measures._judge
    left = 2

    def interrupt(puzzle: Puzzle, effort: Effort, stop: Event, state: State) -> object:
        nonlocal left
        left -= 1
        if left < 0:
            raise KeyboardInterrupt
        return real(puzzle, effort, stop, state)

    with Cache(tmp_path / "cache") as cache:
        monkeypatch.setattr(measures, "_judge", interrupt)
        with pytest.raises(KeyboardInterrupt):
            outlooks_of(games, SEARCHING, cache)
    known = Cache(tmp_path / "cache").outlooks(games[0].digest)
    assert known, "what was found out is kept"
    seen: list[tuple[int, int]] = []
    with Cache(tmp_path / "cache") as cache:
        left = 10**6
        found = outlooks_of(games, SEARCHING, cache, lambda *done: seen.append(done))
        (outlooks,) = found.values()
        assert seen[-1] == (len(outlooks), len(outlooks))
        left = 0
        assert [*outlooks_of(games, SEARCHING, cache).values()] == [outlooks]


def test_outlooks_survive_the_file(tmp_path: Path) -> None:
    kept = {"a": Outlook(math.inf, math.inf, 2), "b": Outlook(3, math.inf, 1), "c": Outlook(0, 0)}
    with Cache(tmp_path / "cache") as cache:
        cache.keep("d", kept)
    with Cache(tmp_path / "cache") as cache:
        assert cache.outlooks("d") == kept
        assert not cache.outlooks("other")
        assert cache.fact("d", "x", lambda: [1]) == cache.fact("d", "x", lambda: [2]) == [1]
