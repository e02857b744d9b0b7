"""Questions have the answers that the definition and exhaustive search give, and no others."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import cycle, pairwise

import pytest

from pushworld.puzzle import Puzzle
from pushworld.text import (
    KINDS,
    NOTATIONS,
    AnswerError,
    Task,
    asked,
    describe,
    prompt_for,
    question_of,
    reward,
    score_answer,
    tasks,
)
from pushworld.text.answers import ANSWER
from pushworld.text.questions import given_moves
from tests.state_space import StateSpace

QUESTIONS = [kind for kind in KINDS if kind != "plan"]


@cache
def questions(kind: str) -> tuple[Task, ...]:
    """Returns tasks of the first steps, whose state spaces are small."""
    known = [*tasks("stream:1", limit=8), *tasks("stream:2", limit=8)]
    return tuple(filter(None, (asked(task, kind) for task in known)))


def block(content: str) -> str:
    return f"I think so.\n<{ANSWER}>{content}</{ANSWER}>"


@pytest.mark.parametrize(("kind", "notation"), [*zip(QUESTIONS, cycle(NOTATIONS))])
def test_right_answers_are_right_and_examples_do_not_tell_them(kind: str, notation: str) -> None:
    told = 0
    for task in questions(kind):
        question = question_of(task, notation)
        assert question.text in prompt_for(task, notation=notation)
        for right in question.right:
            score = score_answer(task, block(right), notation=notation)
            assert (score.solved, score.reward, score.illegal_answers) == (True, 1.0, 0)
        told += score_answer(task, block(question.example), notation=notation).solved
        for nonsense in (block("hm"), "hm", block("") + block("")):
            score = score_answer(task, nonsense, notation=notation)
            assert (score.solved, score.reward) == (False, 0.0)
    assert told < len(questions(kind)) / 2


def test_what_is_seen_is_there() -> None:
    for task in questions("see"):
        question = question_of(task)
        (right,) = question.right
        lines = describe(task.puzzle, legend=False).splitlines()
        if question.text.startswith("What"):
            x, y = (int(each) for each in question.text.split("(")[1].split(")")[0].split(","))
            assert lines[y + 1].split()[x + 1] == right
        else:
            name = question.text.split("to ")[1].split("?")[0]
            rows = [line.split()[1:] for line in lines[1:]]
            cells = {
                (x, y)
                for y, row in enumerate(rows)
                for x, token in enumerate(row)
                if name in token.split("+")
            }
            assert (
                " ".join(f"({x}, {y})" for x, y in sorted(cells, key=lambda cell: cell[::-1]))
                == right
            )
            assert question.check(block(" ".join(right.split(") ")[::-1]) + ")"))


def test_moves_do_what_the_reference_dynamics_say() -> None:
    lengths = set()
    for task in questions("simulate"):
        moves = given_moves(task)
        states = list(task.puzzle.replay(moves))
        lengths.add(len(moves))
        (right,) = question_of(task).right
        if "no effect" in question_of(task).text:
            idle = [n for n, (one, other) in enumerate(pairwise(states), 1) if one == other]
            assert right == (" ".join(map(str, idle)) or "none")
        else:
            shifts = [each.split()[1:] for each in right.split(", ")]
            for (x, y), before, after in zip(shifts, states[0], states[-1], strict=True):
                assert (before[0] + int(x), before[1] + int(y)) == after
    assert min(lengths) < 10 < max(lengths)


def test_verdicts_agree_with_exhaustive_search() -> None:
    verdicts = []
    for task in questions("judge"):
        alive = StateSpace(task.puzzle).alive()
        states = list(task.puzzle.replay(task.walk))
        dead = next((index for index, state in enumerate(states) if state not in alive), None)
        assert task.dead_after == dead
        verdicts.append(dead is None)
    assert 0.2 < sum(verdicts) / len(verdicts) < 0.8


def test_a_right_verdict_with_a_wrong_move_is_half_right() -> None:
    task = next(each for each in questions("judge") if each.dead_after)
    score = score_answer(task, block("no 99"))
    assert (score.solved, score.goals_achieved, score.goals) == (False, 1, 2)
    assert score_answer(task, block("yes")).goals_achieved == 0


def test_first_pushes_are_those_of_all_shortest_plans() -> None:
    """Two ways around are equally long, and a third is not."""
    puzzle = Puzzle.parse(". . . . .\n. A M1 G1 .\n. . . . .")
    one = asked(Task("one", puzzle, best_known=1, shortest=True), "push")
    assert one is not None
    assert one.pushes == ("M1 R",)
    both = Puzzle.parse("G1 M1 A M2 G2")
    found = asked(Task("both", both, best_known=3, shortest=True), "push")
    assert found is not None
    assert found.pushes == ("M1 L", "M2 R")
    assert asked(Task("unknown", both), "push") is None, "no plan is known to be shortest"


def test_a_question_that_nobody_can_prove_is_not_asked() -> None:
    solved_at_once = Task("both sides", Puzzle.parse("A M1 G1"))
    assert asked(solved_at_once, "judge") is None, "no walk ends in a dead end"


def test_keys_tell_what_was_asked() -> None:
    task = questions("see")[0]
    assert len(
        {replace(task, kind=kind, sample=n).key for kind in KINDS for n in (0, 1)}
    ) == 2 * len(KINDS)


def test_answers_that_cannot_be_read_say_why() -> None:
    for kind, told in (("simulate", "There are no"), ("judge", "Write yes")):
        with pytest.raises(AnswerError, match=told):
            question_of(questions(kind)[0]).check(block("hm"))
    assert reward(questions("see")[0].puzzle, "hm") == 0
