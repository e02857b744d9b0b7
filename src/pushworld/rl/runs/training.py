"""A training run: rounds of compiled iterations, with metrics, evaluations and checkpoints."""

import operator
from collections.abc import Callable
from contextlib import closing
from dataclasses import fields, replace
from pathlib import Path
from time import perf_counter
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from numpy.typing import NDArray

from pushworld.envs.contract import NUM_ACTIONS
from pushworld.envs.jax import EnvParams, EnvState
from pushworld.files import locked_folder, make_folder, write_text
from pushworld.rl.algorithms.devices import has_accelerator, mesh_of, on_first_device, spread
from pushworld.rl.algorithms.learner import (
    compile_iterations,
    initial_training_state,
    reset_all,
    step_all,
)
from pushworld.rl.config import AGENT_FILE, ConfigError, RunConfig
from pushworld.rl.evaluation.agents import Agent, AgentError, load_agent, make_learner, save_agent
from pushworld.rl.evaluation.solve_rates import evaluate
from pushworld.rl.runs.checkpoints import CONFIG_FILE, Checkpoints, RunProgress, claim_folder
from pushworld.rl.runs.interrupts import StopRequest
from pushworld.rl.runs.metrics import (
    METRICS_FILE,
    EventsFile,
    MetricsFile,
    Report,
    averages,
    read_metrics,
)
from pushworld.rl.runs.puzzles import RunPuzzles

CHECKPOINTS_FOLDER = "checkpoints"
EVENTS_FOLDER = "events"

FAMILY_FOLDER, FIRST_OF_FAMILY = "family", 14
CARD_FILE = "card.md"
"""Where a run keeps an agent of each round that passes a power of two, from 2 ** 14 steps on, and what it says of them."""

SAVE_SECONDS = 300.0
"""The time after which a round ends with a checkpoint, however few steps it had."""

