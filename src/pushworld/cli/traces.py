"""Commands about recorded games: traces info and traces export."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from pushworld.cli.arguments import JsonOption

DatabaseArgument = Annotated[
    Path, typer.Argument(metavar="DB", help="The database written by 'play --record DB'.")
]


def register(app: typer.Typer) -> None:
    """Adds the commands to the command line."""
    traces = typer.Typer(help="Games recorded by 'pushworld play --record'.", no_args_is_help=True)
    traces.command()(info)
    traces.command()(export)
    app.add_typer(traces, name="traces")


def info(database: DatabaseArgument, as_json: JsonOption = False) -> None:
    """Show how many events, sessions and puzzles are recorded.

    [bold]Examples[/]

    pushworld traces info traces.db

    pushworld traces info traces.db --json
    """
    from pushworld.web.trace_export import summarize_traces

    summary = summarize_traces(database)
    if as_json:
        typer.echo(json.dumps(asdict(summary)))
    else:
        typer.echo(
            f"events: {summary.events:,}, sessions: {summary.sessions:,}, "
            f"puzzles: {summary.puzzles:,}"
        )


def export(
    database: DatabaseArgument,
    output: Annotated[
        Path,
        typer.Option(
            "--output", "-o", metavar="FILE", help="Write the events to this .parquet or .csv file."
        ),
    ],
    puzzles: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Write the puzzles' texts to this .parquet or .csv file."
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Write the recorded events as Parquet or CSV; docs/guides/traces.md explains the columns.

    [bold]Examples[/]

    pushworld traces export traces.db -o events.parquet

    pushworld traces export traces.db -o events.csv --puzzles puzzles.csv
    """
    from pushworld.web.trace_export import EVENTS, PUZZLES, export_traces

    written = {str(output): export_traces(database, output, EVENTS)}
    if puzzles is not None:
        written[str(puzzles)] = export_traces(database, puzzles, PUZZLES)
    if as_json:
        typer.echo(json.dumps(written))
    else:
        for file, rows in written.items():
            typer.echo(f"wrote {rows:,} rows to {file}")
