"""The search for one puzzle, which depends only on the request and a number.

Puzzles are composed of gadgets and polished: see `pushworld.design.gadgets`. Only a search that starts from
a puzzle is evolutionary.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from random import Random

from pushworld.design.analysis import Analysis, analyze
from pushworld.design.archive import Archive
from pushworld.design.budget import BUDGETS
from pushworld.design.candidates import Candidate, Wish, assess, evaluate
from pushworld.design.canonical import canonical_form
from pushworld.design.gadgets.composition import any_fits
from pushworld.design.gadgets.evaluation import USEFUL
from pushworld.design.gadgets.growing import grow
from pushworld.design.gadgets.links import Link
from pushworld.design.minimization import fill_pockets, minimize
from pushworld.design.mutations import mutate
from pushworld.design.variants import without_objects
from pushworld.puzzle import PushWorldError, Puzzle, crop

FRESH_BLOOD = 0.05
"""How often a search that starts from a puzzle starts over."""

FINALISTS = 8
"""How many accepted puzzles are analysed with a larger budget before the search continues."""

AGENT_WALLS = 0.5
"""How often mutations may add agent walls."""

SMALLEST, LARGEST = 4, 60

SIZES = ("10x10", "10x10", "12x12", "24x24")
"""Sizes that suit the levels: hard puzzles need space for their chains."""


@dataclass(frozen=True)
class DesignRequest:
    """What to design. A request and a number determine one puzzle.

    Attributes:
        wish: the wanted level and skills.
        width, height: of the interior.
        seed: random seed.
        minimal: whether to remove every wall and object that makes no difference.
        evaluations: how many puzzles one search may evaluate.
        polish: how many changes of an accepted puzzle are tried before it is final.
        start: a puzzle to start from, as ``.pwp`` text; compositions of gadgets if not given.
    """

    wish: Wish
    width: int
    height: int
    seed: int = 0
    minimal: bool = False
    evaluations: int = 400
    polish: int = 8
    start: str | None = None

    def __post_init__(self) -> None:
        self.wish.check()
        for side in (self.width, self.height):
            if not SMALLEST <= side <= LARGEST:
                raise PushWorldError(
                    f"each side of a puzzle must be {SMALLEST} to {LARGEST} cells, not {side}"
                )
        for skill in self.wish.skills if self.start is None else ():
            if skill in USEFUL and not any_fits(USEFUL[skill], self.width, self.height):
                raise PushWorldError(
                    f"nothing that demands {skill} fits into {self.width}x{self.height} cells: choose "
                    "a larger --size"
                )

    @property
    def name(self) -> str:
        """What the files of the puzzles are called, before their numbers."""
        return "-".join((f"level{self.wish.level}", *self.wish.skills[:1]))

    def search(self, number: int) -> Designed:
        """Returns the result of the search with a number."""
        return design_one(self, number)


@dataclass(frozen=True)
class Designed:
    """The result of one search.

    Attributes:
        number: the number of the search.
        puzzle: the puzzle that it found, or None.
        analysis: the analysis of that puzzle.
        looked_at: how many puzzles were evaluated.
        solvable: how many of them have a plan that is not trivial.
        accepted: how many of them were as wished.
        links: the dependencies that it was composed of.
    """

    number: int
    puzzle: Puzzle | None
    analysis: Analysis | None
    looked_at: int
    solvable: int
    accepted: int
    links: tuple[Link, ...] = ()


def parse_size(text: str) -> tuple[int, int]:
    """Returns the columns and rows of a size such as ``20x12``, or raises PushWorldError."""
    match = re.fullmatch(r"\s*([0-9]{1,4})\s*[xX×]\s*([0-9]{1,4})\s*", text)
    if match is None:
        raise PushWorldError(f"{text!r} is no size: write columns x rows, such as 20x12")
    return int(match[1]), int(match[2])


def design_one(request: DesignRequest, number: int) -> Designed:
    """Returns the result of the search with a number. A pure function: it may run on any machine."""
    random = Random(f"pushworld design {request.seed} {number}")
    if request.start is not None:
        return _evolve(request, request.start, number, random)
    grown = grow(
        request.wish, request.width, request.height, random, request.evaluations, request.polish
    )
    found = grown.candidate
    if found is not None and request.minimal:
        smaller = _finished(request, found)
        found = found if smaller is None else replace(smaller, links=found.links)
    return Designed(
        number=number,
        puzzle=None if found is None else crop(found.puzzle),
        analysis=None if found is None else found.analysis,
        looked_at=grown.looked_at,
        solvable=grown.solvable,
        accepted=grown.accepted,
        links=() if found is None else found.links,
    )


def _evolve(request: DesignRequest, start: str, number: int, random: Random) -> Designed:
    """Returns the result of an evolutionary search from a puzzle."""
    wish = request.wish
    archive = Archive()
    contenders: list[Candidate] = []
    found: Candidate | None = None
    tidied: Puzzle | None = None
    seen: set[str] = set()
    looked_at = solvable = accepted = since = 0
    while looked_at < request.evaluations:
        puzzle = tidied or _next_puzzle(Puzzle.parse(start), archive, looked_at, random)
        looked_at += 1
        since += 1
        form = canonical_form(puzzle)
        candidate = None if form in seen else evaluate(puzzle, wish)
        seen.add(form)
        tidied = None
        if candidate is not None:
            solvable += 1
            archive.add(candidate)
            if candidate.useless:
                tidied = without_objects(puzzle, candidate.useless)
            if candidate.accepted:
                accepted += 1
                if all(candidate.quality > each.quality for each in contenders):
                    since = 0
                contenders.append(candidate)
        if contenders and (since >= request.polish or looked_at == request.evaluations):
            found = _first_that_holds(request, contenders)
            if found is not None:
                break
            contenders.clear()
    return Designed(
        number=number,
        puzzle=None if found is None else found.puzzle,
        analysis=None if found is None else found.analysis,
        looked_at=looked_at,
        solvable=solvable,
        accepted=accepted,
    )


def _next_puzzle(start: Puzzle, archive: Archive, looked_at: int, random: Random) -> Puzzle:
    """Returns the next puzzle to evaluate."""
    if not looked_at:
        return start
    if not len(archive) or random.random() < FRESH_BLOOD:
        return mutate(start, random)
    parent = archive.choose(random)
    agent_walls = random.random() < AGENT_WALLS
    return fill_pockets(mutate(parent.puzzle, random, parent.plan, agent_walls))


def _first_that_holds(request: DesignRequest, contenders: list[Candidate]) -> Candidate | None:
    """Returns the best accepted puzzle that is still as wished in its final form."""
    by_quality = sorted(contenders, key=lambda each: each.quality, reverse=True)
    finished = (_finished(request, each) for each in by_quality[:FINALISTS])
    return next((each for each in finished if each is not None), None)


def _finished(request: DesignRequest, best: Candidate) -> Candidate | None:
    """Returns the final form of a puzzle, analysed with a larger budget; None if not as wished."""
    puzzle = best.puzzle
    if request.minimal:
        puzzle = minimize(puzzle, lambda smaller: _is_as_good(smaller, best, request.wish))
    puzzle = _renamed(crop(fill_pockets(puzzle)))
    known_plan = best.plan if puzzle.validate(best.plan) else None
    analysis = analyze(puzzle, BUDGETS["quick"], known_plan=known_plan)
    if analysis.roles is None:
        return None
    final = assess(puzzle, analysis, request.wish)
    return final if final.accepted else None


def _is_as_good(smaller: Puzzle, best: Candidate, wish: Wish) -> bool:
    """Returns whether a smaller puzzle has as long a plan and demands the same."""
    found = evaluate(smaller, wish)
    if found is None or found.analysis is None or best.analysis is None:
        return False
    ours, theirs = best.analysis.measures.solution, found.analysis.measures.solution
    assert ours is not None
    assert theirs is not None
    return found.accepted and theirs.length == ours.length and found.skills == best.skills


def _renamed(puzzle: Puzzle) -> Puzzle:
    """Returns the puzzle with its movables named M1, M2, ... in order."""
    movables = tuple(
        replace(thing, name=f"M{number}") for number, thing in enumerate(puzzle.movables, start=1)
    )
    return replace(puzzle, objects=(puzzle.agent, *movables))
