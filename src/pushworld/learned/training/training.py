"""Supervised training of policy and distance, a batch of one size of world after the other."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax  # type: ignore[import-untyped]

from pushworld.learned.network import CLASSES, DEAD_END, DISTANCES, Network, new_weights
from pushworld.learned.training.arrays import read_arrays
from pushworld.learned.training.examples import DEAD, UNKNOWN, Examples
from pushworld.learned.training.network import Weights, apply
from pushworld.learned.training.pools import Pool, make_pools, on_device
from pushworld.learned.training.symmetries import Batch, in_random_symmetry
from pushworld.puzzle import PushWorldError

Losses = dict[str, float]

LOSSES = ("policy", "distance", "right")
"""What is known of a batch: the losses of policy and distance, and how many actions are right."""

BATCHES_A_CHECK = 4
"""How many batches of examples that are not trained with are looked at for a report."""


@dataclass(frozen=True)
class ImitationConfig:
    """How the network is trained.

    Attributes:
        width: numbers for each cell.
        repeats: how often the block is applied.
        steps: of gradient descent in all; 0 for as many as there is time for.
        cells_a_batch: how many cells the examples of a batch have together.
        learning_rate: the highest; it falls to zero until the end.
        warm_up: steps in which it rises.
        weight_decay: towards zero, for each step.
        distance_weight: of the loss of the distance next to that of the policy.
        log_every: steps between two reports and checkpoints.
        seed: of the first weights and of the choice of examples.
    """

    width: int = 24
    repeats: int = 8
    steps: int = 20_000
    cells_a_batch: int = 3_200
    learning_rate: float = 3e-3
    warm_up: int = 100
    weight_decay: float = 1e-4
    distance_weight: float = 0.5
    log_every: int = 250
    seed: int = 0


@dataclass
class Training:
    """A training that can stop at any step and go on.

    Attributes:
        step: how many steps were taken.
        progress: the share of the training that is done, which the learning rate follows.
        weights: of the network.
        moments: what the optimiser remembers.
    """

    config: ImitationConfig
    step: int
    progress: float
    weights: Weights
    moments: Any

    @classmethod
    def begin(cls, config: ImitationConfig, first: Network | None = None) -> Training:
        """Returns a new training, from random weights or from those of a network.

        Raises:
            PushWorldError: if the network is not one of the settings.
        """
        if first is not None and (first.width, first.repeats) != (config.width, config.repeats):
            raise PushWorldError(
                f"the weights to begin with are of a network with width {first.width} and repeats "
                f"{first.repeats}: give the training the same settings"
            )
        start = new_weights(config.width, config.seed) if first is None else first.weights
        weights = {name: jnp.asarray(each) for name, each in start.items()}
        return cls(config, 0, 0.0, weights, _optimiser(config).init(weights))

    @classmethod
    def resume(cls, config: ImitationConfig, path: Path) -> Training:
        """Returns the training that `save` wrote with the same settings, or raises PushWorldError."""
        new = cls.begin(config)
        known, structure = jax.tree.flatten((new.weights, new.moments))
        arrays = read_arrays(path)
        leaves = [arrays[name] for i in range(len(known)) if (name := f"leaf{i}") in arrays]
        if [leaf.shape for leaf in leaves] != [leaf.shape for leaf in known]:
            raise PushWorldError(f"{path} is not of a training with these settings")
        weights, moments = jax.tree.unflatten(structure, [jnp.asarray(leaf) for leaf in leaves])
        return cls(config, int(arrays["step"]), float(arrays["progress"]), weights, moments)

    def save(self, path: Path) -> None:
        """Writes all that is needed to go on."""
        leaves = jax.tree.leaves((self.weights, self.moments))
        arrays: dict[str, Any] = {f"leaf{i}": np.asarray(leaf) for i, leaf in enumerate(leaves)}
        temporary = path.with_suffix(".new")
        with temporary.open("wb") as file:
            np.savez(file, step=self.step, progress=self.progress, **arrays)
        temporary.replace(path)

    @property
    def network(self) -> Network:
        """The network as it is now."""
        weights = {name: np.asarray(each) for name, each in self.weights.items()}
        return Network(weights, self.config.repeats)

    def run(
        self,
        sources: Mapping[str, Sequence[Examples]],
        *,
        seconds: float = math.inf,
        later: float = 0.0,
        check: Sequence[Examples] = (),
        report: Callable[[int, Losses], None] | None = None,
        stop: Callable[[], bool] = lambda: False,
    ) -> None:
        """Trains until all steps are taken, the time is over, or `stop` says so.

        Args:
            sources: examples by name; an example of each is equally likely.
            seconds: how long it may take.
            later: how many seconds more it will be trained afterwards, where `steps` is 0.
            check: examples that are not trained with; reports tell how well they are known.
            report: called every `log_every` steps with the step and the mean losses.
            stop: asked before each step.
        """
        config, begun, first = self.config, time.monotonic(), self.progress
        if config.steps == 0 and seconds == math.inf:
            raise PushWorldError("a training needs a number of steps, or of seconds")
        if seconds <= 0:
            raise PushWorldError("there is no time left to train: give it more seconds")
        pools = make_pools(sources)
        checks = [_some(examples, config) for examples in check]
        chances = np.array(
            [float(pool.chances.sum()) / _batch_size(config, pool.side) for pool in pools]
        )
        chances /= chances.sum()
        sums = list[Any]()
        while self.progress < 1 and (spent := time.monotonic() - begun) < seconds:
            if stop():
                return
            if config.steps == 0:
                self.progress = first + (1 - first) * spent / (seconds + later)
            else:
                self.progress = self.step / config.steps
            chosen = np.random.default_rng((config.seed, self.step)).choice(len(pools), p=chances)
            self.weights, self.moments, losses = _update(
                config,
                self.weights,
                self.moments,
                np.int32(self.step),
                np.float32(self._learning_rate()),
                pools[chosen],
            )
            self.step += 1
            sums.append(losses)
            last = self.step == config.steps
            self.progress = 1.0 if last else self.progress
            if self.step % config.log_every == 0 or last:
                if report is not None:
                    report(self.step, _means(sums) | self._check(checks))
                sums.clear()
        if config.steps == 0:
            self.progress = first + (1 - first) * seconds / (seconds + later)

    def _learning_rate(self) -> float:
        rising = min(1.0, (self.step + 1) / self.config.warm_up)
        falling = 0.5 * (1 + math.cos(math.pi * self.progress))
        return self.config.learning_rate * rising * falling

    def _check(self, checks: Sequence[Batch]) -> Losses:
        losses = [_measure(self.config, self.weights, batch) for batch in checks]
        return {f"check_{name}": each for name, each in _means(losses).items()}


def _some(examples: Examples, config: ImitationConfig) -> Batch:
    """Returns as many examples as a check looks at."""
    most = BATCHES_A_CHECK * _batch_size(config, examples.side)
    return on_device(examples.take(np.linspace(0, len(examples) - 1, most).astype(np.int64)))


def _batch_size(config: ImitationConfig, side: int) -> int:
    return max(2, config.cells_a_batch // side**2)


def _means(losses: Sequence[Any]) -> Losses:
    names = losses[0] if losses else ()
    return {name: float(np.mean([float(each[name]) for each in losses])) for name in names}


def _optimiser(config: ImitationConfig) -> Any:
    """Returns what turns gradients into a step for a learning rate of one."""
    return optax.chain(
        optax.clip_by_global_norm(1.0),
        optax.scale_by_adam(),
        optax.add_decayed_weights(config.weight_decay),
    )


@partial(jax.jit, static_argnums=0, donate_argnums=(1, 2))
def _update(
    config: ImitationConfig,
    weights: Weights,
    moments: Any,
    step: jax.Array,
    learning_rate: jax.Array,
    pool: Pool,
) -> tuple[Weights, Any, dict[str, jax.Array]]:
    """Returns weights and moments after a step with examples that are drawn from the pool."""
    keys = jax.random.split(jax.random.fold_in(jax.random.key(config.seed), step), 3)
    size = _batch_size(config, pool.side)
    source = jax.random.categorical(keys[0], jnp.log(pool.chances), shape=(size,))
    place = jax.random.uniform(keys[1], (size,)) * pool.counts[source]
    chosen = pool.first[source] + jnp.minimum(place.astype(jnp.int32), pool.counts[source] - 1)
    batch = Batch(*(each[chosen] for each in pool.examples))
    grad = jax.grad(partial(_loss, config), has_aux=True)
    gradients, losses = grad(weights, in_random_symmetry(batch, keys[2]))
    updates, moments = _optimiser(config).update(gradients, moments, weights)
    updates = jax.tree.map(lambda each: -learning_rate * each, updates)
    return optax.apply_updates(weights, updates), moments, losses


@partial(jax.jit, static_argnums=0)
def _measure(config: ImitationConfig, weights: Weights, batch: Batch) -> dict[str, jax.Array]:
    return _loss(config, weights, batch)[1]


def _loss(
    config: ImitationConfig, weights: Weights, batch: Batch
) -> tuple[jax.Array, dict[str, jax.Array]]:
    """Returns the loss, and what it consists of.

    The policy's is the surprise that one of the best actions is taken; the distance's is the cross
    entropy with the two classes around the true distance.
    """
    planes, sizes, distances, actions = batch
    logits, classes = apply(weights, planes.astype(jnp.float32), sizes, config.repeats)
    known = distances != UNKNOWN
    open_ = actions.any(axis=-1)
    log_policy = jax.nn.log_softmax(logits)
    best = jax.nn.logsumexp(log_policy, axis=-1, where=actions)
    policy = -jnp.where(open_, best, 0).sum() / jnp.maximum(open_.sum(), 1)
    surprise = -(distance_targets(distances) * jax.nn.log_softmax(classes)).sum(axis=-1)
    distance = jnp.where(known, surprise, 0).sum() / jnp.maximum(known.sum(), 1)
    taken = jnp.take_along_axis(actions, logits.argmax(axis=-1)[..., None], axis=-1)[..., 0]
    right = (taken & open_).sum() / jnp.maximum(open_.sum(), 1)
    total = policy + config.distance_weight * distance
    return total, dict(zip(LOSSES, (policy, distance, right), strict=True))


def distance_targets(distances: jax.Array) -> jax.Array:
    """Returns the probabilities of the classes that stand for distances, shape (..., classes)."""
    bounds = jnp.array(DISTANCES, jnp.float32)
    value = jnp.clip(distances.astype(jnp.float32), 0, bounds[-1])
    above = jnp.clip(jnp.searchsorted(bounds, value, side="left"), 1, len(DISTANCES) - 1)
    share = (value - bounds[above - 1]) / (bounds[above] - bounds[above - 1])
    mixed = jax.nn.one_hot(above, CLASSES) * share[..., None]
    mixed += jax.nn.one_hot(above - 1, CLASSES) * (1 - share)[..., None]
    dead = jax.nn.one_hot(jnp.full(distances.shape, DEAD_END), CLASSES)
    return jnp.where((distances == DEAD)[..., None], dead, mixed)
