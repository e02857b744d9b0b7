"""PushWorld inside ``unified_planning``: puzzles as its problems, and our planners as its engine.

    from pushworld.planners.unified_planning import register_engine, to_unified_planning

    register_engine()
    with OneshotPlanner(name="pushworld") as planner:
        result = planner.solve(to_unified_planning(puzzle), timeout=10)

The problem has the task of the PDDL export: a move of the agent costs 1 and makes pushes pending, and
each push is an action without cost. It is ground, because ``unified_planning`` lists all values of every
fluent, which static relations between positions would make very many.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Callable, Iterator
from typing import IO, Any

from pushworld.datasets import resolve_puzzle
from pushworld.export import export_pddl, plan_from_external, plan_to_external
from pushworld.export.names import DIRECTIONS, PUSH, place_name, step_name, thing_names
from pushworld.export.task import Body, Task, build_task
from pushworld.planners.protocol import SolveResult
from pushworld.planners.registry import get_planner
from pushworld.planners.solving import solve
from pushworld.puzzle import Position, PushWorldError, Puzzle

try:
    import unified_planning.model as up
    from unified_planning.engines import Credits, Engine, PlanGenerationResult
    from unified_planning.engines.mixins import OneshotPlannerMixin
    from unified_planning.engines.mixins.oneshot_planner import OptimalityGuarantee
    from unified_planning.engines.results import LogLevel, LogMessage
    from unified_planning.engines.results import PlanGenerationResultStatus as UpStatus
    from unified_planning.environment import Environment, get_environment
    from unified_planning.plans import ActionInstance, Plan, SequentialPlan
    from unified_planning.shortcuts import UserType
except ModuleNotFoundError as error:
    raise PushWorldError(f"this needs {error.name}: pip install 'pushworld[up]'") from error

ENGINE = "pushworld"
ATTRIBUTE = "pushworld_puzzle"
"""The attribute of a problem that holds its puzzle."""

STATUSES = {
    "solved": UpStatus.SOLVED_SATISFICING,
    "unsolvable": UpStatus.UNSOLVABLE_PROVEN,
    "time-limit": UpStatus.TIMEOUT,
    "memory-limit": UpStatus.MEMOUT,
}
SEPARATOR = "."
"""Between the words of a ground action's name; no word contains it."""


def register_engine(environment: Environment | None = None) -> None:
    """Makes the engine ``pushworld`` known to an environment, by default the global one.

    It is chosen only by its name, because it solves only problems of puzzles, which the kind of a problem
    does not tell.
    """
    factory = (environment or get_environment()).factory
    if ENGINE not in factory.engines:
        factory.add_engine(ENGINE, __name__, PushWorldEngine.__name__)
        factory.preference_list.remove(ENGINE)


def to_unified_planning(puzzle: Puzzle) -> up.Problem:
    """Returns the puzzle as a problem that any engine can solve; a plan's cost is its length.

    Raises:
        PushWorldError: if the puzzle has no goals.
    """
    problem = _Builder(build_task(puzzle)).problem()
    setattr(problem, ATTRIBUTE, puzzle)
    return problem


def plan_from_unified_planning(puzzle: Puzzle, plan: Plan) -> str:
    """Returns the plan over ``LRUD`` that is equivalent to a plan for the puzzle's problem.

    Args:
        plan: for the problem of `to_unified_planning`, or for one that was read from our PDDL.

    Raises:
        PlanError: if it does not solve the puzzle; the message names the first action that fails.
    """
    lines = []
    for each in plan.actions:
        words = [*each.action.name.split(SEPARATOR), *map(str, each.actual_parameters)]
        lines.append(f"({' '.join(words)})")
    return plan_from_external(puzzle, "\n".join(lines))


