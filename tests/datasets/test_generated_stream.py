"""Streams of generated puzzles: what is promised of each puzzle, and of the whole row."""

from __future__ import annotations

import hashlib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import permutations

import pytest

from pushworld.datasets import DataError
from pushworld.datasets.generated import (
    LEVEL0_DISTRIBUTIONS,
    PuzzleBatch,
    PuzzleDistribution,
    PuzzleStream,
    Split,
    generate,
    polyominoes,
)
from pushworld.datasets.generated import stream as stream_module
from pushworld.planners import solve
from pushworld.puzzle import Puzzle, PuzzleObject, Symmetry, transform
from tests.state_space import shortest_length

SETS = list(LEVEL0_DISTRIBUTIONS)
TINY = PuzzleDistribution(
    width=(3, 3), height=(2, 2), walls=(0, 0), obstacles=(0, 0), goal_object_margin=0
)


Form = tuple[object, ...]


def symmetric_form(puzzle: Puzzle) -> Form:
    """Returns the smallest of the eight forms of a puzzle, without names."""
    return min(_form(transform(puzzle, symmetry)) for symmetry in Symmetry)


def _form(puzzle: Puzzle) -> Form:
    movables = sorted((thing.shape, thing.start, thing.goal or ()) for thing in puzzle.movables)
    agent = (puzzle.agent.shape, puzzle.agent.start)
    return puzzle.width, puzzle.height, sorted(puzzle.walls), agent, movables


def texts(batch: PuzzleBatch) -> list[str]:
    return [puzzle.to_pwp() for puzzle in batch.puzzles()]


@pytest.mark.parametrize("name", SETS)
def test_every_puzzle_has_a_shortest_plan_and_is_not_solved_at_the_start(name: str) -> None:
    batch = generate(name, 12, seed=3)
    for index in range(len(batch)):
        puzzle, plan = batch.puzzle(index), batch.plan(index)
        assert not puzzle.is_solved(puzzle.initial_state)
        assert puzzle.validate(plan)
        assert len(plan) == batch.lengths[index]
        assert solve(puzzle, "astar", time_limit=600).length == len(plan)
        if index < 3 and name != "all":
            assert shortest_length(puzzle) == len(plan)


@pytest.mark.parametrize("name", SETS)
def test_puzzles_are_within_the_distribution(name: str) -> None:
    wanted = LEVEL0_DISTRIBUTIONS[name]
    for puzzle in generate(name, 60, seed=4).puzzles():
        with_goal = [thing for thing in puzzle.movables if thing.goal is not None]
        obstacles = [thing for thing in puzzle.movables if thing.goal is None]
        interior = [(x, y) for x in range(1, puzzle.width - 1) for y in range(1, puzzle.height - 1)]
        walls = puzzle.walls & set(interior)
        for value, (first, last) in (
            (puzzle.width - 2, wanted.width),
            (puzzle.height - 2, wanted.height),
            (len(walls), wanted.walls),
            (len(with_goal), wanted.goals),
            (len(obstacles), wanted.obstacles),
        ):
            assert first <= value <= last
        assert puzzle.agent.shape in wanted.agent_shapes
        assert all(thing.shape in wanted.obstacle_shapes for thing in obstacles)
        assert len({thing.shape for thing in with_goal}) == len(with_goal)
        for i, thing in enumerate(with_goal):
            assert thing.shape in wanted.goal_shapes[min(i, len(wanted.goal_shapes) - 1)]
            assert all(
                1 < x < puzzle.width - 2 and 1 < y < puzzle.height - 2
                for x, y in thing.cells_at(thing.start)
            )
        taken = [
            *walls,
            *(cell for thing in puzzle.objects for cell in thing.cells_at(thing.start)),
        ]
        taken += [cell for thing in with_goal for cell in thing.cells_at(thing.goal or (0, 0))]
        assert len(taken) == len(set(taken))


def test_a_tiny_distribution_is_exhausted_exactly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream_module, "MAX_FRUITLESS_DRAWS", 4000)
    cells = [(x, y) for x in (1, 2, 3) for y in (1, 2)]
    square = ((0, 0),)
    solvable = set()
    for agent, start, goal in permutations(cells, 3):
        puzzle = Puzzle(
            5,
            4,
            (PuzzleObject("A", square, agent), PuzzleObject("M1", square, start, goal)),
            frozenset(),
        )
        if solve(puzzle, "bfs").status == "solved":
            solvable.add(str(symmetric_form(puzzle)))
    stream = PuzzleStream(TINY)
    found = {str(symmetric_form(puzzle)) for puzzle in stream.batch(len(solvable)).puzzles()}
    assert found == solvable
    with pytest.raises(DataError, match="no more of them"):
        stream.batch(1)


