"""Labels puzzles and trains the network of the planner ``learned``.

    python -m pushworld.learned.training make base/train all/train -o examples
    python -m pushworld.learned.training make generated/all rooms --puzzles 5000 --workers 8 -o examples
    python -m pushworld.learned.training train examples/*.npz -o runs/learned --seconds 600 --config '{"steps": 0}'
    python -m pushworld.learned.training solve halls --agent runs/learned/weights.npz -o own

`make` writes examples in shards of 50 puzzles; the same command again makes the missing shards.
`train` writes its settings, a checkpoint, a row of metrics for every report, and the network as
`weights.npz` to its folder; the same command again continues from the checkpoint, and with more steps
it extends the training. It needs the packages of the extra ``jax``. `solve` writes the puzzles that
the planner solves itself, with their plans, to a folder that `make` reads: expert iteration.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import time
from collections.abc import Iterable, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from pushworld.datasets.journal import locked_folder, replaced
from pushworld.learned.agents import DEFAULT_AGENT
from pushworld.learned.network import Network
from pushworld.learned.training.examples import Examples
from pushworld.learned.training.labels import LabelSettings
from pushworld.learned.training.own_plans import OwnPlans, solve_shards
from pushworld.learned.training.shards import make_shards, shards_of, source_of
from pushworld.puzzle import PushWorldError
from pushworld.rl import require_jax
from pushworld.rl.runs.interrupts import StopRequest, exit_code_of, run_program
from pushworld.rl.runs.metrics import METRICS_FILE, MetricsFile

if TYPE_CHECKING:
    from pushworld.learned.training.training import Losses, Training, TrainingConfig

COUNTS = {
    "max_side": "skip puzzles with a longer side",
    "max_states": "puzzles with at most this many states are solved completely",
    "planner_states": "states of the planner for larger puzzles",
    "starts": "states that the planner starts from in a larger puzzle",
    "count": "examples of each puzzle",
}
"""The settings of `make` that are numbers, with their help."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command that the arguments name, and returns an exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m pushworld.learned.training",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    make = commands.add_parser("make", help="label puzzles and write examples")
    _add_sources(make, "the folder of examples")
    for name, text in COUNTS.items():
        make.add_argument(
            f"--{name.replace('_', '-')}",
            type=_positive,
            default=getattr(LabelSettings, name),
            help=f"{text} (default: {getattr(LabelSettings, name) or 'no limit'})",
        )
    make.add_argument(
        "--time-limit",
        type=float,
        default=LabelSettings.time_limit,
        help="seconds of the planner for larger puzzles (default: %(default)s)",
    )
    make.add_argument("--seconds", type=float, default=math.inf, help="stop after this time")
    make.set_defaults(run=_make)
    own = commands.add_parser("solve", help="solve puzzles with the learned planner, to learn from")
    _add_sources(own, "the folder of puzzles")
    own.add_argument("--agent", default=DEFAULT_AGENT, help="a name, or a weights.npz")
    own.add_argument(
        "--time-limit", type=float, default=60.0, help="seconds (default: %(default)s)"
    )
    own.add_argument("--max-states", type=_positive, default=1_000_000, help="of each search")
    own.set_defaults(run=_solve)
    train = commands.add_parser("train", help="train the network on examples")
    train.add_argument("examples", type=Path, nargs="+", help="files of examples")
    train.add_argument("--check", type=Path, nargs="*", default=[], help="files for validation")
    train.add_argument("--output", "-o", type=Path, required=True, help="the folder of the run")
    train.add_argument("--from", dest="start", type=Path, help="start from these weights")
    train.add_argument("--config", help="the settings of the run, as JSON")
    train.add_argument("--seconds", type=float, default=math.inf, help="stop after this time")
    train.add_argument(
        "--remaining-seconds",
        type=float,
        default=0.0,
        help="training time of later calls, for the learning rate schedule if steps is 0",
    )
    train.set_defaults(run=_train)
    chosen = parser.parse_args(arguments)
    return exit_code_of(lambda: chosen.run(chosen))


def _add_sources(parser: argparse.ArgumentParser, output: str) -> None:
    """Adds the arguments that say which puzzles to take, and where to write."""
    parser.add_argument(
        "sets",
        nargs="+",
        help="a set, a folder (with plans, if it has a journal), generated/SET for new Level 0 "
        "puzzles, rooms for new rooms, or halls and large-halls with more tools",
    )
    parser.add_argument("--output", "-o", type=Path, required=True, help=output)
    parser.add_argument("--store", type=Path, help="a folder with level0.zip, level1, ...")
    parser.add_argument("--workers", type=_positive, default=1, help="processes (default: 1)")
    parser.add_argument(
        "--puzzles", type=_positive, help="puzzles of each set (default: all, or 1000 new ones)"
    )
    parser.add_argument(
        "--without",
        nargs="*",
        default=[],
        metavar="SET",
        help="leave out the puzzles of these sets",
    )


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} is too small: the least is 1")
    return number


