"""``pushworld analyze`` and ``pushworld design``: what a puzzle demands, and new puzzles."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.table import Table

from pushworld.cli.arguments import (
    AddressOption,
    EngineOption,
    JsonOption,
    PuzzleArgument,
    WorkersOption,
    output_option,
    parse_size,
)
from pushworld.cli.consoles import shown_progress, step_line
from pushworld.cli.exit_codes import INTERRUPTED, TIME_LIMIT
from pushworld.cli.output import counted, echo_report
from pushworld.datasets import resolve_puzzle
from pushworld.machine import usable_cores
from pushworld.planners.solving import check_positive
from pushworld.puzzle import PushWorldError

SHOWN = 5
"""How many puzzles of a design are named."""

if TYPE_CHECKING:
    from pushworld.design.analysis import Analysis
    from pushworld.design.quality import Quality


def register(app: typer.Typer) -> None:
    """Adds the commands to the command line."""
    app.command("analyze")(analyze_puzzle)
    app.command("design")(design_puzzles)


def analyze_puzzle(
    puzzle: PuzzleArgument,
    effort: Annotated[
        str, typer.Option(help="quick, normal or thorough: the budget of each experiment.")
    ] = "normal",
    time_limit: Annotated[
        float,
        typer.Option(help="Seconds of wall time, inf for no limit; shows what is known by then."),
    ] = 120,
    as_json: JsonOption = False,
) -> None:
    """Analyse what a puzzle demands: tools, obstacles, goal orders, dead ends, level.

    The puzzle is solved as it is, without each object, for each goal alone, and from states that
    careless walks reach. The result is the same in every run, unless the time limit ends it: the exit
    code is then 11. Ctrl-C shows what is known so far.

    [bold]Examples[/]

    pushworld analyze deep-water
    pushworld analyze maze.pwp --effort thorough --time-limit inf
    pushworld analyze maze.pwp --time-limit 60
    pushworld analyze maze.pwp --json
    """
    from pushworld.design.analysis import analyze
    from pushworld.design.budget import named_budget
    from pushworld.design.budget import time_limit as within
    from pushworld.design.quality import find_quality

    chosen = named_budget(effort)
    check_positive("the time limit", time_limit, "seconds")
    world = resolve_puzzle(puzzle)
    try:
        with step_line("reading") as begin, within(time_limit):
            analysis = analyze(world, chosen, on_step=begin)
            quality = None
            if analysis.measures.solution is not None and not analysis.interrupted:
                begin("judging its quality")
                with suppress(KeyboardInterrupt):
                    quality = find_quality(world, analysis)
    except KeyboardInterrupt:
        raise typer.Exit(INTERRUPTED) from None
    if as_json:
        typer.echo(json.dumps({**analysis.as_dict(), "quality": quality and quality.as_dict()}))
    else:
        Console().print(_table(analysis, quality))
    if analysis.undecided:
        raise typer.Exit(INTERRUPTED if analysis.interrupted else TIME_LIMIT)


def design_puzzles(
    output: Annotated[Path, output_option("The folder to write or to continue.")],
    level: Annotated[
        int | None, typer.Option(min=1, max=4, help="From 1, easy, to 4 (default: 2).")
    ] = None,
    skill: Annotated[
        list[str] | None,
        # Named, because some versions of Typer would call it --SKILL.
        typer.Option(
            "--skill",
            metavar="SKILL",
            help="A skill that the puzzles must demand; may be repeated.",
        ),
    ] = None,
    size: Annotated[
        str | None,
        typer.Option(
            help="Columns x rows of the interior (default: 10x10; 12x12 for level 3, 24x24 for level 4)."
        ),
    ] = None,
    count: Annotated[int, typer.Option(min=1, help="How many puzzles.")] = 10,
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same files.")] = 0,
    like: Annotated[
        str | None,
        typer.Option(metavar="PUZZLE", help="Vary the idea of this puzzle: its level, its skills."),
    ] = None,
    start: Annotated[
        str | None,
        typer.Option(
            "--from",
            metavar="SKETCH",
            help="Fill the cells ? of a drawing, or start from a puzzle.",
        ),
    ] = None,
    against: Annotated[
        list[str] | None,
        typer.Option(
            "--against",
            metavar="PLANNER",
            help="Look for what this planner does not solve: a name, a TOML file or module:attribute; "
            "may be repeated.",
        ),
    ] = None,
    planner: Annotated[
        list[str] | None,
        typer.Option(
            "--planner",
            metavar="PLANNER",
            help="With --against: another planner that tries what was found; may be repeated.",
        ),
    ] = None,
    states: Annotated[
        int | None,
        typer.Option(
            min=1, help="With --against: states that a planner may see (default: 300000)."
        ),
    ] = None,
    seconds: Annotated[
        float | None,
        typer.Option(
            help="With --against: its seconds of wall time instead; external ones need it."
        ),
    ] = None,
    unsolved: Annotated[
        bool,
        typer.Option("--unsolved", help="With --against: keep only what no such planner solves."),
    ] = False,
    minimal: Annotated[
        bool,
        typer.Option(
            "--minimal",
            help="Remove every object, wall, row and column that makes no difference; "
            "alone with a puzzle in --from, make that one minimal.",
        ),
    ] = False,
    evaluations: Annotated[
        int,
        typer.Option(
            min=1,
            help="How many puzzles one search may evaluate; five times as many gadgets at levels 3 and 4.",
        ),
    ] = 400,
    workers: WorkersOption = None,
    engine: EngineOption = "local",
    address: AddressOption = None,
    as_json: JsonOption = False,
) -> None:
    """Design puzzles of a level that demand certain skills. Run it again after an interruption.

    They may be variations on a puzzle (--like), fill the cells ? of a
    drawing (--from), or be hard for planners (--against): each search then
    gives one that they do not solve, or the one that costs them most for its
    size. The report names the best puzzles first.

    [bold]Examples[/]

    pushworld design --level 3 --skill tool-use --size 20x20 --count 10 --seed 7 -o tools
    pushworld design --level 1 --size 7x6 --minimal -o small
    pushworld design --like keyhole --count 5 -o keyholes
    pushworld design --from sketch.pwp --level 1 --skill tool-use -o filled
    pushworld design --from maze.pwp --minimal -o small
    pushworld design --level 2 --skill multiple-goals --from lid-last -o lids
    pushworld design --against default --planner novelty-rgd --states 300000 --count 20 -o hard
    pushworld design --against mine.toml --seconds 10 --size 9x9 -o hard-for-mine
    """
    from pushworld.design.against import AgainstRequest
    from pushworld.design.candidates import Wish
    from pushworld.design.folder import Request, choose_executor, design_folder
    from pushworld.design.search import SIZES, DesignRequest
    from pushworld.design.sketches import is_sketch, read_drawing
    from pushworld.design.variations import DrawingRequest, MinimalRequest, VariationRequest

    if size and (like or start):
        raise PushWorldError("the puzzles get the size of the drawing: leave out --size")
    if (planner or states or seconds or unsolved) and not against:
        raise PushWorldError("--planner, --states, --seconds and --unsolved need --against")
    wish = Wish(level or 2, tuple(skill or ()))
    drawn = None if start is None else read_drawing(start)
    request: Request
    if against and (level or skill or like or start or minimal):
        raise PushWorldError(
            "--against looks for hard puzzles of any kind: leave out --level, --skill, --like, "
            "--from and --minimal"
        )
    if against:
        limit = None if seconds else states or 300_000
        sides = parse_size(size or SIZES[2])
        names = tuple(against), tuple(planner or ())
        request = AgainstRequest(*names, *sides, limit, seconds, seed, evaluations, unsolved)
    elif like is not None:
        if level or skill or start:
            raise PushWorldError(
                "--like keeps the level and the skills of its puzzle: leave out --level, --skill "
                "and --from"
            )
        request = VariationRequest(resolve_puzzle(like).to_pwp(), seed, minimal, evaluations)
    elif drawn is not None and minimal and not (level or skill or is_sketch(drawn)):
        request, count = MinimalRequest(drawn), 1
    elif drawn is not None:
        request = DrawingRequest(drawn, wish, seed, minimal, evaluations)
    else:
        width, height = parse_size(size or SIZES[wish.level - 1])
        request = DesignRequest(wish, width, height, seed, minimal, evaluations)
    executor = choose_executor(engine, workers or usable_cores(), address)
    with shown_progress("designing", count) as show:
        report = design_folder(
            output,
            request,
            count,
            executor,
            lambda made, n: show(made, counted(n, "search", "searches")),
        )
    searches = counted(report.searches, "search", "searches")
    effort = f"{searches} evaluated {counted(report.looked_at, 'puzzle')}"
    if len(report.best) > 1:
        effort += f"; the best first: {', '.join(report.best[:SHOWN])}"
    for name, solved in report.solved_by.items():
        effort += f"; {name} solves {solved} of {report.puzzles}"
    echo_report(report, effort, as_json=as_json)


def _table(analysis: Analysis, quality: Quality | None) -> Table:
    """Returns the analysis and the quality as a table."""
    from pushworld.design.explanation import explain

    table = Table(box=None, show_header=False, padding=(0, 2, 0, 0), title=analysis.puzzle)
    for topic, text in explain(analysis):
        table.add_row(f"[bold]{topic}[/]", text)
    if quality is not None:
        parts = ", ".join(f"{name} {part:.2f}" for name, part in quality.parts.items())
        table.add_row("[bold]quality[/]", f"{quality.score:.0f} of 100: {parts}")
    return table
