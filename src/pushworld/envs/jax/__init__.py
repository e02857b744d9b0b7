"""The environment as pure functions over arrays, for `jit`, `vmap`, `scan` and several devices."""

from pushworld.errors import PushWorldError

try:
    import jax as _jax  # noqa: F401
except ImportError as error:
    raise PushWorldError("the JAX environment needs JAX: pip install 'pushworld[jax]'") from error

from pushworld.envs.jax.env import (
    achieved_goals,
    action_mask,
    distance_to_goals,
    initial_state,
    observe,
    reset,
    reset_env,
    step,
    step_env,
)
from pushworld.envs.jax.interfaces import GymnaxEnv, make
from pushworld.envs.jax.observation import observe_planes, plane_rows
from pushworld.envs.jax.packing import SYMMETRIES, PackError, pack, slots_of
from pushworld.envs.jax.pixels import observe_pixels, pixel_indices
from pushworld.envs.jax.types import EnvParams, EnvState, StepInfo

__all__ = [
    "SYMMETRIES",
    "EnvParams",
    "EnvState",
    "GymnaxEnv",
    "PackError",
    "StepInfo",
    "achieved_goals",
    "action_mask",
    "distance_to_goals",
    "initial_state",
    "make",
    "observe",
    "observe_pixels",
    "observe_planes",
    "pack",
    "pixel_indices",
    "plane_rows",
    "reset",
    "reset_env",
    "slots_of",
    "step",
    "step_env",
]
