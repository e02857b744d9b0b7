"""PDDL: a domain and a problem for each puzzle.

The agent's ``move`` costs 1 and needs every object settled. A step touches objects, whose pushes
become pending; each is one ``push`` at no cost. All geometry is in two static predicates: ``step``
(where an object can go) and ``touches`` (whom it pushes on its way).

With low arity each place belongs to one object, so that no predicate needs the object beside it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pushworld.export.names import DIRECTIONS, MOVE, PUSH, place_name, thing_names
from pushworld.export.task import Body, Task, build_task
from pushworld.puzzle import Position, Puzzle

DOMAIN = """\
; PushWorld: the agent moves, and what it touches is pushed, one object at a time, at no cost.
(define (domain pushworld)
  (:requirements :typing :conditional-effects :action-costs)
  (:types thing place direction - object movable - thing)
  (:constants
    a - thing{movables}
    {directions} - direction)
  (:predicates
    (at ?o - thing ?p - place)
    (settled ?o - movable)
    (pending ?o - movable ?d - direction)
    {step}
    {touches})
  (:functions (total-cost) - number)
  (:action {move}
    :parameters (?p ?q - place ?d - direction)
    :precondition (and (at a ?p) {agent_steps}{all_settled})
    :effect (and
      (not (at a ?p)) (at a ?q)
      (increase (total-cost) 1){agent_pushes}))
"""

PUSH_ACTION = """\
  (:action {push}
    :parameters (?o - movable ?p ?q - place ?d - direction)
    :precondition (and (pending ?o ?d) (at ?o ?p) {object_steps})
    :effect (and
      (not (pending ?o ?d)) (settled ?o)
      (not (at ?o ?p)) (at ?o ?q)
      (increase (total-cost) 0)
      {object_pushes}))
"""

PUSHES = (
    "(forall (?k - movable ?r - place)\n"
    "        (when (and {touches} (at ?k ?r))\n"
    "          (and (not (settled ?k)) (pending ?k ?d))))"
)


@dataclass(frozen=True)
class PddlTask:
    """The two files of a planning task."""

    domain: str
    problem: str


def export_pddl(puzzle: Puzzle, *, low_arity: bool = False) -> PddlTask:
    """Returns the puzzle in PDDL; the same puzzle gives the same text.

    Args:
        puzzle: what to write.
        low_arity: whether to use predicates of arity three at most.
    """
    return format_pddl(build_task(puzzle), low_arity=low_arity)


def format_pddl(task: Task, *, low_arity: bool = False) -> PddlTask:
    """Returns the task in PDDL."""
    writer = _Writer(task, low_arity)
    return PddlTask(writer.domain(), writer.problem())


class _Writer:
    """Writes one task, with or without low arity."""

    def __init__(self, task: Task, low_arity: bool) -> None:
        self.task = task
        self.low_arity = low_arity
        self.names = thing_names(task.puzzle)

    def domain(self) -> str:
        movables = " ".join(self.names[body.index] for body in self.task.movables)
        settled = "".join(
            f" (settled {self.names[body.index]})" for body in self.task.movables if body.pushed
        )
        pushes = PUSHES.format(touches=self._touches("a"))
        text = DOMAIN.format(
            movables=f"\n    {movables} - movable" if movables else "",
            directions=" ".join(DIRECTIONS),
            step="(step ?p ?q - place ?d - direction)"
            if self.low_arity
            else "(step ?o - thing ?p ?q - place ?d - direction)",
            touches="(touches ?p ?r - place ?d - direction)"
            if self.low_arity
            else "(touches ?o - thing ?p - place ?k - movable ?r - place ?d - direction)",
            move=MOVE,
            agent_steps=self._step("a"),
            all_settled=settled,
            agent_pushes=f"\n      {pushes}" if movables else "",
        )
        if movables:
            text += PUSH_ACTION.format(
                push=PUSH,
                object_steps=self._step("?o"),
                object_pushes=PUSHES.format(touches=self._touches("?o")),
            )
        return text + ")\n"

    def problem(self) -> str:
        goal = [
            f"(at {self.names[body.index]} {self._place(body, body.thing.goal)})"
            for body in self.task.movables
            if body.thing.goal is not None
        ]
        goal += [
            f"(settled {self.names[body.index]})" for body in self.task.movables if body.pushed
        ]
        return "\n".join(
            [
                "(define (problem puzzle)",
                "  (:domain pushworld)",
                f"  (:objects {' '.join(self._places())} - place)",
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
        for body in self.task.bodies:
            yield f"(at {self.names[body.index]} {self._place(body, body.thing.start)})"
        for body in self.task.movables:
            yield f"(settled {self.names[body.index]})"
        bodies = {body.index: body for body in self.task.bodies}
        for body in self.task.bodies:
            name = "" if self.low_arity else f"{self.names[body.index]} "
            for move in body.moves:
                start, end = self._place(body, move.start), self._place(body, move.end)
                direction = DIRECTIONS[move.action]
                yield f"(step {name}{start} {end} {direction})"
                for k, position in move.touched:
                    other = "" if self.low_arity else f"{self.names[k]} "
                    place = self._place(bodies[k], position)
                    yield f"(touches {name}{start} {other}{place} {direction})"

    def _places(self) -> list[str]:
        """Returns the names of all places, in reading order, or by object with low arity."""
        if self.low_arity:
            return [self._place(body, each) for body in self.task.bodies for each in body.positions]
        positions = {each for body in self.task.bodies for each in body.positions}
        return [place_name(each) for each in sorted(positions, key=lambda each: each[::-1])]

    def _place(self, body: Body, position: Position) -> str:
        return place_name(position, self.names[body.index] if self.low_arity else "p")

    def _step(self, thing: str) -> str:
        return "(step ?p ?q ?d)" if self.low_arity else f"(step {thing} ?p ?q ?d)"

    def _touches(self, thing: str) -> str:
        return "(touches ?p ?r ?d)" if self.low_arity else f"(touches {thing} ?p ?k ?r ?d)"
