"""``pushworld mcp``, the server, and the client of the official package over standard streams."""

from __future__ import annotations

import asyncio
from base64 import b64decode
from pathlib import Path
from typing import Any

from mcp import Client, StdioServerParameters, stdio_client
from mcp.types import ImageContent, TextContent

from pushworld.datasets import resolve_puzzle
from pushworld.puzzle import Action, Puzzle
from pushworld.text import describe, picture
from pushworld.text.adapters.mcp import build_server
from tests.web.server_process import COMMAND

CORRIDOR = "A M1 . G1 ."


def started_server() -> Any:
    """Returns the server in a process of its own, as an assistant starts it."""
    command, *arguments = COMMAND
    return stdio_client(StdioServerParameters(command=command, args=[*arguments, "mcp"]))


def session(server: Any, steps: Any) -> None:
    """Runs steps with a function that calls the tools of a server."""

    async def connected() -> None:
        async with Client(server) as client:

            async def call(tool: str, **arguments: Any) -> str:
                result = await client.call_tool(tool, arguments)
                (content,) = result.content
                assert content.type == "text"
                return ("error: " if result.is_error else "") + content.text

            await steps(client, call)

    asyncio.run(connected())


def test_a_game() -> None:
    async def steps(client: Client, call: Any) -> None:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert set(tools) == {"new_puzzle", "look", "move", "undo", "validate"}
        assert all(tool.description for tool in tools.values())

        start = await call("new_puzzle", puzzle=CORRIDOR)
        assert "Rules:" in start
        assert describe(Puzzle.parse(CORRIDOR)) in start
        assert "You have 400 moves." in start
        assert describe(resolve_puzzle("first-push")) in await call(
            "new_puzzle", puzzle="First Push"
        )
        await call("new_puzzle", puzzle=CORRIDOR)
        assert "does not solve" in await call("validate", plan="R")
        assert "The plan of 2 moves solves the puzzle." in await call("validate", plan="RR")

        assert "Goals reached: 0 of 1." in await call("move", moves="R")
        assert "1 moves were taken back." in await call("undo")
        puzzle = Puzzle.parse(CORRIDOR)
        state = puzzle.step(puzzle.initial_state, Action.RIGHT)
        await call("move", moves="r")
        seen = await client.call_tool("look", {"with_picture": True})
        text, image = seen.content
        assert isinstance(text, TextContent)
        assert "398 of 400 moves are left." in text.text
        assert isinstance(image, ImageContent)
        assert b64decode(image.data) == picture(puzzle, state)
        assert "The puzzle is solved after 3 moves." in await call("move", moves="R")

    session(started_server(), steps)


def test_mistakes_are_errors_that_say_what_to_do() -> None:
    async def steps(client: Client, call: Any) -> None:
        for tool, arguments in {
            "look": {},
            "move": {"moves": "R"},
            "validate": {"plan": "R"},
        }.items():
            answer = await call(tool, **arguments)
            assert answer.startswith("error: ")
            assert "call new_puzzle first" in answer

        assert "generated:1 to generated:15" in await call("new_puzzle", source="/etc/passwd")
        assert "generated:1 to generated:15" in await call("new_puzzle", source="evaluation/../..")
        assert "no agent" in await call("new_puzzle", puzzle=". M1 G1")
        assert "no goals" in await call("new_puzzle", puzzle="A M1")
        assert (await call("new_puzzle", puzzle=". " * 1_000_000)).startswith("error: ")
        assert (await call("new_puzzle", budget=10**9, puzzle=CORRIDOR)).startswith("error: ")

        await call("new_puzzle", puzzle=CORRIDOR, budget=3)
        assert "'X', character 2" in await call("move", moves="RX")
        assert "characters" in await call("move", moves="R" * 1_500_000)
        assert "cannot be taken back" in await call("undo", count=1)
        for _ in range(6):  # mistakes do not end the game
            assert (await call("move", moves="")).startswith("error: ")
        assert "The episode is over." in await call("move", moves="LLLLL")
        for tool, arguments in {"move": {"moves": "R"}, "undo": {}}.items():
            assert "call new_puzzle for another one" in await call(tool, **arguments)

    session(build_server(), steps)


def test_misspelt_names_are_answered_with_close_ones(tmp_path: Path) -> None:
    file = tmp_path / "own.pwp"
    file.write_text(CORRIDOR)

    async def steps(client: Client, call: Any) -> None:
        answer = await call("new_puzzle", puzzle="Kehole")
        assert "there is no puzzle 'Kehole': did you mean 'keyhole'" in answer
        assert "unknown id 'Kehole'" in answer
        assert "line 2" in await call("new_puzzle", puzzle=f"{CORRIDOR}\nKehole")
        for path in (file, tmp_path, tmp_path / "missing.pwp", "/etc/passwd"):
            answer = await call("new_puzzle", puzzle=str(path))
            assert answer.startswith("error: ")
            assert "unknown id" in answer  # whether or not there is such a file

    session(build_server(), steps)


def test_seeds_and_sources() -> None:
    async def steps(client: Client, call: Any) -> None:
        first = await call("new_puzzle", seed="mine")
        assert await call("new_puzzle", seed="mine", source="generated:1") == first
        assert await call("new_puzzle", seed="other") != first
        assert await call("new_puzzle") != await call("new_puzzle")
        assert "moves" in await call("new_puzzle", source="evaluation", seed="1", format="json")

    session(build_server(), steps)
