"""``pushworld llm``: evaluations of language models."""

from pathlib import Path
from typing import Annotated

import typer

from pushworld.cli.exit_codes import INTERRUPTED
from pushworld.cli.llm_reports import (
    AskOption,
    FormatOption,
    LimitOption,
    ModeOption,
    NotationOption,
    OutputOption,
    PrivateSeedOption,
    SeedOption,
    SetsArgument,
    UndoOption,
    answering,
    asks_of,
    baselines,
    private_seed,
    prompt,
    report,
    report_on,
    told_seed,
)
from pushworld.cli.output import counted
from pushworld.cli.text import corpus, export, study
from pushworld.files import parse_json
from pushworld.puzzle import PushWorldError

UNFINISHED = "Exit code: 0 finished, 13 interrupted or not finished, 2 bad input."


def register(app: typer.Typer) -> None:
    """Adds the commands to the command line."""
    llm = typer.Typer(help="Evaluate language and vision models.", no_args_is_help=True)
    llm.command(epilog=UNFINISHED)(evaluate)
    llm.command(epilog=UNFINISHED)(baselines)
    for command in (report, prompt, export, corpus, study):
        llm.command()(command)
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
    ask: AskOption = "plan",
    samples: Annotated[int, typer.Option(help="How often each question is asked.")] = 1,
    mode: ModeOption = "one-shot",
    format: FormatOption = "grid",
    notation: NotationOption = "letters",
    picture: Annotated[
        bool, typer.Option("--picture", help="Attach a picture of each position.")
    ] = False,
    budget: Annotated[
        int | None,
        typer.Option(
            help="Moves of an episode.", show_default="4 times the best plan known, at least 40"
        ),
    ] = None,
    undo: UndoOption = False,
    max_turns: Annotated[int, typer.Option(help="Answers of an episode.")] = 100,
    history: Annotated[
        int | None,
        typer.Option(help="Send only this number of the last exchanges.", show_default="all"),
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
        str, typer.Option(metavar="JSON", help="Further parameters of each request, as one object.")
    ] = "{}",
    limit: LimitOption = None,
    tasks_seed: SeedOption = "0",
    private_seed_variable: PrivateSeedOption = None,
    concurrency: Annotated[int, typer.Option(min=1, help="Requests at the same time.")] = 4,
    retries: Annotated[
        int, typer.Option(min=0, help="How often a failed request is repeated.")
    ] = 5,
    timeout: Annotated[float, typer.Option(help="Seconds for one request.")] = 600,
    max_requests: Annotated[
        int | None, typer.Option(min=1, help="Requests in all.", show_default="no limit")
    ] = None,
    max_total_tokens: Annotated[
        int | None, typer.Option(min=1, help="Tokens in all.", show_default="no limit")
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
    from pushworld.planners.solving import check_positive
    from pushworld.text.evaluation import Budget, Endpoint, Settings
    from pushworld.text.evaluation import evaluate as run_evaluation
    from pushworld.text.evaluation.endpoint import completions_url, key_from

    check_positive("--timeout", timeout, "seconds")
    more = parse_json(extra, "--extra")
    if not isinstance(more, dict):
        raise PushWorldError("--extra must be a JSON object, such as '{\"top_p\": 0.9}'")
    given = {"temperature": temperature, "max_tokens": max_tokens, "seed": seed}
    body = {key: value for key, value in given.items() if value is not None} | more
    private = private_seed(private_seed_variable)
    settings = Settings(
        name=name or model,
        endpoint=completions_url(url),
        model=model,
        sources=tuple(sets or ["evaluation"]),
        limit=limit,
        tasks_seed=told_seed(tasks_seed, private),
        asks=asks_of(ask),
        samples=samples,
        mode=mode,
        format=format,
        notation=notation,
        picture=picture,
        budget=budget,
        undo=undo,
        max_turns=max_turns,
        history=history,
        body=body,
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
    with answering(settings.name) as watcher:
        result = run_evaluation(output, settings, endpoint, watcher, seed=private)
    report_on([output], output / "report", private)
    if result.unanswered:
        why = result.reason or "the endpoint gave no answer"
        left = counted(result.unanswered, "task")
        typer.echo(f"not finished: {left} without an answer: {why}", err=True)
        raise typer.Exit(INTERRUPTED)
