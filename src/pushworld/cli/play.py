"""The command play: the page in a browser, its export as a static site, or a game in the terminal."""

from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from pushworld.cli.arguments import complete_puzzle
from pushworld.cli.consoles import status_line
from pushworld.cli.output import counted
from pushworld.puzzle import PushWorldError

_web = partial(typer.Option, rich_help_panel="The page in a browser")
_solver = partial(typer.Option, rich_help_panel="The solver of the page")


def register(app: typer.Typer) -> None:
    """Adds the command to the command line."""
    app.command()(play)


def play(
    puzzle: Annotated[
        str | None,
        typer.Argument(
            metavar="PUZZLE",
            help="The puzzle to open, a file or a name. Without it, the page shows all puzzles.",
            autocompletion=complete_puzzle,
            show_default=False,
        ),
    ] = None,
    terminal: Annotated[
        bool,
        typer.Option(
            "--terminal", help="Play PUZZLE in the terminal with the arrow keys, not in the page."
        ),
    ] = False,
    puzzles: Annotated[
        list[str] | None,
        typer.Option(
            "--puzzles",
            metavar="SET|DIR",
            help="A set or a folder of puzzles to offer; may be repeated. "
            "Default: the puzzles of the package and all installed levels.",
        ),
    ] = None,
    port: Annotated[
        int | None,
        _web(
            min=0,
            max=65535,
            help="Listen on this port, 0 for any free one.",
            show_default="8470, or a free one if that is taken",
        ),
    ] = None,
    host: Annotated[
        str, _web(help="Listen on this address; 0.0.0.0 means all addresses.")
    ] = "127.0.0.1",
    allowed_hosts: Annotated[
        list[str] | None,
        _web(
            "--allow-host",
            metavar="NAME",
            help="A further host name of this server, such as that of a reverse proxy.",
        ),
    ] = None,
    no_browser: Annotated[bool, _web("--no-browser", help="Do not open a browser.")] = False,
    record: Annotated[
        Path | None,
        _web(
            metavar="FILE", help="Record the games of players who agree, in this SQLite database."
        ),
    ] = None,
    study: Annotated[
        Path | None,
        _web(
            metavar="FILE",
            help="Run this study ('pushworld study init FILE' writes an example); the page is then "
            "only for its participants. Without --record, its data go into FILE with the suffix .db.",
        ),
    ] = None,
    export: Annotated[
        Path | None,
        _web(
            metavar="DIR",
            help="Write the page as a static site for any web host, instead of serving it.",
        ),
    ] = None,
    public_url: Annotated[
        str | None,
        _web(
            metavar="URL",
            help="Where others find the page or its export: copied links begin with it.",
        ),
    ] = None,
    no_solver: Annotated[bool, _solver("--no-solver", help="Turn the solver off.")] = False,
    workers: Annotated[
        int | None,
        _solver(
            "--solver-workers",
            min=1,
            help="Number of searches at the same time.",
            show_default="all cores but one",
        ),
    ] = None,
    queue: Annotated[
        int, _solver("--solver-queue", min=0, help="Number of searches that may wait.")
    ] = 8,
    time_limit: Annotated[
        float, _solver("--solver-time", help="Time limit of a search in seconds.")
    ] = 300,
    memory_limit: Annotated[
        float, _solver("--solver-memory", help="Memory limit of a search in gigabytes.")
    ] = 2,
) -> None:
    """Play, watch, edit and solve puzzles in the browser, or play one in the terminal.

    [bold]Examples[/]

    pushworld play
    pushworld play keyhole
    pushworld play --puzzles level1 --puzzles my-puzzles/
    pushworld play --export site --public-url https://example.org/pushworld/
    pushworld play --host 0.0.0.0 --record traces.db
    pushworld play --study study.toml --record study.db
    pushworld play --terminal first-push
    """
    if study is not None and (terminal or puzzle or puzzles or export):
        raise PushWorldError(
            "a study names its puzzles: leave out PUZZLE, --puzzles, --terminal and --export"
        )
    if terminal:
        if puzzle is None:
            raise PushWorldError(
                "to play a puzzle in the terminal, run: pushworld play --terminal PUZZLE"
            )
        from pushworld.datasets import resolve_puzzle
        from pushworld.play.terminal import play_in_terminal

        game = play_in_terminal(resolve_puzzle(puzzle))
        outcome = "solved" if game.is_solved else "not solved"
        plan = f": {game.plan}" if game.moves else ""
        typer.echo(f"{outcome}, {counted(len(game.moves), 'move')}{plan}")
        return
    if export is not None:
        if puzzle is not None:
            raise PushWorldError(f"a static site opens no puzzle: leave out {puzzle!r} or --export")
        if record is not None:
            raise PushWorldError("a static site cannot record: leave out --export or --record")
        from pushworld.web.catalogue import load_catalogue
        from pushworld.web.site import PLANNER_FILE, checked_url, export_site

        url = checked_url(public_url)
        with status_line("writing the page"):
            files = export_site(export, load_catalogue(puzzles or ()), url)
        typer.echo(f"wrote {len(files)} files to {export}")
        if export / PLANNER_FILE not in files:
            typer.echo("it has no hints: this package is without the page's planner (make page)")
        return
    from pushworld.web.server import ServerOptions, address_for_others, open_browser, serve
    from pushworld.web.solver_pool import solver_limits
    from pushworld.web.studies.study_file import load_study

    loaded = None if study is None else load_study(study)
    record = study.with_suffix(".db") if study is not None and record is None else record
    options = ServerOptions(
        host=host,
        port=port,
        puzzles=puzzles or (),
        solver=None if no_solver else solver_limits(workers, queue, time_limit, memory_limit),
        record=record,
        allowed_hosts=allowed_hosts or (),
        puzzle=puzzle,
        public_url=public_url,
        study=loaded,
    )
    with ExitStack() as loading:
        loading.enter_context(status_line("loading the puzzles"))

        def on_ready(address: str) -> None:
            loading.close()
            typer.echo(f"PushWorld is at {address} (Ctrl-C ends it)")
            if other := address_for_others(host, address):
                typer.echo(f"others in your network open {other}")
            if loaded is not None:
                typer.echo(f"participants open {loaded.link(public_url or other or address)}")
                typer.echo(f"the data are in {record}")
            elif not no_browser:
                open_browser(address)

        serve(options, on_ready)
