"""PDDL: a domain and a problem for each puzzle.

The agent's ``move`` costs 1 and requires every object to be settled. A step makes the pushes of the
objects that it touches pending; each is one ``push`` without cost. All geometry is in two static
predicates: ``step`` (where an object can go) and ``touches`` (which objects that pushes).

With low arity each place belongs to one object, so that predicates do not need the object as well.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from pushworld.export.cancellation import Stop, check, never
from pushworld.export.names import DIRECTIONS, MOVE, PUSH, place_name, thing_names
from pushworld.export.task import Body, Task, build_task
from pushworld.puzzle import Position, Puzzle

DOMAIN = """\
; PushWorld: the agent moves, and what it touches is pushed, one object at a time, at no cost.
(define (domain pushworld)
  (:requirements :typing :conditional-effects :action-costs)
  (:types
    {types})
  (:constants
    {constants})
  (:predicates
    (settled ?o - movable)
    (pending ?o - movable ?d - direction)
    {predicates})
  (:functions (total-cost) - number)
  (:action {move}
    :parameters (?p ?q - {agent_place} ?d - direction)
    :precondition (and {agent_steps}{all_settled})
    :effect (and
      (increase (total-cost) 1)
      {agent_moves}{agent_pushes}))
  (:action {push}
    :parameters (?o - movable ?p ?q - place ?d - direction)
    :precondition (and (pending ?o ?d) {object_steps})
    :effect (and
      (increase (total-cost) 0)
      (not (pending ?o ?d)) (settled ?o)
      {object_moves}{object_pushes}))
)
"""

PUSHES = """
      (forall ({variables})
        (when (and {touches})
          (and (not (settled {thing})) (pending {thing} ?d))))"""


@dataclass(frozen=True)
class PddlTask:
    """The texts of the two files of a planning task, ``domain.pddl`` and ``problem.pddl``."""

    domain: str
    problem: str


def export_pddl(puzzle: Puzzle, *, low_arity: bool = False, stop: Stop = never) -> PddlTask:
    """Returns the puzzle in PDDL; the same puzzle gives the same text.

    Args:
        low_arity: whether to use only predicates of arity three or less.
        stop: called often; cancels the export when it returns True.

    Raises:
        PushWorldError: if the puzzle has no goals.
        ExportStoppedError: if `stop` returns True.
    """
    return format_pddl(build_task(puzzle, stop), low_arity=low_arity, stop=stop)


def format_pddl(task: Task, *, low_arity: bool = False, stop: Stop = never) -> PddlTask:
    """Returns the task in PDDL."""
    writer = _Writer(task, low_arity, stop)
    return PddlTask(writer.domain(), writer.problem())


class _Writer:
    """Formats one task, with or without low arity."""

    def __init__(self, task: Task, low_arity: bool, stop: Stop) -> None:
        self.task = task
        self.low_arity = low_arity
        self.stop = stop
        self.names = thing_names(task.puzzle)

    def domain(self) -> str:
        settled = [
            f"(settled {self.names[body.index]})" for body in self.task.movables if body.pushed
        ]
        return DOMAIN.format(
            types="\n    ".join(self._types()),
            constants="\n    ".join(self._constants()),
            predicates="\n    ".join(self._predicates()),
            move=MOVE,
            agent_place=self._place_type(self.task.agent),
            agent_steps=self._steps("a"),
            all_settled="".join(f" {each}" for each in settled),
            agent_moves=self._moves("a"),
            agent_pushes=self._pushes("a"),
            push=PUSH,
            object_steps=("(of ?p ?o) " if self.low_arity else "") + self._steps("?o"),
            object_moves=self._moves("?o"),
            object_pushes=self._pushes("?o"),
        )

    def _types(self) -> Iterator[str]:
        yield "thing place direction - object"
        yield "movable - thing"
        if self.low_arity:
            yield f"{' '.join(self._place_type(body) for body in self.task.bodies)} - place"

    def _constants(self) -> Iterator[str]:
        yield "a - thing"
        yield f"{' '.join(self.names[body.index] for body in self.task.movables)} - movable"
        yield f"{' '.join(DIRECTIONS)} - direction"

    def _predicates(self) -> Iterator[str]:
        if self.low_arity:
            yield "(at ?p - place)"
            yield "(of ?p - place ?o - movable)"
            yield "(step ?p ?q - place ?d - direction)"
            for body in self._pushable():
                place = f"?r - {self._place_type(body)}"
                yield f"(touches-{self.names[body.index]} ?p - place {place} ?d - direction)"
        else:
            yield "(at ?o - thing ?p - place)"
            yield "(step ?o - thing ?p ?q - place ?d - direction)"
            yield "(touches ?o - thing ?p - place ?k - movable ?r - place ?d - direction)"

    def _steps(self, thing: str) -> str:
        """Returns the conditions of a step of a thing from ?p to ?q."""
        if self.low_arity:
            return "(at ?p) (step ?p ?q ?d)"
        return f"(at {thing} ?p) (step {thing} ?p ?q ?d)"

    def _moves(self, thing: str) -> str:
        """Returns the effects of a step on the thing itself."""
        if self.low_arity:
            return "(not (at ?p)) (at ?q)"
        return f"(not (at {thing} ?p)) (at {thing} ?q)"

    def _pushes(self, thing: str) -> str:
        """Returns the effects of a step on the objects that it touches."""
        if not self.low_arity:
            return PUSHES.format(
                variables="?k - movable ?r - place",
                touches=f"(touches {thing} ?p ?k ?r ?d) (at ?k ?r)",
                thing="?k",
            )
        return "".join(
            PUSHES.format(
                variables=f"?r - {self._place_type(body)}",
                touches=f"(touches-{self.names[body.index]} ?p ?r ?d) (at ?r)",
                thing=self.names[body.index],
            )
            for body in self._pushable()
        )

    def _pushable(self) -> list[Body]:
        return [body for body in self.task.movables if body.pushed]

    def problem(self) -> str:
        goal = [
            self._at(body, body.thing.goal)
            for body in self.task.movables
            if body.thing.goal is not None
        ]
        goal += [f"(settled {self.names[body.index]})" for body in self._pushable()]
        return "\n".join(
            [
                "(define (problem puzzle)",
                "  (:domain pushworld)",
                "  (:objects",
                *(f"    {line}" for line in self._places()),
                "  )",
                "  (:init",
                "    (= (total-cost) 0)",
                *(f"    {fact}" for fact in self._initial_facts()),
                "  )",
                f"  (:goal (and {' '.join(goal)}))",
                "  (:metric minimize (total-cost)))",
                "",
            ]
        )

    def _initial_facts(self) -> Iterator[str]:
        bodies = {body.index: body for body in self.task.bodies}
        for body in self.task.bodies:
            yield self._at(body, body.thing.start)
        for body in self.task.movables:
            yield f"(settled {self.names[body.index]})"
        if self.low_arity:
            for body in self.task.movables:
                for position in body.positions:
                    yield f"(of {self._place(body, position)} {self.names[body.index]})"
        for body in self.task.bodies:
            for move in body.moves:
                check(self.stop)
                start = self._owned(body, move.start)
                end, direction = self._place(body, move.end), DIRECTIONS[move.action]
                yield f"(step {start} {end} {direction})"
                for k, position in move.touched:
                    touches = f"touches-{self.names[k]}" if self.low_arity else "touches"
                    yield f"({touches} {start} {self._owned(bodies[k], position)} {direction})"

    def _places(self) -> Iterator[str]:
        """Yields the declarations of all places."""
        if self.low_arity:
            for body in self.task.bodies:
                places = " ".join(self._place(body, each) for each in body.positions)
                yield f"{places} - {self._place_type(body)}"
        else:
            positions = {each for body in self.task.bodies for each in body.positions}
            in_order = sorted(positions, key=lambda each: each[::-1])
            yield f"{' '.join(map(place_name, in_order))} - place"

    def _place(self, body: Body, position: Position) -> str:
        return place_name(position, self.names[body.index] if self.low_arity else "p")

    def _owned(self, body: Body, position: Position) -> str:
        """Returns a place as an argument, with its object where the place alone does not identify it."""
        place = self._place(body, position)
        return place if self.low_arity else f"{self.names[body.index]} {place}"

    def _at(self, body: Body, position: Position) -> str:
        return f"(at {self._owned(body, position)})"

    def _place_type(self, body: Body) -> str:
        return f"place-{self.names[body.index]}" if self.low_arity else "place"
