"""Growing a puzzle: compositions are proved, graded and analysed until one is as wished; mutations polish it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random

from pushworld.design.analysis import analyze
from pushworld.design.archive import Archive
from pushworld.design.budget import Budget, shorten_within, solve_within
from pushworld.design.candidates import (
    Candidate,
    Wish,
    assess,
    hidden_share,
    level_gap,
    untidiness,
)
from pushworld.design.canonical import canonical_form
from pushworld.design.difficulty import grade, guess, measure_for_grading, stored_model
from pushworld.design.gadgets.chains import Chain
from pushworld.design.gadgets.composition import begin, compose, extend
from pushworld.design.gadgets.grammar import SINKS, VAULTS
from pushworld.design.gadgets.links import Composition
from pushworld.design.gadgets.proof import gates_that_matter, proves_links
from pushworld.design.looks import looks
from pushworld.design.minimization import fill_pockets
from pushworld.design.mutations import (
    Mutation,
    add_walls,
    change_shape,
    move_object,
    remove_walls,
)
from pushworld.design.skills import SKILLS
from pushworld.puzzle import Puzzle, PuzzleError

GADGETS = ((1, 2), (2, 3))
"""How many gadgets a puzzle has, by level. Those of higher levels grow gadget by gadget."""

SOLVING = (20_000, 40_000, 60_000, 400_000)
PROVING = (50_000, 100_000, 100_000, 100_000)
"""States of the search for a plan, and of each proof, by level."""

MIN_LENGTH = 8
ATTEMPTS = 60
"""How many compositions may fail to fit for each puzzle that is looked at."""

PATIENCE = 12
"""How many gadgets may fail on top of a chain before its last one is taken away."""

LEAST_RISE = 0.12
"""How much harder each gadget must make a chain."""

EXTENSIONS = 5
"""How many gadgets are tried for each puzzle that may be evaluated: most fail at a first look."""

MORE_STATES = 20
"""How many times as many states the search may see after one more gadget."""

POLISHING = 0.25
"""How often a puzzle of the archive is changed rather than a new one composed."""

SLACK, SLACK_LATER = 0.45, 0.8
"""The share of a plan's length that the best one may have, before and after a first shortening."""

FIRST_SHORTENING = 20_000
"""States of the first shortening."""

POLISH: dict[Mutation, float] = {move_object: 4, remove_walls: 1, add_walls: 0.3, change_shape: 0.7}
"""The mutations that polish, with their relative frequencies."""

USEFUL = {
    "tool-use": ("plunger", "assembly", "hook", "drawer", "lock", "remote-hand"),
    "assembly": ("assembly",),
    "multiple-goals": ("order", "fit"),
    "movable-obstacle": ("gate", "lock", "airlock"),
}
"""For a skill, the gadgets of which a puzzle must have at least one."""


@dataclass(frozen=True)
class Grown:
    """The result of growing.

    Attributes:
        candidate: the puzzle, or None if none was as wished.
        looked_at: how many puzzles were evaluated.
        solvable: how many of them have a plan that is not trivial.
        accepted: how many of them were as wished.
    """

    candidate: Candidate | None
    looked_at: int
    solvable: int
    accepted: int


def grow(
    wish: Wish, width: int, height: int, random: Random, evaluations: int, polish: int
) -> Grown:
    """Returns a puzzle as wished, if one is found.

    Args:
        width, height: the largest interior.
        evaluations: how many puzzles may be evaluated.
        polish: how many changes of an accepted puzzle are tried.
    """
    archive, tower = Archive(), _Tower(wish, width, height, random)
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
                polished += 1
                proposed = _prettier(best, random)
            elif len(archive) and random.random() < POLISHING:
                proposed = _changed(archive.choose(random), random)
            else:
                proposed = next(_compositions(wish, width, height, random), None)
            form = None if proposed is None else canonical_form(proposed.puzzle)
            if proposed is not None and form is not None and form not in seen:
                seen.add(form)
                candidate = _evaluate(proposed, wish)
        if candidate is None:
            continue
        solvable += 1
        archive.add(candidate)
        if candidate.accepted:
            accepted += 1
            if best is None or candidate.quality > best.quality:
                best = candidate
    return Grown(best, looked_at, solvable, accepted)


