"""Commands about planners: solve, planners and strategies."""

import json
from dataclasses import asdict, replace
from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape
from rich.table import Table

from pushworld.cli.arguments import JsonOption, PuzzleArgument, complete_name, output_option
from pushworld.cli.consoles import status_line, table_console
from pushworld.cli.exit_codes import INTERRUPTED, STATE_LIMIT, TIME_LIMIT
from pushworld.cli.output import counted
from pushworld.datasets import resolve_puzzle
from pushworld.files import write_text
from pushworld.planners import (
    Progress,
    ShortenProgress,
    ShortenResult,
    SolveResult,
    Status,
    all_planners,
    default_strategies,
    get_planner,
    shorten,
)
from pushworld.planners import solve as solve_puzzle
from pushworld.planners.protocol import count_pushes
from pushworld.planners.solving import Minimize, check_positive
from pushworld.planners.strategies import OPTIONS
from pushworld.puzzle import PushWorldError, Puzzle

EXIT_CODES: dict[Status, int] = {
    "solved": 0,
    "unsolvable": 10,
    "time-limit": TIME_LIMIT,
    "memory-limit": 12,
    "interrupted": INTERRUPTED,
    "state-limit": STATE_LIMIT,
}


def register(app: typer.Typer) -> None:
    """Adds the commands to the command line."""
    app.command(
        epilog="Exit code: 0 solved, 10 unsolvable, 11 time limit, 12 memory limit, "
        "13 interrupted, 14 state limit, 2 bad input."
    )(solve)
    app.command("planners")(list_planners)
    app.command("strategies")(list_strategies)


