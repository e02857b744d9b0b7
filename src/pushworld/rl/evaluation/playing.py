"""Episodes of a policy on the device: where one ends, the next begins in its place.

A network is asked once about each state of an episode, so an episode that walks in circles costs no
more than the circle. A round asks about all states at once, if most episodes wait for an answer; the
others take their next steps from memory.

A policy may remember its episode: the states, what the network said, and what it did there. It remembers, and does not
search: nothing is tried or simulated. In a state that it has seen before, an action's score is less by 1 for each time that
it was taken there: an action of PPO or imitation is then e times less likely. So the policy leaves a circle where it is least
sure of its way. It never takes an action again that changed nothing, unless none is left.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from time import perf_counter
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from numpy.typing import NDArray

from pushworld.envs.contract import NUM_ACTIONS
from pushworld.envs.jax import EnvParams, EnvState, initial_state
from pushworld.rl.algorithms.devices import has_accelerator, on_first_device
from pushworld.rl.algorithms.learner import Learner, Weights, select, step_all

CPU_BATCH, ACCELERATOR_BATCH = 16, 4096
"""How many episodes are played at a time. On a CPU the network costs as much for each that does not need it."""

SECONDS = 1.0
"""About the time between two reports of progress."""

USELESS = 1e6
"""What an action that changed nothing costs: more than any network's scores differ."""

PATIENCE = 0.75
"""The share of the running episodes that must wait for the network before it is asked."""


@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class Memory:
    """The steps of running episodes, by their numbers; those from `EnvState.steps` on mean nothing.

    Attributes:
        positions: int16 (episodes, length, slots, 2), the state before the step.
        scores: float32 (episodes, length, actions), the network's scores of that state.
        costs: float32 (episodes, length, actions), 1 for the action of the step, or `USELESS` if it
            changed nothing, and 0 for the others.
    """

    positions: jax.Array
    scores: jax.Array
    costs: jax.Array

    @staticmethod
    def empty(states: EnvState, length: int) -> Memory:
        """Returns a memory of episodes with at most `length` steps."""
        count, slots, sides = states.positions.shape
        return Memory(
            positions=jnp.zeros((count, length, slots, sides), states.positions.dtype),
            scores=jnp.zeros((count, length, NUM_ACTIONS), jnp.float32),
            costs=jnp.zeros((count, length, NUM_ACTIONS), jnp.float32),
        )

    def find(self, states: EnvState) -> jax.Array:
        """Returns the earlier steps of each episode that started in the same state (episodes, length)."""
        same = (self.positions == states.positions[:, None]).all(axis=(-1, -2))
        return same & (jnp.arange(same.shape[1]) < states.steps[:, None])

    def recall(self, found: jax.Array) -> jax.Array:
        """Returns the scores of the found steps; they mean nothing where none was found."""
        step = jnp.argmax(found, axis=1)
        return jnp.take_along_axis(self.scores, step[:, None, None], axis=1)[:, 0]

    def cost(self, found: jax.Array) -> jax.Array:
        """Returns what the found steps take off the scores (episodes, actions)."""
        return jnp.where(found[:, :, None], self.costs, 0).sum(axis=1)

    def note(
        self,
        acting: jax.Array,
        states: EnvState,
        scores: jax.Array,
        actions: jax.Array,
        moved: jax.Array,
    ) -> Memory:
        """Returns the memory after a step of the acting episodes."""
        length = self.costs.shape[1]
        here = jnp.arange(len(acting)), jnp.where(acting, states.steps, length)
        taken = jax.nn.one_hot(actions, NUM_ACTIONS)
        return Memory(
            positions=self.positions.at[here].set(states.positions, mode="drop"),
            scores=self.scores.at[here].set(scores, mode="drop"),
            costs=self.costs.at[here].set(
                taken * jnp.where(moved, 1.0, USELESS)[:, None], mode="drop"
            ),
        )


@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class _Playing:
    """The episodes that run, and the outcomes of all.

    Attributes:
        states: of the running episodes.
        numbers: int32 (running,), which episodes they are; the number of all where none is left.
        memory: of the running episodes.
        started: int32, how many episodes have started.
        solved: bool (episodes,).
        steps: int32 (episodes,), the length so far.
        actions: int8 (episodes, length).
    """

    states: EnvState
    numbers: jax.Array
    memory: Memory
    started: jax.Array
    solved: jax.Array
    steps: jax.Array
    actions: jax.Array


