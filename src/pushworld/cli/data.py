"""``pushworld data``: lists sets of puzzles, and installs the published ones."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape
from rich.progress import TextColumn
from rich.table import Table

from pushworld.cli.arguments import JsonOption, complete_set
from pushworld.cli.consoles import interruptible, progress_bar, table_console
from pushworld.datasets import Entry, Report, default_store, download, import_path
from pushworld.datasets.published.download import MIRROR_VARIABLE
from pushworld.datasets.published.manifest import UPSTREAM_COMMIT, UPSTREAM_REPOSITORY, UPSTREAM_URL
from pushworld.datasets.published.store import Store
from pushworld.datasets.resolve import full_set_name
from pushworld.datasets.sets import levels_of, puzzles_of, summarize

INCOMPLETE = 1
SHOWN_PROBLEMS = 10
STOPPED = "what was finished is installed; run the same command to continue"

_UPSTREAM = f"github.com/{UPSTREAM_REPOSITORY} at {UPSTREAM_COMMIT[:12]}"
EXIT_CODES = (
    "Exit code: 0 if everything requested is installed, 1 if something is wrong or missing, "
    "2 for bad input, 13 if interrupted."
)


def register(app: typer.Typer) -> None:
    """Adds the commands to the command line."""
    data = typer.Typer(no_args_is_help=True, rich_markup_mode="rich")
    data.command("list", epilog="Example: pushworld data list level1")(list_sets)
    data.command("import", epilog=EXIT_CODES)(import_sets)
    data.command("download", epilog=EXIT_CODES)(download_sets)
    app.add_typer(data, name="data", help="List, import and download sets of puzzles.")


def list_sets(
    set_name: Annotated[
        str | None,
        typer.Argument(
            metavar="SET", help="Show the names of this set's puzzles.", autocompletion=complete_set
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Show the sets of puzzles and how much of each is installed, or the names in one set.

    [bold]Examples[/]

    pushworld data list
    pushworld data list base/test --json
    """
    store = default_store()
    if set_name is not None:
        full_name = full_set_name(set_name)
        names = list(puzzles_of(full_name, store))
        _print_json({"set": full_name, "puzzles": names}) if as_json else typer.echo(
            "\n".join(names)
        )
        return
    rows = summarize(store)
    if as_json:
        _print_json({"folder": str(store.root), "sets": [asdict(row) for row in rows]})
        return
    table = Table("set", "installed", "of", box=None, header_style="bold")
    for row in rows:
        colour = "green" if row.installed == row.total else "yellow" if row.installed else "dim"
        damaged = f" ({row.damaged} damaged)" if row.damaged else ""
        table.add_row(row.name, f"[{colour}]{row.installed}{damaged}[/]", str(row.total))
    table_console().print(table)
    typer.echo(f"bundled and classic come with the package, the others are kept in {store.root}")
    if any(row.installed < row.total for row in rows):
        _say("`pushworld data download` downloads what is not installed")


def import_sets(
    path: Annotated[
        Path,
        typer.Argument(
            metavar="PATH", help="A clone, a folder, a zip or tar archive, or a single file."
        ),
    ],
    as_json: JsonOption = False,
) -> None:
    """Install the published sets from a copy that you have.

    A file is installed only if its SHA-256 is the published one. Levels that PATH does not have
    are not reported as missing. Human solutions (level1/NAME.yaml) are installed if they solve their
    puzzles: 'pushworld render NAME --plan human -o NAME.gif' plays one.

    [bold]Examples[/]

    git clone https://github.com/google-deepmind/pushworld
    pushworld data import pushworld
    """
    store = default_store()
    with interruptible(STOPPED), progress_bar() as progress:
        task = progress.add_task("checking", total=None)
        report = import_path(path, store, on_file=lambda _: progress.advance(task))
    _finish(report, store, as_json)


def download_sets(
    sets: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="SET",
            help="The sets to download; all if not given.",
            autocompletion=complete_set,
        ),
    ] = None,
    base_url: Annotated[
        str,
        typer.Option(
            envvar=MIRROR_VARIABLE,
            help="A mirror of the folder with the sets.",
            show_default=_UPSTREAM,
        ),
    ] = UPSTREAM_URL,
    as_json: JsonOption = False,
) -> None:
    """Download the published sets and install them.

    Installed files are skipped, so run it again after an interruption. A file is installed only
    if its SHA-256 is the published one.

    [bold]Examples[/]

    pushworld data download
    pushworld data download level1 level2
    """
    store = default_store()
    full_names = map(full_set_name, sets or ["published", "level0"])
    wanted = {level for full_name in full_names for level in levels_of(full_name)}
    entries = store.manifest.of_levels(sorted(wanted))
    _say(f"from {base_url}" if base_url != UPSTREAM_URL else f"from {_UPSTREAM}")
    with interruptible(STOPPED), progress_bar(TextColumn("{task.fields[detail]}")) as progress:
        task = progress.add_task("files", total=len(entries), detail="")

        def show(entry: Entry, received: int, total: int | None) -> None:
            size = f"{received:,} of {total:,}" if total else f"{received:,}"
            progress.update(task, detail=f"{escape(entry.path)} ({size} bytes)")

        report = download(
            entries,
            store,
            base_url=base_url,
            on_bytes=show,
            on_file=lambda _: progress.advance(task),
        )
    _finish(report, store, as_json)


def _finish(report: Report, store: Store, as_json: bool) -> None:
    """Prints the report, and ends with exit code 1 if it is not complete."""
    if as_json:
        _print_json({"folder": str(store.root), **report.as_dict()})
    else:
        counts = {
            "installed": len(report.installed),
            "already there": len(report.already),
            "wrong": len(report.wrong),
            "missing": len(report.missing),
        }
        if report.human:
            counts["human solutions"] = len(report.human)
        summary = ", ".join(f"{count} {word}" for word, count in counts.items())
        typer.echo(f"{summary} in {store.root}")
        for kind, problems in (("wrong", report.wrong), ("missing", report.missing)):
            for problem in problems[:SHOWN_PROBLEMS]:
                _say(f"{kind}: {problem.path}: {problem.reason}")
            if len(problems) > SHOWN_PROBLEMS:
                _say(f"{kind}: {len(problems) - SHOWN_PROBLEMS} more (--json lists all)")
        for note in report.notes:
            _say(note)
    if not report.complete:
        raise typer.Exit(INCOMPLETE)


def _say(text: str) -> None:
    Console(stderr=True).print(escape(text), highlight=False, soft_wrap=True)


def _print_json(value: dict[str, Any]) -> None:
    typer.echo(json.dumps(value, indent=2))
