"""Commands about recorded games: traces info, traces export and traces report."""

import json
from pathlib import Path
from typing import Annotated, Literal

import typer

from pushworld.cli.arguments import JsonOption, output_option
from pushworld.files import make_folder, write_text

DatabaseArgument = Annotated[
    Path,
    typer.Argument(
        metavar="DB", help="The database written by 'play --record DB' or 'play --study'."
    ),
]
EffortOption = Annotated[
    Literal["none", "quick", "normal", "thorough"],
    typer.Option(help="How hard a planner tries to judge each position; none: not at all."),
]
CacheOption = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE", help="Keep what planners find out in this file.", show_default="DB.measures"
    ),
]


def register(app: typer.Typer) -> None:
    """Adds the commands to the command line."""
    traces = typer.Typer(
        help="Games recorded by 'pushworld play'.", no_args_is_help=True, rich_markup_mode="rich"
    )
    traces.command()(info)
    interruptible = "Exit code: 0 written, 13 interrupted, 2 bad input."
    traces.command(epilog=interruptible)(export)
    traces.command(epilog=interruptible)(report)
    app.add_typer(traces, name="traces")


def info(database: DatabaseArgument, as_json: JsonOption = False) -> None:
    """Show how many events, sessions and puzzles are recorded.

    [bold]Examples[/]

    pushworld traces info traces.db
    pushworld traces info traces.db --json
    """
    from pushworld.traces.recording import Recording

    with Recording(database) as recording:
        summary = recording.summary()
    if as_json:
        typer.echo(json.dumps(summary))
    else:
        typer.echo(", ".join(f"{name}: {number:,}" for name, number in summary.items()))


def export(
    database: DatabaseArgument,
    output: Annotated[Path, output_option("Write the tables into this folder.")],
    format: Annotated[
        Literal["csv", "parquet", "psych-ds"],
        typer.Option(help="The format of the tables; psych-ds: a dataset by its rules."),
    ] = "csv",
    effort: EffortOption = "quick",
    pause: Annotated[
        float, typer.Option(metavar="SECONDS", help="A think time that long counts as a pause.")
    ] = 5.0,
    anonymous: Annotated[
        bool,
        typer.Option("--anonymous", help="Leave out what came with the links of participants."),
    ] = False,
    cache: CacheOption = None,
    as_json: JsonOption = False,
) -> None:
    """Write recorded games as tables of events, games, moves, answers, participants and puzzles.

    A codebook explains every column. A planner judges the positions; after an
    interruption the same command continues.

    [bold]Examples[/]

    pushworld traces export study.db -o data
    pushworld traces export study.db -o data --format parquet --effort normal --anonymous
    pushworld traces export study.db -o dataset --format psych-ds --anonymous
    """
    from pushworld.cli.consoles import shown_progress
    from pushworld.traces.export import export_folder
    from pushworld.traces.measures import EFFORTS

    with shown_progress("reading") as show:
        written = export_folder(
            database,
            output,
            format=format,
            effort=EFFORTS.get(effort),
            pause=pause,
            anonymous=anonymous,
            cache=cache,
            on_positions=lambda done, total: show(done, "judging positions", total),
        )
    if as_json:
        typer.echo(json.dumps({str(file): rows for file, rows in written.items()}))
    else:
        for file, rows in written.items():
            typer.echo(f"wrote {rows:,} rows to {file}")


def report(
    database: DatabaseArgument,
    output: Annotated[Path, output_option("The page to write.", "FILE")] = Path("report.html"),
    results: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="DIR",
            help="Compare with the planners in these results of 'pushworld benchmark'.",
            show_default="two planners run for a few seconds",
        ),
    ] = None,
    seconds: Annotated[
        float,
        typer.Option("--planner-seconds", help="Time limit of these runs; 0: no planner runs."),
    ] = 5.0,
    effort: EffortOption = "quick",
    cache: CacheOption = None,
    as_json: JsonOption = False,
) -> None:
    """Report on recorded games: solve rates and times, people and planners, and replays.

    [bold]Examples[/]

    pushworld traces report study.db -o report.html
    pushworld traces report study.db --results results/ --effort normal
    """
    from rich.markup import escape

    from pushworld.cli.consoles import shown_progress, table_console
    from pushworld.traces.measures import EFFORTS
    from pushworld.traces.report import make_report

    with shown_progress("reading") as show:
        made = make_report(
            database,
            effort=EFFORTS.get(effort),
            results=results or (),
            seconds=seconds,
            cache=cache,
            on_positions=lambda done, total: show(done, "judging positions", total),
            on_puzzle=lambda name: show(None, f"grading {escape(name)}"),
        )
    write_text(make_folder(output.parent) / output.name, made.page)
    if as_json:
        typer.echo(json.dumps(made.as_dict() | {"page": str(output)}))
        return
    console = table_console()
    for table in made.tables.values():
        table.show(console)
    typer.echo(f"wrote {output}", err=True)