CPU_STEPS = 2048
"""About how many steps a program takes on a CPU, where a round may take an hour."""


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
    puzzles that are left out or on its speed, and `advance` the steps so far.

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
        started, before = perf_counter(), run.progress.seconds
        report: dict[str, float] = {}
        while run.progress.steps < config.steps:
            if seconds is not None and perf_counter() - started >= seconds:
                break
            report = run.next_round(lambda: before + perf_counter() - started, advance)
            show(report)
            if has_accelerator() and run.progress.reports == 2:  # the first compiled
                warn(share_of_speed(config, puzzles.train_params, report["steps_per_second"]))
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
        claim_folder(folder, config, puzzles.digest, self.checkpoints.latest() is not None)
        mesh = mesh_of(config.devices)
        environments = getattr(config, config.algorithm).environments
        if environments % mesh.size:
            raise ConfigError(
                f"{config.algorithm}.environments is {environments}: it must be a multiple of "
                f"{mesh.size} devices"
            )
        self.learner = make_learner(config)
        self.train_params = spread(self.learner.prepare(puzzles.train_params), mesh)
        self.left_out = puzzles.train_params.puzzles - self.train_params.puzzles
        key, self.evaluation_key = jax.random.split(jax.random.key(config.seed))
        self.state = spread(initial_training_state(self.learner, key, self.train_params), mesh)
        self.progress = RunProgress()
        restored = self.checkpoints.restore(self.state)
        if restored is not None:
            self.state, self.progress = restored
        elif config.start_from is not None:
            self._start_from(config.start_from)
        self.metrics = MetricsFile(folder / METRICS_FILE, self.progress.steps)
        self.events = EventsFile(folder / EVENTS_FOLDER, self.progress.steps)
        every = min(config.log_every, config.steps)
        steps_each = self.learner.steps_per_iteration
        self.stride = -(-(every if has_accelerator() else min(every, CPU_STEPS)) // steps_each)
        self.programs = -(-every // (self.stride * steps_each))
        self.iterate = compile_iterations(self.learner, self.stride, mesh)
        self.saved = self.progress.seconds

    def _start_from(self, name: str) -> None:
        """Takes the weights of an agent; raises AgentError if they do not fit."""
        state, agent = self.state, load_agent(Path(name))
        shapes = (jax.tree.map(jnp.shape, weights) for weights in (agent.weights, state.weights))
        if not operator.eq(*shapes):
            raise AgentError(
                f"start_from: the agent {name}, trained by {agent.config.algorithm}, has another "
                f"network than this run of {self.config.algorithm}"
            )
        copies = {each.name for each in fields(state)} & {"weights", "online", "target"}

        def place(old: jax.Array, new: NDArray[Any]) -> jax.Array:
            copy: jax.Array = jax.device_put(jnp.array(new), old.sharding)
            return copy

        self.state = replace(
            state,
            **{name: jax.tree.map(place, getattr(state, name), agent.weights) for name in copies},
        )

    def next_round(
        self, clock: Callable[[], float], advance: Callable[[float], None]
    ) -> dict[str, float]:
        """Trains for `log_every` steps, evaluates and saves if due, and returns a row of metrics."""
        before, started = self.progress, clock()
        sums: dict[str, Any] = {}
        for _ in range(self.programs):
            self.state, part = self.iterate(self.state, self.train_params)
            for name, value in jax.device_get(part).items():
                sums[name] = sums.get(name, 0) + value.astype(np.float64)
            advance(float(before.steps + sums["steps"]))
        trained = clock()
        report = averages(sums, self.stride * self.programs)
        report["steps_per_second"] = report["steps"] / (trained - started)
        report["steps"] += before.steps
        steps = int(report["steps"])
        if before.steps // self.config.evaluate_every != steps // self.config.evaluate_every:
            report |= self.evaluate()
        self.progress = RunProgress(steps, clock(), before.reports + 1)
        report["seconds"] = self.progress.seconds
        self.write(report)
        if before.steps.bit_length() != steps.bit_length() > FIRST_OF_FAMILY:
            self.save_agent(self.folder / FAMILY_FOLDER / f"agent-{steps}.zip")
            self.write_card()
        every = self.config.checkpoint_every
        late = self.progress.seconds - self.saved >= SAVE_SECONDS
        if late or before.steps // every != steps // every:
            self.save()
        return report

    def evaluate(self) -> dict[str, float]:
        """Returns the solve rates on both sets, with the best and with sampled actions."""
        puzzles, report = self.puzzles, {}
        weights = on_first_device(self.state.weights)
        for kind, exploring in (("greedy", False), ("sampled", True)):
            evaluation = evaluate(
                self.learner,
                weights,
                self.evaluation_key,
                puzzles.params,
                [*puzzles.train, *puzzles.test],
                exploring,
            )
            for part, numbers, share in zip(
                ("train", "test"), (puzzles.train, puzzles.test), puzzles.played, strict=True
            ):
                if numbers:
                    report[f"{part}_{kind}"] = share * evaluation.of(numbers).rate
        return report

    def write(self, report: Report) -> None:
        """Writes a row of metrics."""
        self.metrics.write(report)
        self.events.write(report)

    def save(self) -> None:
        """Writes a checkpoint and the agent, unless the last round did."""
        if self.checkpoints.latest() == self.progress.reports:
            return
        # Before the checkpoint: a run that has this checkpoint does not save again.
        self.save_agent(self.folder / AGENT_FILE)
        self.checkpoints.save(self.state, self.progress)
        self.saved = self.progress.seconds

    def save_agent(self, path: Path) -> None:
        """Writes the agent as it is now."""
        frame = self.puzzles.params.frame
        agent = Agent(
            config=self.config,
            width=frame.width,
            height=frame.height,
            goals=frame.goals,
            steps=self.progress.steps,
            weights=jax.device_get(self.state.weights),
            objects=self.puzzles.params.slots if self.config.network.objects else None,
        )
        make_folder(path.parent)
        save_agent(path, agent)

    def write_card(self) -> None:
        """Writes what the agents of the family were trained on, and what each solves, as far as that was measured."""
        config, folder = self.config, self.folder / FAMILY_FOLDER
        lines = [
            f"# {self.folder.name}: one training, at powers of two of its steps\n",
            f"- **Training:** `{config.algorithm}` on `{config.train}`, seed {config.seed}, network "
            f"`{config.network.kind}`; `{CONFIG_FILE}` of the run has all settings.",
            f"- **Puzzles:** SHA-256 {self.puzzles.digest}.",
            "- **Use:** every command that takes an agent takes these files.\n",
            "Percent solved: in the training before with sampled actions, in evaluations with the best ones.\n",
            "| agent | steps | in training | train | test |",
            "| --- | --: | --: | --: | --: |",
        ]
        for row in read_metrics(self.folder / METRICS_FILE):
            if (folder / (name := f"agent-{row['steps']:.0f}.zip")).exists():
                rates = (row.get(each) for each in ("solve_rate", "train_greedy", "test_greedy"))
                cells = ["" if rate is None else f"{100 * rate:.1f}" for rate in rates]
                lines.append(" | ".join([f"| `{name}`", f"{row['steps']:,.0f}", *cells]) + " |")
        write_text(folder / CARD_FILE, "\n".join(lines) + "\n")

    def finish(self, report: dict[str, float]) -> dict[str, float]:
        """Saves, evaluates unless the last round did, and returns the last row of metrics."""
        self.save()
        if "train_greedy" not in report:
            steps, seconds = self.progress.steps, self.progress.seconds
            report = {"steps": steps, "seconds": seconds, **self.evaluate()}
            # A run that was killed after its last checkpoint may lack this row, or have it already.
            if "train_greedy" not in self.metrics.last:
                self.write(report)
        return report

    def close(self) -> None:
        self.events.close()


FAST_ENVIRONMENTS = 4096
"""As many environments keep an accelerator busy."""

ALONE_STEPS = 64
"""How many steps all environments take that are timed without a network."""


def share_of_speed(config: RunConfig, params: EnvParams, rate: float) -> str:
    """Returns how far a run with this rate is from the fastest, its environments without a network, and why."""
    count = getattr(config, config.algorithm).environments
    alone, network = _steps_alone(count, params), config.network
    reasons = [f"the rest of the time is that of the network {network.kind}"]
    if network.precision == "float32":
        reasons.append("in bfloat16 it is faster (network.precision)")
    if count < FAST_ENVIRONMENTS:
        reasons.append(f"more environments at a time are faster ({config.algorithm}.environments)")
    return (
        f"{rate:,.0f} steps a second; its {count:,} environments alone make {alone:,.0f}: "
        f"{', and '.join(reasons)}"
    )


def _steps_alone(count: int, params: EnvParams) -> float:
    """Returns how many steps a second this many environments make with random actions."""

    @jax.jit
    def walk(key: jax.Array, params: EnvParams) -> jax.Array:
        def step(states: EnvState, key: jax.Array) -> tuple[EnvState, None]:
            actions = jax.random.randint(key, (count,), 0, NUM_ACTIONS)
            return step_all(states, actions, params)[0], None

        keys = jax.random.split(key, ALONE_STEPS)
        return jax.lax.scan(step, reset_all(key, count, params), keys)[0].positions

    seconds = 0.0
    for seed in range(2):  # the first compiles
        started = perf_counter()
        walk(jax.random.key(seed), params).block_until_ready()
        seconds = perf_counter() - started
    return count * ALONE_STEPS / seconds
