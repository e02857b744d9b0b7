"""The environment: pure functions of a key, a state and packed puzzles.

`step_env` is a single step; `step` also starts a new episode when one has ended, so that it can be the
body of a `lax.scan`. Both are for one environment: `jax.vmap` makes many of them.
"""

import jax
import jax.numpy as jnp

from pushworld.envs.contract import NUM_ACTIONS
from pushworld.envs.jax.dynamics import lookup, move
from pushworld.envs.jax.observation import observe_planes, observe_scene
from pushworld.envs.jax.packing import PackError
from pushworld.envs.jax.pixels import observe_pixels
from pushworld.envs.jax.types import EnvParams, EnvState, StepInfo


def reset(key: jax.Array, params: EnvParams) -> tuple[jax.Array, EnvState]:
    """Returns the first observation and state of an episode.

    The puzzle is drawn uniformly, and so are its symmetry and its position in the world unless
    `pack` has fixed them.
    """
    state = reset_env(key, params)
    return observe(state, params), state


def step(
    key: jax.Array, state: EnvState, action: jax.Array, params: EnvParams
) -> tuple[jax.Array, EnvState, jax.Array, jax.Array, StepInfo]:
    """Takes an action, and starts a new episode if that ended one.

    Args:
        key: used only to start a new episode.
        state: the state.
        action: 0 to 3: left, right, up, down.
        params: the packed puzzles.

    Returns:
        The next observation and state, which are the first of a new episode if one has ended; the
        reward; whether an episode ended; and a `StepInfo`, which has the state before a new episode.
    """
    after, reward, done, info = step_env(state, action, params)
    first = reset_env(key, params)
    following = jax.tree.map(lambda new, old: jnp.where(done, new, old), first, after)
    return observe(following, params), following, reward, done, info


def step_env(
    state: EnvState, action: jax.Array, params: EnvParams
) -> tuple[EnvState, jax.Array, jax.Array, StepInfo]:
    """Takes an action, and returns the next state, the reward, whether the episode has ended, and a
    `StepInfo`.
    """
    positions, moved = move(state.positions, state.variant, action, params)
    after = EnvState(state.variant, state.placement, positions, state.steps + 1)
    goals = lookup(params.goal_count, state.variant)
    achieved = achieved_goals(after, params)
    terminated = (achieved == goals) & (goals > 0)
    truncated = ~terminated & (after.steps >= params.max_steps)
    rule = params.reward
    progress = (achieved - achieved_goals(state, params)).astype(jnp.float32)
    reward = jnp.where(terminated, rule.solved, rule.goal * progress - rule.penalty)
    if rule.shaping:
        distances = distance_to_goals(state, params), distance_to_goals(after, params)
        reward += rule.shaping * (distances[0] - rule.discount * distances[1])
    info = StepInfo(
        terminated=terminated,
        truncated=truncated,
        moved=moved,
        achieved=achieved,
        final_state=after,
    )
    return after, reward, terminated | truncated, info


def reset_env(key: jax.Array, params: EnvParams, puzzle: jax.Array | None = None) -> EnvState:
    """Returns the first state of an episode, drawn as `reset` does, or with a given puzzle."""
    bits = jax.random.bits(key, (4,))
    puzzle = _below(bits[0], jnp.uint32(params.puzzles)) if puzzle is None else puzzle
    symmetry = _below(bits[1], lookup(params.variant_count, puzzle))
    variant = lookup(params.first_variant, puzzle) + symmetry
    if not params.random_placement:
        return initial_state(variant, params)
    spare = _spare(variant, params).astype(jnp.uint32)
    placement = _below(bits[2:], spare + 1)
    return initial_state(variant, params, placement)


def initial_state(
    variant: jax.Array | int, params: EnvParams, placement: jax.Array | None = None
) -> EnvState:
    """Returns the first state of an episode with a given variant.

    Args:
        variant: ``params.first_variant[i]`` is puzzle i as it was given.
        params: the packed puzzles.
        placement: the position of the puzzle's top-left corner in the world; centred if not given.
    """
    variant = jnp.asarray(variant, jnp.int32)
    placement = _spare(variant, params) // 2 if placement is None else placement
    return EnvState(
        variant=variant,
        placement=jnp.asarray(placement, jnp.int16),
        positions=lookup(params.start, variant),
        steps=jnp.zeros_like(variant),
    )


def observe(state: EnvState, params: EnvParams) -> jax.Array:
    """Returns the observation of a state, of the kind that was given to `pack`."""
    if params.observation == "pixels":
        pixels = params.pixels
        return observe_pixels(
            state, params, pixels.pixels_per_cell, pixels.border_width, pixels.dtype
        )
    if params.observation == "scene":
        return observe_scene(state, params)
    return observe_planes(state, params)


def achieved_goals(state: EnvState, params: EnvParams) -> jax.Array:
    """Returns the number of objects on their goals."""
    goals = params.frame.goals
    at_goal = (state.positions[1 : 1 + goals] == lookup(params.goal, state.variant)).all(axis=-1)
    own = jnp.arange(goals) < lookup(params.goal_count, state.variant)
    return (at_goal & own).sum(dtype=jnp.int32)


def distance_to_goals(state: EnvState, params: EnvParams) -> jax.Array:
    """Returns how many moves the objects are away from their goals, the potential of shaped rewards.

    The parameters must be packed with a shaped reward.
    """
    goals = params.frame.goals
    if not params.distances.size and goals:
        raise PackError("distances to the goals need puzzles packed with a shaped reward")
    x, y = (state.positions[1 : 1 + goals, side].astype(jnp.int32) for side in (0, 1))
    return lookup(params.distances, state.variant, jnp.arange(goals), y, x).sum(dtype=jnp.int32)


def action_mask(state: EnvState, params: EnvParams) -> jax.Array:
    """Returns for each action whether it would move something, as booleans of shape (4,)."""

    def moves(action: jax.Array) -> jax.Array:
        return move(state.positions, state.variant, action, params)[1]

    return jax.vmap(moves)(jnp.arange(NUM_ACTIONS))


def _spare(variant: jax.Array, params: EnvParams) -> jax.Array:
    """Returns the difference between the sizes of the world and of the puzzle."""
    world = jnp.array([params.frame.width, params.frame.height], params.size.dtype)
    return world - lookup(params.size, variant)


def _below(bits: jax.Array, limit: jax.Array) -> jax.Array:
    """Returns a number below a limit of at most 16 bits from 32 random bits.

    It is the upper half of their 64-bit product, which is as uniform as 32 bits can be.
    """
    product = (bits >> 16) * limit + (((bits & 0xFFFF) * limit) >> 16)
    return (product >> 16).astype(jnp.int32)
