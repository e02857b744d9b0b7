"""A training run: rounds of compiled iterations, with metrics, evaluations and checkpoints."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from time import perf_counter

import jax
import msgspec
import numpy as np

from pushworld.datasets import Store, load_set
from pushworld.datasets.journal import locked_folder
from pushworld.envs.jax import EnvParams, pack
from pushworld.puzzle import Puzzle
from pushworld.rl.algorithms.devices import ONE_DEVICE, REPLICATED, Devices
from pushworld.rl.algorithms.learner import (
    COUNTS,
    Metrics,
    compile_iterations,
    initial_training_state,
)
from pushworld.rl.algorithms.networks import observation_of
from pushworld.rl.config import AGENT_FILE, RunConfig
from pushworld.rl.evaluation.agents import Agent, make_learner, save_agent
from pushworld.rl.evaluation.solve_rates import evaluate
from pushworld.rl.runs.checkpoints import CheckpointError, Checkpoints, RunProgress
from pushworld.rl.runs.interrupts import StopRequest
from pushworld.rl.runs.metrics import METRICS_FILE, EventsFile, MetricsFile

CONFIG_FILE = "config.json"
CHECKPOINTS_FOLDER = "checkpoints"
EVENTS_FOLDER = "events"
PUZZLES_FILE = "puzzles.sha256"

Report = Mapping[str, float]
"""A row of metrics."""


@dataclass(frozen=True)
class RunPuzzles:
    """The puzzles of a run, packed together so that both sets have grids of the same size.

    Attributes:
        params: all packed puzzles, those of the training set first.
        train_params: the same arrays, but episodes start with puzzles of the training set only.
        train, test: the indices of the puzzles that evaluations play.
        digest: a hash of the puzzles.
    """

    params: EnvParams
    train_params: EnvParams
    train: Sequence[int]
    test: Sequence[int]
    digest: str

    @classmethod
    def of_puzzles(
        cls, config: RunConfig, train: Sequence[Puzzle], test: Sequence[Puzzle]
    ) -> RunPuzzles:
        """Returns the puzzles of a run, from the puzzles of both sets."""
        params = pack(
            [*train, *test],
            max_steps=config.max_steps,
            symmetries=config.symmetries,
            random_placement=config.random_placement,
            observation=observation_of(config.network),
        )
        train_params = replace(
            params,
            first_variant=params.first_variant[: len(train)],
            variant_count=params.variant_count[: len(train)],
        )
        indices = np.arange(len(train) + len(test))
        rng = np.random.default_rng(0)
        chosen_train, chosen_test = (
            np.sort(rng.permutation(part)[: config.evaluation_puzzles]).tolist()
            for part in (indices[: len(train)], indices[len(train) :])
        )
        texts = [[puzzle.to_pwp() for puzzle in part] for part in (train, test)]
        digest = sha256(json.dumps(texts).encode()).hexdigest()
        return cls(params, train_params, chosen_train, chosen_test, digest)

    @classmethod
    def of_sets(cls, config: RunConfig, store: Store | None = None) -> RunPuzzles:
        """Returns the puzzles of a run, from the sets that its configuration names."""
        test = load_set(config.test, store) if config.test else []
        return cls.of_puzzles(config, load_set(config.train, store), test)


def train(
    config: RunConfig,
    folder: Path,
    puzzles: RunPuzzles,
    seconds: float | None = None,
    show: Callable[[Report], None] = lambda report: None,
) -> Report:
    """Trains until all steps are done or the time is over, and returns the last row of metrics.

    `seconds` limits this call; the round in which they run out is the last. The folder gets the
    configuration, metrics, checkpoints and the agent. If it has them already, the run continues
    from its last checkpoint as if it had never stopped.

    Raises:
        CheckpointError: if the folder holds another run, or a checkpoint that cannot be read.
        ConfigError: if a setting is out of range.
        DataError: if another process trains in the folder, or it cannot be written.
        DivergedError: if a loss is not finite.
        KeyboardInterrupt: after the round in which the user interrupted it, with a checkpoint; at
            once if interrupted again.
    """
    config = RunConfig.from_dict(config.to_dict())
    with (
        locked_folder(folder),
        closing(_Run(config, folder, puzzles)) as run,
        closing(StopRequest()) as stop,
    ):
        started, before = perf_counter(), run.progress.seconds
        report: Report = {}
        while run.progress.steps < config.steps:
            if seconds is not None and perf_counter() - started >= seconds:
                break
            report = run.next_round(lambda: before + perf_counter() - started)
            show(report)
            if stop.received:
                run.save()
                raise KeyboardInterrupt
            stop.listen()
        last = run.finish(report)
        if last is not report:
            show(last)
    return last


class _Run:
    """The state of a run between two rounds, and its open files."""

    def __init__(self, config: RunConfig, folder: Path, puzzles: RunPuzzles) -> None:
        self.config, self.folder, self.puzzles = config, folder, puzzles
        self.checkpoints = Checkpoints(folder / CHECKPOINTS_FOLDER)
        _claim_folder(folder, config, puzzles, has_checkpoint=self.checkpoints.latest() is not None)
        devices = Devices.available(config.devices)
        self.learner = make_learner(config, devices)
        self.train_params = devices.place(puzzles.train_params, REPLICATED)
        init_key, self.evaluation_key = jax.random.split(jax.random.key(config.seed))
        self.state = initial_training_state(self.learner, init_key, self.train_params)
        self.progress = RunProgress()
        restored = self.checkpoints.restore(self.state)
        if restored is not None:
            self.state, self.progress = restored
        self.metrics = MetricsFile(folder / METRICS_FILE, self.progress.steps)
        self.events = EventsFile(folder / EVENTS_FOLDER, self.progress.steps)
        self.iterations = -(-config.log_every // self.learner.steps_per_iteration)
        self.iterate = compile_iterations(self.learner, self.iterations)

    def next_round(self, clock: Callable[[], float]) -> Report:
        """Trains for `log_every` steps, evaluates and saves if due, and returns the row of metrics."""
        before, started = self.progress, clock()
        self.state, sums = self.iterate(self.state, self.train_params)
        report = _averages(jax.device_get(sums), self.iterations)
        trained = clock()
        steps = before.steps + int(report["steps"])
        rate = report["steps"] / (trained - started)
        report |= {"steps": steps, "steps_per_second": rate}
        if _passed(self.config.evaluate_every, before.steps, steps):
            report |= self.evaluate()
        self.progress = RunProgress(steps, clock(), before.reports + 1)
        report["seconds"] = self.progress.seconds
        self.write(report)
        if _passed(self.config.checkpoint_every, before.steps, steps):
            self.save()
        return report

    def evaluate(self) -> dict[str, float]:
        """Returns the solve rates on both sets, with the best and with sampled actions."""
        puzzles, report = self.puzzles, {}
        weights = ONE_DEVICE.place(self.state.weights, REPLICATED)
        for kind, exploring in (("greedy", False), ("sampled", True)):
            evaluation = evaluate(
                self.learner,
                weights,
                self.evaluation_key,
                puzzles.params,
                [*puzzles.train, *puzzles.test],
                exploring,
            )
            report[f"train_{kind}"] = evaluation.of(puzzles.train).rate
            if puzzles.test:
                report[f"test_{kind}"] = evaluation.of(puzzles.test).rate
        return report

    def write(self, report: Report) -> None:
        """Writes a row of metrics."""
        self.metrics.write(report)
        self.events.write(report)

    def save(self) -> None:
        """Writes a checkpoint and the agent, unless the last round did."""
        if self.checkpoints.latest() == self.progress.reports:
            return
        frame = self.puzzles.params.frame
        agent = Agent(
            config=self.config,
            width=frame.width,
            height=frame.height,
            goals=frame.goals,
            steps=self.progress.steps,
            weights=jax.device_get(self.state.weights),
        )
        # Before the checkpoint: a run that has this checkpoint does not save again.
        save_agent(self.folder / AGENT_FILE, agent)
        self.checkpoints.save(self.state, self.progress)

    def finish(self, report: Report) -> Report:
        """Evaluates unless the last round did, saves, and returns the last row of metrics."""
        if "train_greedy" not in report:
            progress = {"steps": self.progress.steps, "seconds": self.progress.seconds}
            report = progress | self.evaluate()
            # A run that was killed after its last checkpoint may lack this row, or have it already.
            if "train_greedy" not in self.metrics.last:
                self.write(report)
        self.save()
        return report

    def close(self) -> None:
        self.metrics.close()
        self.events.close()
        self.checkpoints.close()


def _claim_folder(
    folder: Path, config: RunConfig, puzzles: RunPuzzles, has_checkpoint: bool
) -> None:
    """Writes configuration and digest into the folder; raises CheckpointError if it holds another run.

    The number of steps may differ: a run can be extended.
    """
    path, digest = folder / CONFIG_FILE, folder / PUZZLES_FILE
    if has_checkpoint and path.exists():
        found = msgspec.structs.replace(RunConfig.load(path), steps=config.steps)
        others = ", ".join(f"{name} {value}" for name, value in found.differences(config).items())
        if others:
            raise CheckpointError(
                f"{folder} holds a run with another configuration ({others}): choose another "
                f"folder, or train with {path}"
            )
    if (
        has_checkpoint
        and digest.exists()
        and digest.read_text(encoding="utf-8").strip() != puzzles.digest
    ):
        raise CheckpointError(
            f"{folder} holds a run with other puzzles of the same names: choose another folder, or "
            "restore the puzzles"
        )
    config.save(path)
    digest.write_text(f"{puzzles.digest}\n", encoding="utf-8")


def _averages(sums: Metrics, iterations: int) -> dict[str, float]:
    """Returns the metrics of several iterations as counts, and as means over iterations or episodes."""
    values = {key: float(value) for key, value in sums.items()}
    episodes = values["episodes"]
    report = {
        "steps": values["steps"],
        "episodes": episodes,
        **{key: values[key] / iterations for key in values if key not in COUNTS},
    }
    if episodes:
        report["solve_rate"] = values["solved"] / episodes
        report["return"] = values["return"] / episodes
        report["length"] = values["length"] / episodes
    return report


def _passed(every: int, before: int, after: int) -> bool:
    """Returns whether a multiple of `every` is after one count and not after the other."""
    return before // every != after // every
