"""Environments for learning: thin adapters over the engine, all with one contract."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from pushworld.puzzle import PushWorldError

if TYPE_CHECKING:
    from pushworld.envs.dm import PushWorldDmEnv
    from pushworld.envs.gymnasium_env import PushWorldEnv
    from pushworld.envs.vector_env import PushWorldVectorEnv

__all__ = ["PushWorldDmEnv", "PushWorldEnv", "PushWorldVectorEnv"]

_HOMES = {
    "PushWorldDmEnv": "pushworld.envs.dm",
    "PushWorldEnv": "pushworld.envs.gymnasium_env",
    "PushWorldVectorEnv": "pushworld.envs.vector_env",
}


def __getattr__(name: str) -> Any:
    """Imports an environment, and with it its framework, when it is first used."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        return getattr(import_module(_HOMES[name]), name)
    except ModuleNotFoundError as error:
        missing = (error.name or "").partition(".")[0]
        if missing not in ("gymnasium", "dm_env"):
            raise
        raise PushWorldError(f"{name} needs {missing}: pip install 'pushworld[envs]'") from error
