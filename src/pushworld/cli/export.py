"""``pushworld export``: PDDL and SAS+ files for other planners, and plans from them."""

import json
import math
from pathlib import Path
from typing import Annotated

import typer

from pushworld.cli.arguments import (
    JsonOption,
    PuzzleArgument,
    complete_puzzle,
    output_option,
    read_text,
)
from pushworld.cli.consoles import progress_bar
from pushworld.cli.exit_codes import TIME_LIMIT
from pushworld.cli.output import counted
from pushworld.datasets import load_set, resolve_puzzle
from pushworld.export import ExportStoppedError, plan_from_external
from pushworld.export.files import Format, export_files
from pushworld.planners.solving import check_positive

PuzzlesArgument = Annotated[
    list[str],
    typer.Argument(
        metavar="PUZZLES",
        help="Files, folders, names of puzzles or of sets such as bundled or level1.",
        autocompletion=complete_puzzle,
    ),
]
FolderOption = Annotated[Path, output_option("The folder to write to.")]

TimeLimitOption = Annotated[
    float | None,
    typer.Option(help="Seconds for each puzzle; the exit code is 11 if one takes more."),
]


def register(app: typer.Typer) -> None:
    """Adds the commands to the command line."""
    group = typer.Typer(
        no_args_is_help=True, help="Export puzzles for other planners, and read their plans."
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
    ipc: Annotated[
        bool,
        typer.Option(
            "--ipc", help="As collections of benchmarks: DIR/NAME.pddl, DIR/domain-NAME.pddl."
        ),
    ] = False,
    time_limit: TimeLimitOption = None,
) -> None:
    """Write puzzles in PDDL: DIR/NAME/domain.pddl and DIR/NAME/problem.pddl.

    [bold]Examples[/]

    pushworld export pddl first-push -o tasks
    pushworld export pddl level1 my-puzzles/ --low-arity -o tasks
    pushworld export pddl classic --ipc -o benchmarks/pushworld
    """
    _export(puzzles, output, "pddl-low-arity" if low_arity else "pddl", time_limit, ipc)


def export_as_sas(
    puzzles: PuzzlesArgument, output: FolderOption, time_limit: TimeLimitOption = None
) -> None:
    """Write puzzles in SAS+, which the search of Fast Downward reads: DIR/NAME.sas.

    [bold]Examples[/]

    pushworld export sas first-push -o tasks
    pushworld export sas bundled -o tasks
    """
    _export(puzzles, output, "sas", time_limit)


def read_plan(
    name: PuzzleArgument,
    plan: Annotated[
        str,
        typer.Argument(
            metavar="PLANFILE", help="The file with the plan of a planner, or - for standard input."
        ),
    ],
    as_json: JsonOption = False,
) -> None:
    """Convert the plan of a PDDL or SAS+ planner to LRUD, if it solves the puzzle.

    [bold]Examples[/]

    pushworld export plan first-push sas_plan
    my-planner domain.pddl problem.pddl | pushworld export plan maze.pwp - --json
    """
    puzzle = resolve_puzzle(name)
    actions = plan_from_external(puzzle, read_text(plan))
    result = {"puzzle": puzzle.name, "plan": actions, "length": len(actions)}
    typer.echo(json.dumps(result) if as_json else actions)


def _export(
    names: list[str], folder: Path, form: Format, time_limit: float | None, ipc: bool = False
) -> None:
    if time_limit is not None:
        check_positive("the time limit", time_limit, "seconds")
    puzzles = [puzzle for name in names for puzzle in load_set(name)]
    written = 0
    with progress_bar() as progress:
        task = progress.add_task("exporting", total=len(puzzles))
        seconds = math.inf if time_limit is None else time_limit
        try:
            for files in export_files(puzzles, folder, form, seconds, ipc):
                written += len(files)
                progress.advance(task)
        except ExportStoppedError:
            done = int(progress.tasks[task].completed)
            typer.echo(
                f"{puzzles[done].name} takes more than {time_limit:g} s: wrote "
                f"{counted(written, 'file')} of the puzzles before it to {folder}",
                err=True,
            )
            raise typer.Exit(TIME_LIMIT) from None
    typer.echo(f"wrote {counted(written, 'file')} to {folder}")
