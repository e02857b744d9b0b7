"""Measures how many puzzles the learned network solves, with its policy alone and with search.

    python benchmarks/learned.py
    python benchmarks/learned.py --sets base/test level1 --budget 20000
    python benchmarks/learned.py --agent runs/learned/weights.npz --limit 50
    python benchmarks/learned.py --sets level1 level2 level3 --seconds 60 --budget 1000000000
    python benchmarks/learned.py --speed

The policy alone takes its best action 100 times. With a memory, it takes the next best action when it
returns to a state; it does not look ahead either. The search is that of `pushworld solve --planner
learned`, with a limit on processor time (`--seconds`), or on different states (`--budget`), so that other
work on the machine has no effect. All rates have Wilson intervals at 95 %. The baseline is the same search
without the network: all its work goes into the heuristics of the push search. `--share 1` measures the
network without these.

`--speed` prints the evaluations of a network per second of processor time, in native code and by ONNX
Runtime if it is installed, both on one core.
"""

from __future__ import annotations

import argparse
import json
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from common import describe_machine

from pushworld import _native
from pushworld.datasets import Store, load_set, published_manifest
from pushworld.engine import Engine
from pushworld.learned import Network, Observer, guided_search, load_network
from pushworld.learned.agents import DEFAULT_AGENT
from pushworld.learned.observation import CHANNELS
from pushworld.learned.onnx_file import export_network
from pushworld.learned.search import Guidance
from pushworld.learned.weights import Array
from pushworld.puzzle import PushWorldError, Puzzle, format_plan
from pushworld.rl.evaluation.solve_rates import wilson_interval

SETS = ("base", "size", "walls", "obstacles", "shapes", "goals", "all")
EPISODE = 100
FRACTIONS = (100, 10, 1)
"""Results are also printed for a hundredth and a tenth of the budget."""


TIMES = (1, 10, 60)
"""Results are printed for these limits in seconds, as far as `--seconds` reaches."""


@dataclass(frozen=True)
class Job:
    """A puzzle to measure, and how."""

    puzzle: Puzzle
    agent: str
    budget: int
    seconds: float
    share: float
    baseline: bool


@dataclass(frozen=True)
class Search:
    """A search: different states, evaluations, seconds of processor time, and the length of its plan."""

    states: int
    evaluated: int
    seconds: float
    length: int | None


@dataclass(frozen=True)
class Result:
    """The result of a puzzle.

    Attributes:
        policy: whether the policy alone solved it.
        remembering: whether the policy with a memory solved it.
        search: with the network.
        without: the same search without it, if measured.
    """

    puzzle: str
    policy: bool
    remembering: bool
    search: Search
    without: Search | None


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--puzzles",
        type=Path,
        help="a folder with level0.zip, level1 and so on (default: what is installed)",
    )
    parser.add_argument("--sets", nargs="+", default=[f"{name}/test" for name in SETS])
    parser.add_argument("--limit", type=int, help="only the first puzzles of each set")
    parser.add_argument("--budget", type=int, default=100_000, help="different states of a search")
    parser.add_argument("--seconds", type=float, default=1e9, help="processor time of a search")
    parser.add_argument("--agent", default=DEFAULT_AGENT, help="a name, or a weights.npz")
    parser.add_argument("--every", type=int, default=1, help="only every so many puzzles of a set")
    parser.add_argument("--speed", action="store_true", help="only evaluations a second")
    parser.add_argument("--share", type=float, help="of the network in the work of a search")
    parser.add_argument("--no-baseline", action="store_true", help="not the search without network")
    parser.add_argument("--workers", type=int, default=1, help="processes")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all outcomes")
    arguments = parser.parse_args()
    store = Store(arguments.puzzles, published_manifest()) if arguments.puzzles else None
    network = load_network(arguments.agent)
    print(", ".join(f"{key} {value}" for key, value in describe_machine().items()))
    print(f"{arguments.agent}: {network.width} channels, {network.repeats} repeats")
    if arguments.speed:
        measure_speed(network)
        return
    share = Guidance().network_share if arguments.share is None else arguments.share
    outcomes: dict[str, list[Result]] = {}
    for name in arguments.sets:
        try:
            puzzles = load_set(name, store)[: arguments.limit : arguments.every]
        except PushWorldError as error:
            parser.error(str(error))
        jobs = [
            Job(
                puzzle,
                arguments.agent,
                arguments.budget,
                arguments.seconds,
                share,
                not arguments.no_baseline,
            )
            for puzzle in puzzles
        ]
        with ProcessPoolExecutor(arguments.workers) as processes:
            outcomes[name] = list(processes.map(measure, jobs))
        print(summary(name, outcomes[name], arguments.budget, arguments.seconds), flush=True)
        if arguments.json:
            rows = {name: [asdict(each) for each in several] for name, several in outcomes.items()}
            arguments.json.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")


def measure(job: Job) -> Result:
    """Returns the result of a puzzle."""
    network = load_network(job.agent)
    return Result(
        puzzle=job.puzzle.name,
        policy=policy_solves(job.puzzle, network, memory=False),
        remembering=policy_solves(job.puzzle, network, memory=True),
        search=searched(job, network, job.share),
        without=searched(job, network, 0) if job.baseline else None,
    )


