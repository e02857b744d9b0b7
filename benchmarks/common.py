"""What the scripts share: the command line, the line about the machine, rates, and rows kept in a file."""

import argparse
import json
import sys
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ProcessPoolExecutor, as_completed
from datetime import date
from pathlib import Path
from typing import Any, TypeVar

from rich.console import Console

from pushworld.bench.tables import Table
from pushworld.machine import this_machine
from pushworld.puzzle import PushWorldError

ROUNDS = 5

Row = dict[str, Any]
Key = TypeVar("Key", bound=tuple[str | int | float, ...])


def command_line(description: str | None) -> argparse.ArgumentParser:
    """Returns a parser whose help is the docstring of the script."""
    return argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )


def positive(text: str) -> int:
    """Returns the number of an option. `argparse` says what is wrong."""
    if (number := int(text)) < 1:
        raise ValueError
    return number


def run_script(main: Callable[[], None]) -> None:
    """Runs a script; reports a mistake of the user in one line, and an interruption."""
    try:
        main()
    except PushWorldError as error:
        print(f"{Path(sys.argv[0]).name}: {error}", file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit("interrupted")


def describe_machine() -> dict[str, str]:
    """Returns the machine, the version of Python and the date."""
    machine = vars(this_machine())
    told = {key: str(machine[key]) for key in ("processor", "cores", "system", "python")}
    return told | {"date": date.today().isoformat()}


def print_machine(**more: str) -> None:
    """Prints the machine, the version of Python, the date, and what else the figures depend on."""
    print(", ".join(f"{key} {value}" for key, value in (describe_machine() | more).items()))


def show(table: Table, markdown: bool) -> None:
    """Prints a table, for the terminal or as Markdown."""
    print(f"\n{table.markdown()}") if markdown else table.show(Console())


def best_rate(
    work: Callable[[], int], seconds: float, clock: Callable[[], float] = time.perf_counter
) -> float:
    """Returns how much is done in a second, in the best of several rounds."""
    work()
    rates = []
    for _ in range(ROUNDS):
        done = 0
        start = clock()
        while (elapsed := clock() - start) < seconds / ROUNDS:
            done += work()
        rates.append(done / elapsed)
    return max(rates)


def rows_of(
    tasks: Mapping[Key, Callable[[], Row]], store: Path | None, workers: int = 1
) -> dict[Key, Row]:
    """Returns the row of each task, from the store or from its work.

    Every new row is a line of the store at once, so that an interrupted script can continue. The work must
    be picklable.
    """
    lines = store.read_text("utf-8").splitlines() if store and store.exists() else []
    known: dict[Any, Row] = {tuple(key): row for key, row in map(json.loads, lines)}
    missing = {key: work for key, work in tasks.items() if key not in known}
    with ProcessPoolExecutor(workers) as pool:
        keys = {pool.submit(work): key for key, work in missing.items()}
        try:
            for done, future in enumerate(as_completed(keys), start=1):
                known[keys[future]] = row = future.result()
                if store:
                    store.parent.mkdir(parents=True, exist_ok=True)
                    with store.open("a", encoding="utf-8") as file:
                        print(json.dumps([keys[future], row]), file=file)
                if sys.stderr.isatty():
                    print(f"\r{done} of {len(missing)}", end="", file=sys.stderr, flush=True)
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
    return {key: known[key] for key in tasks}
