"""Variants of a puzzle, for the experiments of the analysis."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace

from pushworld.puzzle import Puzzle, State


def without_objects(puzzle: Puzzle, names: Collection[str]) -> Puzzle:
    """Returns the puzzle without some movables and their goals."""
    kept = tuple(thing for thing in puzzle.objects if thing.name not in names)
    return replace(puzzle, objects=kept)


def with_goals_of(puzzle: Puzzle, names: Collection[str]) -> Puzzle:
    """Returns the puzzle with only some of its goals; all objects stay."""
    objects = tuple(
        thing if thing.name in names else replace(thing, goal=None) for thing in puzzle.objects
    )
    return replace(puzzle, objects=objects)


def without_agent_walls(puzzle: Puzzle) -> Puzzle:
    """Returns the puzzle without its agent walls."""
    return replace(puzzle, agent_walls=frozenset())


def from_state(puzzle: Puzzle, state: State) -> Puzzle:
    """Returns the puzzle with another initial state."""
    objects = tuple(
        replace(thing, start=position)
        for thing, position in zip(puzzle.objects, state, strict=True)
    )
    return replace(puzzle, objects=objects)


def frozen(puzzle: Puzzle, names: Iterable[str]) -> Puzzle:
    """Returns the puzzle with some movables turned into walls where they stand."""
    chosen = set(names)
    cells = {
        cell
        for thing in puzzle.movables
        if thing.name in chosen
        for cell in thing.cells_at(thing.start)
    }
    return replace(without_objects(puzzle, chosen), walls=puzzle.walls | cells)


def object_names(puzzle: Puzzle) -> tuple[str, ...]:
    """Returns the names of the movables, those with goals first."""
    return tuple(thing.name for thing in puzzle.movables)


def goal_names(puzzle: Puzzle) -> tuple[str, ...]:
    """Returns the names of the movables that have goals."""
    return tuple(thing.name for thing in puzzle.movables if thing.goal is not None)