def searched(job: Job, network: Network, share: float) -> Search:
    """Returns the figures of a search."""
    control = _native.Control(1e9, 8 * 10**9, job.budget)
    ended = threading.Event()
    watch = threading.Thread(target=interrupt_after, args=(control, job.seconds, ended))
    begun = time.process_time()
    watch.start()
    try:
        found = guided_search(job.puzzle, network, control, Guidance(network_share=share))
    finally:
        ended.set()
        watch.join()
    seconds = time.process_time() - begun
    solved = found.status == "solved" and seconds <= job.seconds
    if solved and not job.puzzle.validate(format_plan(found.plan)):
        raise RuntimeError(f"a wrong plan for {job.puzzle.name}")
    length = len(found.plan) if solved else None
    return Search(found.states, found.evaluated, round(seconds, 3), length)


def interrupt_after(control: _native.Control, limit: float, ended: threading.Event) -> None:
    """Interrupts a search when this process has used `limit` more seconds of processor time."""
    end = time.process_time() + limit
    while not ended.wait(0.05):
        if time.process_time() > end:
            control.interrupt()


def measure_speed(network: Network) -> None:
    """Prints the evaluations a second on grids of some sizes."""
    ways: dict[str, Callable[[Array], object]] = {"native": network}
    with suppress(ImportError), TemporaryDirectory() as folder:
        import onnxruntime

        export_network(network, path := Path(folder) / "network.onnx")
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
        ways["ONNX Runtime"] = lambda planes: session.run(None, {"planes": planes})
    random = np.random.default_rng(0)
    for side in (5, 10, 19):
        for batch in (1, 16):
            planes = random.random((batch, side, side, CHANNELS), np.float32)
            speeds = [f"{way} {looks_per_second(each, planes):.1f}" for way, each in ways.items()]
            print(f"{side} x {side} cells, batch {batch}: {', '.join(speeds)} a second", flush=True)


def looks_per_second(evaluate: Callable[[Array], object], planes: Array) -> float:
    """Returns how many grids are evaluated in a second of processor time."""
    evaluate(planes)
    begun, count = time.process_time(), 0
    while (seconds := time.process_time() - begun) < 1:
        evaluate(planes)
        count += len(planes)
    return count / seconds


def policy_solves(puzzle: Puzzle, network: Network, memory: bool) -> bool:
    """Returns whether taking the best action again and again solves the puzzle."""
    engine, observer = Engine(puzzle), Observer(puzzle)
    states = engine.initial_states(1)
    policies: dict[bytes, Array] = {}
    left: dict[bytes, list[int]] = {}
    for _ in range(EPISODE):
        arrangement, state = states[0, 1:].tobytes(), states.tobytes()
        if arrangement not in policies:
            policies[arrangement] = network(observer.draw(states))[0][0]
        (row,), (column,) = observer.cells_of_agent(states)
        if state not in left:
            left[state] = np.argsort(-policies[arrangement][row, column]).tolist()
        elif not memory or not left[state]:
            return False
        engine.step_batch(states, [left[state].pop(0)])
        if engine.achieved_goals(states)[0] == len(puzzle.goal):
            return True
    return False


def summary(name: str, outcomes: Sequence[Result], budget: int, seconds: float) -> str:
    """Returns some lines on a set."""
    count = len(outcomes)
    parts = [
        f"{name:15} {count} puzzles; policy alone {rate(sum(o.policy for o in outcomes), count)}",
        f"policy with a memory {rate(sum(o.remembering for o in outcomes), count)}",
        *described("search", [each.search for each in outcomes], budget, seconds),
    ]
    without = [each.without for each in outcomes if each.without is not None]
    if without:
        parts += described("without the network", without, budget, seconds)
        both = [
            each.search.length / each.without.length
            for each in outcomes
            if each.without and each.search.length and each.without.length
        ]
        if both:
            parts.append(f"plans {np.exp(np.mean(np.log(both))):.2f} times as long as without it")
    return "\n    ".join(parts)


def described(label: str, searches: Sequence[Search], budget: int, seconds: float) -> Iterator[str]:
    """Yields lines on searches: solved by states or, if the time is limited, by time."""
    count = len(searches)
    solved = [each for each in searches if each.length is not None]
    if seconds < 1e9:
        for limit in sorted({each for each in TIMES if each < seconds} | {seconds}):
            within = sum(each.seconds <= limit for each in solved)
            yield f"{label} {limit:g} s {rate(within, count)}"
    else:
        for limit in (budget // fraction for fraction in FRACTIONS):
            within = sum(each.states <= limit for each in solved)
            yield f"{label} {limit:,} states {rate(within, count)}"
    if solved:
        states = np.median([each.states for each in solved])
        evaluated = np.median([each.evaluated for each in solved])
        total = sum(each.seconds for each in searches)
        yield f"median {states:.0f} states, {evaluated:.0f} evaluations; {total:.1f} s of processor time"


def rate(solved: int, count: int) -> str:
    """Returns a share with its interval."""
    low, high = wilson_interval(solved, count)
    return f"{solved}/{count} = {solved / count:.1%} ({low:.1%} to {high:.1%})"


if __name__ == "__main__":
    main()
