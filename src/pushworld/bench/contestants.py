"""The planners of a benchmark: found by name, TOML file or Python attribute, with their versions."""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path

import pushworld
from pushworld import _native
from pushworld.planners import Planner, all_planners, get_planner
from pushworld.puzzle import PushWorldError


@dataclass(frozen=True)
class Contestant:
    """A planner in a benchmark.

    Attributes:
        name: its name in the results.
        version: its version, with a digest of its code or file.
        source: how the user named it, for `find_planner`.
    """

    name: str
    version: str
    source: str


def choose_contestants(sources: Iterable[str]) -> list[Contestant]:
    """Returns the planners that the user named, without repetition.

    Raises:
        PushWorldError: if there is none, one cannot be used, or two have the same name.
    """
    chosen: dict[str, Contestant] = {}
    for source in dict.fromkeys(sources):
        planner = find_planner(source)
        contestant = Contestant(planner.name, _version(planner, source), source)
        if planner.name in chosen:
            other = chosen[planner.name].source
            raise PushWorldError(f"{other} and {source} are both called {planner.name!r}")
        chosen[planner.name] = contestant
    if not chosen:
        raise PushWorldError("no planner is named")
    return list(chosen.values())


def find_planner(name: str) -> Planner:
    """Returns a planner.

    Args:
        name: a name or TOML file that `pushworld.planners.get_planner` takes, or
            ``module:attribute`` for an object that follows the protocol
            `pushworld.planners.Planner`; the module may be a file in the current folder.

    Raises:
        PushWorldError: if there is no such planner.
    """
    module_name, colon, attribute = name.partition(":")
    if not colon or module_name in {planner.name for planner in all_planners()}:
        return get_planner(name)
    if (here := os.getcwd()) not in sys.path:
        sys.path.insert(0, here)
    try:
        planner: Planner = getattr(import_module(module_name), attribute)
    except (ImportError, AttributeError, ValueError) as error:
        raise PushWorldError(f"there is no planner {name!r}: {error}") from error
    for needed in ("solve", "name"):
        if not hasattr(planner, needed):
            raise PushWorldError(
                f"{name!r} is no planner: it has no `{needed}` (see pushworld.planners.Planner)"
            )
    return planner


def _version(planner: Planner, source: str) -> str:
    """Returns a version that changes whenever the planner does.

    Raises:
        PushWorldError: if the planner is not installed.
    """
    available = planner.availability() if hasattr(planner, "availability") else None
    if available is not None and available.version is None:
        raise PushWorldError(f"the planner {planner.name!r} is not installed: {available.install}")
    version = getattr(planner, "version", None) or pushworld.__version__
    if source.endswith(".toml"):
        return f"{version}+{hashlib.sha256(Path(source).read_bytes()).hexdigest()[:12]}"
    return f"{version}+{native_build()}" if version == pushworld.__version__ else str(version)


@cache
def native_build() -> str:
    """Returns a digest of the native code."""
    return hashlib.sha256(Path(_native.__file__).read_bytes()).hexdigest()[:12]
