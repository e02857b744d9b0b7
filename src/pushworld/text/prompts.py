"""Prompts: the rules of PushWorld, a puzzle, and how to answer."""

from __future__ import annotations

from functools import cache

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

_RULES = """\
PushWorld is a puzzle on a grid of cells. Cells are (x, y): x grows to the right, y grows downwards.

Rules:
1. The agent A and the objects M1, M2, ... each consist of one or more cells. All cells with one name \
are one rigid object, whether they touch or not. Objects never rotate, change shape or overlap.
2. An action moves the agent by one cell: {left} is left (x - 1), {right} is right (x + 1), {up} is up \
(y - 1), {down} is down (y + 1).
3. The agent pushes what is in its way. If a cell of a moving object would enter a cell of another \
object, that object moves too, by one cell in the same direction, and may push others in turn. There is \
no limit to the number of objects that one action moves. Nothing is ever pulled.
4. If any moving object would enter a wall, or the agent would enter an agent wall, then nothing moves \
at all. The action still counts.
5. The outermost cells of the grid are walls. Agent walls stop only the agent: other objects move \
over them and may stop on them. Goal outlines stop nothing.
6. G1 is the goal outline of M1, G2 that of M2, and so on. A goal is reached while its object covers \
exactly the cells of its outline. Objects without an outline, and the agent, may be anywhere.
7. The puzzle is solved when all goals are reached at the same time.

Examples ({empty} is an empty cell, {wall} a wall, {agent_wall} an agent wall; + joins what is in one cell; / ends a row):
{examples}"""

_EXAMPLES = (
    ("A . .", "R"),
    (". . A M1 .", "L"),
    ("A M1 M2 .", "R"),
    ("A M1 M2 W", "R"),
    (". . / M1 M1 / A .", "U"),
    ("A . . / A M1 .", "R"),
    (". M1 M2 . / A M1 . .", "R"),
    (". M1 M2 W / A M1 . .", "R"),
    ("A M1 . M1 .", "R"),
    ("A M1 . M1 W", "R"),
    ("A AW .", "R"),
    ("A M1 AW .", "R"),
    ("A M1 G1 .", "R"),
)
"""Small worlds and an action in each; the dynamics give the result."""

_HEADINGS = {
    "json": 'The puzzle as JSON, where cells are [x, y] and "goal" has the cells of a goal outline:\n'
}

_PICTURE = """\
A picture shows the puzzle, with x above it and y to its left: the agent is green, objects with goals are red, other objects are blue, goal \
outlines are dark red lines, walls are black, agent walls are yellow, empty cells are white. Each cell of \
an object has the object's name in its upper left corner, each cell of an outline that of the outline in \
its lower right corner, each agent wall {agent_wall} in its lower left corner."""


def one_shot_prompt(
    puzzle: Puzzle,
    *,
    format: str | None = "grid",
    notation: str = "letters",
    picture: bool = False,
) -> str:
    """Returns a prompt that asks for a whole plan: the rules, the puzzle, and how to answer.

    Args:
        format: how the puzzle is written, one of `FORMATS`; None if only a picture shows it.
        notation: how the answer writes actions, one of `NOTATIONS`.
        picture: whether the caller attaches `pushworld.text.picture`; the prompt then explains it.

    Raises:
        PushWorldError: if an argument is wrong.
    """
    how_to_answer = (
        f"Find a plan: a sequence of actions after whose last action the puzzle is solved. Shorter plans "
        f"are better. Actions without effect count. At most {MAX_MOVES} actions are allowed.\n"
        f"Write the plan once, in one block, {_separated(notation)}, for example\n"
        f"{_block(notation)}\n"
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
    """Returns a prompt that asks for the first moves of an episode.

    Args:
        budget: the number of moves that the episode allows.
        undo: whether moves can be taken back.
        format, notation, picture: as in `one_shot_prompt`.
    """
    how_to_answer = (
        "You play in turns. In each turn, write one or more actions in one block, "
        f"{_separated(notation)}, for example\n"
        f"{_block(notation)}\n"
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
        parts.append(_HEADINGS.get(format, "The puzzle:\n") + describe(puzzle, format=format))
    if picture:
        parts.append(_PICTURE.format(agent_wall=AGENT_WALL))
    return "\n\n".join([*parts, how_to_answer])


@cache
def rules(notation: str = "letters") -> str:
    """Returns the rules of PushWorld with examples."""
    left, right, up, down = action_words(notation)
    examples = "\n".join(_example(world, letter, notation) for world, letter in _EXAMPLES)
    return _RULES.format(
        left=left,
        right=right,
        up=up,
        down=down,
        empty=EMPTY,
        wall=WALL,
        agent_wall=AGENT_WALL,
        examples=examples,
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


def _block(notation: str) -> str:
    example = (Action.RIGHT, Action.RIGHT, Action.UP, Action.LEFT)
    return block(write_actions(example, notation))


def _separated(notation: str) -> str:
    if notation == "letters":
        return "as letters without separators"
    return f"as {notation} separated by spaces"
