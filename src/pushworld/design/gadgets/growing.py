"""Growing a puzzle: compositions are proved, graded and analysed until one is as wished; mutations polish it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

from pushworld.design.candidates import Archive, Candidate, Wish, hidden_share, untidiness
from pushworld.design.canonical import canonical_form
from pushworld.design.gadgets.composition import compose
from pushworld.design.gadgets.evaluation import evaluate_composition, may_demand
from pushworld.design.gadgets.grammar import SINKS, VAULTS
from pushworld.design.gadgets.links import Composition, held_by
from pushworld.design.gadgets.rooms import central, places
from pushworld.design.gadgets.towers import Tower
from pushworld.design.looks import clutter, looks, touching
from pushworld.design.minimization import fill_pockets
from pushworld.design.mutations import (
    Mutation,
    add_walls,
    change_shape,
    move_object,
    remove_walls,
    with_object,
)
from pushworld.puzzle import Puzzle, PuzzleError
from pushworld.puzzle.free_space import free_cells, occupied

GADGETS = ((1, 2), (2, 3))
"""How many gadgets a puzzle has, by level. Those of higher levels grow gadget by gadget."""

ATTEMPTS = 60
"""How many compositions may fail to fit for each puzzle that is looked at."""

EXTENSIONS = 5
"""How many gadgets are tried for each puzzle that may be evaluated: most fail at a first look."""

POLISHING = 0.25
"""How often a puzzle of the archive is changed rather than a new one composed."""

BATCH = 4
"""Changes of an accepted puzzle come in batches: the one that looks best is evaluated."""

SPREADING = 0.5
"""How often such a change moves an object away from those that it touches."""

POLISH: dict[Mutation, float] = {move_object: 4, remove_walls: 1, add_walls: 0.3, change_shape: 0.7}
"""The mutations that polish, with their relative frequencies."""


def grow(
    wish: Wish, width: int, height: int, random: Random, evaluations: int, polish: int
) -> tuple[Candidate | None, tuple[int, int, int]]:
    """Returns a puzzle as wished, if one is found, and how many were evaluated, solvable and accepted.

    Args:
        width, height: the largest interior.
        evaluations: how many puzzles may be evaluated.
        polish: how many changes of an accepted puzzle are tried.
    """
    archive, tower = Archive(), Tower(wish, width, height, random)
    best: Candidate | None = None
    seen: set[str] = set()
    looked_at = solvable = accepted = 0
    polished = 0
    climbing = wish.level > len(GADGETS)
    most = evaluations * (EXTENSIONS if climbing else 1)
    while looked_at < most and polished < polish:
        looked_at += 1
        candidate = None
        if best is None and climbing:
            candidate = tower.climb()
        else:
            if best is not None:
                polished += BATCH
                proposed = _prettier(best, random)
            elif len(archive) and random.random() < POLISHING:
                proposed = _changed(archive.choose(random), random)
            else:
                proposed = next(_compositions(wish, width, height, random), None)
            form = None if proposed is None else canonical_form(proposed.puzzle)
            if proposed is not None and form is not None and form not in seen:
                seen.add(form)
                candidate = evaluate_composition(proposed, wish)
        if candidate is None:
            continue
        solvable += 1
        archive.add(candidate)
        if candidate.accepted:
            accepted += 1
            if best is None or candidate.quality > best.quality:
                best = candidate
    return best, (looked_at, solvable, accepted)


def _prettier(best: Candidate, random: Random) -> Composition | None:
    """Returns the puzzle after the small change that looks best, None if none looks better than before."""
    changes = [
        _spread(best, random) if random.random() < SPREADING else _changed(best, random)
        for _ in range(BATCH)
    ]
    made = [each for each in changes if each is not None]
    prettiest = max(made, key=lambda each: _appearance(each.puzzle), default=None)
    if prettiest is None or _appearance(prettiest.puzzle) <= _appearance(best.puzzle):
        return None
    return prettiest


def _spread(best: Candidate, random: Random) -> Composition | None:
    """Returns the puzzle with a loose object that touched another one in a place of its own nearby."""
    puzzle = best.puzzle
    crowded = sorted(set(touching(puzzle.objects)) - held_by(best.links))
    if not crowded:
        return None
    name = random.choice(crowded)
    (thing,) = (each for each in puzzle.objects if each.name == name)
    free = set(free_cells(puzzle) - occupied(puzzle, but=name) - puzzle.agent_walls)
    starts = central(places(thing.shape, free), thing.shape, free)
    x, y = thing.start
    nearest = sorted(starts, key=lambda place: abs(place[0] - x) + abs(place[1] - y))[:BATCH]
    if not nearest:
        return None
    moved = with_object(puzzle, replace(thing, start=random.choice(nearest)))
    return Composition(moved, best.links)


def _appearance(puzzle: Puzzle) -> float:
    """Returns the part of a candidate's quality that needs no search."""
    mess = clutter(puzzle, [thing.name for thing in puzzle.movables])
    return looks(puzzle) - untidiness(puzzle) - 0.3 * hidden_share(puzzle) - 2 * mess


def _compositions(wish: Wish, width: int, height: int, random: Random) -> Iterator[Composition]:
    """Yields compositions that may be as wished."""
    kinds = (*SINKS, *VAULTS)
    for _ in range(ATTEMPTS):
        # A shaft for two rods asks for three objects: one gadget less makes up for it.
        gadgets = random.randint(*GADGETS[wish.level - 1]) - ("assembly" in wish.skills)
        smaller = random.randint(0, min(2, width // 4)), random.randint(0, min(2, height // 4))
        made = compose(random, width - smaller[0], height - smaller[1], gadgets, kinds)
        if made is not None and may_demand(made, wish):
            yield replace(made, puzzle=fill_pockets(made.puzzle))


def _changed(parent: Candidate, random: Random) -> Composition | None:
    """Returns a puzzle after a small change, with the same links."""
    mutation = random.choices(list(POLISH), list(POLISH.values()))[0]
    try:
        puzzle = mutation(parent.puzzle, random)
    except PuzzleError:
        return None
    if puzzle is None or puzzle.agent.shape != parent.puzzle.agent.shape:
        return None
    return Composition(fill_pockets(puzzle), parent.links)
