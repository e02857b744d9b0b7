"""Supervised training of policy and distance; all grids of a batch have the same padded size."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import jax
import jax.numpy as jnp
import numpy as np
import optax
from msgspec import Meta, Struct

from pushworld.datasets.arrays import read_arrays
from pushworld.datasets.journal import replaced
from pushworld.learned.network import Network
from pushworld.learned.training.augmentation import DeviceExamples, augment
from pushworld.learned.training.examples import DEAD, UNKNOWN, Examples
from pushworld.learned.training.network import Weights, apply
from pushworld.learned.training.sampling import ExamplePool, make_pools, on_device
from pushworld.learned.weights import CLASSES, DEAD_END, DISTANCES, random_weights
from pushworld.puzzle import PushWorldError
from pushworld.rl.settings import Count, Positive

Losses = dict[str, float]

LOSSES = ("policy", "distance", "right")
"""The metrics of a batch: the losses of policy and distance, and the accuracy of the policy."""

VALIDATION_BATCHES = 4
"""The number of batches of validation examples in a report."""


class TrainingConfig(Struct, frozen=True, forbid_unknown_fields=True):
    """How the network is trained.

    Attributes:
        width: the channels of a cell.
        repeats: how often the block is applied.
        steps: gradient steps of the whole training; 0 for as many as the time allows.
        cells_a_batch: the cells of all examples of a batch.
        learning_rate: the largest; it decays to zero with a cosine schedule.
        warm_up: steps in which the learning rate rises linearly.
        weight_decay: of each step.
        distance_weight: the weight of the distance loss next to the policy loss.
        log_every: steps between two reports and checkpoints.
        seed: of the first weights and of the sampled examples.
        start: the file of the first weights, which ``--from`` names; none for random ones.
    """

    width: Count = 24
    repeats: Count = 8
    steps: Annotated[int, Meta(ge=0)] = 20_000
    cells_a_batch: Count = 3_200
    learning_rate: Positive = 3e-3
    warm_up: Count = 100
    weight_decay: float = 1e-4
    distance_weight: float = 0.5
    log_every: Count = 250
    seed: Annotated[int, Meta(ge=0)] = 0
    start: str | None = None


@dataclass
class Training:
    """A training that can stop after any step, and continue.

    Attributes:
        step: the number of steps so far.
        progress: the fraction of the training that is done; the learning rate depends on it.
        weights: of the network.
        optimizer: the state of the optimiser.
    """

    config: TrainingConfig
    step: int
    progress: float
    weights: Weights
    optimizer: Any

    @classmethod
    def start(cls, config: TrainingConfig, first: Network | None = None) -> Training:
        """Returns a new training, from random weights or from those of a network.

        Raises:
            PushWorldError: if width or repeats of the network differ from the settings.
        """
        if first is not None and (first.width, first.repeats) != (config.width, config.repeats):
            raise PushWorldError(
                f"the weights to start from belong to a network with width {first.width} and repeats "
                f"{first.repeats}: give the training the same settings"
            )
        initial = random_weights(config.width, config.seed) if first is None else first.weights
        weights = {name: jnp.asarray(each) for name, each in initial.items()}
        return cls(config, 0, 0.0, weights, _optimiser(config).init(weights))

    @classmethod
    def resume(cls, config: TrainingConfig, path: Path) -> Training:
        """Returns the training of a checkpoint with the same settings, or raises PushWorldError.

        The number of steps may differ: a training can be extended.
        """
        new = cls.start(config)
        known, structure = jax.tree.flatten((new.weights, new.optimizer))
        arrays = read_arrays(path)
        leaves = [arrays[name] for i in range(len(known)) if (name := f"leaf{i}") in arrays]
        numbers = [arrays[name] for name in ("step", "progress") if name in arrays]
        if [(leaf.shape, leaf.dtype) for leaf in leaves] != [
            (leaf.shape, leaf.dtype) for leaf in known
        ] or [each.shape for each in numbers] != [(), ()]:
            raise PushWorldError(f"{path} is no checkpoint of a training with these settings")
        weights, optimizer = jax.tree.unflatten(structure, [jnp.asarray(leaf) for leaf in leaves])
        step, progress = int(arrays["step"]), float(arrays["progress"])
        if config.steps:
            progress = min(1.0, step / config.steps)
        return cls(config, step, progress, weights, optimizer)

    def save(self, path: Path) -> None:
        """Writes a checkpoint."""
        leaves = jax.tree.leaves((self.weights, self.optimizer))
        arrays: dict[str, Any] = {f"leaf{i}": np.asarray(leaf) for i, leaf in enumerate(leaves)}
        with replaced(path) as new, new.open("wb") as file:
            np.savez(file, step=self.step, progress=self.progress, **arrays)

    @property
    def network(self) -> Network:
        """The network with the current weights."""
        weights = {name: np.asarray(each) for name, each in self.weights.items()}
        return Network(weights, self.config.repeats)

    def run(
        self,
        sources: Mapping[str, Sequence[Examples]],
        *,
        seconds: float = math.inf,
        remaining_seconds: float = 0.0,
        validation: Sequence[Examples] = (),
        report: Callable[[int, Losses], None] | None = None,
        stop: Callable[[], bool] = lambda: False,
    ) -> None:
        """Trains until all steps are done, the time is over, or `stop` returns True.

        Args:
            sources: examples by the name of their source; all sources are equally likely.
            seconds: the time of this call.
            remaining_seconds: the training time of later calls, if `steps` is 0.
            validation: examples that are not trained on; reports include their losses.
            report: called every `log_every` steps with the step and the mean losses.
            stop: called before each step.
        """
        config, started, first = self.config, time.monotonic(), self.progress
        if config.steps == 0 and seconds == math.inf:
            raise PushWorldError("a training needs a number of steps, or of seconds")
        if seconds <= 0:
            raise PushWorldError("there is no time left to train: give it more seconds")
        pools = make_pools(sources)
        validations = [_validation_batch(examples, config) for examples in validation]
        probabilities = np.array(
            [float(pool.weights.sum()) / _batch_size(config, pool.side) for pool in pools]
        )
        probabilities /= probabilities.sum()
        recent = list[Any]()
        while self.progress < 1 and (spent := time.monotonic() - started) < seconds:
            if stop():
                return
            if config.steps == 0:
                self.progress = first + (1 - first) * spent / (seconds + remaining_seconds)
            else:
                self.progress = self.step / config.steps
            chosen = np.random.default_rng((config.seed, self.step)).choice(
                len(pools), p=probabilities
            )
            self.weights, self.optimizer, losses = _update(
                config,
                self.weights,
                self.optimizer,
                np.int32(self.step),
                np.float32(self._learning_rate()),
                pools[chosen],
            )
            self.step += 1
            recent.append(losses)
            last = self.step == config.steps
            self.progress = 1.0 if last else self.progress
            if self.step % config.log_every == 0 or last:
                if report is not None:
                    report(self.step, _means(recent) | self._validate(validations))
                recent.clear()
        if config.steps == 0:
            self.progress = first + (1 - first) * seconds / (seconds + remaining_seconds)

    def _learning_rate(self) -> float:
        warm_up = min(1.0, (self.step + 1) / self.config.warm_up)
        decay = 0.5 * (1 + math.cos(math.pi * self.progress))
        return self.config.learning_rate * warm_up * decay

    def _validate(self, batches: Sequence[DeviceExamples]) -> Losses:
        losses = [_validate(self.config, self.weights, batch) for batch in batches]
        return {f"check_{name}": each for name, each in _means(losses).items()}


def _validation_batch(examples: Examples, config: TrainingConfig) -> DeviceExamples:
    """Returns evenly spaced examples for validation, on the device."""
    count = VALIDATION_BATCHES * _batch_size(config, examples.side)
    return on_device(examples.take(np.linspace(0, len(examples) - 1, count).astype(np.int64)))


def _batch_size(config: TrainingConfig, side: int) -> int:
    return max(2, config.cells_a_batch // side**2)


def _means(losses: Sequence[Any]) -> Losses:
    names = losses[0] if losses else ()
    return {name: float(np.mean([float(each[name]) for each in losses])) for name in names}


def _optimiser(config: TrainingConfig) -> Any:
    """Returns Adam with weight decay and clipped gradients, for a learning rate of 1."""
    return optax.chain(
        optax.clip_by_global_norm(1.0),
        optax.scale_by_adam(),
        optax.add_decayed_weights(config.weight_decay),
    )


@partial(jax.jit, static_argnums=0, donate_argnums=(1, 2))
def _update(
    config: TrainingConfig,
    weights: Weights,
    optimizer: Any,
    step: jax.Array,
    learning_rate: jax.Array,
    pool: ExamplePool,
) -> tuple[Weights, Any, dict[str, jax.Array]]:
    """Returns weights, optimiser state and losses after a step on examples sampled from the pool."""
    keys = jax.random.split(jax.random.fold_in(jax.random.key(config.seed), step), 3)
    size = _batch_size(config, pool.side)
    source = jax.random.categorical(keys[0], jnp.log(pool.weights), shape=(size,))
    offset = jax.random.uniform(keys[1], (size,)) * pool.counts[source]
    chosen = pool.first[source] + jnp.minimum(offset.astype(jnp.int32), pool.counts[source] - 1)
    batch = DeviceExamples(*(each[chosen] for each in pool.examples))
    grad = jax.grad(partial(_loss, config), has_aux=True)
    gradients, losses = grad(weights, augment(batch, keys[2]))
    updates, optimizer = _optimiser(config).update(gradients, optimizer, weights)
    updates = jax.tree.map(lambda each: -learning_rate * each, updates)
    return optax.apply_updates(weights, updates), optimizer, losses


@partial(jax.jit, static_argnums=0)
def _validate(
    config: TrainingConfig, weights: Weights, batch: DeviceExamples
) -> dict[str, jax.Array]:
    return _loss(config, weights, batch)[1]


def _loss(
    config: TrainingConfig, weights: Weights, batch: DeviceExamples
) -> tuple[jax.Array, dict[str, jax.Array]]:
    """Returns the loss, and its parts by name.

    The policy loss is the negative log probability of all best actions together; the distance loss
    is the cross entropy with the two classes next to the true distance.
    """
    planes, sizes, distances, actions = batch
    logits, classes = apply(weights, planes.astype(jnp.float32), sizes, config.repeats)
    known = distances != UNKNOWN
    has_best = actions.any(axis=-1)
    log_policy = jax.nn.log_softmax(logits)
    best = jax.nn.logsumexp(log_policy, axis=-1, where=actions)
    policy = -jnp.where(has_best, best, 0).sum() / jnp.maximum(has_best.sum(), 1)
    cross_entropy = -(distance_targets(distances) * jax.nn.log_softmax(classes)).sum(axis=-1)
    distance = jnp.where(known, cross_entropy, 0).sum() / jnp.maximum(known.sum(), 1)
    correct = jnp.take_along_axis(actions, logits.argmax(axis=-1)[..., None], axis=-1)[..., 0]
    right = (correct & has_best).sum() / jnp.maximum(has_best.sum(), 1)
    total = policy + config.distance_weight * distance
    return total, dict(zip(LOSSES, (policy, distance, right), strict=True))


def distance_targets(distances: jax.Array) -> jax.Array:
    """Returns the probabilities of the classes for distances, shape (..., classes)."""
    bounds = jnp.array(DISTANCES, jnp.float32)
    value = jnp.clip(distances.astype(jnp.float32), 0, bounds[-1])
    above = jnp.clip(jnp.searchsorted(bounds, value, side="left"), 1, len(DISTANCES) - 1)
    share = (value - bounds[above - 1]) / (bounds[above] - bounds[above - 1])
    mixed = jax.nn.one_hot(above, CLASSES) * share[..., None]
    mixed += jax.nn.one_hot(above - 1, CLASSES) * (1 - share)[..., None]
    dead = jax.nn.one_hot(jnp.full(distances.shape, DEAD_END), CLASSES)
    return jnp.where((distances == DEAD)[..., None], dead, mixed)
