"""Commands for planners of other projects: export pddl, export sas and export plan."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import track

from pushworld.cli.arguments import JsonOption, PuzzleArgument, complete_puzzle, read_text
from pushworld.datasets import load_set, resolve_puzzle
from pushworld.export import plan_from_external
from pushworld.export.files import Format, export_files

PuzzlesArgument = Annotated[
    list[str],
    typer.Argument(
        metavar="PUZZLES",
        help="Files, folders, names of puzzles or of sets such as bundled or level1.",
        autocompletion=complete_puzzle,
    ),
]
FolderOption = Annotated[
    Path, typer.Option("--output", "-o", metavar="DIR", help="The folder to write to.")
]


def register(app: typer.Typer) -> None:
    """Adds the commands to the command line."""
    group = typer.Typer(
        no_args_is_help=True, help="Write puzzles for other planners, and read plans."
    )
    group.command("pddl")(export_as_pddl)
    group.command("sas")(export_as_sas)
    group.command("plan")(read_plan)
    app.add_typer(group, name="export")


def export_as_pddl(
    puzzles: PuzzlesArgument,
    output: FolderOption,
    low_arity: Annotated[
        bool, typer.Option("--low-arity", help="Use predicates of arity three at most.")
    ] = False,
) -> None:
    """Write puzzles in PDDL: DIR/NAME/domain.pddl and DIR/NAME/problem.pddl.

    [bold]Examples[/]

    pushworld export pddl first-push -o tasks

    pushworld export pddl level1 my-puzzles/ --low-arity -o tasks
    """
    _export(puzzles, output, "pddl-low-arity" if low_arity else "pddl")


def export_as_sas(puzzles: PuzzlesArgument, output: FolderOption) -> None:
    """Write puzzles in SAS+, which the search of Fast Downward reads: DIR/NAME.sas.

    [bold]Examples[/]

    pushworld export sas first-push -o tasks

    pushworld export sas bundled -o tasks
    """
    _export(puzzles, output, "sas")


def read_plan(
    puzzle: PuzzleArgument,
    plan: Annotated[
        str, typer.Argument(metavar="PLANFILE", help="The plan of a planner, or - to read it.")
    ],
    as_json: JsonOption = False,
) -> None:
    """Turn the plan of a PDDL or SAS+ planner into LRUD, if it solves the puzzle.

    [bold]Examples[/]

    pushworld export plan first-push sas_plan

    my-planner domain.pddl problem.pddl | pushworld export plan maze.pwp - --json
    """
    world = resolve_puzzle(puzzle)
    actions = plan_from_external(world, read_text(plan))
    told = {"puzzle": world.name, "plan": actions, "length": len(actions)}
    typer.echo(json.dumps(told) if as_json else actions)


def _export(names: list[str], folder: Path, form: Format) -> None:
    puzzles = [puzzle for name in names for puzzle in load_set(name)]
    console = Console(stderr=True)
    files = track(
        export_files(puzzles, folder, form),
        "exporting",
        total=len(puzzles),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    )
    written = sum(len(each) for each in files)
    typer.echo(f"wrote {written} {'file' if written == 1 else 'files'} to {folder}")
