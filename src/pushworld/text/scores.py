"""Scores of plans and answers, and the reward of an answer as a pure function."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from itertools import accumulate
from typing import Any

import numpy as np

from pushworld import _native
from pushworld.engine import Engine, StateArray
from pushworld.puzzle import Action, Plan, Puzzle, State, parse_plan
from pushworld.text.answers import AnswerError, read_answer
from pushworld.text.questions import first_dead_end, question_of
from pushworld.text.tasks import Task

PROOF_STATES, PROOF_CELLS = 100_000, 40_000_000
"""The states that the search for the proof of one dead end may store, and these states times the cells of
the world: one state takes the longer, the larger the world is."""

LEAST_SOLVED_REWARD = 0.5
MOST_UNSOLVED_REWARD = 0.25

_ACTIONS = tuple(np.array([action], np.uint8) for action in Action)


@dataclass(frozen=True)
class Score:
    """What a plan or an episode achieved."""

    solved: bool  # whether all goals hold at the end
    goals_achieved: int  # how many do
    goals: int  # how many there are
    moves: int  # the actions made, those without effect or taken back included
    best_known: int | None  # the length of the best plan known
    # if the puzzle is solved and the best plan is known, the moves above its length, at least 0;
    # otherwise the moves that changed nothing or were taken back
    moves_wasted: int
    # the number, from 1, of the first move, among those not taken back, after which the position was
    # proved unsolvable; 0 if the puzzle itself is; None without a proof: the position can be solved,
    # the search for a proof ended at its limit, or no proof was asked for
    unsolvable_after: int | None
    illegal_answers: int  # how many answers could not be read or carried out

    @property
    def reward(self) -> float:
        """The score as one number from 0 to 1.

        - Without a move: 0.
        - Solved: from 0.5 for very long plans to 1 for plans as short as the best one known:
          0.5 + 0.5 x min(1, best known / moves). It is 1 if no plan is known.
        - Not solved: 0.25 x goals achieved / goals.
        """
        if not self.moves:
            return 0.0
        if self.solved:
            if self.best_known is None or self.moves <= self.best_known:
                return 1.0
            return LEAST_SOLVED_REWARD + (1 - LEAST_SOLVED_REWARD) * self.best_known / self.moves
        return MOST_UNSOLVED_REWARD * self.goals_achieved / max(1, self.goals)

    def as_dict(self) -> dict[str, Any]:
        """Returns the score, with the reward, as plain data for JSON."""
        return {**asdict(self), "reward": self.reward}


def score_plan(task: Task, plan: str | Iterable[int], *, prove: bool = True) -> Score:
    """Returns the score of a plan; raises PlanError if it is not valid.

    Args:
        prove: whether to search for the move that made the puzzle unsolvable, if it is not solved.
    """
    moves = parse_plan(plan)
    final, useless = play(task.puzzle, moves)
    step = _engine(task.puzzle)[0].step
    visited = accumulate(moves, step, initial=task.puzzle.initial_state) if prove else ()
    return score_position(task.puzzle, final, len(moves), useless, task.best_known, 0, visited)


def score_answer(task: Task, text: str, *, notation: str = "letters", prove: bool = True) -> Score:
    """Returns the score of an answer to the prompt of a task; an illegal one counts as no moves.

    For an answer to a question, `goals` are the parts of a right one, and it counts as one move.
    """
    if task.kind != "plan":
        question = question_of(task, notation)
        try:
            (right, parts), illegal = question.check(text), 0
        except AnswerError:
            right, parts, illegal = 0, 1, 1
        return Score(right == parts, right, parts, 1 - illegal, None, 0, None, illegal)
    try:
        return score_plan(task, read_answer(text, notation), prove=prove)
    except AnswerError:
        return replace(score_plan(task, (), prove=prove), illegal_answers=1)


def reward(
    puzzle: Puzzle, answer: str, *, notation: str = "letters", best_known: int | None = None
) -> float:
    """Returns the reward of an answer to a one-shot prompt: `Score.reward`, without any proof.

    A pure function. An illegal answer has the reward 0.
    """
    task = Task("", puzzle, best_known=best_known)
    return score_answer(task, answer, notation=notation, prove=False).reward


def score_position(
    puzzle: Puzzle,
    state: State,
    moves: int,
    useless: int,
    best_known: int | None,
    illegal_answers: int,
    visited: Iterable[State] = (),
) -> Score:
    """Returns the score of an attempt that ended in a state.

    Args:
        useless: how many moves changed nothing or were taken back.
        visited: the states on the way, among which a dead end is to be proved; none without a proof.
    """
    achieved, goals = puzzle.achieved_goals(state), len(puzzle.goal)
    solved = 0 < goals == achieved
    wasted = max(0, moves - best_known) if solved and best_known is not None else useless
    dead, states = None, [] if solved or not goals else [*visited]
    if states:
        dead = first_dead_end(puzzle, states, proof_states(puzzle))
    return Score(solved, achieved, goals, moves, best_known, wasted, dead, illegal_answers)


def proof_states(puzzle: Puzzle) -> int:
    """Returns how many states a search for a proof may store."""
    return max(1, min(PROOF_STATES, PROOF_CELLS // (puzzle.width * puzzle.height)))


def play(puzzle: Puzzle, plan: Plan) -> tuple[State, int]:
    """Returns the state after a plan, and how many of its actions change nothing."""
    engine, initial = _engine(puzzle)
    dynamics, states = engine.native, initial.copy()
    moved = np.empty(1, np.uint8)
    effective = 0
    for action in plan:
        _native.step_batch(dynamics, states, _ACTIONS[action], moved)
        effective += moved.item()
    return tuple((x, y) for x, y in states[0].tolist()), len(plan) - effective


@lru_cache(maxsize=1024)
def _engine(puzzle: Puzzle) -> tuple[Engine, StateArray]:
    """Returns the engine of a puzzle and its initial state as an array."""
    engine = Engine(puzzle)
    return engine, engine.initial_states(1)
