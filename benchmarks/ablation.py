"""Measures what each part of the default planner's strategies is worth.

    python benchmarks/ablation.py --puzzles classic --every 10 --max-states 5000
    python benchmarks/ablation.py --strategy uncommitted --strategy 'cost; moved: cost'
    python benchmarks/ablation.py --puzzles published --max-states 1000000 --markdown

It runs all strategies together, each alone, all but one, and each without one open list, without one
feature of an open list, without its commitment, without its choice of objects, and without its order of
goals. Every run has one thread and a limit on states, so that the same command finds the same plans on
every machine; only CPU seconds differ. Runs are spread over the cores. Each result is a line of JSON in
the output file, and the same command resumes after an interruption. The geometric mean of states is over
the puzzles that all variants solve.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import geometric_mean

from machine import describe_machine, usable_cores
from rich.console import Console
from rich.table import Table

from pushworld import PushWorldError, Puzzle, solve
from pushworld.bench.contestants import native_build
from pushworld.datasets import load_set
from pushworld.planners import OpenList, Strategy, default_strategies
from pushworld.planners.strategies import find_strategies

EXIT_INTERRUPTED = 13
SECONDS_BETWEEN_REPORTS = 10.0


@dataclass(frozen=True)
class Variant:
    """Strategies to compare with others.

    Attributes:
        label: what the table calls it.
        strategies: what the planner runs.
    """

    label: str
    strategies: tuple[Strategy, ...]

    @property
    def text(self) -> str:
        """What tells its results from those of other strategies."""
        return " || ".join(str(replace(strategy, name="")) for strategy in self.strategies)


@dataclass(frozen=True)
class Run:
    """One variant on one puzzle.

    Attributes:
        build: the digest of the native code.
        puzzle: the name of the puzzle.
        digest: the digest of its content.
        strategies: the text of the variant.
        max_states: the limit on states.
        status: how the search ended.
        length: the number of actions of its plan.
        expanded, states: what the search counted.
        cpu_seconds: of the search and all that it needed to start.
    """

    build: str
    puzzle: str
    digest: str
    strategies: str
    max_states: int
    status: str
    length: int | None
    expanded: int
    states: int
    cpu_seconds: float

    @property
    def key(self) -> tuple[str, str, str, int]:
        return self.build, self.digest, self.strategies, self.max_states


def main() -> int:
    """Returns the exit code."""
    parser = build_parser()
    arguments = parser.parse_args()
    try:
        puzzles = [each for name in arguments.puzzles for each in load_set(name)][
            :: arguments.every
        ]
        chosen = [each for given in arguments.strategy for each in find_strategies(given)]
        variants = list(variants_of(chosen or default_strategies()))
        runs = run_all(variants, puzzles, arguments.max_states, arguments.output)
    except PushWorldError as error:
        parser.exit(2, f"{parser.prog}: {error}\n")
    except KeyboardInterrupt:
        print("interrupted: the same command resumes here", file=sys.stderr)
        return EXIT_INTERRUPTED
    print(", ".join(f"{key} {value}" for key, value in describe_machine().items()))
    print(f"{len(puzzles)} puzzles, {arguments.max_states:,} states, build {native_build()}")
    print_table(table_of(variants, runs), arguments.markdown)
    return 0


def build_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("--puzzles", nargs="+", default=["classic"], metavar="SET|DIR", help="(default: classic)")
    add("--every", type=positive, default=1, metavar="N", help="take every Nth puzzle (default: 1)")
    add("--max-states", type=positive, default=100_000, metavar="N", help="(default: 100000)")
    add(
        "--strategy",
        action="append",
        default=[],
        metavar="NAME|TEXT|FILE.toml",
        help="instead of those of the default planner; may be repeated",
    )
    add(
        "--output",
        type=Path,
        default=Path("results/ablation.jsonl"),
        metavar="FILE",
        help="where results are kept (default: results/ablation.jsonl)",
    )
    add("--markdown", action="store_true", help="print the table as Markdown")
    return parser


def positive(text: str) -> int:
    """Returns a number of the command line; raises ValueError if it is not positive."""
    number = int(text)
    if number < 1:
        raise ValueError
    return number


def variants_of(strategies: Sequence[Strategy]) -> Iterator[Variant]:
    """Yields the strategies together, each alone, and all that lack one part of them."""
    if len(strategies) > 1:
        yield Variant("all strategies", tuple(strategies))
        for left_out in strategies:
            others = tuple(each for each in strategies if each is not left_out)
            yield Variant(f"all but {name_of(left_out)}", others)
    for strategy in strategies:
        yield Variant(f"{name_of(strategy)} alone", (strategy,))
        for part, reduced in reductions(strategy):
            yield Variant(f"{name_of(strategy)} without {part}", (reduced,))


def reductions(strategy: Strategy) -> Iterator[tuple[str, Strategy]]:
    """Yields the strategies that lack one part, and what that part is."""
    lists = strategy.open_lists
    for index, open_list in enumerate(lists):
        others = (*lists[:index], *lists[index + 1 :])
        if others:
            yield f"'{open_list}'", replace(strategy, open_lists=others)
        for feature in open_list.features:
            rest = tuple(each for each in open_list.features if each != feature)
            reduced = OpenList(rest, open_list.evaluators)
            if reduced not in others:
                changed = (*lists[:index], reduced, *lists[index + 1 :])
                yield f"{feature} of '{open_list}'", replace(strategy, open_lists=changed)
    if strategy.commitment != "none":
        yield "commitment", replace(strategy, commitment="none")
    if strategy.objects != "all":
        yield "its choice of objects", replace(strategy, objects="all")
    if strategy.goals != "together":
        yield "its order of goals", replace(strategy, goals="together")


def name_of(strategy: Strategy) -> str:
    return strategy.name or f"'{strategy}'"


def run_all(
    variants: Sequence[Variant], puzzles: Sequence[Puzzle], max_states: int, output: Path
) -> list[Run]:
    """Returns a run of each variant on each puzzle, from the output file or from a new search."""
    known = {run.key: run for run in read_runs(output)}
    wanted = {
        (native_build(), digest_of(puzzle), variant.text, max_states): (puzzle, variant)
        for puzzle in puzzles
        for variant in variants
    }
    missing = [task for key, task in wanted.items() if key not in known]
    report(f"{len(wanted)} runs, {len(wanted) - len(missing)} of them in {output}")
    start = reported = time.monotonic()
    with ProcessPoolExecutor(usable_cores()) as pool:
        futures = [pool.submit(run_one, *task, max_states) for task in missing]
        try:
            for done, future in enumerate(as_completed(futures), start=1):
                run = future.result()
                known[run.key] = run
                append_run(output, run)
                if time.monotonic() - reported > SECONDS_BETWEEN_REPORTS:
                    reported = time.monotonic()
                    left = (reported - start) / done * (len(missing) - done)
                    report(f"{done} of {len(missing)} runs, about {left / 60:.1f} min left")
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
    return [known[key] for key in wanted]


def run_one(puzzle: Puzzle, variant: Variant, max_states: int) -> Run:
    """Returns the run of a variant on a puzzle, in a process that does nothing else meanwhile."""
    start = time.process_time()
    found = solve(puzzle, time_limit=math.inf, max_states=max_states, strategies=variant.strategies)
    return Run(
        build=native_build(),
        puzzle=puzzle.name,
        digest=digest_of(puzzle),
        strategies=variant.text,
        max_states=max_states,
        status=found.status,
        length=found.length,
        expanded=found.expanded,
        states=found.states,
        cpu_seconds=round(time.process_time() - start, 4),
    )


def digest_of(puzzle: Puzzle) -> str:
    return hashlib.sha256(puzzle.to_pwp().encode()).hexdigest()[:12]


def read_runs(path: Path) -> Iterator[Run]:
    """Yields the runs of the output file; a line that was cut off is no run."""
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
        try:
            yield Run(**json.loads(line))
        except (ValueError, TypeError):
            continue


def append_run(path: Path, run: Run) -> None:
    """Adds a line to the output file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", encoding="utf-8", newline="\n") as file:
        file.write(json.dumps(vars(run)) + "\n")


