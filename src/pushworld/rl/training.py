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
import numpy as np

from pushworld.datasets import Store, load_set
from pushworld.datasets.journal import locked_folder
from pushworld.envs.jax import EnvParams, pack
from pushworld.puzzle import Puzzle
from pushworld.rl.checkpoints import Agent, CheckpointError, Checkpoints, Progress, save_agent
from pushworld.rl.config import RunConfig
from pushworld.rl.devices import ONE, SAME, Devices
from pushworld.rl.dqn import make_dqn
from pushworld.rl.evaluation import evaluate
from pushworld.rl.events import EventsFile
from pushworld.rl.learner import COUNTS, Learner, Metrics, advance, begun
from pushworld.rl.metrics import METRICS_FILE, MetricsFile
from pushworld.rl.networks import observation_of
from pushworld.rl.ppo import make_ppo
from pushworld.rl.stopping import StopRequest

CONFIG_FILE = "config.json"
AGENT_FILE = "agent.zip"
CHECKPOINTS_FOLDER = "checkpoints"
EVENTS_FOLDER = "events"

PUZZLES_FILE = "puzzles.sha256"

Report = Mapping[str, float]
"""A row of metrics."""


def make_learner(config: RunConfig, devices: Devices = ONE) -> Learner:
    """Returns the algorithm of a run; raises ConfigError if the devices cannot share its work."""
    if config.algorithm == "dqn":
        return make_dqn(config.network, config.dqn, devices)
    return make_ppo(config.network, config.ppo, devices)


@dataclass(frozen=True)
class World:
    """The puzzles of a run, packed together so that training and test set look alike.

    Attributes:
        everything: all puzzles, those of the training set first.
        training: the same arrays, of which episodes use the training set only.
        train, test: the numbers of the puzzles that evaluations play.
        digest: by which worlds of other puzzles are told apart.
    """

    everything: EnvParams
    training: EnvParams
    train: Sequence[int]
    test: Sequence[int]
    digest: str

    @classmethod
    def of_puzzles(
        cls, config: RunConfig, train: Sequence[Puzzle], test: Sequence[Puzzle]
    ) -> World:
        """Returns the world of a run with these puzzles."""
        everything = pack(
            [*train, *test],
            max_steps=config.max_steps,
            symmetries=config.symmetries,
            random_placement=config.random_placement,
            observation=observation_of(config.network),
        )
        training = replace(
            everything,
            first_variant=everything.first_variant[: len(train)],
            variant_count=everything.variant_count[: len(train)],
        )
        numbers = np.arange(len(train) + len(test))
        rng = np.random.default_rng(0)
        chosen_train, chosen_test = (
            np.sort(rng.permutation(part)[: config.evaluation_puzzles]).tolist()
            for part in (numbers[: len(train)], numbers[len(train) :])
        )
        texts = [[puzzle.to_pwp() for puzzle in part] for part in (train, test)]
        digest = sha256(json.dumps(texts).encode()).hexdigest()
        return cls(everything, training, chosen_train, chosen_test, digest)

    @classmethod
    def of_sets(cls, config: RunConfig, store: Store | None = None) -> World:
        """Returns the world of a run with the sets that it names."""
        test = load_set(config.test, store) if config.test else []
        return cls.of_puzzles(config, load_set(config.train, store), test)


def train(
    config: RunConfig,
    folder: Path,
    world: World,
    seconds: float | None = None,
    show: Callable[[Report], None] = lambda report: None,
) -> Report:
    """Trains until the steps or the seconds are used up, and returns the last row of metrics.

    The seconds are those of this call, and end after the round that they run out in. The folder
    gets the configuration, metrics, checkpoints and the agent. If it has them from before, the run
    goes on from its last checkpoint as if it had never stopped.

    Raises:
        CheckpointError: if the folder holds another run, or a checkpoint that cannot be read.
        DataError: if another process trains there, or the folder cannot be written.
        DivergedError: if a loss is no number any more.
        KeyboardInterrupt: after the round in which the user asked for it, with a checkpoint; or at
            once if asked again.
    """
    with (
        locked_folder(folder),
        closing(_Run(config, folder, world)) as run,
        closing(StopRequest()) as stop,
    ):
        started, before = perf_counter(), run.progress.seconds
        report: Report = {}
        while run.progress.steps < config.steps:
            if seconds is not None and perf_counter() - started >= seconds:
                break
            report = run.next_round(lambda: before + perf_counter() - started)
            show(report)
            if stop.asked:
                run.save()
                raise KeyboardInterrupt
            stop.listen()
        last = run.finish(report)
        if last is not report:
            show(last)
    return last


