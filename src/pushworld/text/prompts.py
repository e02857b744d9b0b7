"""Prompts: the rules of PushWorld, a puzzle, and how to answer."""

import re
from functools import cache
from importlib.resources import files

from pushworld.puzzle import Action, PushWorldError, Puzzle, State, parse_plan
from pushworld.text.answers import (
    MAX_MOVES,
    MOST_ILLEGAL_ANSWERS,
    PLAN,
    UNDO,
    action_words,
    block,
    write_actions,
)
from pushworld.text.description import AGENT_WALL, EMPTY, WALL, describe, token_rows
from pushworld.text.questions import question_of
from pushworld.text.tasks import Task

_JSON_HEADING = (
    'The puzzle as JSON, where cells are [x, y] and "goal" has the cells of a goal outline:'
)

PICTURE = f"""\
A picture shows the puzzle, with x above it and y to its left: the agent is green, objects with goals are red, other objects are blue, goal \
outlines are dark red lines, walls are black, agent walls are yellow, empty cells are white. Each cell of \
an object has the object's name in its upper left corner, each cell of an outline that of the outline in \
its lower right corner, each agent wall {AGENT_WALL} in its lower left corner."""


def one_shot_prompt(
    puzzle: Puzzle, *, format: str | None = "grid", notation: str = "letters", picture: bool = False
) -> str:
    """Returns a prompt that asks for a whole plan: the rules, the puzzle, and how to answer.

    Args:
        format: how the puzzle is written, one of `FORMATS`; None if only a picture shows it.
        notation: how the answer writes actions, one of `NOTATIONS`.
        picture: whether the caller attaches `pushworld.text.picture`; the prompt then explains it.
    """
    how_to_answer = (
        f"Find a plan: a sequence of actions after whose last action the puzzle is solved. Shorter plans "
        f"are better. Actions without effect count. At most {MAX_MOVES} actions are allowed.\n"
        f"Write the plan once, in one block, {_form(notation)}"
        f"Do not write the tags <{PLAN}> and </{PLAN}> anywhere else in your answer."
    )
    return _prompt(puzzle, format, notation, picture, how_to_answer)


def prompt_for(
    task: Task, *, format: str | None = "grid", notation: str = "letters", picture: bool = False
) -> str:
    """Returns the prompt of a task, whatever it asks; see `one_shot_prompt`."""
    if task.kind == "plan":
        return one_shot_prompt(task.puzzle, format=format, notation=notation, picture=picture)
    return _prompt(task.puzzle, format, notation, picture, question_of(task, notation).prompt)


def interactive_prompt(
    puzzle: Puzzle,
    *,
    format: str | None = "grid",
    notation: str = "letters",
    budget: int,
    undo: bool,
    picture: bool = False,
) -> str:
    """Returns a prompt that asks for the first moves of an episode; see `Episode`."""
    how_to_answer = (
        "You play in turns. In each turn, write one or more actions in one block, "
        f"{_form(notation)}"
        "You will then see the new state. "
        f"You have {budget} moves in all; actions without effect count. Fewer moves are better. "
        "The episode ends when the puzzle is solved, when no moves are left, or with the "
        f"{MOST_ILLEGAL_ANSWERS}th answer that cannot be read."
    )
    if undo:
        how_to_answer += (
            f"\nInstead of a <{PLAN}> block, a turn may have one <{UNDO}> block with a number: "
            f"<{UNDO}>2</{UNDO}> takes back the last 2 moves. They still count."
        )
    how_to_answer += "\nWrite exactly one block in each turn, and its tags nowhere else."
    return _prompt(puzzle, format, notation, picture, how_to_answer)


def _prompt(
    puzzle: Puzzle, format: str | None, notation: str, picture: bool, how_to_answer: str
) -> str:
    if format is None and not picture:
        raise PushWorldError("a prompt without a text needs a picture")
    parts = [rules(notation)]
    if format is not None:
        heading = _JSON_HEADING if format == "json" else "The puzzle:"
        parts.append(f"{heading}\n{describe(puzzle, format=format)}")
    if picture:
        parts.append(PICTURE)
    return "\n\n".join([*parts, how_to_answer])


@cache
def rules(notation: str = "letters") -> str:
    """Returns the rules of PushWorld with examples.

    The file has a small world and an action for each example; the dynamics give the result.
    """
    left, right, up, down = action_words(notation)
    signs = {"empty": EMPTY, "wall": WALL, "agent_wall": AGENT_WALL}
    text = (files(__package__) / "rules.txt").read_text(encoding="utf-8").rstrip("\n")
    told = text.format(left=left, right=right, up=up, down=down, **signs)
    return re.sub(
        "(.+)   ([LRUD])$", lambda found: _example(found[1], found[2], notation), told, flags=re.M
    )


def _example(world: str, letter: str, notation: str) -> str:
    """Returns a line with a small world, an action and the world after it."""
    puzzle = Puzzle.parse(world.replace("/", "\n"))
    (action,) = parse_plan(letter)
    before, after = (_rows(puzzle, state) for state in puzzle.replay([action]))
    return f"{before}   {write_actions([action], notation)} ->   {after}"


def _rows(puzzle: Puzzle, state: State) -> str:
    """Returns the interior of a world on one line."""
    return " / ".join(" ".join(row[1:-1]) for row in token_rows(puzzle, state)[1:-1])


def _form(notation: str) -> str:
    """Returns how a block writes actions, with an example on a line of its own."""
    separated = f"{notation} separated by spaces"
    if notation == "letters":
        separated = "letters without separators"
    example = (Action.RIGHT, Action.RIGHT, Action.UP, Action.LEFT)
    return f"as {separated}, for example\n{block(write_actions(example, notation))}\n"
