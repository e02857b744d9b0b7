"""A training run: rounds of compiled iterations, with metrics, evaluations and checkpoints."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import fields, replace
from datetime import timedelta
from pathlib import Path
from time import perf_counter
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from pushworld.files import locked_folder
from pushworld.rl.algorithms.devices import ONE_DEVICE, REPLICATED, Devices, has_accelerator
from pushworld.rl.algorithms.learner import (
    Weights,
    compile_iterations,
    initial_training_state,
    over_seeds,
)
from pushworld.rl.config import AGENT_FILE, RunConfig
from pushworld.rl.evaluation.agents import (
    Agent,
    AgentError,
    load_agent,
    make_learner,
    save_agent,
)
from pushworld.rl.evaluation.solve_rates import evaluate
from pushworld.rl.runs.checkpoints import Checkpoints, RunProgress, claim_folder
from pushworld.rl.runs.duration import estimated_seconds, share_of_speed
from pushworld.rl.runs.interrupts import StopRequest
from pushworld.rl.runs.metrics import (
    METRICS_FILE,
    EventsFile,
    MetricsFile,
    Report,
    averages,
    means,
)
from pushworld.rl.runs.puzzles import RunPuzzles

CHECKPOINTS_FOLDER = "checkpoints"
EVENTS_FOLDER = "events"

SAVE_SECONDS = 300.0
"""The time after which a round ends with a checkpoint, however few steps it had."""

CPU_STEPS = 2048
"""About how many steps a program takes on a CPU, where a round may take an hour."""

LONG_SECONDS = 3600.0
"""How long a run must take to be told of it."""


def train(
    config: RunConfig,
    folder: Path,
    puzzles: RunPuzzles,
    seconds: float | None = None,
    show: Callable[[Report], None] = lambda report: None,
    warn: Callable[[str], None] = lambda message: None,
    advance: Callable[[float], None] = lambda steps: None,
) -> Report:
    """Trains until all steps are done or the time is over, and returns the last report.

    `seconds` limits this call; the round in which they run out is the last. The folder gets the
    configuration, metrics, checkpoints and the agent. If it has them already, the run continues
    from its last checkpoint as if it had never stopped. `show` gets each report, `warn` a line on
    puzzles that are left out, on a run that takes long or on its speed, and `advance` the steps so far.

    Raises:
        CheckpointError: if the folder holds another run, or a checkpoint that cannot be read.
        ConfigError: if a setting is out of range.
        PushWorldError: if another process trains in the folder, or it cannot be written.
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
        if run.left_out:
            warn(
                f"{run.left_out:,} of {puzzles.train_params.puzzles:,} training puzzles have more than "
                f"{config.imitation.max_states:,} states (imitation.max_states), and are left out"
            )
        left = run.estimated_seconds()
        if left > LONG_SECONDS:
            warn(
                f"without a GPU this run takes about {timedelta(minutes=round(left / 60))} with its "
                f"network {config.network.kind}: choose fewer steps"
            )
        started, before = perf_counter(), run.progress.seconds
        rows: list[dict[str, float]] = []
        while min(run.progress.steps) < config.steps:
            if seconds is not None and perf_counter() - started >= seconds:
                break
            rows = run.next_round(lambda: before + perf_counter() - started, advance)
            show(means(rows))
            if has_accelerator() and run.progress.reports == 2:  # the first compiled
                rate = means(rows)["steps_per_second"]
                warn(share_of_speed(config, puzzles.train_params, rate))
            if stop.received:
                run.save()
                raise KeyboardInterrupt
            stop.listen()
        last = run.finish(rows)
        if last is not rows:
            show(means(last))
    return means(last)


