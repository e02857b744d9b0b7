"""The bundled puzzles: their plans are shortest, they are original, and each teaches its tags."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from importlib.resources import files

import numpy as np
import pytest

from pushworld.datasets.bundled import (
    BundledPuzzle,
    bundled_puzzles,
    classic_puzzles,
    frontier_puzzles,
    heldout_puzzles,
    package_puzzles,
)
from pushworld.design.state_space import StateSpace as LargeStateSpace
from pushworld.design.state_space import explore
from pushworld.planners import solve
from pushworld.puzzle import Position, Puzzle, PuzzleObject, State, Symmetry, crop, transform
from tests.shared import needs_shared, published_puzzles
from tests.state_space import StateSpace, shortest_length

SKILLS = {
    "path-planning",
    "manipulation-planning",
    "movable-obstacle",
    "tool-use",
    "assembly",
    "multiple-goals",
    "agent-walls",
    "irreversible-choice",
}

every_puzzle = pytest.mark.parametrize("entry", bundled_puzzles(), ids=lambda entry: entry.name)


# The index


@pytest.mark.parametrize(
    ("name", "entries"),
    [
        ("teaching", bundled_puzzles()),
        ("classic", classic_puzzles()),
        ("frontier", frontier_puzzles()),
        ("heldout", heldout_puzzles()),
    ],
)
def test_index_and_files_name_the_same_puzzles(name: str, entries: Sequence[BundledPuzzle]) -> None:
    folder = files("pushworld.datasets.bundled") / "puzzles" / name
    in_folder = [item.name for item in folder.iterdir() if item.name.endswith(".pwp")]
    assert sorted(in_folder) == sorted(f"{entry.name}.pwp" for entry in entries)


def test_the_first_puzzle_is_one_push() -> None:
    assert len(bundled_puzzles()) == 12
    assert bundled_puzzles()[0].name == "first-push"


@every_puzzle
def test_entry_has_title_description_idea_and_tags(entry: BundledPuzzle) -> None:
    assert entry.title.strip()
    for text in (entry.description, entry.idea):
        assert text.strip()
        assert "\n" not in text
    assert entry.tags
    assert len(set(entry.tags)) == len(entry.tags)
    assert set(entry.tags) <= SKILLS


def test_every_skill_is_taught() -> None:
    assert {tag for entry in bundled_puzzles() for tag in entry.tags} == SKILLS


def test_titles_descriptions_and_ideas_differ() -> None:
    entries = (*bundled_puzzles(), *classic_puzzles())
    assert len({entry.title for entry in package_puzzles()}) == len(package_puzzles())
    assert len({entry.description for entry in entries}) == len(entries)
    assert len({entry.idea for entry in entries}) == len(entries)


# The plans


@every_puzzle
def test_plan_solves_its_puzzle(entry: BundledPuzzle) -> None:
    assert not entry.puzzle.is_solved(entry.puzzle.initial_state)
    assert entry.puzzle.validate(entry.plan)


@every_puzzle
def test_no_plan_is_shorter(entry: BundledPuzzle) -> None:
    assert solution_length(entry.puzzle) == len(entry.plan)


# Our own


def fingerprint(puzzle: Puzzle) -> tuple[object, ...]:
    """Returns what makes the puzzle what it is, without the names of its objects."""
    agent, *movables = ((thing.shape, thing.start, thing.goal) for thing in puzzle.objects)
    size = (puzzle.width, puzzle.height)
    return size, puzzle.walls, puzzle.agent_walls, agent, frozenset(movables)


@needs_shared
def test_no_puzzle_is_a_published_one() -> None:
    ours = {
        fingerprint(transform(crop(entry.puzzle), symmetry)): entry.name
        for entry in bundled_puzzles()
        for symmetry in Symmetry
    }
    published = {fingerprint(crop(Puzzle.load(path))): path.stem for path in published_puzzles()}
    assert not ours.keys() & published.keys()


# What each puzzle teaches, by searching all states it can get into


def bundled(name: str) -> BundledPuzzle:
    return next(entry for entry in bundled_puzzles() if entry.name == name)


def solution_length(puzzle: Puzzle) -> int | None:
    """Returns the length of a shortest plan, or None if there is no plan."""
    result = solve(puzzle, "bfs")
    assert result.status in ("solved", "unsolvable")
    return result.length


def test_the_search_finds_what_the_reference_finds() -> None:
    for name in ("first-push", "crossroads", "keyhole", "hermit-crab", "portcullis"):
        assert solution_length(bundled(name).puzzle) == shortest_length(bundled(name).puzzle)


def explored(puzzle: Puzzle) -> LargeStateSpace:
    """Returns the state space by the engine, for puzzles too large for the reference."""
    space = explore(puzzle, max_states=300_000)
    assert space is not None
    return space


def find(puzzle: Puzzle, name: str) -> PuzzleObject:
    return next(thing for thing in puzzle.objects if thing.name == name)


def without(puzzle: Puzzle, name: str) -> Puzzle:
    return replace(puzzle, objects=tuple(o for o in puzzle.objects if o.name != name))


def with_wall_for(puzzle: Puzzle, name: str) -> Puzzle:
    thing = find(puzzle, name)
    return walled(without(puzzle, name), thing.cells_at(thing.start))


def walled(puzzle: Puzzle, cells: frozenset[Position]) -> Puzzle:
    return replace(puzzle, walls=puzzle.walls | cells)


def reshaped(puzzle: Puzzle, name: str, change: Callable[[set[Position]], set[Position]]) -> Puzzle:
    """Returns the puzzle with an object of another shape but the same corner."""
    thing = find(puzzle, name)
    shape = tuple(sorted(change(set(thing.shape)), key=lambda cell: (cell[1], cell[0])))
    objects = tuple(replace(o, shape=shape) if o is thing else o for o in puzzle.objects)
    return replace(puzzle, objects=objects)


def after(puzzle: Puzzle, plan: str) -> State:
    *_, last = puzzle.replay(plan)
    return last


def test_crossroads_forgives_two_pushes_but_not_three() -> None:
    space = StateSpace(bundled("crossroads").puzzle)
    assert after(space.puzzle, "RR") in space.alive()
    assert after(space.puzzle, "RRR") in space.distance.keys() - space.alive()


def test_tuning_fork_fits_only_the_upper_opening() -> None:
    puzzle = bundled("tuning-fork").puzzle
    upper = frozenset({(6, 2), (6, 3), (6, 4)})
    lower = frozenset({(6, 6), (6, 8)})
    assert not (upper | lower) & puzzle.walls
    assert solution_length(walled(puzzle, upper)) is None
    assert solution_length(walled(puzzle, lower)) is not None


@pytest.mark.parametrize("name", ["portcullis", "cork"])
def test_obstacle_is_in_the_way_and_can_be_cleared(name: str) -> None:
    entry = bundled(name)
    easier = solution_length(without(entry.puzzle, "M2"))
    assert easier is not None
    assert easier < len(entry.plan)
    assert solution_length(with_wall_for(entry.puzzle, "M2")) is None


@pytest.mark.parametrize(
    ("name", "tool"),
    [
        ("keyhole", "M2"),
        ("duet", "M3"),
        ("castaway", "M2"),
        ("deep-water", "M2"),
        ("deep-water", "M3"),
    ],
)
def test_tool_is_needed(name: str, tool: str) -> None:
    assert solution_length(without(bundled(name).puzzle, tool)) is None


@pytest.mark.parametrize("name", ["through-the-fence", "duet", "castaway", "deep-water"])
def test_agent_walls_make_it_harder_and_let_objects_through(name: str) -> None:
    entry = bundled(name)
    puzzle = entry.puzzle
    easier = solution_length(replace(puzzle, agent_walls=frozenset()))
    assert easier is not None
    assert easier < len(entry.plan)
    occupied = {cell for thing in puzzle.objects for cell in thing.cells_at(thing.start)}
    assert solution_length(walled(puzzle, puzzle.agent_walls - occupied)) is None


def test_fence_is_passed_by_the_foot_of_the_hook() -> None:
    straight = reshaped(bundled("through-the-fence").puzzle, "M1", lambda cells: cells - {(2, 1)})
    assert solution_length(straight) is None


def test_closed_jar_stays_closed() -> None:
    puzzle = bundled("lid-last").puzzle
    space = explored(puzzle)
    too_soon = space.at_goal[:, 1] & ~space.at_goal[:, 0]
    assert too_soon.any()
    assert not space.solvable[too_soon].any()


def test_hermit_crab_has_to_climb_in() -> None:
    space = StateSpace(bundled("hermit-crab").puzzle)
    assert solution_length(reshaped(space.puzzle, "M1", lambda cells: cells | {(1, 1)})) is None
    assert after(space.puzzle, "RRRRRRR") in space.distance.keys() - space.alive()


def test_cork_pushed_out_of_the_bottle_stays_there() -> None:
    puzzle = bundled("cork").puzzle
    space = explored(puzzle)
    neck = find(puzzle, "M2").start[0]
    states = np.array([np.frombuffer(key, np.int16) for key in space.numbers]).reshape(
        len(space), -1, 2
    )
    names = [thing.name for thing in puzzle.objects]
    red, cork = (states[:, names.index(name), 0] for name in ("M1", "M2"))
    pushed_out = cork > np.maximum(neck, red)
    assert pushed_out.any()
    assert not space.solvable[pushed_out].any()
    assert not space.solvable[space.number_of(after(puzzle, "RRR"))]


def test_duet_is_sung_together() -> None:
    space = explored(bundled("duet").puzzle)
    alone = space.at_goal.sum(axis=1) == 1
    assert alone.any()
    assert not space.solvable[alone].any()
