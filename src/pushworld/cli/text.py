"""Commands for language models: mcp, llm export, llm corpus and llm study."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Literal

import typer

from pushworld.cli.arguments import JsonOption, output_option
from pushworld.cli.llm_reports import (
    AskOption,
    LimitOption,
    NotationOption,
    SeedOption,
    SetsArgument,
    asks_of,
)
from pushworld.cli.output import counted
from pushworld.puzzle import PushWorldError


def register(app: typer.Typer) -> None:
    """Adds the commands to the command line."""
    app.command()(mcp)


def mcp() -> None:
    """Serve puzzles to an assistant: an MCP server.

    It uses standard input and output. Its tools are new_puzzle, look, move, undo and validate. docs/guides/language-models.md shows how to
    add it to an assistant.

    [bold]Examples[/]

    pushworld mcp
    """
    from pushworld.text.adapters.mcp import build_server

    build_server().run()


def export(
    source: Annotated[
        str,
        typer.Argument(
            metavar="SET",
            help="evaluation, generated:1 to generated:15 or stream:1 to stream:8, or any set, folder or file of puzzles.",
        ),
    ],
    output: Annotated[Path, output_option("Write the dataset here.")],
    limit: LimitOption = None,
    seed: SeedOption = "0",
    split: Annotated[str, typer.Option(help="The name of the split.")] = "test",
    format: Annotated[
        Literal["grid", "objects", "json"], typer.Option(help="How texts show puzzles.")
    ] = "grid",
    notation: NotationOption = "letters",
    as_json: JsonOption = False,
) -> None:
    """Write puzzles as a dataset for Hugging Face: Parquet with texts, pictures and plans, and a card.

    [bold]Examples[/]

    pushworld llm export evaluation -o pushworld-evaluation
    pushworld llm export generated:3 --limit 1000 --seed mine --split train -o pushworld-3
    """
    from rich.progress import TimeElapsedColumn

    from pushworld.cli.consoles import progress_bar
    from pushworld.text import tasks
    from pushworld.text.adapters.huggingface import export_dataset
    from pushworld.text.tasks import ENDLESS

    if limit is None and source.startswith(ENDLESS):
        raise PushWorldError(f"{source} has no end: say with --limit how many puzzles to write")
    with progress_bar(TimeElapsedColumn()) as progress:
        task = progress.add_task("puzzles", total=limit)
        rows = export_dataset(
            tasks(source, limit=limit, seed=seed),
            output,
            split=split,
            format=format,
            notation=notation,
            progress=lambda rows: progress.update(task, completed=rows),
        )
    if as_json:
        typer.echo(json.dumps({"rows": rows, "folder": str(output)}))
    else:
        typer.echo(f"wrote {counted(rows, 'puzzle')} to {output}")


def corpus(
    output: Annotated[Path, output_option("Write the JSON lines here.", "FILE")],
    puzzles: Annotated[int, typer.Option(min=1, help="How many different puzzles.")] = 1000,
    seed: Annotated[str, typer.Option(help="Of the puzzles.")] = "0",
    workers: Annotated[int, typer.Option(min=1, help="Processes.")] = 1,
) -> None:
    """Write texts to train on: plans, search traces and proofs of dead ends about generated puzzles.

    No puzzle is one of the evaluation set or of an installed set, not even turned or with other names.

    [bold]Examples[/]

    pushworld llm corpus -o corpus.jsonl --puzzles 100000 --workers 16
    """
    from rich.progress import TimeElapsedColumn

    from pushworld.cli.consoles import progress_bar
    from pushworld.text.corpus import write_corpus

    written = (0, 0)
    with progress_bar(TimeElapsedColumn()) as progress:
        line = progress.add_task("puzzles", total=puzzles)
        for written in write_corpus(output, puzzles, seed=seed, workers=workers):
            progress.update(line, completed=written[0])
    typer.echo(
        f"wrote {counted(written[1], 'text')} about {counted(puzzles, 'puzzle')} to {output}"
    )


def study(
    sets: SetsArgument = None,
    ask: AskOption = "all",
    limit: LimitOption = 4,
    tasks_seed: SeedOption = "0",
    output: Annotated[Path, output_option("Write the study here.")] = Path("study"),
) -> None:
    """Write a study that asks people what models are asked, in a browser.

    'llm baselines --people' with the same sets, questions, limit and seed scores what they answered.

    [bold]Examples[/]

    pushworld llm study evaluation --limit 4 -o study

    pushworld play --study study/study.toml

    pushworld llm baselines evaluation --limit 4 --ask all --baselines people --people study/study.db -o runs
    """
    from pushworld.text.evaluation import Settings
    from pushworld.text.evaluation.people import write_study
    from pushworld.text.evaluation.settings import PEOPLE, tasks_of

    chosen = Settings(PEOPLE, PEOPLE, tuple(sets or ["evaluation"]), limit=limit)
    chosen = replace(chosen, tasks_seed=tasks_seed, asks=asks_of(ask))
    chosen.check()
    typer.echo(f"wrote {write_study(tasks_of(chosen).values(), output)}")
