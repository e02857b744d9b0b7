"""Evaluation: a composition is looked at, proved, graded and analysed, the cheapest questions first."""

from __future__ import annotations

from dataclasses import dataclass, replace

from pushworld.design.analysis import SKILLS, Analysis, analyze
from pushworld.design.budget import Budget, shorten_within, solve_within
from pushworld.design.candidates import MIN_LENGTH, Candidate, Wish, assess, is_confetti, level_gap
from pushworld.design.difficulty import difficulty_features, grade, stored_model
from pushworld.design.gadgets.links import Composition, gates_that_matter, proves_links
from pushworld.design.quality import looks
from pushworld.design.state_space import reach
from pushworld.design.variants import from_state, frozen, object_names
from pushworld.puzzle import Puzzle

SOLVING = (20_000, 40_000, 60_000, 400_000)
PROVING = (50_000, 100_000, 100_000, 100_000)
"""States of the search for a plan, and of each proof, by level."""

LEADING_UP = 100_000
"""States of a search for what leads up to a known plan."""

SLACK = 0.8
"""The share of a plan's length after a first shortening that the best one may have."""

FIRST_SHORTENING, SECOND_SHORTENING = 20_000, 200_000
"""States of the first shortening, and of the one before a puzzle is graded."""

SURE = 0.05
"""A puzzle whose score is further than this from the wanted level is not graded."""

USEFUL = {
    "tool-use": ("plunger", "assembly", "hook", "drawer", "lock", "remote-hand"),
    "assembly": ("assembly",),
    "multiple-goals": ("order", "fit"),
    "movable-obstacle": ("gate", "lock", "airlock"),
}
"""For a skill, the gadgets of which a puzzle must have at least one."""


@dataclass(frozen=True)
class Look:
    """A first look at a composition: a plan and the states that its search saw."""

    composition: Composition
    plan: str
    states: int

    @classmethod
    def at(cls, composition: Composition, states: int, before: Look | None = None) -> Look | None:
        """Returns what a search finds, or None if it finds no plan or a trivial one.

        Args:
            before: the look before the last gadget came, whose plan may be the end of one.
        """
        found = solve_within(composition.puzzle, states)
        plan = found.plan
        if found.status == "state-limit" and before is not None:
            plan = _resumed(composition.puzzle, before)
        return (
            None if plan is None or len(plan) < MIN_LENGTH else cls(composition, plan, found.states)
        )

    @property
    def score(self) -> float:
        """The score of the puzzle if no plan were shorter."""
        return self._score(1.0)

    def may_have(self, level: int, slack: float) -> bool:
        """Returns whether the puzzle may have a level if its best plan has this share of the actions."""
        cuts = (float("-inf"), *stored_model().cuts, float("inf"))
        return self.score >= cuts[level - 1] and self._score(slack) < cuts[level]

    def rejected(self) -> Candidate:
        """Returns the puzzle as a candidate that is not as wished."""
        puzzle, links = self.composition.puzzle, self.composition.links
        return Candidate(puzzle, self.plan, self.score, 0.0, accepted=False, links=links)

    def _score(self, share: float) -> float:
        """Returns the score if the best plan has this share of the actions."""
        length, movables = int(share * len(self.plan)), len(self.composition.puzzle.movables)
        return stored_model().score(difficulty_features(movables, length, self.states))


def _resumed(puzzle: Puzzle, before: Look) -> str | None:
    """Returns the plan of a puzzle before its last gadget came, after one that brings everything to where it was then.

    New pieces come to their goals first. Returns None if no such plan is found.
    """
    old = before.composition.puzzle
    places = {thing.name: thing.start for thing in old.movables}
    movables = (
        replace(thing, goal=places.get(thing.name, thing.goal)) for thing in puzzle.movables
    )
    asked = replace(puzzle, objects=(puzzle.agent, *movables))
    plan = solve_within(asked, LEADING_UP).plan
    if plan is None:
        return None
    *_, state = asked.replay(plan)
    walks = reach(frozen(from_state(asked, state), object_names(asked)), LEADING_UP)
    try:
        plan += walks.plan_to(walks.number_of((old.agent.start,))) + before.plan
    except KeyError:  # something is in the way
        return None
    return plan if puzzle.validate(plan) else None


def evaluate_composition(
    composition: Composition, wish: Wish, before: Look | None = None
) -> Candidate | None:
    """Returns a composition as a candidate, or None if it has no plan or a trivial one; `before` is as in `Look.at`."""
    look = Look.at(composition, SOLVING[wish.level - 1], before)
    if look is None:
        return None
    plan = shorten_within(composition.puzzle, look.plan, FIRST_SHORTENING).plan
    look = replace(look, plan=plan)
    worth_it = look.may_have(wish.level, SLACK) and proves_links(
        composition, PROVING[wish.level - 1]
    )
    return judge(look, wish) if worth_it else look.rejected()


def judge(look: Look, wish: Wish) -> Candidate:
    """Returns a puzzle whose links are proved as a candidate, graded and analysed."""
    composition = look.composition
    puzzle, states = composition.puzzle, PROVING[wish.level - 1]
    look = replace(look, plan=shorten_within(puzzle, look.plan, SECOND_SHORTENING).plan)
    rejected = look.rejected()
    if is_confetti(puzzle) or level_gap(look.score, wish.level) > SURE:
        return rejected
    difficulty = grade(puzzle)
    if level_gap(difficulty.score, wish.level) > 0:
        return replace(rejected, score=difficulty.score)
    # A proved order of two goals needs no experiments with all orders.
    ordered = any(link.gadget in USEFUL["multiple-goals"] for link in composition.links)
    budget = Budget(states, states, 100_000, 2_000, 6, 1 if ordered else 3, 2)
    analysis = analyze(
        puzzle, budget, difficulty=difficulty, planners=("default",), known_plan=look.plan
    )
    roles = analysis.roles
    if roles is None:
        return rejected
    if ordered:
        analysis = _demanding(analysis, "multiple-goals")
    if roles.of("distractor"):
        gates = gates_that_matter(composition, states)
        if gates.intersection(roles.of("distractor")):
            roles = roles.with_obstacles(gates)
            analysis = replace(_demanding(analysis, "movable-obstacle"), roles=roles)
    candidate = assess(puzzle, analysis, wish)
    return replace(
        candidate,
        links=composition.links,
        accepted=candidate.accepted and not roles.of("unknown"),
        quality=candidate.quality + looks(puzzle),
    )


def _demanding(analysis: Analysis, skill: str) -> Analysis:
    """Returns an analysis with a skill of which a proof is the evidence."""
    known = {*analysis.skills, skill}
    return replace(analysis, skills=tuple(each for each in SKILLS if each in known))


def may_demand(composition: Composition, wish: Wish) -> bool:
    """Returns whether a composition has what the skills need."""
    kinds = {link.gadget for link in composition.links}
    if "agent-walls" in wish.skills and not composition.puzzle.agent_walls:
        return False
    return all(kinds & set(USEFUL.get(skill, kinds)) for skill in wish.skills)
