"""The commands info, validate and transform: facts about puzzles and plans."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Literal, get_args

import typer
from rich.markup import escape
from rich.table import Table

from pushworld.cli.arguments import JsonOption, PuzzleArgument, output_option, parse_size, read_plan
from pushworld.cli.consoles import table_console
from pushworld.cli.output import counted
from pushworld.datasets import package_puzzles, resolve_puzzle
from pushworld.puzzle import (
    Position,
    Puzzle,
    PuzzleObject,
    Symmetry,
    crop,
    format_plan,
    pad,
    transform,
)
from pushworld.puzzle.facts import Replay, count_positions, log10_states_at_most, replay_plan
from pushworld.puzzle.free_space import inner_walls

NOT_VALID = 1

SymmetryName = Literal[
    "identity",
    "rotate-90",
    "rotate-180",
    "rotate-270",
    "flip-x",
    "flip-y",
    "transpose",
    "antitranspose",
]


def register(app: typer.Typer) -> None:
    """Adds the commands to the command line."""
    app.command()(info)
    app.command(epilog="Exit code: 0 if the plan is valid, 1 if it is not, 2 for bad input.")(
        validate
    )
    app.command("transform")(transform_puzzle)


def info(name: PuzzleArgument, as_json: JsonOption = False) -> None:
    """Show the parts of a puzzle.

    [bold]Examples[/]

    pushworld info first-push
    pushworld info maze.pwp --json
    """
    puzzle = resolve_puzzle(name)
    if as_json:
        typer.echo(json.dumps(_facts(puzzle)))
        return
    console = table_console()
    console.print(f"[bold]{escape(puzzle.name)}[/]", highlight=False)
    for line in _package_facts(puzzle):
        console.print(escape(line), highlight=False)
    facts = Table.grid(padding=(0, 2))
    facts.add_row("size", f"{puzzle.width} x {puzzle.height} cells with the border")
    facts.add_row("goals", str(len(puzzle.goal)) if puzzle.goal else "none, a sandbox")
    facts.add_row("walls", f"{len(inner_walls(puzzle))} cells inside the border")
    facts.add_row("agent walls", f"{len(puzzle.agent_walls)} cells")
    facts.add_row("states", f"at most 10^{log10_states_at_most(puzzle):.1f}")
    console.print(facts)
    console.print(_object_table(puzzle))


def validate(
    name: PuzzleArgument,
    plan: Annotated[
        str,
        typer.Argument(
            metavar="PLAN", help="Actions such as LLURD, a file that holds them, or - to read them."
        ),
    ],
    as_json: JsonOption = False,
) -> None:
    """Replay a plan, and say whether it solves the puzzle; if not, where its objects end.

    [bold]Examples[/]

    pushworld validate maze.pwp LLURD
    pushworld validate maze.pwp plan.txt
    pushworld solve maze.pwp | pushworld validate maze.pwp - --json
    """
    puzzle = resolve_puzzle(name)
    replay = replay_plan(puzzle, read_plan(plan, puzzle))
    typer.echo(json.dumps(_verdict(puzzle, replay)) if as_json else _verdict_text(puzzle, replay))
    if not replay.valid:
        raise typer.Exit(NOT_VALID)


def transform_puzzle(
    name: PuzzleArgument,
    symmetry: Annotated[
        SymmetryName,
        typer.Option(
            metavar="NAME",
            help=f"Turn (clockwise) or mirror it: {', '.join(get_args(SymmetryName))}.",
        ),
    ] = "identity",
    cropped: Annotated[
        bool, typer.Option("--crop", help="Remove outer rows and columns of walls.")
    ] = False,
    padded: Annotated[
        str | None,
        typer.Option("--pad", metavar="WxH", help="Surround it with walls, up to this size."),
    ] = None,
    output: Annotated[
        Path | None, output_option("The file to write.", "FILE", "standard output")
    ] = None,
) -> None:
    """Write a puzzle turned, mirrored, cropped or padded, in this order.

    Sizes count the border of walls that surrounds what a file shows.

    [bold]Examples[/]

    pushworld transform maze.pwp --symmetry rotate-90 -o turned.pwp
    pushworld transform first-push --crop --pad 20x20
    """
    puzzle = transform(resolve_puzzle(name), Symmetry[symmetry.upper().replace("-", "_")])
    if cropped:
        puzzle = crop(puzzle)
    if padded is not None:
        puzzle = pad(puzzle, *parse_size(padded))
    if output is None:
        typer.echo(puzzle.to_pwp(), nl=False)
        return
    puzzle.save(output)
    typer.echo(f"wrote {output}")


def _package_facts(puzzle: Puzzle) -> Iterator[str]:
    """Yields the lines of the index about a puzzle that ships with the package."""
    for known in package_puzzles():
        if known.name == puzzle.name and known.puzzle == puzzle:
            yield f"{known.title}: {known.description}"
            yield f"skills: {', '.join(known.tags)}"
            level = f"level {known.level}; " if known.level else ""
            proof = ", as few as any plan has" if known.optimal else ""
            yield f"{level}best plan known: {len(known.plan):,} actions{proof}"


def _role(puzzle: Puzzle, thing: PuzzleObject) -> str:
    if thing is puzzle.agent:
        return "agent"
    return "movable" if thing.goal is None else "goal object"


def _facts(puzzle: Puzzle) -> dict[str, object]:
    """Returns the facts that `info` prints, as data for JSON."""
    return {
        "puzzle": puzzle.name,
        "width": puzzle.width,
        "height": puzzle.height,
        "goals": len(puzzle.goal),
        "walls": len(inner_walls(puzzle)),
        "agent_walls": len(puzzle.agent_walls),
        "log10_states_at_most": round(log10_states_at_most(puzzle), 3),
        "objects": [
            {
                "name": thing.name,
                "role": _role(puzzle, thing),
                "width": thing.width,
                "height": thing.height,
                "shape": thing.shape,
                "start": thing.start,
                "goal": thing.goal,
                "positions": positions,
            }
            for thing, positions in zip(puzzle.objects, count_positions(puzzle), strict=True)
        ],
    }


def _object_table(puzzle: Puzzle) -> Table:
    table = Table(box=None, header_style="bold", padding=(0, 2, 0, 0))
    for column in ("object", "role", "shape", "cells", "start", "goal", "positions"):
        table.add_column(column, overflow="fold", no_wrap=column == "shape")
    for thing, positions in zip(puzzle.objects, count_positions(puzzle), strict=True):
        table.add_row(
            escape(thing.name),
            _role(puzzle, thing),
            _picture(thing),
            str(len(thing.shape)),
            _written(thing.start),
            _written(thing.goal) if thing.goal is not None else "",
            str(positions),
        )
    return table


def _picture(thing: PuzzleObject) -> str:
    """Returns the shape drawn with blocks, or its size if that is large."""
    if max(thing.width, thing.height) > 8:
        return f"{thing.width} x {thing.height}"
    cells = set(thing.shape)
    return "\n".join(
        "".join("██" if (x, y) in cells else "  " for x in range(thing.width)).rstrip()
        for y in range(thing.height)
    )


def _written(position: Position) -> str:
    return f"({position[0]}, {position[1]})"


def _verdict(puzzle: Puzzle, replay: Replay) -> dict[str, object]:
    """Returns the result that `validate` prints, as data for JSON."""
    names = (thing.name for thing in puzzle.objects)
    return {
        "puzzle": puzzle.name,
        "plan": format_plan(replay.plan),
        "valid": replay.valid,
        "length": len(replay.plan),
        "goals": len(puzzle.goal),
        "achieved": [thing.name for thing in replay.achieved],
        "missing": [thing.name for thing in replay.missing],
        "without_effect": replay.without_effect,
        "final_state": dict(zip(names, replay.final_state, strict=True)),
    }


def _verdict_text(puzzle: Puzzle, replay: Replay) -> str:
    achieved = f"{len(replay.achieved)} of {len(puzzle.goal)} goals achieved"
    if not puzzle.goal:
        achieved = "the puzzle has no goals"
    length = counted(len(replay.plan), "action")
    lines = [f"{'valid' if replay.valid else 'not valid'}: {length}, {achieved}"]
    positions = dict(zip(puzzle.objects, replay.final_state, strict=True))
    for thing in replay.missing:
        assert thing.goal is not None
        lines.append(
            f"  {thing.name} ends at {_written(positions[thing])}, its goal is {_written(thing.goal)}"
        )
    if replay.without_effect:
        steps = ", ".join(map(str, replay.without_effect[:10]))
        more = ", ..." if len(replay.without_effect) > 10 else ""
        lines.append(f"  {len(replay.without_effect)} without effect: actions {steps}{more}")
    return "\n".join(lines)
