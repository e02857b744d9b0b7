"""The analysis of a puzzle: solve it and variants of it, and conclude what it demands.

Skills are the tags of the paper, each a rule on the results.
"""

from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from typing import Any, TypeVar

from pushworld.design.budget import (
    BUDGETS,
    Budget,
    OutOfTimeError,
    check_deadline,
    length_within,
    share_of_time,
    shorten_within,
    time_limit,
)
from pushworld.design.dead_ends import DeadEnds, find_dead_ends
from pushworld.design.difficulty import EFFORT_PLANNERS, Difficulty, Measures, grade, measure
from pushworld.design.goal_orders import GoalOrders, find_goal_orders
from pushworld.design.plan_features import PlanFeatures, plan_features
from pushworld.design.roles import CLEARLY_SHORTER, Roles, find_roles
from pushworld.design.state_space import StateSpace, explore
from pushworld.puzzle import PushWorldError, Puzzle

OFTEN_DEAD = 0.5


@dataclass(frozen=True)
class Evidence:
    """The results that the rules use; None if undecided."""

    plan: PlanFeatures
    roles: Roles
    goals: GoalOrders | None
    dead_ends: DeadEnds | None
    length_without_agent_walls: int | None


def _assembles(facts: Evidence) -> bool:
    tools = set(facts.roles.of("tool"))
    return any(len(each & tools) >= 2 and len(each) >= 3 for each in facts.plan.carried)


def _goals_interact(facts: Evidence) -> bool:
    goals = facts.goals
    return goals is not None and (goals.order_matters or goals.simultaneous)


def _agent_walls_matter(facts: Evidence) -> bool:
    free = facts.length_without_agent_walls
    return free is not None and free < facts.plan.length


SKILLS: dict[str, Callable[[Evidence], bool]] = {
    # Goal objects take more steps than the Manhattan distances to their goals.
    "path-planning": lambda facts: facts.plan.detour > 0,
    # An object with a goal is pushed in one direction and then in another.
    "manipulation-planning": lambda facts: facts.plan.turns > 0,
    # Without some object, or several together, the plan is shorter; or every plan must move one.
    "movable-obstacle": lambda facts: facts.roles.has("obstacle"),
    # Without some object, or without several together, there is no plan.
    "tool-use": lambda facts: facts.roles.has("tool"),
    # One action moves two tools and at least one other object.
    "assembly": _assembles,
    # Not every order of the goals works.
    "multiple-goals": _goals_interact,
    # The plan is shorter without the agent walls.
    "agent-walls": _agent_walls_matter,
    # At least half of the decided states that careless walks reach are dead ends.
    "irreversible-choice": lambda facts: bool(
        facts.dead_ends and facts.dead_ends.share >= OFTEN_DEAD
    ),
}
"""Each tag with its rule, in the order of the bundled puzzles' index."""


def find_skills(evidence: Evidence) -> tuple[str, ...]:
    """Returns the tags whose rules hold."""
    return tuple(name for name, rule in SKILLS.items() if rule(evidence))


Result = TypeVar("Result")

TOPICS = ("plan", "objects", "goals", "dead ends", "agent walls", "states", "skills", "difficulty")
"""What a time limit can leave undecided, in the order in which it is shown."""

SHARE = 0.5
"""The share of the time left that one topic may use, so that a hard question leaves time for others."""


@dataclass(frozen=True)
class Analysis:
    """What a puzzle demands. If no plan was found, fields after `difficulty` except `goals` are empty.

    A time limit or Ctrl-C may end the analysis early: `undecided` then names what is not known, and
    other fields hold what is.

    Attributes:
        puzzle: its name.
        measures: size, plan, and the search effort of planners.
        difficulty: score and level by the calibrated model; None if undecided.
        reachable_states: their number; None if it exceeds the budget.
        roles: the role of each object.
        goals: which goal orders work.
        dead_ends: how often careless walks end in dead ends.
        length_without_agent_walls: length of a plan for the puzzle without its agent walls; None if
            it has none.
        skills: the tags that follow, in the order of `SKILLS`. If ``skills``
            is undecided, there may be more.
        undecided: the topics that the time limit left open, among `TOPICS`: ``plan`` if there may be
            a plan or a shorter one. Roles that it left open are ``unknown``.
        interrupted: whether the user ended it.
    """

    puzzle: str
    measures: Measures
    difficulty: Difficulty | None
    reachable_states: int | None = None
    roles: Roles | None = None
    goals: GoalOrders | None = None
    dead_ends: DeadEnds | None = None
    length_without_agent_walls: int | None = None
    skills: tuple[str, ...] = ()
    undecided: tuple[str, ...] = ()
    interrupted: bool = False

    def as_dict(self) -> dict[str, Any]:
        """Returns the analysis as values for JSON."""
        values = asdict(self)
        if self.measures.plan is not None:
            carried = sorted(sorted(each) for each in self.measures.plan.carried)
            values["measures"]["plan"]["carried"] = carried
        if self.goals is not None:
            values["goals"]["order_matters"] = self.goals.order_matters
            values["goals"]["simultaneous"] = self.goals.simultaneous
        if self.dead_ends is not None:
            values["dead_ends"]["share"] = self.dead_ends.share
        return values