def play(
    learner: Learner,
    weights: Weights,
    key: jax.Array,
    variants: NDArray[np.int32],
    params: EnvParams,
    exploring: bool = False,
    remember: bool = False,
    show: Callable[[int, int], None] = lambda done, total: None,
) -> tuple[NDArray[np.bool_], NDArray[np.int32], NDArray[np.int8]]:
    """Plays one episode with each variant, and returns what `evaluate` does about them.

    Random numbers of an episode depend on its number and not on the others. `show` gets the numbers
    of finished and of all episodes from time to time.
    """
    placement_key, key = jax.random.split(key)
    first = _initial_states(placement_key, variants, params)
    batch = min(len(variants), ACCELERATOR_BATCH if has_accelerator() else CPU_BATCH)
    # Placed as the program places its results: otherwise JAX compiles it once more for the second call.
    playing = on_first_device(_start(first, batch, int(params.max_steps)))
    rounds = 1
    while True:
        before = perf_counter()
        playing = _advance(
            learner, rounds, weights, key, first, playing, params, exploring, remember
        )
        running = int((np.asarray(playing.numbers) < len(variants)).sum())
        show(int(playing.started) - running, len(variants))
        if not running:
            solved, steps, actions = playing.solved, playing.steps, playing.actions
            return np.asarray(solved), np.asarray(steps), np.asarray(actions)
        rounds *= 2 if perf_counter() - before < SECONDS / 2 else 1


@partial(jax.jit, static_argnums=(1, 2))
def _start(first: EnvState, batch: int, length: int) -> _Playing:
    """Returns the first episodes, given the initial states of all."""
    count = first.steps.shape[0]
    states = jax.tree.map(lambda leaf: leaf[:batch], first)
    return _Playing(
        states=states,
        numbers=jnp.arange(batch, dtype=jnp.int32),
        memory=Memory.empty(states, length),
        started=jnp.int32(batch),
        solved=jnp.zeros(count, bool),
        steps=jnp.zeros(count, jnp.int32),
        actions=jnp.zeros((count, length), jnp.int8),
    )


@partial(jax.jit, static_argnums=0, donate_argnums=5)
def _advance(
    learner: Learner,
    rounds: jax.Array,
    weights: Weights,
    key: jax.Array,
    first: EnvState,
    playing: _Playing,
    params: EnvParams,
    exploring: jax.Array,
    remember: jax.Array,
) -> _Playing:
    """Plays a number of rounds, or until all episodes have ended."""
    count, length = playing.actions.shape

    def explore(number: jax.Array, step: jax.Array, scores: jax.Array) -> jax.Array:
        own = jax.random.fold_in(key, number * length + step)
        return learner.explore(own, scores[None])[0]

    def one_round(playing: _Playing) -> _Playing:
        states, memory, numbers = playing.states, playing.memory, playing.numbers
        running = numbers < count
        found = memory.find(states)
        known, recalled = found.any(axis=1), memory.recall(found)
        ask = (running & ~known).sum() >= PATIENCE * running.sum()
        new = jax.lax.cond(ask, lambda: learner.scores(weights, states, params), lambda: recalled)
        acting = running & (known | ask)
        scores = jnp.where(known[:, None], recalled, new)
        liked = scores - jnp.where(remember, memory.cost(found), 0)
        drawn = jax.vmap(explore)(numbers, states.steps, liked)
        actions = jnp.where(exploring, drawn, jnp.argmax(liked, axis=-1))
        after, _, ended, info = step_all(states, actions, params)
        ended &= acting
        mine = jnp.where(acting, numbers, count)
        waiting = playing.started + jnp.cumsum(ended) - 1
        following = jnp.where(ended, jnp.minimum(waiting, count), numbers)

        def noted(outcomes: jax.Array, value: Any, *where: jax.Array) -> jax.Array:
            return outcomes.at[mine, *where].set(value, mode="drop")

        return _Playing(
            states=select(
                ended,
                jax.tree.map(lambda leaf: leaf[following], first),
                select(acting, after, states),
            ),
            numbers=following.astype(jnp.int32),
            memory=memory.note(acting, states, scores, actions, info["moved"]),
            started=jnp.minimum(playing.started + ended.sum(), count).astype(jnp.int32),
            solved=noted(playing.solved, info["terminated"]),
            steps=noted(playing.steps, after.steps),
            actions=noted(playing.actions, actions.astype(jnp.int8), states.steps),
        )

    return jax.lax.while_loop(
        lambda carry: (carry[0] < rounds) & (carry[1].numbers < count).any(),
        lambda carry: (carry[0] + 1, one_round(carry[1])),
        (jnp.int32(0), playing),
    )[1]


@jax.jit
def _initial_states(key: jax.Array, variants: jax.Array, params: EnvParams) -> EnvState:
    """Returns the initial states of the variants, placed as in training."""
    if not params.random_placement:
        return jax.vmap(initial_state, (0, None))(variants, params)
    grid = jnp.array([params.frame.width, params.frame.height])
    spare = grid - params.size[variants]
    placements = jax.random.randint(key, spare.shape, 0, spare + 1)
    return jax.vmap(initial_state, (0, None, 0))(variants, params, placements)