class _Run:
    """The state of a run between two rounds, and its open files."""

    def __init__(self, config: RunConfig, folder: Path, puzzles: RunPuzzles) -> None:
        self.config, self.folder, self.puzzles = config, folder, puzzles
        self.checkpoints = Checkpoints(folder / CHECKPOINTS_FOLDER)
        claim_folder(folder, config, puzzles.digest, self.checkpoints.latest() is not None)
        devices = Devices.available(config.devices)
        self.learner = make_learner(config, devices)
        learners = over_seeds(self.learner)
        self.train_params = devices.place(self.learner.prepare(puzzles.train_params), REPLICATED)
        self.left_out = puzzles.train_params.puzzles - self.train_params.puzzles
        keys = jnp.stack([jax.random.split(jax.random.key(seed)) for seed in config.all_seeds])
        self.evaluation_keys = keys[:, 1]
        self.state = initial_training_state(learners, keys[:, 0], self.train_params)
        self.progress = RunProgress(steps=(0,) * len(config.all_seeds))
        restored = self.checkpoints.restore(self.state)
        if restored is not None:
            self.state, self.progress = restored
        elif config.start_from is not None:
            self._start_from(config.start_from)
        steps = dict(zip(config.all_seeds, self.progress.steps, strict=True))
        self.metrics = MetricsFile(folder / METRICS_FILE, steps)
        self.events = [
            EventsFile(folder / EVENTS_FOLDER / self._of_seed(seed), done)
            for seed, done in steps.items()
        ]
        every = min(config.log_every, config.steps)
        steps_each = self.learner.steps_per_iteration
        self.stride = -(-(every if has_accelerator() else min(every, CPU_STEPS)) // steps_each)
        self.programs = -(-every // (self.stride * steps_each))
        self.iterate = compile_iterations(learners, self.stride)
        self.saved = self.progress.seconds

    def _start_from(self, name: str) -> None:
        """Gives each seed the weights of an agent; raises AgentError if they do not fit."""
        state = self.state
        paths = [name.replace("{seed}", str(seed)) for seed in self.config.all_seeds]
        agents = [load_agent(Path(path)) for path in paths]
        shapes = jax.tree.map(lambda leaf: leaf.shape[1:], state.weights)
        for path, agent in zip(paths, agents, strict=True):
            if jax.tree.map(lambda leaf: leaf.shape, agent.weights) != shapes:
                raise AgentError(
                    f"start_from: the agent {path}, trained by {agent.config.algorithm}, has another "
                    f"network than this run of {self.config.algorithm}"
                )
        copies = [
            each.name for each in fields(state) if each.name in ("weights", "online", "target")
        ]
        self.state = replace(
            state,
            **{
                name: jax.tree.map(
                    lambda old, *new: jax.device_put(jnp.stack(new), old.sharding),
                    getattr(state, name),
                    *(agent.weights for agent in agents),
                )
                for name in copies
            },
        )

    def _of_seed(self, seed: int, before: str = "") -> str:
        """Returns the part of a name that tells the files of several seeds apart."""
        return f"{before}{seed}" if len(self.config.all_seeds) > 1 else ""

    def estimated_seconds(self) -> float:
        """Returns about how long the rest of the run takes on a CPU."""
        left = max(0, self.config.steps - min(self.progress.steps))
        weights, params = self._weights(0), self.puzzles.train_params
        return estimated_seconds(self.config, self.learner, weights, params, left)

    def next_round(
        self, clock: Callable[[], float], advance: Callable[[float], None]
    ) -> list[dict[str, float]]:
        """Trains for `log_every` steps, evaluates and saves if due, and returns the rows of metrics."""
        before, started = self.progress, clock()
        sums: dict[str, Any] = {}
        for _ in range(self.programs):
            self.state, part = self.iterate(self.state, self.train_params)
            for name, value in jax.device_get(part).items():
                sums[name] = sums.get(name, 0) + value.astype(np.float64)
            advance(float(np.add(before.steps, sums["steps"]).mean()))
        trained, iterations = clock(), self.stride * self.programs
        rows = []
        for number, (seed, steps) in enumerate(
            zip(self.config.all_seeds, before.steps, strict=True)
        ):
            row = averages({name: each[number] for name, each in sums.items()}, iterations)
            rate = row["steps"] / (trained - started)
            row |= {"steps": steps + row["steps"], "seed": seed, "steps_per_second": rate}
            rows.append(row)
        steps_done = tuple(int(row["steps"]) for row in rows)
        if self._is_due(self.config.evaluate_every, before.steps, steps_done):
            for row, rates in zip(rows, self.evaluate(), strict=True):
                row |= rates
        self.progress = RunProgress(steps_done, clock(), before.reports + 1)
        for row in rows:
            row["seconds"] = self.progress.seconds
        self.write(rows)
        late = self.progress.seconds - self.saved >= SAVE_SECONDS
        if late or self._is_due(self.config.checkpoint_every, before.steps, steps_done):
            self.save()
        return rows

    @staticmethod
    def _is_due(every: int, before: Sequence[int], after: Sequence[int]) -> bool:
        """Returns whether the seed with the fewest steps has passed a multiple of `every`."""
        return min(before) // every != min(after) // every

    def evaluate(self) -> list[dict[str, float]]:
        """Returns each seed's solve rates on both sets, with the best and with sampled actions."""
        puzzles, reports = self.puzzles, []
        for number, key in enumerate(self.evaluation_keys):
            weights = ONE_DEVICE.place(self._weights(number), REPLICATED)
            report = {}
            for kind, exploring in (("greedy", False), ("sampled", True)):
                evaluation = evaluate(
                    self.learner,
                    weights,
                    key,
                    puzzles.params,
                    [*puzzles.train, *puzzles.test],
                    exploring,
                )
                for part, numbers, share in zip(
                    ("train", "test"), (puzzles.train, puzzles.test), puzzles.played, strict=True
                ):
                    if numbers:
                        report[f"{part}_{kind}"] = share * evaluation.of(numbers).rate
            reports.append(report)
        return reports

    def _weights(self, number: int) -> Weights:
        """Returns the network of the seed with this number."""
        return jax.tree.map(lambda leaf: leaf[number], self.state.weights)

    def write(self, rows: Sequence[Report]) -> None:
        """Writes rows of metrics, one for each seed."""
        self.metrics.write(*rows)
        for events, row in zip(self.events, rows, strict=True):
            events.write(row)

    def save(self) -> None:
        """Writes a checkpoint and the agents, unless the last round did."""
        if self.checkpoints.latest() == self.progress.reports:
            return
        frame = self.puzzles.params.frame
        agent = Path(AGENT_FILE)
        # Before the checkpoint: a run that has this checkpoint does not save again.
        for number, seed in enumerate(self.config.all_seeds):
            save_agent(
                self.folder / f"{agent.stem}{self._of_seed(seed, '-')}{agent.suffix}",
                Agent(
                    config=self.config.of_seed(seed),
                    width=frame.width,
                    height=frame.height,
                    goals=frame.goals,
                    steps=self.progress.steps[number],
                    weights=jax.device_get(self._weights(number)),
                    objects=self.puzzles.params.slots if self.config.network.objects else None,
                ),
            )
        self.checkpoints.save(self.state, self.progress)
        self.saved = self.progress.seconds

    def finish(self, rows: list[dict[str, float]]) -> list[dict[str, float]]:
        """Saves, evaluates unless the last round did, and returns the last rows of metrics."""
        self.save()
        if not rows or "train_greedy" not in rows[-1]:
            seeds = zip(self.config.all_seeds, self.progress.steps, self.evaluate(), strict=True)
            seconds = self.progress.seconds
            rows = [
                {"steps": steps, "seed": seed, "seconds": seconds, **rates}
                for seed, steps, rates in seeds
            ]
            # A run that was killed after its last checkpoint may lack these rows, or have them already.
            if "train_greedy" not in self.metrics.last:
                self.write(rows)
        return rows

    def close(self) -> None:
        for events in self.events:
            events.close()
        self.checkpoints.close()