def analyze(
    puzzle: Puzzle,
    budget: Budget = BUDGETS["normal"],
    on_step: Callable[[str], None] | None = None,
    difficulty: Difficulty | None = None,
    planners: tuple[str, ...] = EFFORT_PLANNERS,
    known_plan: str | None = None,
    seconds: float | None = None,
) -> Analysis:
    """Returns the analysis of a puzzle. It is the same in every run, unless a time limit ends it.

    Args:
        on_step: called with the name of each experiment before it begins.
        difficulty: of the puzzle, if known.
        planners: the planners whose search effort is measured, the default planner first.
        known_plan: used if the planners find no plan, or only longer ones.
        seconds: a limit on the wall time. Each question may use half of the time that is left, so
            that the others get an answer too.

    Raises:
        PushWorldError: if the puzzle has no goals.
        KeyboardInterrupt: if the user ends it before a plan is found; later, what is known is
            returned.
    """
    if not puzzle.goal:
        raise PushWorldError("the puzzle has no goals, so it demands nothing")
    with time_limit(seconds):
        experiments = _Experiments(puzzle, budget, on_step or (lambda step: None))
        return experiments.run(difficulty, planners, known_plan)


def _length_without_agent_walls(puzzle: Puzzle, plan: str, budget: Budget) -> int | None:
    """Returns the length of a plan for the puzzle without its agent walls, or None.

    Where a search finds no shorter one, the puzzle's own plan is shortened there.
    """
    free = replace(puzzle, agent_walls=frozenset())
    length = length_within(free, budget)
    if (length is None or length >= len(plan)) and free.validate(plan):
        shortened = shorten_within(free, plan, budget.shorten_states).length
        # The own plan may lose some actions with agent walls, too.
        if shortened < CLEARLY_SHORTER * len(plan):
            return shortened
    return length


class _Experiments:
    """The experiments with one puzzle, and what the deadline left open."""

    def __init__(self, puzzle: Puzzle, budget: Budget, begin: Callable[[str], None]) -> None:
        self.puzzle = puzzle
        self.budget = budget
        self.begin = begin
        self.undecided: set[str] = set()
        self.interrupted = False

    def run(
        self, difficulty: Difficulty | None, planners: tuple[str, ...], known_plan: str | None
    ) -> Analysis:
        puzzle, budget = self.puzzle, self.budget
        self.begin("solving it")
        with share_of_time(SHARE):
            measures = measure(puzzle, budget, planners, known_plan)
        if not measures.decided:
            self.undecided.add("plan")
        if measures.solution is None:
            unknown = measures.status != "unsolvable"
            goals = self._goals(None) if unknown and len(puzzle.goal) > 1 else None
            grade = self._grade(difficulty)
            return self._finished(Analysis(puzzle.name, measures, grade, goals=goals))
        space = self._try(
            "states", "exploring its states", lambda: explore(puzzle, budget.max_states)
        )
        solution = measures.solution
        roles = self._try(
            "objects",
            "removing objects",
            lambda: find_roles(puzzle, solution, budget, self._begin_removal),
        )
        if roles is not None and roles.solution != measures.solution:
            plan = plan_features(puzzle, roles.solution.plan)
            measures = replace(measures, solution=roles.solution, plan=plan)
        goals = self._goals(space)
        dead_ends = self._try(
            "dead ends", "walking at random", lambda: find_dead_ends(puzzle, space, budget)
        )
        free_length = None
        if puzzle.agent_walls:
            free_length = self._try(
                "agent walls",
                "removing agent walls",
                lambda: _length_without_agent_walls(
                    puzzle, roles.solution.plan if roles else solution.plan, budget
                ),
            )
        skills: tuple[str, ...] = ()
        if roles is not None and measures.plan is not None and "plan" not in self.undecided:
            skills = find_skills(Evidence(measures.plan, roles, goals, dead_ends, free_length))
        return self._finished(
            Analysis(
                puzzle=puzzle.name,
                measures=measures,
                difficulty=self._grade(difficulty),
                reachable_states=None if space is None else len(space),
                roles=roles,
                goals=goals,
                dead_ends=dead_ends,
                length_without_agent_walls=free_length,
                skills=skills,
            )
        )

    def _try(
        self, topic: str, step: str, experiment: Callable[[], Result], share: float = SHARE
    ) -> Result | None:
        """Returns the result of an experiment; None if the deadline or the user ended it."""
        try:
            if self.interrupted:
                raise OutOfTimeError
            with share_of_time(share):
                check_deadline()
                self.begin(step)
                result = experiment()
            if not getattr(result, "decided", True):
                self.undecided.add(topic)
            return result
        except OutOfTimeError:
            self.undecided.add(topic)
        except KeyboardInterrupt:
            self.undecided.add(topic)
            self.interrupted = True
        return None

    def _begin_removal(self, done: int, total: int) -> None:
        self.begin(f"removing objects, {done} of {total} done")

    def _goals(self, space: StateSpace | None) -> GoalOrders | None:
        return self._try(
            "goals",
            "trying orders of goals",
            lambda: find_goal_orders(self.puzzle, space, self.budget),
        )

    def _grade(self, known: Difficulty | None) -> Difficulty | None:
        return known or self._try("difficulty", "grading it", lambda: grade(self.puzzle), share=1)

    def _finished(self, analysis: Analysis) -> Analysis:
        if self.undecided - {"states", "difficulty"}:
            self.undecided.add("skills")
        return replace(
            analysis,
            undecided=tuple(topic for topic in TOPICS if topic in self.undecided),
            interrupted=self.interrupted,
        )