def solve(
    puzzle: PuzzleArgument,
    planner: Annotated[
        str,
        typer.Option(
            "--planner",
            "-p",
            help="See 'pushworld planners'; or a TOML file that describes a planner, or "
            "module:attribute.",
            autocompletion=complete_name(all_planners),
        ),
    ] = "default",
    time_limit: Annotated[float, typer.Option(help="Seconds of wall time.")] = 10,
    memory_limit: Annotated[float, typer.Option(help="Gigabytes for the search's tables.")] = 8,
    max_states: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="End after N different states: with one thread, in the same place on every machine.",
        ),
    ] = None,
    strategy: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME|TEXT|FILE.toml",
            help="What the planner default runs instead of its own strategies: see 'pushworld "
            "strategies'. May be repeated.",
            autocompletion=complete_name(default_strategies),
        ),
    ] = None,
    threads: Annotated[int, typer.Option(help="Cores, for planners that use several.")] = 1,
    seed: Annotated[int, typer.Option(help="The same seed gives the same plan.")] = 0,
    minimize: Annotated[
        Minimize | None,
        typer.Option(
            help="Prove that no plan has fewer actions, or fewer pushes (ties by actions), by astar "
            "unless another planner is named."
        ),
    ] = None,
    shorten_seconds: Annotated[
        float | None,
        typer.Option("--shorten", metavar="S", help="Spend S more seconds on a shorter plan."),
    ] = None,
    improve_seconds: Annotated[
        float | None,
        typer.Option(
            "--improve",
            metavar="S",
            help="The same, and print each shorter plan when it is found (with --json: as an object "
            "of its own). The last line is the best. One of the threads proves how many actions every "
            "plan has, by astar; the search ends where both meet.",
        ),
    ] = None,
    output: Annotated[
        Path | None, output_option("Write the plan to this file as well.", "FILE")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Find a plan: the plan goes to standard output, everything else to standard error.

    [bold]Examples[/]

    pushworld solve first-push
    pushworld solve maze.pwp --time-limit 60 --planner novelty-rgd
    pushworld solve maze.pwp --shorten 5
    pushworld solve maze.pwp --improve 60 --threads 2
    pushworld solve maze.pwp --planner astar --json
    pushworld solve maze.pwp --minimize pushes --time-limit 60
    pushworld solve maze.pwp --strategy uncommitted --max-states 100000
    pushworld solve maze.pwp --strategy 'novelty, rgd; moved: cost | commitment any'
    pushworld solve maze.pwp --planner lama --time-limit 60
    pushworld solve maze.pwp --planner my-planner.toml
    pushworld solve maze.pwp --planner my_module:planner
    """
    world = resolve_puzzle(puzzle)
    if shorten_seconds is not None and improve_seconds is not None:
        raise PushWorldError("--shorten and --improve are the same search: choose one of them")
    more_seconds = shorten_seconds if improve_seconds is None else improve_seconds
    if more_seconds is not None and minimize is not None:
        raise PushWorldError(
            "a plan that minimizes something is not shortened: leave out --minimize"
        )
    if more_seconds is not None:
        check_positive("the time for shortening", more_seconds, "seconds")
    shown = _ShownPlans(world, as_json) if improve_seconds is not None else None
    shortened = None
    try:
        with status_line("searching") as show:
            result = solve_puzzle(
                world,
                planner,
                time_limit=time_limit,
                memory_limit_gb=memory_limit,
                max_states=max_states,
                strategies=strategy or None,
                minimize=minimize,
                threads=threads,
                seed=seed,
                progress=lambda progress: show(_progress_text(progress)),
            )
            if more_seconds is not None and result.plan is not None:
                found_after = result.seconds

                def report(progress: ShortenProgress) -> None:
                    show(_shortening_text(progress))
                    if shown is not None:
                        shown.show(
                            progress.plan, found_after + progress.seconds, progress.lower_bound
                        )

                if shown is not None:
                    shown.show(result.plan, found_after)
                shortened = shorten(
                    world,
                    result.plan,
                    more_seconds,
                    memory_limit_gb=memory_limit,
                    max_states=max_states,
                    threads=threads,
                    prove=shown is not None,
                    progress=report,
                )
    except KeyboardInterrupt:  # pressed again, or before the search began
        raise typer.Exit(INTERRUPTED) from None
    proves = minimize == "actions" or (
        minimize is None and getattr(get_planner(planner), "optimal", False)
    )
    optimal = result.status == "solved" and proves
    found = _summary(result)
    if strategy and result.unsuitable:
        found += f"; does not apply to this puzzle: {', '.join(result.unsuitable)}"
    if shortened is not None:
        result = replace(
            result, plan=shortened.plan, length=shortened.length, pushes=shortened.pushes
        )
        optimal = optimal or shortened.optimal
        if shortened.lower_bound is not None:
            result = replace(result, lower_bound=shortened.lower_bound)
    if output is not None and result.plan is not None:
        write_text(output, f"{result.plan}\n")
    if as_json:
        fields = {"puzzle": world.name, **asdict(result), "optimal": optimal}
        if shortened is not None:
            fields["shortened_from"] = shortened.shortened_from
            fields["shorten_seconds"] = shortened.seconds
        typer.echo(json.dumps(fields))
    else:
        if result.plan is not None and (shown is None or shown.best != result.plan):
            typer.echo(result.plan)
        typer.echo(found, err=True)
        if shortened is not None:
            typer.echo(_shortening_summary(shortened), err=True)
    raise typer.Exit(EXIT_CODES[result.status])


class _ShownPlans:
    """Prints each plan that is shorter than those before."""

    def __init__(self, puzzle: Puzzle, as_json: bool) -> None:
        self.puzzle = puzzle
        self.as_json = as_json
        self.best: str | None = None

    def show(self, plan: str, seconds: float, lower_bound: int | None = None) -> None:
        if self.best is not None and len(plan) >= len(self.best):
            return
        self.best = plan
        fields = {"event": "plan", "puzzle": self.puzzle.name, "seconds": seconds, "plan": plan}
        fields |= {"length": len(plan), "pushes": count_pushes(self.puzzle, plan)}
        fields["lower_bound"] = lower_bound
        typer.echo(json.dumps(fields) if self.as_json else plan)


def list_planners(as_json: JsonOption = False) -> None:
    """List the planners, what they promise, and how to install those of other projects.

    Any other planner can be added with a file: see docs/guides/add-a-planner.md.

    [bold]Examples[/]

    pushworld planners
    pushworld planners --json
    """
    listed = [(planner, planner.availability()) for planner in all_planners()]
    if as_json:
        fields = ("name", "description", "complete", "optimal")
        entries = [
            {
                **{key: getattr(planner, key) for key in fields},
                "available": found.version is not None,
                "version": found.version,
                "install": found.install,
            }
            for planner, found in listed
        ]
        typer.echo(json.dumps(entries))
        return
    table = Table(box=None, header_style="bold", padding=(0, 2, 0, 0))
    for column in ("planner", "complete", "optimal", "version"):
        table.add_column(column, no_wrap=True)
    table.add_column("how it searches")
    for planner, found in listed:
        marks = ("yes" if promise else "no" for promise in (planner.complete, planner.optimal))
        version = found.version or "not installed"
        table.add_row(planner.name, *marks, version, planner.description)
    console = table_console()
    console.print(table)
    missing: dict[str, list[str]] = {}
    for planner, found in listed:
        if found.version is None:
            missing.setdefault(found.install, []).append(planner.name)
    for install, names in missing.items():
        console.print(f"\n[bold]{', '.join(names)}[/]: {escape(install)}", highlight=False)


def list_strategies(
    as_json: JsonOption = False,
    options: Annotated[
        bool, typer.Option("--options", help="List the options of strategies instead.")
    ] = False,
) -> None:
    """List the strategies of the default planner, in the order in which threads take them.

    An open list is written FEATURE + FEATURE: EVALUATOR, EVALUATOR. docs/explanation/planners.md explains them,
    and how to write and combine your own.

    [bold]Examples[/]

    pushworld strategies
    pushworld strategies --options
    """
    table = Table(box=None, header_style="bold", padding=(0, 2, 0, 0))
    if options:
        if as_json:
            typer.echo(json.dumps([asdict(each) for each in OPTIONS.values()]))
            return
        for column in ("option", "default", "least", "most", "meaning"):
            table.add_column(column, justify="left" if column in ("option", "meaning") else "right")
        for option in OPTIONS.values():
            table.add_row(*map(str, asdict(option).values()))
        table_console().print(table)
        return
    listed = default_strategies()
    if as_json:
        typer.echo(
            json.dumps([{"name": each.name, "text": str(each), **asdict(each)} for each in listed])
        )
        return
    for column in ("strategy", "commitment", "objects", "goals", "share"):
        table.add_column(column, no_wrap=True)
    table.add_column("open lists")
    for each in listed:
        words = (each.commitment, each.objects, each.goals, str(each.share))
        table.add_row(each.name, *words, "; ".join(map(str, each.open_lists)))
    table_console().print(table)


def _progress_text(progress: Progress) -> str:
    best = "" if progress.best_heuristic is None else f", best heuristic {progress.best_heuristic}"
    rate = progress.states / max(progress.seconds, 1e-9)
    return (
        f"{progress.seconds:.1f} s, {progress.states:,} states, {rate:,.0f} a second{best}, "
        f"{progress.memory_bytes / 1e6:,.0f} MB"
    )


def _shortening_text(progress: ShortenProgress) -> str:
    bound = "" if progress.lower_bound is None else f", at least {progress.lower_bound}"
    return (
        f"shortening for {progress.seconds:.1f} s: {progress.length} actions{bound}, "
        f"{progress.states:,} states, {progress.memory_bytes / 1e6:,.0f} MB"
    )


def _shortening_summary(result: ShortenResult) -> str:
    proof = ", as few as any plan has" if result.optimal else ""
    if not result.optimal and result.lower_bound is not None:
        proof = f" (every plan has at least {result.lower_bound})"
    return (
        f"shortened from {result.shortened_from} to {result.length} actions{proof} "
        f"in {result.seconds:.2f} s: {result.states:,} states, "
        f"{result.peak_memory_bytes / 1e6:,.1f} MB"
    )


def _summary(result: SolveResult) -> str:
    found: str = result.status
    if result.plan is not None:
        found += f" with {counted(len(result.plan), 'action')}, {result.pushes} of them pushes"
    elif result.lower_bound is not None:
        found += f" (every plan has at least {counted(result.lower_bound, 'action')})"
    found += f" in {result.seconds:.2f} s"
    if not result.states:  # a planner of one's own need not count them
        return found
    rate, memory = result.states_per_second, result.peak_memory_bytes / 1e6
    return f"{found}: {result.states:,} states, {rate:,.0f} a second, {memory:,.1f} MB"
