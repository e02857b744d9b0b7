"""What the models of the scripted server answer; some have a planted weakness, which a profile must find."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from random import Random

from pushworld.planners import solve
from pushworld.puzzle import Action, Symmetry, parse_plan
from pushworld.text import Task
from pushworld.text.answers import ANSWER, block, write_actions
from pushworld.text.evaluation.baselines import walk
from pushworld.text.questions import Question, given_moves, question_of
from pushworld.text.tasks import TWINS

MOVES_A_TURN = 4
MEMORY = 10
"""The moves that the model ``forgetful`` follows."""

SLIPS = 0.06
"""How often the model ``bad`` makes another move than it should."""


@dataclass(frozen=True)
class Asked:
    """What a model is asked.

    Attributes:
        task: what the first message describes.
        notation: of moves.
        turn: how many answers there were before.
        interactive: whether it plays in turns.
        position: how many moves of the best plan known lead to what it is shown; None if it is elsewhere.
    """

    task: Task
    notation: str
    turn: int
    interactive: bool
    position: Callable[[], int | None]

    @property
    def question(self) -> Question:
        return question_of(self.task, self.notation)

    def block(self, moves: Sequence[int]) -> str:
        """Returns moves as an answer; in turns, a few of them."""
        moves = moves[:MOVES_A_TURN] if self.interactive else moves
        return block(write_actions(moves or [0], self.notation))


Script = Callable[[Asked, Random], str]


def good(asked: Asked, random: Random) -> str:
    """Knows every answer, and plays the best plan known."""
    if asked.task.kind != "plan":
        return f"I looked twice.\n\n{block(asked.question.right[0], ANSWER)}"
    position = asked.position() if asked.interactive else 0
    plan = () if position is None else plan_for(asked.task)[position:]
    return f"I push the objects to their outlines one by one.\n\n{asked.block(plan)}"


def bad(asked: Asked, random: Random) -> str:
    """Makes slips, which ruin the longer plans, and never looks at what came of it."""
    slips = Random(asked.task.key)
    if asked.task.kind != "plan":
        return good(asked, random) if slips.random() > 5 * SLIPS else lazy(asked, random)
    moves = [
        move if slips.random() > SLIPS else slips.choice(list(Action))
        for move in plan_for(asked.task)
    ]
    if asked.interactive:
        moves = moves[MOVES_A_TURN * asked.turn :] or random.choices(list(Action), k=MOVES_A_TURN)
    said = "The first object goes left, then I walk around it. Let me check … yes, that works."
    return f"{said}\n\n{asked.block(moves)}"


def aimless(asked: Asked, random: Random) -> str:
    """Moves at random, and answers questions with the example of their prompt."""
    if asked.task.kind != "plan":
        return block(asked.question.example, ANSWER)
    return asked.block(random.choices(list(Action), k=30))


def lazy(asked: Asked, random: Random) -> str:
    """Answers in words, without a plan that can be read."""
    return "Move the green agent to the right until the red object stands on its outline."


def blind(asked: Asked, random: Random) -> str:
    """Takes the world for its mirror image."""
    if asked.task.kind != "plan":
        return aimless(asked, random)
    return asked.block([Symmetry.FLIP_X.apply_to_action(move) for move in plan_for(asked.task)])


def forgetful(asked: Asked, random: Random) -> str:
    """Does not know what becomes of the moves after the first few."""
    task = asked.task
    if task.kind == "plan":
        return asked.block([*plan_for(task)[:MEMORY], Action.LEFT])
    if len(given_moves(task)) <= MEMORY:
        return good(asked, random)
    return block({"simulate": asked.question.example, "judge": "yes"}[task.kind], ANSWER)


def optimist(asked: Asked, random: Random) -> str:
    """Thinks that everything can be solved."""
    return block("yes", ANSWER) if asked.task.kind == "judge" else good(asked, random)


def greedy(asked: Asked, random: Random) -> str:
    """Plans by going where the goals seem nearest."""
    if asked.task.kind != "plan":
        return good(asked, random)
    return asked.block(parse_plan(walk(asked.task, "greedy", greedy=True)))


def rote(asked: Asked, random: Random) -> str:
    """Knows the puzzles of sets by heart, and does not recognise their twins."""
    return (aimless if asked.task.set == TWINS else good)(asked, random)


SCRIPTS: dict[str, Script] = {
    "good": good,
    "bad": bad,
    "aimless": aimless,
    "lazy": lazy,
    "blind": blind,
    "forgetful": forgetful,
    "optimist": optimist,
    "greedy": greedy,
    "rote": rote,
    "slow": good,
}
"""What the models answer; ``slow`` takes its time."""


@cache
def plan_for(task: Task) -> tuple[Action, ...]:
    """Returns the best plan known, or one that a planner finds; empty if it finds none."""
    plan = task.plan or solve(task.puzzle, time_limit=10).plan
    return parse_plan(plan or "")
