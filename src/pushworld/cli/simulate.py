"""The command study simulate: participants that are programs, in a real browser."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Annotated

import typer

from pushworld.cli.arguments import JsonOption
from pushworld.cli.output import counted


def simulate(
    address: Annotated[
        str, typer.Argument(metavar="URL", help="Where 'pushworld play --study FILE' is.")
    ],
    participants: Annotated[int, typer.Option(min=1, help="How many take part.")] = 10,
    kind: Annotated[
        str,
        typer.Option(help="'noisy' follows a plan most of the time, 'random' walks at random."),
    ] = "noisy",
    seed: Annotated[
        int, typer.Option(help="Names the participants, and decides about their choices.")
    ] = 1,
    concurrent: Annotated[int, typer.Option(min=1, help="How many at the same time.")] = 1,
    think: Annotated[
        float, typer.Option(min=0, help="The mean time of a decision in seconds.")
    ] = 0.5,
    as_json: JsonOption = False,
) -> None:
    """Let simulated participants take part in a running study, from its link to its end.

    They are for pilots: their ids begin with 'simulated-', so that you can tell them from people. Use
    a database of its own.

    [bold]Examples[/]

    pushworld study simulate http://127.0.0.1:8470/

    pushworld study simulate http://127.0.0.1:8470/ --participants 5 --kind random --think 0.1
    """
    import asyncio

    from pushworld.traces.participants import kind_of
    from pushworld.traces.participants_browser import Participation
    from pushworld.traces.participants_browser import simulate as run

    def tell(ended: Participation) -> None:
        typer.echo(
            f"{ended.participant}: {ended.ending}; {ended.solved} of "
            f"{counted(ended.puzzles, 'puzzle')} solved, {counted(ended.decisions, 'decision')}, "
            f"{ended.seconds:.1f} s",
            err=as_json,
        )

    ended = asyncio.run(run(address, kind_of(kind), participants, seed, concurrent, think, tell))
    if as_json:
        typer.echo(json.dumps([asdict(each) for each in ended]))
    complete = sum(each.complete for each in ended)
    if not as_json:
        typer.echo(f"{complete} of {counted(len(ended), 'participant')} reached the end")
    if complete < len(ended):
        raise typer.Exit(1)