class _Builder:
    """Builds the problem of a task."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self.names = thing_names(task.puzzle)
        self.bodies = {body.index: body for body in task.bodies}
        direction = UserType("direction")
        self.directions = [up.Object(name, direction) for name in DIRECTIONS]
        types = {k: UserType(f"place-{self.names[k]}") for k in self.bodies}
        self.places = {
            (k, position): up.Object(place_name(position, self.names[k]), types[k])
            for k, body in self.bodies.items()
            for position in body.positions
        }
        self.at = {k: up.Fluent(f"at-{self.names[k]}", place=types[k]) for k in self.bodies}
        pushed = [body.index for body in task.movables if body.pushed]
        self.settled = {k: up.Fluent(f"settled-{self.names[k]}") for k in pushed}
        self.pending = {
            k: up.Fluent(f"pending-{self.names[k]}", direction=direction) for k in pushed
        }

    def problem(self) -> up.Problem:
        problem = up.Problem(self.task.puzzle.name or "puzzle")
        for fluents in (self.at, self.settled, self.pending):
            for fluent in fluents.values():
                problem.add_fluent(fluent, default_initial_value=False)
        problem.add_objects([*self.directions, *self.places.values()])
        for k, body in self.bodies.items():
            problem.set_initial_value(self._at(k, body.thing.start), True)
            if body.thing.goal is not None:
                problem.add_goal(self._at(k, body.thing.goal))
        for settled in self.settled.values():
            problem.set_initial_value(settled(), True)
            problem.add_goal(settled())
        costs: dict[up.Action, Any] = {}
        for body in self.task.bodies:
            for action in self._actions(body):
                problem.add_action(action)
                costs[action] = 0 if body.index else 1
        problem.add_quality_metric(up.metrics.MinimizeActionCosts(costs))
        return problem

    def _actions(self, body: Body) -> Iterator[up.InstantaneousAction]:
        """Yields the steps of an object as actions."""
        k = body.index
        for move in body.moves:
            name = step_name(self.names[k] if k else None, move.start, move.end, move.action)
            action = up.InstantaneousAction(name.replace(" ", SEPARATOR))
            action.add_precondition(self._at(k, move.start))
            action.add_effect(self._at(k, move.start), False)
            action.add_effect(self._at(k, move.end), True)
            direction = self.directions[move.action]
            if k:
                action.add_precondition(self.pending[k](direction))
                action.add_effect(self.pending[k](direction), False)
                action.add_effect(self.settled[k](), True)
            else:
                for settled in self.settled.values():
                    action.add_precondition(settled())
            for touched, position in move.touched:
                here = self._at(touched, position)
                action.add_effect(self.settled[touched](), False, here)
                action.add_effect(self.pending[touched](direction), True, here)
            yield action

    def _at(self, k: int, position: Position) -> Any:
        return self.at[k](self.places[k, position])


class PushWorldEngine(Engine, OneshotPlannerMixin):  # type: ignore[misc]
    """Solves problems of puzzles with one of our planners.

    Args:
        planner: its name, or a TOML file.
        puzzle: the puzzle, its file or its name, of a problem that was read from the PDDL of `pushworld
            export`; the problems of `to_unified_planning` know theirs.
        memory_limit_gb, threads, seed: as of `pushworld.solve`.
    """

    def __init__(
        self,
        planner: str = "default",
        puzzle: Puzzle | str | os.PathLike[str] | None = None,
        memory_limit_gb: float = 8,
        threads: int = 1,
        seed: int = 0,
        **_: Any,
    ) -> None:
        Engine.__init__(self)
        OneshotPlannerMixin.__init__(self)
        self._planner = planner
        self._puzzle = (
            puzzle if puzzle is None or isinstance(puzzle, Puzzle) else resolve_puzzle(puzzle)
        )
        self._options: dict[str, Any] = {
            "memory_limit_gb": memory_limit_gb,
            "threads": threads,
            "seed": seed,
        }

    @property
    def name(self) -> str:
        return ENGINE

    @staticmethod
    def supported_kind() -> up.ProblemKind:
        """Returns what the problems of puzzles consist of; the engine solves no others of that kind."""
        kind = up.ProblemKind(version=up.problem_kind.LATEST_PROBLEM_KIND_VERSION)
        kind.set_problem_class("ACTION_BASED")
        kind.set_effects_kind("CONDITIONAL_EFFECTS")
        kind.set_effects_kind("FORALL_EFFECTS")
        kind.set_typing("FLAT_TYPING")
        kind.set_typing("HIERARCHICAL_TYPING")
        kind.set_quality_metrics("ACTIONS_COST")
        kind.set_actions_cost_kind("INT_NUMBERS_IN_ACTIONS_COST")
        return kind

    @staticmethod
    def supports(problem_kind: up.ProblemKind) -> bool:
        """Returns whether a problem of that kind can be solved."""
        return bool(problem_kind <= PushWorldEngine.supported_kind())

    @staticmethod
    def satisfies(optimality_guarantee: OptimalityGuarantee) -> bool:
        """Returns whether plans are of that quality, whichever planner is chosen."""
        return bool(optimality_guarantee == OptimalityGuarantee.SATISFICING)

    @staticmethod
    def get_credits(**_: Any) -> Credits:
        """Returns who made the engine."""
        return Credits(
            ENGINE,
            "The PushWorld developers",
            "",
            "",
            "Apache-2.0",
            "Planners for PushWorld puzzles.",
            "Solves problems made by pushworld.planners.unified_planning, or read from PDDL that "
            "pushworld wrote, in the space of pushes.",
        )

    def _solve(
        self,
        problem: up.AbstractProblem,
        heuristic: Callable[[up.State], float | None] | None = None,
        timeout: float | None = None,
        output_stream: IO[str] | None = None,
    ) -> PlanGenerationResult:
        puzzle = getattr(problem, ATTRIBUTE, None) or self._puzzle
        if puzzle is None or not _is_problem_of(problem, puzzle):
            reason = (
                "the engine solves only problems of puzzles: make one with to_unified_planning, or name "
                "the puzzle of a problem from our PDDL with params={'puzzle': ...}"
                if puzzle is None
                else f"the problem is not what pushworld exports for the puzzle {puzzle.name!r}"
            )
            messages = [LogMessage(LogLevel.ERROR, reason)]
            return PlanGenerationResult(
                UpStatus.UNSUPPORTED_PROBLEM, None, self.name, log_messages=messages
            )
        limit = math.inf if timeout is None else timeout
        result = solve(puzzle, self._planner, time_limit=limit, **self._options)
        if result.status == "interrupted":
            raise KeyboardInterrupt
        if output_stream is not None:
            output_stream.write(f"{result}\n")
        plan = None if result.plan is None else _up_plan(problem, puzzle, result.plan)
        return PlanGenerationResult(
            _status(result, get_planner(self._planner).optimal),
            plan,
            self.name,
            metrics={
                "engine_internal_time": str(result.seconds),
                "states": str(result.states),
                "actions": str(result.length),
            },
        )


def _status(result: SolveResult, optimal: bool) -> UpStatus:
    if result.status == "solved" and optimal:
        return UpStatus.SOLVED_OPTIMALLY
    return STATUSES.get(result.status, UpStatus.INTERNAL_ERROR)


def _is_problem_of(problem: up.Problem, puzzle: Puzzle) -> bool:
    """Returns whether a problem was made of a puzzle: by the builder, or by reading its PDDL."""
    if getattr(problem, ATTRIBUTE, None) is not None:
        return True
    found = {_words(str(fact)) for fact in problem.explicit_initial_values}
    for low_arity in (False, True):
        text = export_pddl(puzzle, low_arity=low_arity).problem
        begin, end = text.index("(:init"), text.index("(:goal")
        facts = {_words(line) for line in text[begin:end].splitlines()[2:-1]}
        if found == facts - {()}:
            return True
    return False


def _words(fact: str) -> tuple[str, ...]:
    return tuple(re.findall(r"[\w-]+", fact))


def _up_plan(problem: up.Problem, puzzle: Puzzle, plan: str) -> SequentialPlan:
    """Returns a plan over ``LRUD`` as a plan for the problem."""
    low_arity = problem.has_type("place-a")
    instances = []
    for line in plan_to_external(puzzle, plan).splitlines():
        words = line.strip("()").split()
        ground = SEPARATOR.join(words)
        if problem.has_action(ground):
            instances.append(ActionInstance(problem.action(ground)))
            continue
        thing = words[1] if words[0] == PUSH else "a"
        names = [
            f"{thing}{word[1:]}" if low_arity and re.fullmatch("p-[0-9]+-[0-9]+", word) else word
            for word in words[1:]
        ]
        objects = tuple(map(problem.object, names))
        instances.append(ActionInstance(problem.action(words[0]), objects))
    return SequentialPlan(instances)
