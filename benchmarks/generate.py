"""Measures how many puzzles a second are generated, and why draws are rejected.

    python benchmarks/generate.py
    python benchmarks/generate.py --sets base size --seconds 5 --threads 1
    python benchmarks/generate.py --sets all --max-states 300
    python benchmarks/generate.py --folder 2200

Rates count puzzles with a shortest plan, as packed arrays. Besides the elapsed time the script prints the
CPU time of all cores, which other work on the machine affects less. `--folder` measures instead how long
it takes to write that many puzzles of `all` to a folder, as `pushworld generate level0 all` does.
"""

import tempfile
import time
from dataclasses import replace
from pathlib import Path

from common import Row, command_line, print_machine, run_script

from pushworld.datasets.generated import (
    LEVEL0_DISTRIBUTIONS,
    PuzzleStream,
    generate_folder,
    level0_distribution,
)
from pushworld.machine import usable_cores

BATCH = 128


def main() -> None:
    parser = command_line(__doc__)
    parser.add_argument("--sets", nargs="+", default=list(LEVEL0_DISTRIBUTIONS), metavar="SET")
    parser.add_argument("--seconds", type=float, default=3.0, help="for each set (default: 3)")
    parser.add_argument("--threads", type=int, default=usable_cores(), help="default: all cores")
    parser.add_argument("--max-states", type=int, help="for each puzzle (default: the sets' own)")
    parser.add_argument("--folder", type=int, metavar="N", help="write N puzzles of `all`")
    arguments = parser.parse_args()

    print_machine()
    print(f"{arguments.threads} threads")
    if arguments.folder:
        print_table([measure_folder(arguments.folder, arguments.threads)])
        return
    limits = arguments.max_states, arguments.seconds, arguments.threads
    print_table([measure(name, *limits) for name in arguments.sets])


def measure(name: str, max_states: int | None, seconds: float, threads: int) -> Row:
    """Returns the rates of a set and the shares of its draws."""
    distribution = level0_distribution(name)
    if max_states is not None:
        distribution = replace(distribution, max_states=max_states)
    stream = PuzzleStream(distribution, threads=threads)
    made = 0
    start, start_cpu = time.perf_counter(), time.process_time()
    while time.perf_counter() - start < seconds:
        made += len(stream.batch(BATCH))
    wall, cpu = time.perf_counter() - start, time.process_time() - start_cpu
    tally = stream.tally
    draws = tally.pop("candidates")
    shares = {word: count / draws for word, count in tally.items()}
    return {"set": name, "a_second": made / wall, "a_cpu_second": made / cpu, **shares}


def measure_folder(count: int, threads: int) -> Row:
    """Returns how long it takes to write puzzles of `all`."""
    start, start_cpu = time.perf_counter(), time.process_time()
    with tempfile.TemporaryDirectory() as folder:
        generate_folder(
            Path(folder), LEVEL0_DISTRIBUTIONS["all"], count, name="all", threads=threads
        )
        wall, cpu = time.perf_counter() - start, time.process_time() - start_cpu
    return {"set": "all", "written": count, "seconds": wall, "cpu_seconds": cpu}


def print_table(results: list[Row]) -> None:
    words = [word.replace("_", " ") for word in results[0]]
    print("".join(f"{word:>17}" for word in words))
    for result in results:
        cells = (
            each if isinstance(each, str) else f"{each:,.0f}" if each > 100 else f"{each:,.3f}"
            for each in result.values()
        )
        print("".join(f"{cell:>17}" for cell in cells))


if __name__ == "__main__":
    run_script(main)
