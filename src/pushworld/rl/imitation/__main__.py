"""Makes examples and trains the planner's network: ``python -m pushworld.rl.imitation``.

    python -m pushworld.rl.imitation make base/train --side 5 -o examples/base.npz
    python -m pushworld.rl.imitation make generated/all --puzzles 5000 --side 10 -o examples/all.npz
    python -m pushworld.rl.imitation make rooms --puzzles 5000 --side 12 -o examples/rooms.npz
    python -m pushworld.rl.imitation train examples/*.npz -o runs/learned --seconds 600

The folder of a training holds its settings, its checkpoint, a line of metrics for every report, and
`weights.npz`, which is what `pushworld solve --planner learned` reads. The same command goes on
from the checkpoint.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from random import Random

import numpy as np

from pushworld.datasets import Store, load_set, published_manifest
from pushworld.datasets.generate import generate, level0_distribution
from pushworld.design.rooms import random_room, room_plan
from pushworld.planners.learned.network import Network
from pushworld.puzzle import PushWorldError, Puzzle
from pushworld.rl.imitation.examples import Examples
from pushworld.rl.imitation.making import Teaching, make_examples
from pushworld.rl.imitation.training import ImitationConfig, Losses, Training

GENERATED = "generated/"
ROOMS = "rooms"
AGENT_WALLS = 0.3
"""How likely a room has a patch of agent walls."""

CHUNK = 50
"""How many puzzles a worker takes at a time."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Does what the arguments say, and returns an exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m pushworld.rl.imitation",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(required=True)
    make = commands.add_parser("make", help="solve puzzles and write examples")
    make.add_argument(
        "set", help="a set, a folder, generated/SET for new ones of Level 0, or rooms"
    )
    make.add_argument("--output", "-o", type=Path, required=True, help="the file of examples")
    make.add_argument("--store", type=Path, help="a folder with level0.zip, level1 and so on")
    make.add_argument("--first", type=int, default=0, help="leave out the puzzles before this one")
    make.add_argument("--puzzles", type=int, help="how many puzzles (default: all, or 1000 new)")
    make.add_argument("--side", type=int, required=True, help="of the largest world's interior")
    make.add_argument("--max-states", type=int, default=Teaching.max_states, help="solved whole")
    make.add_argument("--time-limit", type=float, default=Teaching.time_limit, help="of a planner")
    make.add_argument("--count", type=int, default=24, help="examples of a puzzle (default: 24)")
    make.add_argument("--seed", type=int, default=0, help="of symmetries and choices")
    make.add_argument("--workers", type=int, default=1, help="processes (default: 1)")
    make.set_defaults(run=_make)
    train = commands.add_parser("train", help="train the network with examples")
    train.add_argument("examples", type=Path, nargs="+", help="files of examples")
    train.add_argument("--output", "-o", type=Path, required=True, help="the folder of the run")
    train.add_argument("--from", dest="start", type=Path, help="begin with these weights")
    train.add_argument("--config", default="{}", help="settings as JSON, of a new run")
    train.add_argument("--seconds", type=float, default=float("inf"), help="stop after so long")
    train.set_defaults(run=_train)
    chosen = parser.parse_args(arguments)
    try:
        chosen.run(chosen)
    except (PushWorldError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return 13
    return 0


def _make(arguments: argparse.Namespace) -> None:
    begun = time.monotonic()
    puzzles = _puzzles(arguments)
    teaching = Teaching(arguments.side, arguments.count, arguments.max_states, arguments.time_limit)
    chunks = [puzzles[start : start + CHUNK] for start in range(0, len(puzzles), CHUNK)]
    jobs = [(chunk, (arguments.seed, number)) for number, chunk in enumerate(chunks)]
    parts = []
    for number, part in enumerate(_in_processes(teaching, jobs, arguments.workers), 1):
        parts += [part] if len(part) else []
        seconds = time.monotonic() - begun
        print(f"{number} of {len(jobs)} chunks, {seconds:.0f} s", file=sys.stderr, flush=True)
    examples = Examples.join(parts)
    arguments.output.parent.mkdir(parents=True, exist_ok=True)
    examples.save(arguments.output)
    print(f"{arguments.output}: {len(examples)} examples of {len(puzzles)} puzzles")


def _puzzles(arguments: argparse.Namespace) -> list[Puzzle]:
    name, first = arguments.set, arguments.first
    if name.startswith(GENERATED):
        distribution = level0_distribution(name.removeprefix(GENERATED))
        count = arguments.puzzles or 1000
        # The split of the stream keeps its puzzles apart from those that tests draw from it.
        batch = generate(distribution, count, seed=arguments.seed, split="train")
        return batch.puzzles()
    if name == ROOMS:
        random = Random(arguments.seed)
        return [_room(arguments.side, random) for _ in range(arguments.puzzles or 1000)]
    store = Store(arguments.store, published_manifest()) if arguments.store else None
    puzzles = load_set(name, store)
    last = None if arguments.puzzles is None else first + arguments.puzzles
    return puzzles[first:last]


def _room(side: int, random: Random) -> Puzzle:
    """Returns a random room with walls of both kinds and odd shapes, of up to so many cells a side."""
    width, height = random.randint(5, side), random.randint(5, side)
    plan = room_plan(random.randint(1, 2), width, height, AGENT_WALLS)
    return random_room(plan, random)


def _in_processes(
    teaching: Teaching, jobs: Sequence[tuple[list[Puzzle], tuple[int, int]]], workers: int
) -> Iterator[Examples]:
    work = partial(_examples_of_chunk, teaching)
    if workers == 1:
        yield from map(work, jobs)
        return
    with get_context("spawn").Pool(workers) as pool:
        yield from pool.imap(work, jobs)


def _examples_of_chunk(teaching: Teaching, job: tuple[list[Puzzle], tuple[int, int]]) -> Examples:
    puzzles, seed = job
    random = np.random.default_rng(seed)
    return Examples.join(
        [Examples.empty(0, teaching.side), *make_examples(puzzles, teaching, random)]
    )


def _train(arguments: argparse.Namespace) -> None:
    folder: Path = arguments.output
    folder.mkdir(parents=True, exist_ok=True)
    settings, checkpoint = folder / "config.json", folder / "checkpoint.npz"
    if checkpoint.exists():
        config = ImitationConfig(**json.loads(settings.read_text(encoding="utf-8")))
        training = Training.resume(config, checkpoint)
    else:
        config = _config(arguments.config)
        settings.write_text(json.dumps(asdict(config), indent=1) + "\n", encoding="utf-8")
        start = Network.load(arguments.start) if arguments.start else None
        training = Training.begin(config, start)
    by_side: dict[int, list[Examples]] = {}
    for path in arguments.examples:
        examples = Examples.load(path)
        by_side.setdefault(examples.side, []).append(examples)
    parts = [Examples.join(several) for _, several in sorted(by_side.items())]
    begun, begun_cpu = time.monotonic(), time.process_time()

    def report(step: int, losses: Losses) -> None:
        spent = {
            "step": step,
            "seconds": round(time.monotonic() - begun, 1),
            "cpu_seconds": round(time.process_time() - begun_cpu, 1),
        }
        _append(folder / "metrics.csv", spent | losses)
        print(spent | {name: round(each, 4) for name, each in losses.items()}, flush=True)
        _save(training, folder)

    training.run(parts, arguments.seconds, report)
    _save(training, folder)


def _config(text: str) -> ImitationConfig:
    try:
        return ImitationConfig(**json.loads(text))
    except (TypeError, ValueError) as error:
        raise PushWorldError(f"--config must be settings as JSON: {error}") from error


def _save(training: Training, folder: Path) -> None:
    training.save(folder / "checkpoint.npz")
    training.network.save(folder / "weights.new")
    os.replace(folder / "weights.new", folder / "weights.npz")


def _append(path: Path, row: dict[str, float]) -> None:
    new = not path.exists()
    with path.open("a", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(row))
        if new:
            writer.writeheader()
        writer.writerow(row)


if __name__ == "__main__":
    raise SystemExit(main())