def _make(arguments: argparse.Namespace) -> None:
    started = time.monotonic()
    settings = LabelSettings(
        count=arguments.count,
        max_states=arguments.max_states,
        time_limit=arguments.time_limit,
        planner_states=arguments.planner_states,
        starts=arguments.starts,
        max_side=arguments.max_side,
    )
    without = tuple(arguments.without)
    sets = [shards_of(name, arguments.puzzles, arguments.store, without) for name in arguments.sets]
    examples = puzzles = 0
    for shard, count in make_shards(
        sets, arguments.output, settings, arguments.workers, arguments.seconds
    ):
        examples, puzzles = examples + count, puzzles + shard.puzzles
        seconds = time.monotonic() - started
        print(f"{shard.name} {shard.first}: {count}, {seconds:.0f} s", file=sys.stderr, flush=True)
    print(f"{arguments.output}: {examples} examples of {puzzles} puzzles")


def _solve(arguments: argparse.Namespace) -> None:
    shards = [
        shard
        for name in arguments.sets
        for shard in shards_of(name, arguments.puzzles, arguments.store, tuple(arguments.without))
    ]
    settings = OwnPlans(arguments.agent, arguments.time_limit, arguments.max_states)
    solved = total = 0
    for name, is_solved in solve_shards(shards, arguments.output, settings, arguments.workers):
        solved, total = solved + is_solved, total + 1
        print(f"{name}: {'solved' if is_solved else 'no plan'}", file=sys.stderr, flush=True)
    print(f"{arguments.output}: {solved} of {total} more puzzles solved")


def _train(arguments: argparse.Namespace) -> None:
    require_jax()
    with locked_folder(arguments.output):
        _train_in_folder(arguments)


def _train_in_folder(arguments: argparse.Namespace) -> None:
    from msgspec.structs import asdict

    from pushworld.learned.training.training import LOSSES, Training, TrainingConfig

    started, started_cpu = time.monotonic(), time.process_time()
    folder: Path = arguments.output
    settings, checkpoint = folder / "config.json", folder / "checkpoint.npz"
    if checkpoint.exists():
        found = _config(settings.read_text(encoding="utf-8"), str(settings))
        config = _chosen_config(arguments, found)
        wanted = asdict(config) | {"steps": found.steps}  # more steps extend the training
        others = [f"{name} {old}" for name, old in asdict(found).items() if old != wanted[name]]
        if others:
            raise PushWorldError(
                f"{folder} holds a training with other settings ({', '.join(others)}): name another "
                "folder, or leave out --config and --from"
            )
        training = Training.resume(config, checkpoint)
    else:
        config = _chosen_config(arguments, TrainingConfig())
        training = Training.start(
            config, Network.load(Path(config.start)) if config.start else None
        )
    with replaced(settings) as file:
        file.write_text(json.dumps(asdict(config), indent=1) + "\n", encoding="utf-8")
    sources: dict[str, list[Examples]] = {}
    for path in arguments.examples:
        sources.setdefault(source_of(path), []).append(Examples.load(path))
    validation = _by_side(Examples.load(path) for path in arguments.check)
    left = arguments.seconds - (time.monotonic() - started)

    def report(step: int, losses: Losses) -> None:
        spent = {
            "step": step,
            "progress": round(training.progress, 4),
            "seconds": round(time.monotonic() - started, 1),
            "cpu_seconds": round(time.process_time() - started_cpu, 1),
        }
        metrics.write(spent | losses)
        print(spent | {name: round(each, 4) for name, each in losses.items()}, flush=True)
        _save(training, folder)

    checks = [f"check_{name}" for name in LOSSES]
    columns = ["step", "progress", "seconds", "cpu_seconds", *LOSSES, *checks]
    with (
        closing(MetricsFile(folder / METRICS_FILE, training.step, columns)) as metrics,
        closing(StopRequest()) as stop,
    ):
        stop.listen()
        training.run(
            sources,
            seconds=left,
            remaining_seconds=arguments.remaining_seconds,
            validation=validation,
            report=report,
            stop=lambda: stop.received,
        )
        _save(training, folder)
        if stop.received:
            raise KeyboardInterrupt
    done = f"{training.step} steps, {training.progress:.0%} of the training"
    print(f"{folder}: {done}, weights.npz")


def _by_side(parts: Iterable[Examples]) -> list[Examples]:
    """Returns the examples of each padded size."""
    by_side: dict[int, list[Examples]] = {}
    for part in parts:
        by_side.setdefault(part.side, []).append(part)
    return [Examples.join(several) for several in by_side.values()]


def _chosen_config(arguments: argparse.Namespace, default: TrainingConfig) -> TrainingConfig:
    """Returns the settings of ``--config`` and ``--from``, or the default if they are not given."""
    from msgspec.structs import replace

    config = default if arguments.config is None else _config(arguments.config, "--config")
    return config if arguments.start is None else replace(config, start=str(arguments.start))


def _config(text: str, name: str) -> TrainingConfig:
    from pushworld.learned.training.training import TrainingConfig
    from pushworld.rl.config import ConfigError, convert_settings

    try:
        return convert_settings(TrainingConfig, json.loads(text))
    except (ConfigError, ValueError) as error:
        raise PushWorldError(f"{name} must be settings as JSON: {error}") from error


def _save(training: Training, folder: Path) -> None:
    training.save(folder / "checkpoint.npz")
    with replaced(folder / "weights.npz") as file:
        training.network.save(file)


if __name__ == "__main__":
    run_program(main)