@dataclass
class _Floor:
    """A floor of a tower.

    Attributes:
        chain: the chain up to here; None for the ground.
        score: its difficulty.
        states: how many the search for a plan saw.
        failures: how many gadgets on top of it failed.
    """

    chain: Chain | None = None
    score: float = float("-inf")
    states: int = 0
    failures: int = 0


class _Tower:
    """A chain that grows gadget by gadget as long as its links are proved and it becomes harder.

    A floor on which many gadgets failed is taken away again.
    """

    def __init__(self, wish: Wish, width: int, height: int, random: Random) -> None:
        self.wish = wish
        self.width, self.height = width, height
        self.random = random
        self.floors = [_Floor()]

    def climb(self) -> Candidate | None:
        """Tries one more gadget; returns the puzzle as a candidate if it has a plan."""
        while len(self.floors) > 1 and self.floors[-1].failures >= PATIENCE:
            self.floors.pop()
        top, level = self.floors[-1], self.wish.level
        top.failures += 1
        chain = self._extended(top.chain)
        composition = None if chain is None else chain.furnished()
        if composition is None:
            return None
        composition = replace(composition, puzzle=fill_pockets(composition.puzzle))
        states = min(SOLVING[level - 1], max(FIRST_SHORTENING, MORE_STATES * top.states))
        look = _Look.at(composition, states)
        if look is None:
            return None
        # Plans of hard puzzles have more to lose.
        shortening = max(FIRST_SHORTENING, 2 * look.states)
        plan = shorten_within(composition.puzzle, look.plan, shortening).plan
        look = replace(look, plan=plan)
        candidate = look.rejected(level)
        if look.score < top.score + LEAST_RISE:
            return candidate
        if not proves_links(composition, PROVING[level - 1]):
            return candidate
        if look.may_have(level, SLACK_LATER) and _may_demand(composition, self.wish):
            candidate = _judge(look, self.wish)
        if top.score + LEAST_RISE <= candidate.score < stored_model().cuts[level - 2]:
            self.floors.append(_Floor(chain, candidate.score, look.states))
        return candidate

    def _extended(self, chain: Chain | None) -> Chain | None:
        """Returns a chain with one more gadget, or None if none fits."""
        if chain is None:
            useful = [kind for skill in self.wish.skills for kind in USEFUL.get(skill, ())]
            sinks = [kind for kind in useful if kind in SINKS] or list(SINKS)
            return begin(self.random, self.width, self.height, (*sinks, *VAULTS))
        longer = chain.copy()
        return longer if extend(longer, (*SINKS, *VAULTS)) else None


def _prettier(best: Candidate, random: Random) -> Composition | None:
    """Returns the puzzle after a small change, None if it does not look better for it."""
    changed = _changed(best, random)
    if changed is None or _appearance(changed.puzzle) <= _appearance(best.puzzle):
        return None
    return changed


def _appearance(puzzle: Puzzle) -> float:
    """Returns the part of a candidate's quality that needs no search."""
    return looks(puzzle) - untidiness(puzzle) - 0.3 * hidden_share(puzzle)


