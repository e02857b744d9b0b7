"""Scores and rewards agree with the reference dynamics and with exhaustive search."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from random import Random

import pytest
from hypothesis import given

from pushworld.puzzle import Action, Plan, PlanError, Puzzle, format_plan
from pushworld.puzzle.facts import replay_plan
from pushworld.text import Score, Task, reward, score_answer, score_plan, scores, tasks
from tests import strategies
from tests.state_space import StateSpace

CORRIDOR = Puzzle.parse(". A M1 . G1 .\n. . . . . .")
"""Solved by RR; R or RRR end elsewhere, and an object at the right end never comes back."""

TASK = Task("corridor", CORRIDOR, best_known=2)


@given(puzzle=strategies.puzzles, plan=strategies.plans)
def test_scores_agree_with_the_reference_dynamics(puzzle: Puzzle, plan: Plan) -> None:
    replayed = replay_plan(puzzle, plan)
    score = score_plan(Task("drawn", puzzle), plan, prove=False)
    assert score.solved == replayed.valid
    assert score.goals_achieved == len(replayed.achieved)
    assert score.goals == len(puzzle.goal)
    assert score.moves == len(plan)
    assert score.moves_wasted == len(replayed.without_effect)


@given(puzzle=strategies.puzzles, plan=strategies.plans)
def test_the_reward_is_that_of_the_score(puzzle: Puzzle, plan: Plan) -> None:
    for answer in (f"<plan>{format_plan(plan)}</plan>", format_plan(plan)):
        score = score_answer(Task("drawn", puzzle, best_known=3), answer, prove=False)
        assert reward(puzzle, answer, best_known=3) == score.reward
        assert 0 <= score.reward <= 1


def test_the_move_that_made_a_puzzle_unsolvable_is_found() -> None:
    """Compares with exhaustive search along random plans."""
    random = Random(1)
    found = set()
    for task in islice(tasks("evaluation"), 0, 80, 4):
        alive = StateSpace(task.puzzle).alive()
        for _ in range(5):
            plan = random.choices(list(Action), k=12)
            states = task.puzzle.replay(plan)
            dead = (index for index, state in enumerate(states) if state not in alive)
            expected = next(dead, None)
            assert score_plan(task, plan).unsolvable_after == expected
            found.add(expected)
    assert None in found
    assert len(found) > 3


def test_an_unsolvable_puzzle_is_unsolvable_from_the_start() -> None:
    puzzle = Puzzle.parse("A . M1\n. . G1")
    assert score_plan(Task("stuck", puzzle), "L").unsolvable_after == 0


def test_what_cannot_be_proved_within_the_limit_is_not_claimed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The heuristic does not see this dead end, only a search does."""
    task = next(each for each in tasks("bundled") if each.name == "crossroads")
    assert score_plan(task, "RRRUUR").unsolvable_after == 3
    monkeypatch.setattr(scores, "PROOF_STATES", 1)
    assert score_plan(task, "RRRUUR").unsolvable_after is None


@pytest.mark.parametrize(
    ("answer", "score"),
    [
        ("<plan>RR</plan>", Score(True, 1, 1, 2, 2, 0, None, 0)),
        ("<plan>LRRR</plan>", Score(True, 1, 1, 4, 2, 2, None, 0)),
        ("<plan>R</plan>", Score(False, 0, 1, 1, 2, 0, None, 0)),
        ("<plan>UU</plan>", Score(False, 0, 1, 2, 2, 2, None, 0)),
        ("<plan>RRRR</plan>", Score(False, 0, 1, 4, 2, 1, 3, 0)),
        ("<plan></plan>", Score(False, 0, 1, 0, 2, 0, None, 1)),
        ("RR", Score(False, 0, 1, 0, 2, 0, None, 1)),
    ],
)
def test_scores_of_answers(answer: str, score: Score) -> None:
    assert score_answer(TASK, answer) == score


@pytest.mark.parametrize(
    ("answer", "best_known", "expected"),
    [
        ("<plan>RR</plan>", 2, 1.0),
        ("<plan>RR</plan>", None, 1.0),
        ("<plan>RR</plan>", 3, 1.0),
        ("<plan>LRRR</plan>", 2, 0.75),
        ("<plan>LRRR</plan>", None, 1.0),
        ("<plan>R</plan>", 2, 0.0),
        ("RR", 2, 0.0),
    ],
)
def test_rewards(answer: str, best_known: int | None, expected: float) -> None:
    assert reward(CORRIDOR, answer, best_known=best_known) == expected


def test_goals_that_hold_at_the_end_give_a_part_of_the_reward() -> None:
    puzzle = Puzzle.parse("A M1 G1 . M2\n. . . . G2\n. . . . .")
    assert reward(puzzle, "<plan>R</plan>") == 0.125
    assert reward(puzzle, "<plan>RR</plan>") == 0.0


def test_notations_apply_to_answers() -> None:
    assert reward(CORRIDOR, "<plan>right right</plan>", notation="words") == 1
    assert score_answer(TASK, "<plan>1 1</plan>", notation="numbers").solved


def test_a_plan_that_is_none_is_the_callers_mistake() -> None:
    with pytest.raises(PlanError):
        score_plan(TASK, "RX")


def test_a_score_as_plain_data() -> None:
    values = score_plan(TASK, [Action.RIGHT] * 2).as_dict()
    assert values["reward"] == 1.0
    assert Score(**{key: values[key] for key in values if key != "reward"}).solved


def test_tasks_are_solved_by_their_plans() -> None:
    for task in islice(tasks("bundled"), 5):
        assert task.plan is not None
        score = score_plan(task, task.plan)
        assert (score.solved, score.moves_wasted, score.reward) == (True, 0, 1.0)
        assert not score_plan(replace(task, best_known=None), task.plan).moves_wasted
