"""Supervised training of policy and distance, a batch of one size of world after the other."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax  # type: ignore[import-untyped]

from pushworld.planners.learned.network import CLASSES, DEAD_END, DISTANCES, Network, new_weights
from pushworld.rl.imitation.examples import DEAD, UNKNOWN, Examples
from pushworld.rl.imitation.network import Weights, apply

Losses = dict[str, float]


@dataclass(frozen=True)
class ImitationConfig:
    """How the network is trained.

    Attributes:
        width: numbers for each cell.
        repeats: how often the block is applied.
        steps: of gradient descent in all.
        cells_a_batch: how many cells the examples of a batch have together.
        learning_rate: the highest; it rises in the first hundredth and then falls to zero.
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
    weight_decay: float = 1e-4
    distance_weight: float = 0.5
    log_every: int = 250
    seed: int = 0


@dataclass
class Training:
    """A training that can stop at any step and go on.

    Attributes:
        step: how many steps were taken.
        weights: of the network.
        moments: what the optimiser remembers.
    """

    config: ImitationConfig
    step: int
    weights: Weights
    moments: Any

    @classmethod
    def begin(cls, config: ImitationConfig, first: Network | None = None) -> Training:
        """Returns a new training, from random weights or from those of a network."""
        start = new_weights(config.width, config.seed) if first is None else first.weights
        weights = {name: jnp.asarray(each) for name, each in start.items()}
        return cls(config, 0, weights, _optimiser(config).init(weights))

    @classmethod
    def resume(cls, config: ImitationConfig, path: Path) -> Training:
        """Returns the training that `save` wrote, with the same settings."""
        new = cls.begin(config)
        known, structure = jax.tree.flatten((new.weights, new.moments))
        with np.load(path) as file:
            leaves = [jnp.asarray(file[f"leaf{i}"]) for i in range(len(known))]
            weights, moments = jax.tree.unflatten(structure, leaves)
            return cls(config, int(file["step"]), weights, moments)

    def save(self, path: Path) -> None:
        """Writes all that is needed to go on."""
        leaves = jax.tree.leaves((self.weights, self.moments))
        arrays: dict[str, Any] = {f"leaf{i}": np.asarray(leaf) for i, leaf in enumerate(leaves)}
        temporary = path.with_suffix(".new")
        with temporary.open("wb") as file:
            np.savez(file, step=np.int64(self.step), **arrays)
        temporary.replace(path)

    @property
    def network(self) -> Network:
        """The network as it is now."""
        weights = {name: np.asarray(each) for name, each in self.weights.items()}
        return Network(weights, self.config.repeats)

    def run(
        self,
        parts: Sequence[Examples],
        seconds: float = float("inf"),
        report: Callable[[int, Losses], None] | None = None,
    ) -> None:
        """Trains until all steps are taken or the time is over.

        Args:
            parts: the examples of each size of world; all examples are equally likely.
            seconds: how long it may take.
            report: called every `log_every` steps with the step and the mean losses.
        """
        config = self.config
        batches = [max(1, config.cells_a_batch // part.side**2) for part in parts]
        chances = np.array([len(part) for part in parts]) / batches
        chances /= chances.sum()
        begun, sums = time.monotonic(), list[Any]()
        while self.step < config.steps and time.monotonic() - begun < seconds:
            random = np.random.default_rng((config.seed, self.step))
            chosen = random.choice(len(parts), p=chances)
            examples = random.integers(0, len(parts[chosen]), batches[chosen])
            batch = parts[chosen].take(examples)
            arrays = (batch.planes, batch.sizes, batch.distances, batch.actions)
            self.weights, self.moments, losses = _update(
                config, self.weights, self.moments, *arrays
            )
            self.step += 1
            sums.append(losses)
            if self.step % config.log_every == 0 or self.step == config.steps:
                if report is not None:
                    report(self.step, _means(sums))
                sums.clear()


def _means(losses: Sequence[Any]) -> Losses:
    return {name: float(np.mean([float(each[name]) for each in losses])) for name in losses[0]}


def _optimiser(config: ImitationConfig) -> Any:
    schedule = optax.warmup_cosine_decay_schedule(
        0.0, config.learning_rate, max(1, config.steps // 100), config.steps
    )
    return optax.chain(
        optax.clip_by_global_norm(1.0), optax.adamw(schedule, weight_decay=config.weight_decay)
    )


@partial(jax.jit, static_argnums=0, donate_argnums=(1, 2))
def _update(
    config: ImitationConfig, weights: Weights, moments: Any, *batch: jax.Array
) -> tuple[Weights, Any, dict[str, jax.Array]]:
    grad = jax.grad(partial(_loss, config), has_aux=True)
    gradients, losses = grad(weights, *batch)
    updates, moments = _optimiser(config).update(gradients, moments, weights)
    return optax.apply_updates(weights, updates), moments, losses


def _loss(
    config: ImitationConfig,
    weights: Weights,
    planes: jax.Array,
    sizes: jax.Array,
    distances: jax.Array,
    actions: jax.Array,
) -> tuple[jax.Array, dict[str, jax.Array]]:
    """Returns the loss, and what it consists of.

    The policy's is the surprise that one of the best actions is taken; the distance's is the cross
    entropy with the two classes around the true distance.
    """
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
    return total, {"policy": policy, "distance": distance, "right": right}


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
