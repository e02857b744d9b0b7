"""Makes examples and trains the planner's network: ``python -m pushworld.learned.training``.

    python -m pushworld.learned.training make base/train all/train -o examples
    python -m pushworld.learned.training make generated/all rooms --puzzles 5000 --workers 8 -o examples
    python -m pushworld.learned.training train examples/*.npz -o runs/learned --seconds 600

Examples are written in slices; the same `make` command goes on with those that are missing. The
folder of a training holds its settings, its checkpoint, a line of metrics for every report, and
`weights.npz`, which is what `pushworld solve --planner learned` reads. The same `train` command
goes on from the checkpoint.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import sys
import time
from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import asdict
from pathlib import Path

from pushworld.datasets.journal import locked_folder
from pushworld.learned.network import Network
from pushworld.learned.training.arrays import read_arrays
from pushworld.learned.training.examples import Examples
from pushworld.learned.training.making import Teaching
from pushworld.learned.training.slices import make_slices, slices_of, source_of
from pushworld.learned.training.training import LOSSES, ImitationConfig, Losses, Training
from pushworld.puzzle import PushWorldError
from pushworld.rl.config import ConfigError, built
from pushworld.rl.metrics import METRICS_FILE, MetricsFile
from pushworld.rl.programs import exit_code_of, run_program
from pushworld.rl.stopping import StopRequest

COLUMNS = (
    *("step", "progress", "seconds", "cpu_seconds"),
    *LOSSES,
    *(f"check_{name}" for name in LOSSES),
)
"""Of the metrics; what was not checked is empty."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Does what the arguments say, and returns an exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m pushworld.learned.training",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(required=True)
    make = commands.add_parser("make", help="solve puzzles and write examples")
    make.add_argument(
        "sets", nargs="+", help="a set, a folder, generated/SET for new ones of Level 0, or rooms"
    )
    make.add_argument("--output", "-o", type=Path, required=True, help="the folder of examples")
    make.add_argument("--store", type=Path, help="a folder with level0.zip, level1 and so on")
    make.add_argument(
        "--puzzles", type=_positive, help="how many of a set (default: all, or 1000 new)"
    )
    make.add_argument(
        "--max-side",
        type=_positive,
        default=Teaching.max_side,
        help="leave out puzzles with a side of more cells",
    )
    make.add_argument(
        "--max-states",
        type=_positive,
        default=Teaching.max_states,
        help="puzzles with at most so many placements are solved whole",
    )
    make.add_argument(
        "--time-limit",
        type=float,
        default=Teaching.time_limit,
        help="seconds that the planner has for a larger puzzle",
    )
    make.add_argument(
        "--count", type=_positive, default=Teaching.count, help="examples of a puzzle"
    )
    make.add_argument("--workers", type=_positive, default=1, help="processes (default: 1)")
    make.add_argument("--seconds", type=float, default=math.inf, help="stop after so long")
    make.set_defaults(run=_make)
    train = commands.add_parser("train", help="train the network with examples")
    train.add_argument("examples", type=Path, nargs="+", help="files of examples")
    train.add_argument("--check", type=Path, nargs="*", default=[], help="files to check with")
    train.add_argument("--output", "-o", type=Path, required=True, help="the folder of the run")
    train.add_argument("--from", dest="start", type=Path, help="begin with these weights")
    train.add_argument("--config", default="{}", help="settings as JSON, of a new run")
    train.add_argument("--seconds", type=float, default=math.inf, help="stop after so long")
    train.add_argument("--later", type=float, default=0.0, help="seconds in further calls")
    train.set_defaults(run=_train)
    chosen = parser.parse_args(arguments)
    return exit_code_of(lambda: chosen.run(chosen))


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} is too small: 1 is the least")
    return number


def _make(arguments: argparse.Namespace) -> None:
    begun = time.monotonic()
    teaching = Teaching(
        count=arguments.count,
        max_states=arguments.max_states,
        time_limit=arguments.time_limit,
        max_side=arguments.max_side,
    )
    sets = [slices_of(name, arguments.puzzles, arguments.store) for name in arguments.sets]
    made = puzzles = 0
    for part, count in make_slices(
        sets, arguments.output, teaching, arguments.workers, arguments.seconds
    ):
        made, puzzles = made + count, puzzles + part.puzzles
        seconds = time.monotonic() - begun
        print(f"{part.name} {part.first}: {count}, {seconds:.0f} s", file=sys.stderr, flush=True)
    print(f"{arguments.output}: {made} examples of {puzzles} puzzles")


def _train(arguments: argparse.Namespace) -> None:
    with locked_folder(arguments.output):
        _train_in_folder(arguments)


def _train_in_folder(arguments: argparse.Namespace) -> None:
    begun, begun_cpu = time.monotonic(), time.process_time()
    folder: Path = arguments.output
    settings, checkpoint = folder / "config.json", folder / "checkpoint.npz"
    if checkpoint.exists():
        config = _config(settings.read_text(encoding="utf-8"), str(settings))
        training = Training.resume(config, checkpoint)
    else:
        config = _config(arguments.config, "--config")
        start = _network(arguments.start) if arguments.start else None
        training = Training.begin(config, start)
        settings.write_text(json.dumps(asdict(config), indent=1) + "\n", encoding="utf-8")
    sources: dict[str, list[Examples]] = {}
    for path in arguments.examples:
        sources.setdefault(source_of(path), []).append(Examples.load(path))
    checks = _by_side(Examples.load(path) for path in arguments.check)
    left = arguments.seconds - (time.monotonic() - begun)

    def report(step: int, losses: Losses) -> None:
        spent = {
            "step": step,
            "progress": round(training.progress, 4),
            "seconds": round(time.monotonic() - begun, 1),
            "cpu_seconds": round(time.process_time() - begun_cpu, 1),
        }
        metrics.write(spent | losses)
        print(spent | {name: round(each, 4) for name, each in losses.items()}, flush=True)
        _save(training, folder)

    with (
        closing(MetricsFile(folder / METRICS_FILE, training.step, COLUMNS)) as metrics,
        closing(StopRequest()) as stop,
    ):
        stop.listen()
        training.run(
            sources,
            seconds=left,
            later=arguments.later,
            check=checks,
            report=report,
            stop=lambda: stop.asked,
        )
        _save(training, folder)
        if stop.asked:
            raise KeyboardInterrupt


def _by_side(parts: Iterable[Examples]) -> list[Examples]:
    """Returns the examples of each size of world."""
    by_side: dict[int, list[Examples]] = {}
    for part in parts:
        by_side.setdefault(part.side, []).append(part)
    return [Examples.join(several) for several in by_side.values()]


def _config(text: str, name: str) -> ImitationConfig:
    try:
        return built(ImitationConfig, json.loads(text))
    except (ConfigError, ValueError) as error:
        raise PushWorldError(f"{name} must be settings as JSON: {error}") from error


def _network(path: Path) -> Network:
    weights = read_arrays(path)
    if "repeats" not in weights or "back_bias" not in weights:
        raise PushWorldError(f"{path} holds no network: give a weights.npz")
    return Network(weights, int(weights.pop("repeats")))


def _save(training: Training, folder: Path) -> None:
    training.save(folder / "checkpoint.npz")
    training.network.save(folder / "weights.new")
    os.replace(folder / "weights.new", folder / "weights.npz")


if __name__ == "__main__":
    run_program(main)
