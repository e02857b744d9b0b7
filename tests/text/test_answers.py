"""Answers are read strictly, and errors say what to write instead."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pushworld.puzzle import Action, PushWorldError
from pushworld.text import NOTATIONS, AnswerError, read_answer
from pushworld.text.answers import MAX_CHARACTERS, MAX_MOVES, write_actions

L, R, U, D = Action


@pytest.mark.parametrize("notation", NOTATIONS)
@given(plan=st.lists(st.sampled_from(Action), min_size=1, max_size=50).map(tuple))
def test_what_is_written_is_read(notation: str, plan: tuple[Action, ...]) -> None:
    written = write_actions(plan, notation)
    assert read_answer(f"I think:\n<plan>{written}</plan> Done.", notation) == plan


@pytest.mark.parametrize(
    ("notation", "content", "plan"),
    [
        ("letters", "LRUD", (L, R, U, D)),
        ("letters", " l r\nU\td ", (L, R, U, D)),
        ("words", "left, right,\nUP  down", (L, R, U, D)),
        ("numbers", "0, 1 2\n3", (L, R, U, D)),
    ],
)
def test_white_space_case_and_commas_do_not_matter(
    notation: str, content: str, plan: tuple[Action, ...]
) -> None:
    assert read_answer(f"<plan>{content}</plan>", notation) == plan


@pytest.mark.parametrize(
    ("notation", "text", "message"),
    [
        ("letters", "LRUD", "There is no <plan> block"),
        ("letters", "", "There is no <plan> block"),
        ("letters", "<PLAN>LR</PLAN>", "There is no <plan> block"),
        ("letters", "<plan>LR", "has no end"),
        ("letters", "</plan>LR<plan>", "has no end"),
        ("letters", "<plan>LR</plan> or <plan>RL</plan>", "more than once"),
        ("letters", "<plan><plan>LR</plan></plan>", "more than once"),
        ("letters", "</plan><plan>LR</plan>", "more than once"),
        ("letters", "<plan> \n</plan>", "block is empty"),
        (
            "letters",
            "<plan>L R X D</plan>",
            r"'X', character 3 \(white space not counted\) of the <plan> block",
        ),
        ("letters", "<plan>L,R</plan>", "',', character 2 "),
        ("letters", "<plan>L\u202eR</plan>", r"'\\u202e', character 2"),
        ("letters", "<plan>\u0130</plan>", "character 1"),
        ("words", "<plan>left north</plan>", "'north', item 2 of the <plan> block"),
        ("words", "<plan>LR</plan>", "Write only left, right, up and down, separated by spaces"),
        ("numbers", "<plan>0 4</plan>", "'4', item 2 of the <plan> block"),
        ("numbers", "<plan>01</plan>", "'01', item 1 of the <plan> block"),
        ("numbers", "<plan>\u0661</plan>", "item 1"),
        ("letters", f"<plan>{'L' * (MAX_MOVES + 1)}</plan>", "has 10001 actions. At most 10000"),
        ("letters", "x" * (MAX_CHARACTERS + 1), "has 1000001 characters. At most 1000000"),
        ("words", f"<plan>{'x' * 900_000}</plan>", "item 1"),
        ("letters", "<plan>" * 160_000, "has no end"),
        ("letters", "<plan>" * 100_000 + "</plan>", "more than once"),
    ],
)
def test_errors_say_what_is_wrong_and_where(notation: str, text: str, message: str) -> None:
    with pytest.raises(AnswerError, match=message) as caught:
        read_answer(text, notation)
    assert len(str(caught.value)) < 200
    assert str(caught.value).isprintable()


@given(text=st.text(alphabet="<>/planLRUD \n", max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        plan = read_answer(text)
    except AnswerError:
        return
    assert text.count("<plan>") == text.count("</plan>") == 1
    inside = text.partition("<plan>")[2].partition("</plan>")[0]
    assert write_actions(plan) == "".join(inside.split()).upper()


def test_an_unknown_notation_is_an_error_of_the_caller() -> None:
    with pytest.raises(PushWorldError, match="letters, words, numbers") as caught:
        read_answer("<plan>L</plan>", "arrows")
    assert not isinstance(caught.value, AnswerError)