def test_no_two_puzzles_are_the_same_up_to_symmetry_within_or_across_splits() -> None:
    small = replace(TINY, height=(3, 3), obstacles=(1, 1))
    splits: tuple[Split, Split] = ("train", "test")
    forms = [
        [
            str(symmetric_form(puzzle))
            for puzzle in generate(small, count, seed=seed, split=split).puzzles()
        ]
        for split, count, seed in zip(splits, (40, 4), (1, 2), strict=True)
    ]
    assert [len(set(each)) for each in forms] == [40, 4]
    assert not set(forms[0]) & set(forms[1])


def test_splits_part_the_stream() -> None:
    both = texts(generate("walls", 110, seed=5))
    train = texts(generate("walls", 110, seed=5, split="train"))
    test = texts(generate("walls", 20, seed=5, split="test"))
    assert [text for text in both if text in train] + [
        text for text in both if text in test
    ] == sorted(both, key=lambda text: text in test)
    assert any(text in test for text in both)


@pytest.mark.parametrize("threads", [0, 1001])
def test_numbers_of_threads_that_make_no_sense(threads: int) -> None:
    with pytest.raises(DataError, match=f"threads must be 1 to 1000, not {threads}"):
        PuzzleStream("base", threads=threads)


def test_threads_may_share_a_stream() -> None:
    alone = texts(generate("shapes", 1200, seed=6))
    stream = PuzzleStream("shapes", seed=6, threads=2)
    with ThreadPoolExecutor(4) as callers:
        batches = [*callers.map(stream.batch, [100] * 12)]
    parts = sorted(map(texts, batches), key=lambda part: alone.index(part[0]))
    assert [text for part in parts for text in part] == alone


def test_threads_and_batch_sizes_do_not_matter() -> None:
    alone = generate("shapes", 60, seed=6, threads=1)
    stream = PuzzleStream("shapes", seed=6, threads=3)
    parts = [stream.batch(count) for count in (1, 7, 52)]
    assert texts(alone) == [text for part in parts for text in texts(part)]
    plans = [part.plan(i) for part in parts for i in range(len(part))]
    assert [alone.plan(i) for i in range(60)] == plans


def test_a_stream_goes_on_where_another_stopped() -> None:
    whole = generate("base", 30, seed=8)
    first = generate("base", 12, seed=8)
    rest = PuzzleStream(
        "base",
        seed=8,
        first_candidate=int(first.candidates[-1]) + 1,
        made_before=first.hashes.tolist(),
    ).batch(18)
    assert texts(first) + texts(rest) == texts(whole)


def test_the_same_on_every_machine() -> None:
    text = "".join("".join(texts(generate(name, 20, seed=2026))) for name in SETS)
    assert hashlib.sha256(text.encode()).hexdigest() == GOLDEN


GOLDEN = "09199d8b90536092cb900f4c1c3dfdcf6c66220f1512b8971d4fe663d2b52e48"


def test_lengths_can_be_demanded() -> None:
    batch = generate(replace(LEVEL0_DISTRIBUTIONS["base"], plan_length=(15, 20)), 30)
    assert set(batch.lengths.tolist()) <= set(range(15, 21))


def test_iterating_yields_puzzles_with_plans() -> None:
    puzzles = iter(PuzzleStream("goals", seed=1))
    assert all(puzzle.validate(plan) for puzzle, plan in (next(puzzles) for _ in range(5)))


def test_numbers_of_polyominoes() -> None:
    assert [len(polyominoes(size, size)) for size in range(1, 6)] == [1, 2, 6, 19, 63]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"width": (6, 5)}, "width goes from 6 to 5"),
        ({"goals": (0, 1)}, "goals must be within 1 to 62, not 0 to 1"),
        ({"goals": (2, 2)}, "goal 2 may find all of its 1 shapes taken"),
        ({"agent_shapes": ()}, "agent_shapes is empty"),
        ({"agent_shapes": (((1, 0),),)}, "canonical form"),
        ({"obstacles": (30, 30), "width": (9, 9), "height": (9, 9)}, "do not fit the search"),
    ],
)
def test_impossible_distributions_are_refused(change: dict[str, object], message: str) -> None:
    with pytest.raises(DataError, match=message):
        replace(PuzzleDistribution(), **change)  # type: ignore[arg-type]


def test_unknown_names_are_refused() -> None:
    with pytest.raises(DataError, match="the sets are base, size"):
        PuzzleStream("bass")
    with pytest.raises(DataError, match="no split"):
        generate("base", 1, split="validation")  # type: ignore[arg-type]