def report(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def table_of(variants: Iterable[Variant], runs: Iterable[Run]) -> list[list[str]]:
    """Returns the rows of the table."""
    by_text: dict[str, list[Run]] = {}
    for run in runs:
        by_text.setdefault(run.strategies, []).append(run)
    solved = {
        text: {run.digest: run for run in group if run.status == "solved"}
        for text, group in by_text.items()
    }
    common = set.intersection(*(set(group) for group in solved.values()))
    rows = [["variant", "solved", f"states (of {len(common)})", "CPU s"]]
    for variant in variants:
        states = [max(1, solved[variant.text][digest].states) for digest in sorted(common)]
        seconds = sum(run.cpu_seconds for run in by_text[variant.text])
        rows.append(
            [
                variant.label,
                str(len(solved[variant.text])),
                f"{geometric_mean(states):,.0f}" if states else "",
                f"{seconds:.1f}",
            ]
        )
    return rows


def print_table(rows: list[list[str]], markdown: bool) -> None:
    if markdown:
        for row in (rows[0], ["---"] + ["---:"] * (len(rows[0]) - 1), *rows[1:]):
            print("| " + " | ".join(row) + " |")
        return
    table = Table(box=None, header_style="bold", padding=(0, 2, 0, 0))
    for index, heading in enumerate(rows[0]):
        table.add_column(heading, justify="right" if index else "left", no_wrap=True)
    for row in rows[1:]:
        table.add_row(*row)
    Console(width=None if sys.stdout.isatty() else 140).print(table)


if __name__ == "__main__":
    sys.exit(main())
