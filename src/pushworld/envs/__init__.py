"""Environments for learning: thin adapters over the native batch, all with the same contract.

Importing this room registers the ids with Gymnasium, if that is installed.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from pushworld.envs.registration import register_environments
from pushworld.puzzle import PushWorldError

try:
    register_environments()
except ModuleNotFoundError as error:
    if (error.name or "").partition(".")[0] != "gymnasium":
        raise

if TYPE_CHECKING:
    from pushworld.envs.contract import Reward
    from pushworld.envs.dm import PushWorldDmEnv
    from pushworld.envs.gymnasium_env import PushWorldEnv
    from pushworld.envs.puzzle_set import frame_of
    from pushworld.envs.vector_env import PushWorldVectorEnv

__all__ = ["PushWorldDmEnv", "PushWorldEnv", "PushWorldVectorEnv", "Reward", "frame_of"]

_MODULES = {
    "PushWorldDmEnv": "pushworld.envs.dm",
    "PushWorldEnv": "pushworld.envs.gymnasium_env",
    "PushWorldVectorEnv": "pushworld.envs.vector_env",
    "Reward": "pushworld.envs.contract",
    "frame_of": "pushworld.envs.puzzle_set",
}


def __getattr__(name: str) -> Any:
    """Imports a name, and the framework of an environment, when it is first used."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        return getattr(import_module(_MODULES[name]), name)
    except ModuleNotFoundError as error:
        missing = (error.name or "").partition(".")[0]
        if missing not in ("gymnasium", "dm_env"):
            raise
        raise PushWorldError(f"{name} needs {missing}: pip install 'pushworld[envs]'") from error
