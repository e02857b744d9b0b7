"""Designs that begin with a drawing: variations on its idea, its minimal form, a sketch filled.

Each search depends only on its request and a number, as in `pushworld.design.search`.
"""

from dataclasses import dataclass
from random import Random

from pushworld.design.candidates import Archive, Candidate, Wish, evaluate, proposals
from pushworld.design.ideas import Idea, analyze_if_alike, corners, find_idea, minimal_form, tidied
from pushworld.design.mutations import (
    Mutation,
    add_walls,
    change_agent_walls,
    change_shape,
    move_goal,
    move_object,
    mutate,
    remove_walls,
)
from pushworld.design.quality import find_quality
from pushworld.design.search import Designed, first_that_holds
from pushworld.design.sketches import Sketch, is_sketch, parse_sketch
from pushworld.design.variants import (
    Axis,
    difference,
    fill_pockets,
    with_line,
    without_line,
    without_objects,
)
from pushworld.puzzle import Puzzle, PuzzleError, Symmetry, crop, transform
from pushworld.puzzle.transform import canonical_form

DIFFERENT = 0.2
"""Variations differ from their puzzle in at least this share of the cells."""

POLISH = 4
"""How many variations that are different enough are compared by their quality."""

FRESH = 0.1
"""How often a search that fills a drawing starts over."""

FIRST_CHANGES = 6
"""Such a search begins with fewer changes than this to what is drawn."""

FINALISTS = 8
"""How many accepted puzzles are analysed with a larger budget, until one is as wished."""

SMALLEST_SIDE = 4


@dataclass(frozen=True)
class VariationRequest:
    """Variations on the idea of a puzzle: other geometry, the same roles, skills, level and order.

    `like` is the puzzle as ``.pwp`` text. The others are as in `DesignRequest`.
    """

    like: str
    seed: int = 0
    minimal: bool = False
    evaluations: int = 400

    name = "variation"

    def search(self, number: int) -> Designed:
        """Returns the result of the search with a number."""
        random = Random(f"pushworld variation {self.seed} {number}")
        origin = Puzzle.parse(self.like)
        idea = find_idea(origin)
        current = origin
        found: list[tuple[float, Puzzle]] = []
        looked_at = kept = 0

        def propose() -> Puzzle | None:
            proposed = _reshaped(current, idea, random)
            # A variation is never more ragged than its puzzle.
            return proposed if proposed and corners(proposed) <= corners(origin) else None

        for proposed in proposals(propose, canonical_form, self.evaluations):
            looked_at += 1
            analysis = analyze_if_alike(proposed, idea)
            if analysis is not None:
                current, kept = proposed, kept + 1
                if difference(proposed, origin) >= DIFFERENT:
                    found.append((find_quality(proposed, analysis).score, proposed))
            if len(found) == POLISH:
                break
        symmetry = random.choice(list(Symmetry))
        by_quality = [puzzle for _, puzzle in sorted(found, key=lambda each: -each[0])]
        finished = (
            transform(minimal_form(each, idea) if self.minimal else crop(each), symmetry)
            for each in by_quality
        )
        return first_that_holds(number, finished, looked_at, kept, len(found), idea.skills)


@dataclass(frozen=True)
class MinimalRequest:
    """The minimal form of a puzzle, as ``.pwp`` text. There is one, so every search finds the same."""

    of: str

    name = "minimal"

    def search(self, number: int) -> Designed:
        """Returns the minimal form."""
        puzzle = Puzzle.parse(self.of)
        idea = find_idea(puzzle)
        return first_that_holds(number, [minimal_form(puzzle, idea)], 1, 1, 1, idea.skills)


