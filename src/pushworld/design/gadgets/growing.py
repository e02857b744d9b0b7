"""Growing a puzzle: compositions are proved, graded and analysed until one is as wished; mutations polish it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random

from pushworld.design.analysis import analyze
from pushworld.design.archive import Archive
from pushworld.design.budget import Budget, shorten_within, solve_within
from pushworld.design.candidates import Candidate, Wish, assess, level_gap
from pushworld.design.canonical import canonical_form
from pushworld.design.difficulty import (
    difficulty_features,
    grade,
    measure_for_grading,
    stored_model,
)
from pushworld.design.gadgets.composition import Composition, compose
from pushworld.design.gadgets.grammar import SINKS, VAULTS
from pushworld.design.gadgets.proof import gates_that_matter, proves_links
from pushworld.design.looks import looks
from pushworld.design.measures import Measures, PlannerEffort
from pushworld.design.minimization import fill_pockets
from pushworld.design.mutations import (
    Mutation,
    add_walls,
    change_shape,
    move_object,
    remove_walls,
)
from pushworld.design.plan_features import plan_features
from pushworld.puzzle import Puzzle, PuzzleError

GADGETS = ((1, 2), (2, 3), (3, 4), (4, 6))
"""How many gadgets a puzzle has, by level."""

SOLVING = (20_000, 40_000, 60_000, 400_000)
PROVING = (50_000, 100_000, 500_000, 2_000_000)
"""States of the search for a plan, and of each proof, by level."""

MIN_LENGTH = 8
ATTEMPTS = 60
"""How many compositions may fail to fit for each puzzle that is looked at."""

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
    "multiple-goals": ("order",),
    "movable-obstacle": ("gate", "lock"),
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
    archive = Archive()
    best: Candidate | None = None
    seen: set[str] = set()
    looked_at = solvable = accepted = 0
    polished = 0
    while looked_at < evaluations and polished < polish:
        if best is not None:
            polished += 1
            proposed = _changed(best, random)
        elif len(archive) and random.random() < POLISHING:
            proposed = _changed(archive.choose(random), random)
        else:
            proposed = next(_compositions(wish, width, height, random), None)
        looked_at += 1
        form = None if proposed is None else canonical_form(proposed.puzzle)
        if proposed is None or form is None or form in seen:
            continue
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


def _evaluate(composition: Composition, wish: Wish) -> Candidate | None:
    """Returns a composition as a candidate, or None if it has no plan or a trivial one."""
    puzzle, states = composition.puzzle, PROVING[wish.level - 1]
    found = solve_within(puzzle, SOLVING[wish.level - 1])
    if found.plan is None or len(found.plan) < MIN_LENGTH:
        return None
    guess = _guess(puzzle, found.plan, found.states)
    rejected = Candidate(
        puzzle,
        found.plan,
        guess,
        -3 * level_gap(guess, wish.level) - 8,
        False,
        links=composition.links,
    )
    if not _in_reach(puzzle, found.plan, found.states, wish.level, SLACK):
        return rejected
    plan = shorten_within(puzzle, found.plan, FIRST_SHORTENING).plan
    if not _in_reach(puzzle, plan, found.states, wish.level, SLACK_LATER):
        return rejected
    if not proves_links(composition, states):
        return rejected
    difficulty = grade(puzzle, measure_for_grading(puzzle))
    gap = level_gap(difficulty.score, wish.level)
    if gap > 0:
        return replace(rejected, score=difficulty.score, quality=-3 * gap - 4)
    budget = Budget(states, states, 100_000, 2_000, 6, 3, 2)
    analysis = analyze(
        puzzle, budget, difficulty=difficulty, planners=("default",), known_plan=found.plan
    )
    if analysis.roles is None:
        return rejected
    candidate = assess(puzzle, analysis, wish)
    useless = set(candidate.useless)
    if useless:
        useless -= gates_that_matter(composition, SOLVING[wish.level - 1])
    as_wished = not useless and all(skill in analysis.skills for skill in wish.skills)
    return replace(
        candidate,
        links=composition.links,
        accepted=as_wished and not analysis.roles.of("unknown"),
        quality=candidate.quality + looks(puzzle),
    )


def _guess(puzzle: Puzzle, plan: str, states: int, share: float = 1.0) -> float:
    """Returns the score of a puzzle if its best plan had this share of a plan's actions."""
    measures = Measures(
        width=puzzle.width,
        height=puzzle.height,
        movables=len(puzzle.movables),
        goals=len(puzzle.goal),
        log10_states=None,
        solution=None,
        plan=replace(plan_features(puzzle, plan), length=int(share * len(plan))),
        efforts=(PlannerEffort("default", "solved", states),),
    )
    return stored_model().score(difficulty_features(measures))


def _in_reach(puzzle: Puzzle, plan: str, states: int, level: int, slack: float) -> bool:
    """Returns whether a puzzle may have a level, given a first plan."""
    high, low = _guess(puzzle, plan, states), _guess(puzzle, plan, states, slack)
    cuts = (float("-inf"), *stored_model().cuts, float("inf"))
    return high >= cuts[level - 1] and low < cuts[level]
