"""What a policy remembers of its episode: the states, what the network said, and what it did there.

It remembers, and does not search: nothing is tried or simulated. In a state that it has seen before, a
policy with a memory takes the best of the actions that it has taken least often there, so it does not
walk in circles. It never takes an action again that changed nothing, unless none is left.
"""

from __future__ import annotations

from dataclasses import dataclass

import jax
import jax.numpy as jnp

from pushworld.envs.contract import NUM_ACTIONS
from pushworld.envs.jax import EnvState


@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class Memory:
    """The steps of running episodes, by their numbers; those from `EnvState.steps` on mean nothing.

    Attributes:
        positions: int16 (episodes, length, slots, 2), the state before the step.
        scores: float32 (episodes, length, actions), the network's scores of that state.
        uses: int32 (episodes, length, actions), 1 for the action of the step, or `length` if it
            changed nothing, and 0 for the others.
    """

    positions: jax.Array
    scores: jax.Array
    uses: jax.Array

    @staticmethod
    def empty(states: EnvState, length: int) -> Memory:
        """Returns a memory of episodes with at most `length` steps."""
        count, slots, sides = states.positions.shape
        return Memory(
            positions=jnp.zeros((count, length, slots, sides), states.positions.dtype),
            scores=jnp.zeros((count, length, NUM_ACTIONS), jnp.float32),
            uses=jnp.zeros((count, length, NUM_ACTIONS), jnp.int32),
        )

    def find(self, states: EnvState) -> jax.Array:
        """Returns the earlier steps of each episode that started in the same state (episodes, length)."""
        same = (self.positions == states.positions[:, None]).all(axis=(-1, -2))
        return same & (jnp.arange(same.shape[1]) < states.steps[:, None])

    def recall(self, found: jax.Array) -> jax.Array:
        """Returns the scores of the found steps; they mean nothing where none was found."""
        step = jnp.argmax(found, axis=1)
        return jnp.take_along_axis(self.scores, step[:, None, None], axis=1)[:, 0]

    def least_used(self, found: jax.Array) -> jax.Array:
        """Returns which actions were taken least often in the found steps (episodes, actions)."""
        uses = jnp.where(found[:, :, None], self.uses, 0).sum(axis=1)
        return uses == uses.min(axis=1, keepdims=True)

    def note(
        self,
        acting: jax.Array,
        states: EnvState,
        scores: jax.Array,
        actions: jax.Array,
        moved: jax.Array,
    ) -> Memory:
        """Returns the memory after a step of the acting episodes."""
        length = self.uses.shape[1]
        here = jnp.arange(len(acting)), jnp.where(acting, states.steps, length)
        uses = jax.nn.one_hot(actions, NUM_ACTIONS, dtype=jnp.int32)
        return Memory(
            positions=self.positions.at[here].set(states.positions, mode="drop"),
            scores=self.scores.at[here].set(scores, mode="drop"),
            uses=self.uses.at[here].set(uses * jnp.where(moved, 1, length)[:, None], mode="drop"),
        )
