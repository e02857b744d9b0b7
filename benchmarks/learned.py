"""Measures how many puzzles the learned network solves, with its policy alone and with search.

    python benchmarks/learned.py
    python benchmarks/learned.py --sets base/test level1 --budget 20000
    python benchmarks/learned.py --agent runs/learned/weights.npz --limit 50
    python benchmarks/learned.py --speed

The policy alone takes its best action 100 times. With a memory, it takes the next best action when it
returns to a state; it does not look ahead either. The search is that of `pushworld solve --planner
learned`, with a limit on processor time (`--seconds`), or on different states (`--budget`), so that other
work on the machine has no effect. All rates have Wilson intervals at 95 %. As a baseline, `uninformed` is
the same search with a network that returns equal values for all actions and states.

`--speed` prints the evaluations of a network per second of processor time, in native code and by ONNX
Runtime if it is installed, both on one core.
"""

from __future__ import annotations

import argparse
import json
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from machine import describe_machine

from pushworld import _native
from pushworld.datasets import Store, load_set, published_manifest
from pushworld.engine import Engine
from pushworld.learned import Network, Observer, guided_search, load_network
from pushworld.learned.agents import DEFAULT_AGENT
from pushworld.learned.observation import CHANNELS
from pushworld.learned.onnx_file import export_network
from pushworld.learned.weights import Array, random_weights
from pushworld.puzzle import PushWorldError, Puzzle, format_plan
from pushworld.rl.evaluation.solve_rates import wilson_interval

SETS = ("base", "size", "walls", "obstacles", "shapes", "goals", "all")
EPISODE = 100
FRACTIONS = (100, 10, 1)
"""Results are also printed for a hundredth and a tenth of the budget."""


UNINFORMED = Network(random_weights(1), 0)
"""A network whose weights are too few to tell anything."""


@dataclass(frozen=True)
class Result:
    """The result of a puzzle.

    Attributes:
        policy: whether the policy alone solved it.
        remembering: whether the policy with a memory solved it.
        states, evaluated: different states and evaluations; None if the search did not solve it.
        length: of the plan found.
        uninformed: states of the uninformed search that solved it, or None.
        seconds: processor time of the search.
    """

    puzzle: str
    policy: bool
    remembering: bool
    states: int | None
    evaluated: int | None
    length: int | None
    uninformed: int | None
    seconds: float


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
    parser.add_argument("--no-yardstick", action="store_true", help="without `uninformed`")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all outcomes")
    arguments = parser.parse_args()
    store = Store(arguments.puzzles, published_manifest()) if arguments.puzzles else None
    network = load_network(arguments.agent)
    print(", ".join(f"{key} {value}" for key, value in describe_machine().items()))
    print(f"{arguments.agent}: {network.width} channels, {network.repeats} repeats")
    if arguments.speed:
        measure_speed(network)
        return
    outcomes: dict[str, list[Result]] = {}
    for name in arguments.sets:
        try:
            puzzles = load_set(name, store)[: arguments.limit : arguments.every]
        except PushWorldError as error:
            parser.error(str(error))
        outcomes[name] = [
            measure(
                puzzle, network, arguments.budget, arguments.seconds, not arguments.no_yardstick
            )
            for puzzle in puzzles
        ]
        print(summary(name, outcomes[name], arguments.budget), flush=True)
    if arguments.json:
        results = {name: [asdict(each) for each in several] for name, several in outcomes.items()}
        arguments.json.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")


def measure(puzzle: Puzzle, network: Network, budget: int, limit: float, yardstick: bool) -> Result:
    """Returns the result of a puzzle."""
    begun = time.process_time()
    search = searched(puzzle, network, budget, limit)
    seconds = time.process_time() - begun
    blind = searched(puzzle, UNINFORMED, budget, limit) if yardstick else None
    solved = search.status == "solved" and seconds <= limit
    return Result(
        puzzle=puzzle.name,
        policy=policy_solves(puzzle, network, memory=False),
        remembering=policy_solves(puzzle, network, memory=True),
        states=search.states if solved else None,
        evaluated=search.evaluated if solved else None,
        length=len(search.plan) if solved else None,
        uninformed=blind.states if blind is not None and blind.status == "solved" else None,
        seconds=seconds,
    )


def searched(puzzle: Puzzle, network: Network, budget: int, limit: float) -> _native.SearchResult:
    """Returns the result of a search."""
    control = _native.Control(1e9, 8 * 10**9, budget)
    ended = threading.Event()
    watch = threading.Thread(target=interrupt_after, args=(control, limit, ended))
    watch.start()
    try:
        found = guided_search(puzzle, network, control)
    finally:
        ended.set()
        watch.join()
    if found.status == "solved" and not puzzle.validate(format_plan(found.plan)):
        raise RuntimeError(f"a wrong plan for {puzzle.name}")
    return found


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


def summary(name: str, outcomes: Sequence[Result], budget: int) -> str:
    """Returns a line on a set."""
    count = len(outcomes)
    parts = [
        f"{name:15} {count} puzzles; policy alone {rate(sum(o.policy for o in outcomes), count)}",
        f"policy with a memory {rate(sum(o.remembering for o in outcomes), count)}",
    ]
    for kind in ("states", "uninformed"):
        needed = [getattr(outcome, kind) for outcome in outcomes]
        if not any(needed):
            continue
        for fraction in FRACTIONS:
            within = budget // fraction
            solved = sum(each is not None and each <= within for each in needed)
            label = "search" if kind == "states" else "uninformed"
            parts.append(f"{label} {within:,} states {rate(solved, count)}")
    states = [outcome.states for outcome in outcomes if outcome.states is not None]
    evaluated = [outcome.evaluated for outcome in outcomes if outcome.evaluated is not None]
    if states:
        parts.append(
            f"median {np.median(states):.0f} states, {np.median(evaluated):.0f} evaluations"
        )
    parts.append(f"{sum(outcome.seconds for outcome in outcomes):.1f} s of processor time")
    return "\n    ".join(parts)


def rate(solved: int, count: int) -> str:
    """Returns a share with its interval."""
    low, high = wilson_interval(solved, count)
    return f"{solved}/{count} = {solved / count:.1%} ({low:.1%} to {high:.1%})"


if __name__ == "__main__":
    main()