@dataclass(frozen=True)
class DrawingRequest:
    """Puzzles that fill a sketch, or that an evolutionary search finds from a puzzle.

    `drawing` is the text of the sketch or of the puzzle; see `pushworld.design.sketches`. What is drawn
    stays. After `polish` evaluations without an improvement an accepted puzzle is final. The others are as in
    `DesignRequest`.
    """

    drawing: str
    wish: Wish
    seed: int = 0
    minimal: bool = False
    evaluations: int = 400
    polish: int = 40

    @property
    def name(self) -> str:
        return "sketch" if is_sketch(self.drawing) else self.wish.name

    def search(self, number: int) -> Designed:
        """Returns the result of the search with a number."""
        random = Random(f"pushworld drawing {self.seed} {number}")
        sketch = parse_sketch(self.drawing)
        archive: Archive[Candidate] = Archive()
        accepted: list[Candidate] = []
        waiting = [] if sketch.start is None else [sketch.start]
        looked_at = solvable = since = 0

        def propose() -> Puzzle | None:
            return waiting.pop() if waiting else _filled(sketch, archive, random)

        for proposed in proposals(propose, Puzzle.to_pwp, self.evaluations):
            looked_at, since = looked_at + 1, since + 1
            candidate = evaluate(proposed, self.wish, sketch.drawn)
            if candidate is not None:
                solvable += 1
                archive.add(candidate, candidate.cell, candidate.quality)
                if candidate.useless:
                    waiting.append(without_objects(proposed, candidate.useless))
                if candidate.accepted:
                    if all(candidate.quality > each.quality for each in accepted):
                        since = 0
                    accepted.append(candidate)
            if accepted and since >= self.polish:
                break
        by_quality = sorted(accepted, key=lambda each: -each.quality)
        finished = (
            minimal_form(each.puzzle, find_idea(each.puzzle, each.plan), sketch.agrees)
            if self.minimal
            else tidied(each.puzzle, sketch.agrees)
            for each in by_quality[:FINALISTS]
        )
        plans = [each.plan for each in by_quality]
        counts = looked_at, solvable, len(accepted)
        return first_that_holds(number, finished, *counts, self.wish.skills, plans)


def _reshaped(puzzle: Puzzle, idea: Idea, random: Random) -> Puzzle | None:
    """Returns the puzzle after a change of its geometry; no object comes, goes, or gets another role."""
    reshaping = random.choice(RESHAPINGS)
    if reshaping is change_agent_walls and "agent-walls" not in idea.skills:
        return None
    try:
        changed = reshaping(puzzle, random)
    except PuzzleError:
        return None
    if changed is None or _names(changed) != _names(puzzle):
        return None
    return fill_pockets(changed)


def _names(puzzle: Puzzle) -> dict[str, bool]:
    """Returns the names of the objects, and whether they have goals."""
    return {thing.name: thing.goal is not None for thing in puzzle.objects}


def _add_line(puzzle: Puzzle, random: Random) -> Puzzle | None:
    return with_line(puzzle, *_random_line(puzzle, random))


def _remove_line(puzzle: Puzzle, random: Random) -> Puzzle | None:
    axis, number = _random_line(puzzle, random)
    side = puzzle.width if axis == "column" else puzzle.height
    return without_line(puzzle, axis, number) if side - 2 > SMALLEST_SIDE else None


def _random_line(puzzle: Puzzle, random: Random) -> tuple[Axis, int]:
    axis: Axis = random.choice(("column", "row"))
    side = puzzle.width if axis == "column" else puzzle.height
    return axis, random.randrange(1, side - 1)


RESHAPINGS: tuple[Mutation, ...] = (
    _add_line,
    _remove_line,
    add_walls,
    remove_walls,
    change_agent_walls,
    move_object,
    move_goal,
    change_shape,
)
"""The changes of geometry that variations consist of."""


def _filled(sketch: Sketch, archive: Archive[Candidate], random: Random) -> Puzzle | None:
    """Returns the next puzzle to evaluate: a random one, or a change of one that has a plan."""
    if not len(archive) or random.random() < FRESH:
        puzzle, plan = sketch.complete(random), None
        for _ in range(random.randrange(FIRST_CHANGES)):
            puzzle = sketch.impose(mutate(puzzle, random)) or puzzle
    else:
        parent = archive.choose(random)
        puzzle, plan = parent.puzzle, parent.plan
    return sketch.impose(mutate(puzzle, random, plan))
