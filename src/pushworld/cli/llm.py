"""``pushworld llm``: evaluations of language models."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Annotated, Any, Literal

import typer
from rich.console import Console

from pushworld.cli.arguments import JsonOption
from pushworld.cli.consoles import table_console
from pushworld.cli.exit_codes import INTERRUPTED
from pushworld.cli.output import counted, progress_bar
from pushworld.cli.text import export
from pushworld.puzzle import PushWorldError

UNFINISHED = "Exit code: 0 finished, 13 interrupted or not finished, 2 bad input."

SetsArgument = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="SET",
        help="evaluation, generated:1 to generated:8, or any set, folder or file of puzzles.",
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
OutputOption = Annotated[
    Path, typer.Option("--output", "-o", metavar="DIR", help="The folder of answers.")
]
MarkdownOption = Annotated[bool, typer.Option("--markdown", help="Print the tables as Markdown.")]


def register(app: typer.Typer) -> None:
    """Adds the commands to the command line."""
    llm = typer.Typer(help="Evaluate language and vision models.", no_args_is_help=True)
    llm.command(epilog=UNFINISHED)(evaluate)
    llm.command(epilog=UNFINISHED)(baselines)
    llm.command()(report)
    llm.command()(export)
    llm.command("serve-scripted")(serve_scripted)
    app.add_typer(llm, name="llm")


def evaluate(
    sets: SetsArgument = None,
    url: Annotated[
        str, typer.Option(help="The endpoint, such as https://api.example.com/v1.")
    ] = "http://localhost:8000/v1",
    model: Annotated[str, typer.Option(help="The model's name at the endpoint.")] = "",
    name: Annotated[
        str | None, typer.Option(help="The name in reports.", show_default="the model's")
    ] = None,
    key_variable: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="The environment variable that holds the key.",
            show_default="no key is sent",
        ),
    ] = None,
    mode: Annotated[
        Literal["one-shot", "interactive"],
        typer.Option(help="Ask for the whole plan, or for some moves at a time."),
    ] = "one-shot",
    format: Annotated[
        Literal["grid", "objects", "json"], typer.Option(help="How prompts show a puzzle.")
    ] = "grid",
    notation: Annotated[
        Literal["letters", "words", "numbers"], typer.Option(help="How answers write moves.")
    ] = "letters",
    picture: Annotated[
        bool, typer.Option("--picture", help="Attach a picture of each position.")
    ] = False,
    budget: Annotated[
        int | None,
        typer.Option(
            help="Moves of an episode.", show_default="4 times the best plan known, at least 40"
        ),
    ] = None,
    undo: Annotated[bool, typer.Option("--undo", help="Offer undo in an episode.")] = False,
    max_turns: Annotated[int, typer.Option(help="Answers of an episode.")] = 100,
    history: Annotated[
        int | None,
        typer.Option(help="Send only so many of the last exchanges.", show_default="all"),
    ] = None,
    temperature: Annotated[
        float | None, typer.Option(help="Of the request.", show_default="the endpoint's")
    ] = None,
    max_tokens: Annotated[
        int | None, typer.Option(help="Of an answer.", show_default="the endpoint's")
    ] = None,
    seed: Annotated[
        int | None, typer.Option(help="Of the request.", show_default="the endpoint's")
    ] = None,
    extra: Annotated[
        str,
        typer.Option(metavar="JSON", help="Further parameters of each request, as one object."),
    ] = "{}",
    limit: LimitOption = None,
    tasks_seed: SeedOption = "0",
    private_seed_variable: PrivateSeedOption = None,
    concurrency: Annotated[int, typer.Option(help="Requests at the same time.")] = 4,
    retries: Annotated[int, typer.Option(help="How often a failed request is repeated.")] = 5,
    timeout: Annotated[float, typer.Option(help="Seconds for one request.")] = 600,
    task_seconds: Annotated[
        float | None,
        typer.Option(help="Seconds for all answers to a task.", show_default="no limit"),
    ] = None,
    max_requests: Annotated[
        int | None, typer.Option(help="Requests in all.", show_default="no limit")
    ] = None,
    max_total_tokens: Annotated[
        int | None, typer.Option(help="Tokens in all.", show_default="no limit")
    ] = None,
    output: OutputOption = Path("answers"),
) -> None:
    """Ask a model about tasks over any OpenAI-compatible endpoint, and report what it solves.

    Every answer is stored as soon as it arrives. After any interruption, the same command continues
    and asks nothing twice.

    [bold]Examples[/]

    pushworld llm evaluate --url https://api.example.com/v1 --model m --key-variable EXAMPLE_KEY -o m

    pushworld llm evaluate evaluation --limit 40 --model m --mode interactive --undo -o m-interactive

    pushworld llm evaluate generated:3 --limit 50 --model m --picture --temperature 0 -o m-pictures
    """
    from pushworld.text.evaluation import Budget, Endpoint, Settings
    from pushworld.text.evaluation import evaluate as ask
    from pushworld.text.evaluation.endpoint import completions_url, key_from
    from pushworld.text.evaluation.progress import EvaluationProgress

    for what, number, least in (
        ("--concurrency", concurrency, 1),
        ("--retries", retries, 0),
        ("--max-requests", max_requests, 1),
        ("--max-total-tokens", max_total_tokens, 1),
    ):
        if number is not None and number < least:
            raise PushWorldError(f"{what} must be {least} or more, not {number}")
    if not timeout > 0:
        raise PushWorldError(f"--timeout must be a positive number of seconds, not {timeout:g}")
    given = {"temperature": temperature, "max_tokens": max_tokens, "seed": seed}
    body = {key: value for key, value in given.items() if value is not None} | _extra(extra)
    private = _private_seed(private_seed_variable)
    settings = Settings(
        name=name or model,
        kind="model",
        endpoint=completions_url(url),
        model=model,
        sources=tuple(sets or ["evaluation"]),
        limit=limit,
        tasks_seed=_told_seed(tasks_seed, private),
        mode=mode,
        format=format,
        notation=notation,
        picture=picture,
        budget=budget,
        undo=undo,
        max_turns=max_turns,
        history=history,
        body=body,
        task_seconds=task_seconds,
    )
    endpoint = Endpoint(
        url,
        model,
        key_from(key_variable),
        body,
        timeout,
        retries,
        concurrency,
        Budget(max_requests, max_total_tokens),
    )
    try:
        with EvaluationProgress(Console(stderr=True), settings.name) as progress:
            result = ask(output, settings, endpoint, progress, seed=private)
    except KeyboardInterrupt:
        typer.echo("interrupted: run the same command to continue", err=True)
        raise typer.Exit(INTERRUPTED) from None
    _write([output], output / "report", private)
    if result.unanswered:
        why = result.reason or "the endpoint gave no answer"
        left = counted(result.unanswered, "task")
        typer.echo(f"not finished: {left} without an answer: {why}", err=True)
        raise typer.Exit(INTERRUPTED)


def baselines(
    sets: SetsArgument = None,
    names: Annotated[
        str,
        typer.Option(
            "--baselines",
            metavar="NAME,...",
            help="random, greedy, people, or planners that 'pushworld planners' lists.",
        ),
    ] = "random,greedy,default,learned",
    people: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="People's solutions: a database of 'play --record', or a CSV file of puzzle and plan.",
        ),
    ] = None,
    limit: LimitOption = None,
    tasks_seed: SeedOption = "0",
    private_seed_variable: PrivateSeedOption = None,
    time_limit: Annotated[float, typer.Option(help="Seconds of a planner for a task.")] = 10,
    output: OutputOption = Path("baselines"),
) -> None:
    """Let programs solve the tasks, for the same table as the models; one folder for each.

    [bold]Examples[/]

    pushworld llm baselines -o baselines

    pushworld llm baselines generated:3 --limit 50 --baselines random,default -o baselines

    pushworld llm baselines level1 --baselines people --people traces.db -o baselines
    """
    from pushworld.planners.solving import check_positive
    from pushworld.text.evaluation import Settings, run_baseline
    from pushworld.text.evaluation.progress import EvaluationProgress

    check_positive("the time limit", time_limit, "seconds")
    private = _private_seed(private_seed_variable)
    chosen = [name.strip() for name in names.split(",") if name.strip()]
    if people is not None and "people" not in chosen:
        chosen.append("people")
    try:
        for name in chosen:
            settings = Settings(
                name=name,
                kind="baseline",
                endpoint="",
                model=name,
                sources=tuple(sets or ["evaluation"]),
                limit=limit,
                tasks_seed=_told_seed(tasks_seed, private),
                body={"time_limit": time_limit},
            )
            with EvaluationProgress(Console(stderr=True), name) as progress:
                run_baseline(output / name, settings, time_limit, people, progress, seed=private)
    except KeyboardInterrupt:
        typer.echo("interrupted: run the same command to continue", err=True)
        raise typer.Exit(INTERRUPTED) from None


def report(
    folders: Annotated[
        list[Path],
        typer.Argument(
            metavar="DIR", help="Folders of answers, or folders of these.", show_default=False
        ),
    ],
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="DIR",
            help="Folder for the page, the summary and the table of tasks.",
            show_default="report in the first folder",
        ),
    ] = None,
    proofs: Annotated[
        bool, typer.Option(help="Search for the moves that made puzzles unsolvable.")
    ] = True,
    private_seed_variable: PrivateSeedOption = None,
    markdown: MarkdownOption = False,
    as_json: JsonOption = False,
) -> None:
    """Score answers again, and report them: tables, a page with every conversation, CSV and JSON.

    Scores are computed from the answers alone, so anyone can check a result.

    [bold]Examples[/]

    pushworld llm report answers

    pushworld llm report my-model other-model baselines -o report

    pushworld llm report answers --markdown --no-proofs
    """
    _write(
        folders,
        output or folders[0] / "report",
        _private_seed(private_seed_variable),
        proofs=proofs,
        markdown=markdown,
        as_json=as_json,
    )


def serve_scripted(
    sets: SetsArgument = None,
    limit: LimitOption = None,
    tasks_seed: SeedOption = "0",
    port: Annotated[int, typer.Option(help="The port on this machine.")] = 8000,
    delay: Annotated[float, typer.Option(help="Seconds that the model 'slow' takes.")] = 2,
) -> None:
    """Serve models that follow scripts, to try an evaluation without any network.

    Its models are good, bad, aimless, lazy, slow, limited, malformed, malicious and echo.

    [bold]Examples[/]

    pushworld llm serve-scripted evaluation --limit 40
    """
    from threading import Event

    from pushworld.text.evaluation.scripted import SCRIPTS, ScriptedServer, serving
    from pushworld.text.evaluation.settings import Settings
    from pushworld.text.evaluation.sources import tasks_of

    settings = Settings(
        name="scripted",
        kind="model",
        endpoint="",
        model="scripted",
        sources=tuple(sets or ["evaluation"]),
        limit=limit,
        tasks_seed=tasks_seed,
    )
    settings.check()
    server = ScriptedServer(list(tasks_of(settings).values()), delay)
    with serving(server, port) as address:
        typer.echo(f"{address} serves the models {', '.join(SCRIPTS)}; Ctrl-C ends it")
        try:
            Event().wait()
        except KeyboardInterrupt:
            typer.echo("stopped", err=True)


def _extra(text: str) -> dict[str, Any]:
    try:
        values = json.loads(text)
    except ValueError as error:
        raise PushWorldError(f"--extra must be a JSON object: {error}") from error
    if not isinstance(values, dict):
        raise PushWorldError("--extra must be a JSON object, such as '{\"top_p\": 0.9}'")
    return values


def _private_seed(variable: str | None) -> str | None:
    if variable is None:
        return None
    seed = os.environ.get(variable, "")
    if not seed:
        raise PushWorldError(f"the environment variable {variable!r} holds no seed")
    return seed


def _told_seed(seed: str, private: str | None) -> str:
    from pushworld.text.evaluation.settings import hidden_seed

    return seed if private is None else hidden_seed(private)


def _write(
    folders: list[Path],
    output: Path,
    private: str | None,
    *,
    proofs: bool = True,
    markdown: bool = False,
    as_json: bool = False,
) -> None:
    """Scores the answers in folders, prints the tables and writes the report."""
    from pushworld.text.evaluation import (
        contestants_of,
        find_evaluations,
        print_tables,
        write_report,
    )
    from pushworld.text.evaluation.report import summary_of

    evaluations = find_evaluations(folders)
    with progress_bar() as progress:
        line = progress.add_task("scoring", total=sum(len(each.tasks) for each in evaluations))
        contestants = contestants_of(
            evaluations,
            prove=proofs,
            seed=private,
            on_progress=lambda name, done: progress.update(line, completed=done),
        )
    written = write_report(contestants, output)
    if as_json:
        typer.echo(json.dumps(summary_of(contestants)))
    else:
        print_tables(contestants, table_console(), markdown=markdown)
    for path in written:
        typer.echo(f"wrote {path}", err=True)
