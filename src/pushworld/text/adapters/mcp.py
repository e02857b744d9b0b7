"""PushWorld as a server of the Model Context Protocol: tools to play puzzles, for any assistant."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from importlib.metadata import version
from threading import Lock
from typing import Annotated, Any, Literal

from pushworld.datasets.resolve import find_puzzle, unknown_puzzle
from pushworld.puzzle import PushWorldError, Puzzle, PuzzleError
from pushworld.text import Episode, Task, describe, picture, read_answer
from pushworld.text.adapters import DEFAULT_SOURCE, draw_task, needs
from pushworld.text.answers import UNDO, block

with needs("mcp"):
    from mcp.server.mcpserver import Image, MCPServer
    from mcp.server.mcpserver.exceptions import ToolError
    from pydantic import Field

MAX_PUZZLE_CHARACTERS = 20_000
LONGEST_NAME = 60  # a longer line is no name of a puzzle

INSTRUCTIONS = """\
Play PushWorld, a puzzle about pushing objects on a grid. Begin with new_puzzle, which explains the rules.
move carries out actions, undo takes moves back, look shows the puzzle, and validate tests a whole plan
without playing it."""

SETS = "generated:1 (easy) to generated:15 (hard), evaluation, bundled, classic, or another installed set"
Source = Annotated[str, Field(description=SETS)]
Seed = Annotated[str | None, Field(description="The same seed gives the same puzzle.")]
OWN_PUZZLE = """\
Instead of a source, the name of a puzzle (first-push), or a puzzle of your own: rows of cells separated by spaces; \
A agent, M1 M2 objects, G1 G2 goals, W wall, AW agent wall, . empty; A+G1 shares a cell."""
OwnPuzzle = Annotated[str | None, Field(description=OWN_PUZZLE, max_length=MAX_PUZZLE_CHARACTERS)]
Moves = Annotated[str, Field(description="Actions as letters L, R, U and D, such as RRUL.")]


class Game:
    """The puzzle that one client plays."""

    def __init__(self) -> None:
        self._episode: Episode | None = None

    def new_puzzle(
        self,
        source: Source = DEFAULT_SOURCE,
        seed: Seed = None,
        puzzle: OwnPuzzle = None,
        format: Literal["grid", "objects", "json"] = "grid",
        budget: Annotated[int | None, Field(description="The most moves.")] = None,
    ) -> str:
        """Begin a new puzzle and show its rules and its start. The one before it ends."""
        task = draw_task(source, seed) if puzzle is None else Task("own", _own_puzzle(puzzle))
        episode = Episode(
            task.puzzle, budget=budget, undo=True, format=format, best_known=task.best_known
        )
        self._episode = episode
        return episode.tool_prompt

    def look(
        self, with_picture: Annotated[bool, Field(description="Add a picture.")] = False
    ) -> list[Any]:
        """Show the puzzle as it is now."""
        episode = self._current()
        if not with_picture:
            return [episode.observation]
        shown = picture(episode.puzzle, episode.state)
        return [episode.observation, Image(data=shown, format="png")]

    def move(self, moves: Moves) -> str:
        """Carry out actions one after another and show the result."""
        episode = self._playing()
        read_answer(block(moves))  # a mistake of a tool call is no turn
        return episode.reply(block(moves))

    def undo(
        self, count: Annotated[int, Field(description="How many moves to take back.")] = 1
    ) -> str:
        """Take back the last moves. They still count."""
        episode = self._playing()
        made = len(episode.plan)
        if not 1 <= count <= made:
            raise PushWorldError(f"{count} moves cannot be taken back: there are {made}")
        return episode.reply(block(str(count), UNDO))

    def validate(self, plan: Moves) -> str:
        """Test whether a plan solves the puzzle from its start, without playing it."""
        puzzle = self._current().puzzle
        *_, final = puzzle.replay(actions := read_answer(block(plan)))
        verdict = "solves" if puzzle.is_solved(final) else "does not solve"
        return (
            f"The plan of {len(actions)} moves {verdict} the puzzle. Goals reached at its end: "
            f"{puzzle.achieved_goals(final)} of {len(puzzle.goal)}.\n"
            f"{describe(puzzle, final, legend=False)}"
        )

    def _current(self) -> Episode:
        if self._episode is None:
            raise PushWorldError("there is no puzzle yet: call new_puzzle first")
        return self._episode

    def _playing(self) -> Episode:
        episode = self._current()
        if episode.done:
            raise PushWorldError("this puzzle has ended: call new_puzzle for another one")
        return episode


def build_server() -> MCPServer[Any]:
    """Returns a server with its own game; `run` of the result serves standard input and output."""
    server: MCPServer[Any] = MCPServer(
        "pushworld", instructions=INSTRUCTIONS, version=version("pushworld"), log_level="WARNING"
    )
    game, lock = Game(), Lock()

    def guarded(tool: Callable[..., Any]) -> Callable[..., Any]:
        """Returns a tool that waits for the others, and shows mistakes to the model."""

        @wraps(tool)
        def call(**arguments: Any) -> Any:
            with lock:  # the server runs tools in threads
                try:
                    return tool(**arguments)
                except PushWorldError as error:
                    raise ToolError(str(error)) from error

        return call

    for tool in (game.new_puzzle, game.look, game.move, game.undo, game.validate):
        server.add_tool(guarded(tool), structured_output=False)
    return server


def _own_puzzle(text: str) -> Puzzle:
    try:
        puzzle = find_puzzle(text) or Puzzle.parse(text)
    except PuzzleError as error:
        if "\n" in text or len(text) > LONGEST_NAME:
            raise
        raise PushWorldError(f"{unknown_puzzle(text)}; as rows of cells: {error}") from error
    if not puzzle.goal:
        raise PushWorldError("the puzzle has no goals: add the outline G1 of an object M1")
    return puzzle
