"""Games from events: what counts, what does not, and how long it took."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pushworld.puzzle import Puzzle
from pushworld.traces.games import Game, read_games
from pushworld.traces.recording import Recording
from pushworld.traces.rows import GameRow
from pushworld.traces.tables import game_row
from tests.traces.recordings import Script, write_recording

CORRIDOR = Puzzle.parse("A M1 . . G1", name="corridor")
OTHER = Puzzle.parse("G1 . M1 A", name="other")


@pytest.fixture
def games(tmp_path: Path) -> Callable[..., list[Game]]:
    """Returns a function that returns the games of scripts."""

    def read(*scripts: Script) -> list[Game]:
        with Recording(write_recording(tmp_path / "traces.db", scripts)) as recording:
            return read_games(recording)

    return read


def row_of(game: Game) -> GameRow:
    return game_row(game, {}, None)


def test_a_game_in_numbers(games: Callable[..., list[Game]]) -> None:
    script = Script("s", CORRIDOR).play().wait(6).moves("RRuULxR")
    script.add("hint", shown="hint-1").moves("R", actor="hint").moves("R", actor="machine")
    script.add("solved", actor="machine").wait(100).moves("L").add("leave")
    (game,) = games(script)
    row = row_of(game)
    assert (row.outcome, row.solved, row.alone, row.replayed) == ("solved", True, False, True)
    assert row.time_s == row.active_s == 6 + 7 + 1 + 1
    assert (row.first_move_s, row.longest_think_s, row.pauses) == (7.0, 7.0, 1)
    assert (row.moves, row.idle_moves, row.pushes) == (6, 1, 4)
    assert (row.undos, row.resets, row.hints, row.hint_moves, row.machine_moves) == (1, 1, 1, 1, 1)
    assert (row.plan, row.plan_length) == ("RRR", 3)
    kinds = [change.kind for change in game.changes]
    assert kinds == ["move", "move", "undo", "move", "move", "reset", "move", "move", "move"]
    assert [change.taken_back for change in game.changes if change.taken_back] == ["R", "LR"]
    assert [change.shown for change in game.changes][-2:] == ["hint-1", None]


def test_time_without_attention_is_not_active(games: Callable[..., list[Game]]) -> None:
    script = Script("s", CORRIDOR).play().moves("R").add("blur").wait(30).add("focus").moves("R", 2)
    script.add("blur").wait(5).moves("R", 4).add("solved")
    (game,) = games(script)
    assert (game.time_s, game.active_s) == (1 + 30 + 2 + 5 + 4, 1 + 2)
    assert [change.think_s for change in game.changes] == [1, 2, 0], "a move ends the absence"
    assert row_of(game).focus_lost == 2


def test_a_study_over_two_visits(games: Callable[..., list[Game]]) -> None:
    script = Script("s", CORRIDOR, trial=0, visit=1).play().moves("R").wait(2).add("leave")
    script.wait(3600)
    script.visit = 2
    script.add("resume", actor="machine", server=True).wait(1).add("focus").moves("R", 2)
    script.moves("R", 3).add("solved")
    (game,) = games(script)
    assert game.active_s == 1 + 2 + 1 + 2 + 3
    assert game.time_s == game.active_s + 3600
    row = row_of(game)
    assert (row.visits, row.trial, row.outcome) == (2, 0, "solved")
    assert [change.think_s for change in game.changes] == [1, 5, 3]


def test_what_the_server_did_is_timed_by_its_clock(games: Callable[..., list[Game]]) -> None:
    script = Script("s", CORRIDOR, trial=0, visit=1).play().moves("R").wait(20)
    script.add("time-limit", actor="machine", server=True).wait(1).add("leave")
    (game,) = games(script)
    assert (game.outcome, game.time_s, game.active_s) == ("time-limit", 21, 21)


def test_clocks_that_run_backwards_take_no_time(games: Callable[..., list[Game]]) -> None:
    script = Script("s", CORRIDOR).play().moves("R").wait(-500).moves("R").moves("R").add("solved")
    (game,) = games(script)
    assert game.active_s == 1 + 0 + 1


def test_each_opening_of_a_puzzle_is_a_game(games: Callable[..., list[Game]]) -> None:
    script = Script("s", CORRIDOR).play().moves("R").play(OTHER)
    other_line = list(script.line)
    script.puzzle, script.line = CORRIDOR, [("R", "player")]
    script.add("leave")
    script.puzzle, script.line = OTHER, other_line
    script.moves("L").add("leave")
    script.play(CORRIDOR)
    for letters in (["R"], ["R", "R"]):
        script.line = [(letter, "player") for letter in letters]
        script.add("redo", "R")
    script.wait(3).moves("R").add("solved")
    with_other = Script("other", OTHER)
    first, second, third = games(script, with_other)
    assert [game.outcome for game in (first, second, third)] == [*["unfinished"] * 2, "solved"]
    assert [game.number for game in (first, second, third)] == [0, 1, 2]
    assert [change.kind for change in third.changes] == ["restored", "restored", "move"]
    row = row_of(third)
    assert (row.redos, row.moves, row.first_move_s, row.plan) == (0, 1, 4.0, "RRR")
    assert third.replayed


@pytest.mark.parametrize(
    ("change", "damaged"), [({"state": "1,1 9,9"}, True), ({"step": 5}, True), ({}, False)]
)
def test_records_that_contradict_the_rules_are_marked(
    change: dict[str, Any], damaged: bool, games: Callable[..., list[Game]]
) -> None:
    script = Script("s", CORRIDOR).play().moves("RRR").add("solved")
    event, received = script.events[2]
    script.events[2] = event._replace(**change), received
    (game,) = games(script)
    assert row_of(game).replayed is not damaged


def test_solved_is_believed_only_where_it_is(games: Callable[..., list[Game]]) -> None:
    (game,) = games(Script("s", CORRIDOR).play().moves("RR").add("solved"))
    assert not game.replayed


def test_early_recordings_have_no_states_and_no_actors(games: Callable[..., list[Game]]) -> None:
    script = Script("s", CORRIDOR).play().moves("RRR").add("solved")
    script.events = [
        (event._replace(state=None, actor=None), received) for event, received in script.events
    ]
    (game,) = games(script)
    row = row_of(game)
    assert (row.solved, row.moves, row.machine_moves, row.replayed) == (True, 3, 0, True)