def _compositions(wish: Wish, width: int, height: int, random: Random) -> Iterator[Composition]:
    """Yields compositions that may be as wished."""
    kinds = (*SINKS, *VAULTS)
    for _ in range(ATTEMPTS):
        # A shaft for two rods asks for three objects: one gadget less makes up for it.
        gadgets = random.randint(*GADGETS[wish.level - 1]) - ("assembly" in wish.skills)
        smaller = random.randint(0, min(2, width // 4)), random.randint(0, min(2, height // 4))
        made = compose(random, width - smaller[0], height - smaller[1], gadgets, kinds)
        if made is not None and _may_demand(made, wish):
            yield replace(made, puzzle=fill_pockets(made.puzzle))


def _may_demand(composition: Composition, wish: Wish) -> bool:
    """Returns whether a composition has what the skills need."""
    kinds = {link.gadget for link in composition.links}
    if "agent-walls" in wish.skills and not composition.puzzle.agent_walls:
        return False
    return all(kinds & set(USEFUL.get(skill, kinds)) for skill in wish.skills)


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


@dataclass(frozen=True)
class _Look:
    """A first look at a composition: a plan and the states that its search saw."""

    composition: Composition
    plan: str
    states: int

    @classmethod
    def at(cls, composition: Composition, states: int) -> _Look | None:
        """Returns what a search finds, or None if it finds no plan or a trivial one."""
        found = solve_within(composition.puzzle, states)
        if found.plan is None or len(found.plan) < MIN_LENGTH:
            return None
        return cls(composition, found.plan, found.states)

    @property
    def score(self) -> float:
        """The score of the puzzle if no plan were shorter."""
        return self._score(1.0)

    def may_have(self, level: int, slack: float) -> bool:
        """Returns whether the puzzle may have a level if its best plan has this share of the actions."""
        cuts = (float("-inf"), *stored_model().cuts, float("inf"))
        return self.score >= cuts[level - 1] and self._score(slack) < cuts[level]

    def rejected(self, level: int) -> Candidate:
        """Returns the puzzle as a candidate that is not as wished."""
        puzzle, links, score = self.composition.puzzle, self.composition.links, self.score
        quality = -3 * level_gap(score, level) - 8
        return Candidate(puzzle, self.plan, score, quality, accepted=False, links=links)

    def _score(self, share: float) -> float:
        return guess(self.composition.puzzle, self.plan, self.states, share)


def _evaluate(composition: Composition, wish: Wish) -> Candidate | None:
    """Returns a composition as a candidate, or None if it has no plan or a trivial one."""
    look = _Look.at(composition, SOLVING[wish.level - 1])
    if look is None:
        return None
    rejected = look.rejected(wish.level)
    if not look.may_have(wish.level, SLACK):
        return rejected
    plan = shorten_within(composition.puzzle, look.plan, FIRST_SHORTENING).plan
    if not replace(look, plan=plan).may_have(wish.level, SLACK_LATER):
        return rejected
    return _judge(look, wish) if proves_links(composition, PROVING[wish.level - 1]) else rejected


def _judge(look: _Look, wish: Wish) -> Candidate:
    """Returns a puzzle whose links are proved as a candidate, graded and analysed."""
    composition, rejected = look.composition, look.rejected(wish.level)
    puzzle, states = composition.puzzle, PROVING[wish.level - 1]
    difficulty = grade(puzzle, measure_for_grading(puzzle))
    gap = level_gap(difficulty.score, wish.level)
    if gap > 0:
        return replace(rejected, score=difficulty.score, quality=-3 * gap - 4)
    # A proved order of two goals needs no experiments with all orders.
    ordered = any(link.gadget in USEFUL["multiple-goals"] for link in composition.links)
    budget = Budget(states, states, 100_000, 2_000, 6, 1 if ordered else 3, 2)
    analysis = analyze(
        puzzle, budget, difficulty=difficulty, planners=("default",), known_plan=look.plan
    )
    if ordered:
        known = {*analysis.skills, "multiple-goals"}
        analysis = replace(analysis, skills=tuple(each for each in SKILLS if each in known))
    if analysis.roles is None:
        return rejected
    candidate = assess(puzzle, analysis, wish)
    useless = set(candidate.useless)
    if useless:
        useless -= gates_that_matter(composition, states)
    as_wished = not useless and all(skill in analysis.skills for skill in wish.skills)
    return replace(
        candidate,
        links=composition.links,
        accepted=as_wished and not analysis.roles.of("unknown"),
        quality=candidate.quality + looks(puzzle),
    )
