"""``pushworld llm baselines``, ``report`` and ``prompt``."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from pushworld.cli.arguments import JsonOption, MarkdownOption, PackOption, names_in, output_option
from pushworld.puzzle import PushWorldError

if TYPE_CHECKING:
    from pushworld.text.evaluation.runner import Progress

SetsArgument = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="SET",
        help="evaluation, generated:1 to generated:15 or stream:1 to stream:8, or any set, folder or file of puzzles.",
        show_default="evaluation",
    ),
]
LimitOption = Annotated[
    int | None, typer.Option(metavar="N", help="Take N tasks of each set.", show_default="all")
]
SeedOption = Annotated[
    str, typer.Option(help="Seed of generated tasks, and of the choice under a limit.")
]
PrivateSeedOption = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="Read a private seed from this environment variable; files tell only its digest.",
    ),
]
OutputOption = Annotated[Path, output_option("The folder of answers.")]
ModeOption = Annotated[
    Literal["one-shot", "interactive"],
    typer.Option(help="Ask for the whole plan, or for some moves at a time."),
]
FormatOption = Annotated[
    Literal["grid", "objects", "json", "none"],
    typer.Option(help="How prompts show a puzzle; none with a picture only."),
]
NotationOption = Annotated[
    Literal["letters", "words", "numbers"], typer.Option(help="How answers write moves.")
]
AskOption = Annotated[
    str,
    typer.Option(
        metavar="TASK,...",
        help="What to ask about each puzzle: see, simulate, judge, push, plan; or all.",
    ),
]
UndoOption = Annotated[bool, typer.Option("--undo", help="Offer undo in an episode.")]


@contextmanager
def answering(name: str) -> Iterator[Callable[[Progress], None]]:
    """Yields a watcher that shows tasks answered and solved; Ctrl-C ends the command with advice."""
    from rich.markup import escape
    from rich.progress import TaskID, TextColumn, TimeElapsedColumn

    from pushworld.cli.consoles import interruptible, progress_bar

    last: Progress | None = None
    columns = TextColumn("{task.fields[detail]}"), TimeElapsedColumn()
    with interruptible():
        with progress_bar(*columns) as progress:

            def watch(now: Progress) -> None:
                nonlocal last
                if last is None:
                    progress.add_task(escape(name), True, now.tasks, now.before, detail="")
                    if now.before:
                        already = f"{now.before} of {now.tasks} tasks are answered already"
                        typer.echo(f"{name}: {already}", err=True)
                last = now
                progress.update(TaskID(0), completed=now.solved + now.open, detail=str(now))

            yield watch
        if last is not None:
            ended = last.solved + last.open
            typer.echo(f"{name}: {ended} of {last.tasks} tasks answered, {last}", err=True)


def baselines(
    sets: SetsArgument = None,
    names: Annotated[
        str,
        typer.Option(
            "--baselines",
            metavar="NAME,...",
            help="random, greedy, people, or planners that 'pushworld planners' lists; or the scripted models "
            "good, blind, forgetful, optimist and rote.",
        ),
    ] = "random,greedy,default",
    ask: AskOption = "plan",
    people: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="People's solutions: a database of 'play --record', a CSV file of puzzle and plan, or a "
            "folder of YAML files.",
        ),
    ] = None,
    limit: LimitOption = None,
    tasks_seed: SeedOption = "0",
    private_seed_variable: PrivateSeedOption = None,
    time_limit: Annotated[float, typer.Option(help="Seconds of a planner for a task.")] = 10,
    output: OutputOption = Path("baselines"),
) -> None:
    """Let programs answer the tasks, for the same table as the models; one folder for each.

    Scripted models count as models, so that a report can be seen without one. All but good have a
    weakness, which the report finds.

    [bold]Examples[/]

    pushworld llm baselines -o baselines
    pushworld llm baselines stream:3 --limit 8 --ask all --baselines blind,forgetful,optimist -o runs
    pushworld llm baselines level1 --baselines people --people traces.db -o baselines
    """
    from pushworld.planners.solving import check_positive
    from pushworld.text.evaluation import Settings, run_baseline
    from pushworld.text.evaluation.baselines import MODELS

    check_positive("the time limit", time_limit, "seconds")
    private = private_seed(private_seed_variable)
    chosen = names_in(names)
    if people is not None and "people" not in chosen:
        chosen.append("people")
    for name in chosen:
        settings = Settings(
            name=name,
            kind="model" if name in MODELS else "baseline",
            model=name,
            sources=tuple(sets or ["evaluation"]),
            limit=limit,
            tasks_seed=told_seed(tasks_seed, private),
            asks=asks_of(ask),
            body={} if name in MODELS else {"time_limit": time_limit},
        )
        with answering(name) as watcher:
            run_baseline(output / name, settings, time_limit, people, watcher, seed=private)


def report(
    folders: Annotated[
        list[Path],
        typer.Argument(
            metavar="DIR",
            help="Folders of answers, folders of these, or archives.",
            show_default=False,
        ),
    ],
    output: Annotated[
        Path | None,
        output_option(
            "Folder for the page, the summary and the table of tasks.",
            default="report in the first folder",
        ),
    ] = None,
    proofs: Annotated[
        bool, typer.Option(help="Search for the moves that made puzzles unsolvable.")
    ] = True,
    pack: PackOption = None,
    prices: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Prices of tokens, for the table of costs.", show_default=False
        ),
    ] = None,
    private_seed_variable: PrivateSeedOption = None,
    markdown: MarkdownOption = False,
    as_json: JsonOption = False,
) -> None:
    """Score answers again, and report them: tables, a page with every conversation, CSV and JSON.

    Scores are computed from the answers alone, so anyone can check a result.

    [bold]Examples[/]

    pushworld llm report answers
    pushworld llm report my-model other-model baselines -o report
    pushworld llm report answers --pack mine.zip
    pushworld llm report answers --markdown --no-proofs
    """
    report_on(
        folders,
        output or (folders[0] if folders[0].is_dir() else folders[0].parent) / "report",
        private_seed(private_seed_variable),
        proofs=proofs,
        markdown=markdown,
        as_json=as_json,
        prices=prices,
        pack=pack,
    )


def prompt(
    source: Annotated[
        str,
        typer.Argument(
            metavar="PUZZLE_OR_SET",
            help="A puzzle, or a set: then its first task.",
            show_default=False,
        ),
    ],
    ask: AskOption = "plan",
    mode: ModeOption = "one-shot",
    format: FormatOption = "grid",
    notation: NotationOption = "letters",
    undo: UndoOption = False,
) -> None:
    """Print what a model is asked about a puzzle, or about the first task of a set.

    [bold]Examples[/]

    pushworld llm prompt first-push
    pushworld llm prompt evaluation --ask simulate
    pushworld llm prompt keyhole --mode interactive --undo --format json --notation words
    """
    from pushworld.text import all_asked, tasks
    from pushworld.text.evaluation import Settings
    from pushworld.text.evaluation.conversation import prompt_of

    settings = Settings(
        name="nobody",
        model="nobody",
        sources=(source,),
        asks=asks_of(ask),
        mode=mode,
        format=format,
        notation=notation,
        picture=format == "none",
        undo=undo,
    )
    settings.check()
    about = all_asked([next(tasks(source))], settings.asks)
    typer.echo("\n\n".join(prompt_of(settings, task) for task in about))


def asks_of(text: str) -> tuple[str, ...]:
    from pushworld.text import KINDS

    return KINDS if text == "all" else tuple(names_in(text))


def private_seed(variable: str | None) -> str | None:
    if variable is None:
        return None
    seed = os.environ.get(variable, "")
    if not seed:
        raise PushWorldError(f"the environment variable {variable!r} holds no seed")
    return seed


def told_seed(seed: str, private: str | None) -> str:
    from pushworld.text.evaluation.settings import hidden_seed

    return seed if private is None else hidden_seed(private)


def report_on(
    folders: list[Path],
    output: Path,
    private: str | None,
    *,
    proofs: bool = True,
    markdown: bool = False,
    as_json: bool = False,
    prices: Path | None = None,
    pack: Path | None = None,
) -> None:
    """Scores the answers in folders, prints the tables and writes the report."""
    from pushworld.bench.archives import pack_folder, unpacked
    from pushworld.cli.consoles import progress_bar, table_console
    from pushworld.text.evaluation import (
        contestants_of,
        find_evaluations,
        print_tables,
        write_report,
    )
    from pushworld.text.evaluation.accounts import Prices
    from pushworld.text.evaluation.report import summary_of

    table = None if prices is None else Prices.load(prices)
    with unpacked(folders) as opened:
        evaluations = find_evaluations(opened)
        if pack is not None:
            typer.echo(f"wrote {pack}, SHA-256 {pack_folder(opened, pack)}", err=True)
    with progress_bar() as progress:
        line = progress.add_task("scoring", total=sum(len(each.tasks) for each in evaluations))
        contestants = contestants_of(
            evaluations,
            prove=proofs,
            seed=private,
            on_progress=lambda name, done: progress.update(line, completed=done),
        )
    written = write_report(contestants, output, table)
    if as_json:
        typer.echo(json.dumps(summary_of(contestants)))
    else:
        print_tables(contestants, table_console(), markdown=markdown, prices=table)
    for path in written:
        typer.echo(f"wrote {path}", err=True)
