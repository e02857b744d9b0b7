"""Commands about studies with people: study init, check, status, withdraw and simulate."""

import json
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from pushworld.cli.arguments import JsonOption
from pushworld.cli.exit_codes import BAD_INPUT
from pushworld.cli.output import counted
from pushworld.puzzle import PushWorldError

StudyArgument = Annotated[Path, typer.Argument(metavar="FILE", help="The study file.")]
DatabaseArgument = Annotated[
    Path, typer.Argument(metavar="DB", help="The database of 'play --study FILE --record DB'.")
]


def register(app: typer.Typer) -> None:
    """Adds the commands to the command line."""
    study = typer.Typer(
        help="Studies with people: 'pushworld play --study' runs them.", no_args_is_help=True
    )
    for command in (init, check, status, withdraw, simulate):
        study.command()(command)
    app.add_typer(study, name="study")


def init(file: StudyArgument) -> None:
    """Write an example of a study file, with comments; it never replaces a file.

    [bold]Examples[/]

    pushworld study init study.toml
    """
    from pushworld.web.studies.study_file import EXAMPLE

    try:
        with file.open("x", encoding="utf-8") as target:
            target.write(EXAMPLE.read_text(encoding="utf-8").replace("THIS-FILE", str(file)))
    except FileExistsError:
        raise PushWorldError(f"{file} exists: name a new file") from None
    typer.echo(f"wrote {file}; edit it, then run: pushworld study check {file}")


def check(file: StudyArgument, as_json: JsonOption = False) -> None:
    """Check a study file, with its puzzles; names line and key of every fault.

    [bold]Examples[/]

    pushworld study check study.toml
    """
    from pushworld.web.studies.assignment import slot_count
    from pushworld.web.studies.study_file import StudyFileError, load_study, remarks

    try:
        study = load_study(file)
    except StudyFileError as error:
        if as_json:
            typer.echo(json.dumps({"faults": [asdict(fault) for fault in error.faults]}))
        for fault in error.faults:
            typer.echo(f"{file}, {fault}", err=True)
        raise typer.Exit(BAD_INPUT) from None
    puzzles = sum(len(block.puzzles) for block in study.blocks)
    slots = slot_count(study)
    notes = list(remarks(study))
    if as_json:
        facts = {"title": study.title, "version": study.version, "puzzles": puzzles, "slots": slots}
        typer.echo(json.dumps({"faults": [], "remarks": notes, **facts}))
        return
    typer.echo(
        f"{study.title}: {counted(puzzles, 'puzzle')} in {counted(len(study.blocks), 'block')}, "
        f"{counted(len(study.conditions) or 1, 'condition')}; version {study.version[:12]}"
    )
    if slots > 1:
        typer.echo(f"conditions and orders are balanced for each {slots:,} participants")
    for note in notes:
        typer.echo(f"note: {note}")


def status(database: DatabaseArgument, as_json: JsonOption = False) -> None:
    """Show the participants of a study: how far they are, and who has finished.

    [bold]Examples[/]

    pushworld study status study.db
    """
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from pushworld.web.studies.status import study_status

    found = study_status(database)
    if as_json:
        typer.echo(json.dumps(asdict(found)))
        return
    people = found.participants
    finished = sum(each.finished_ms is not None for each in people)
    typer.echo(
        f"{found.title}: {counted(len(people), 'participant')}, {finished:,} finished; "
        f"version {found.version[:12]}"
    )
    if not people:
        return
    table = Table(box=None, header_style="bold", padding=(0, 2, 0, 0))
    table.add_column("participant", overflow="fold", min_width=24)
    for name in ("condition", "puzzles", "solved", "visits", "last (UTC)"):
        table.add_column(name, no_wrap=True)
    for each in people:
        table.add_row(
            Text(each.id),
            Text(each.condition or ""),
            f"{each.done}/{each.puzzles}" if each.finished_ms is None else "finished",
            str(each.solved),
            str(each.visits),
            _moment(each.last_ms),
        )
    Console().print(table)


def withdraw(
    database: DatabaseArgument,
    participant: Annotated[str, typer.Argument(metavar="ID", help="The participant's id.")],
) -> None:
    """Delete everything about a participant; the study may run at the same time.

    [bold]Examples[/]

    pushworld study withdraw study.db 5f3c1b2a9d8e7f6a5b4c3d2e
    """
    from pushworld.web.studies.status import withdraw as delete

    delete(database, participant)
    typer.echo(f"deleted everything about {participant!r}")


def simulate(
    address: Annotated[
        str, typer.Argument(metavar="URL", help="Where 'pushworld play --study FILE' is.")
    ],
    participants: Annotated[int, typer.Option(min=1, help="How many take part.")] = 10,
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

    They send what the page would send, so that you have data before you have people. They differ in
    skill and patience, and their ids begin with 'simulated-'. Use a database of its own.

    [bold]Examples[/]

    pushworld study simulate http://127.0.0.1:8470/
    pushworld study simulate http://127.0.0.1:8470/ --participants 5 --think 0.1
    """
    from concurrent.futures import ThreadPoolExecutor

    from pushworld.traces.participants import Participant

    people = [
        Participant(address, f"simulated-{seed}-{number}", think)
        for number in range(1, participants + 1)
    ]
    people[0].parameters()
    ended = []
    with ThreadPoolExecutor(concurrent) as threads:
        for each in threads.map(Participant.take_part, people):
            typer.echo(
                "{participant}: {ending}; {solved} of {puzzles} puzzles solved, {decisions} "
                "decisions, {seconds:.1f} s".format_map(each),
                err=as_json,
            )
            ended.append(each)
    complete = sum(each["complete"] for each in ended)
    typer.echo(
        json.dumps(ended)
        if as_json
        else f"{complete} of {counted(len(ended), 'participant')} reached the end"
    )
    if complete < len(ended):
        raise typer.Exit(1)


def _moment(milliseconds: int | None) -> str:
    if milliseconds is None:
        return ""
    return datetime.fromtimestamp(milliseconds / 1000, UTC).strftime("%m-%d %H:%M:%S")