class _Run:
    """A run in the middle of its work."""

    def __init__(self, config: RunConfig, folder: Path, world: World) -> None:
        self.config, self.folder, self.world = config, folder, world
        self.checkpoints = Checkpoints(folder / CHECKPOINTS_FOLDER)
        _claim(folder, config, world, begun=self.checkpoints.latest() is not None)
        devices = Devices.of(config.devices)
        self.learner = make_learner(config, devices)
        self.training = devices.place(world.training, SAME)
        begin_key, self.evaluation_key = jax.random.split(jax.random.key(config.seed))
        self.state = begun(self.learner, begin_key, self.training)
        self.progress = Progress()
        restored = self.checkpoints.restore(self.state)
        if restored is not None:
            self.state, self.progress = restored
        self.metrics = MetricsFile(folder / METRICS_FILE, self.progress.steps)
        self.events = EventsFile(folder / EVENTS_FOLDER, self.progress.steps)
        self.iterations = -(-config.log_every // self.learner.steps_per_iteration)
        self.advance = advance(self.learner, self.iterations)

    def next_round(self, clock: Callable[[], float]) -> Report:
        """Trains for `log_every` steps, and evaluates and saves where that is due."""
        before, started = self.progress, clock()
        self.state, sums = self.advance(self.state, self.training)
        report = _averages(jax.device_get(sums), self.iterations)
        trained = clock()
        steps = before.steps + int(report["steps"])
        rate = report["steps"] / (trained - started)
        report |= {"steps": steps, "steps_per_second": rate}
        if _passed(self.config.evaluate_every, before.steps, steps):
            report |= self.evaluate()
        self.progress = Progress(steps, clock(), before.reports + 1)
        report["seconds"] = self.progress.seconds
        self.write(report)
        if _passed(self.config.checkpoint_every, before.steps, steps):
            self.save()
        return report

    def evaluate(self) -> dict[str, float]:
        """Returns the solve rates on both sets, with the best and with sampled actions."""
        world, report = self.world, {}
        weights = ONE.place(self.state.weights, SAME)
        for manner, exploring in (("greedy", False), ("sampled", True)):
            evaluation = evaluate(
                self.learner,
                weights,
                self.evaluation_key,
                world.everything,
                [*world.train, *world.test],
                exploring,
            )
            report[f"train_{manner}"] = evaluation.of(world.train).rate
            if world.test:
                report[f"test_{manner}"] = evaluation.of(world.test).rate
        return report

    def write(self, report: Report) -> None:
        """Writes a row of metrics."""
        self.metrics.write(report)
        self.events.write(report)

    def save(self) -> None:
        """Writes a checkpoint and the agent, unless that was just done."""
        if self.checkpoints.latest() == self.progress.reports:
            return
        frame = self.world.everything.frame
        agent = Agent(
            config=self.config,
            width=frame.width,
            height=frame.height,
            goals=frame.goals,
            steps=self.progress.steps,
            weights=jax.device_get(self.state.weights),
        )
        # Before the checkpoint: what is written there is not written again.
        save_agent(self.folder / AGENT_FILE, agent)
        self.checkpoints.save(self.state, self.progress)

    def finish(self, report: Report) -> Report:
        """Evaluates unless that was just done, saves, and returns the last row of metrics."""
        if "train_greedy" not in report:
            progress = {"steps": self.progress.steps, "seconds": self.progress.seconds}
            trained = bool(report)
            report = progress | self.evaluate()
            if trained:
                self.write(report)
        self.save()
        return report

    def close(self) -> None:
        self.metrics.close()
        self.events.close()
        self.checkpoints.close()


def _claim(folder: Path, config: RunConfig, world: World, begun: bool) -> None:
    """Writes what the run is into the folder, or checks that it is the one begun there.

    How long to train may differ: a run can be extended.
    """
    path, puzzles = folder / CONFIG_FILE, folder / PUZZLES_FILE
    if begun and path.exists():
        there = replace(RunConfig.load(path), steps=config.steps)
        others = ", ".join(f"{name} {value}" for name, value in there.differing(config).items())
        if others:
            raise CheckpointError(
                f"{folder} holds a run with another configuration ({others}): choose another "
                f"folder, or train with {path}"
            )
    if begun and puzzles.exists() and puzzles.read_text(encoding="utf-8").strip() != world.digest:
        raise CheckpointError(
            f"{folder} holds a run with other puzzles, which had the same names: choose another "
            "folder, or bring the puzzles back"
        )
    config.save(path)
    puzzles.write_text(f"{world.digest}\n", encoding="utf-8")


def _averages(sums: Metrics, iterations: int) -> dict[str, float]:
    """Returns the metrics of several iterations as numbers a reader understands."""
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
    """Returns whether a multiple of `every` lies between two counts."""
    return before // every != after // every
