"""Planners by what a user writes: a name of the registry, or an attribute of a Python module."""

from __future__ import annotations

import os
import sys
from importlib import import_module

import pushworld
from pushworld.bench.machine import build_of_package
from pushworld.planners import Planner, get_planner
from pushworld.puzzle import PushWorldError


def find_planner(name: str) -> Planner:
    """Returns the planner that a name stands for.

    Args:
        name: what `pushworld.planners.get_planner` knows, or ``module:attribute`` for an object
            that follows the protocol `pushworld.planners.Planner`; the module may be a file in the
            current folder.

    Raises:
        PushWorldError: if there is no such planner.
    """
    module_name, colon, attribute = name.partition(":")
    if not colon:
        return get_planner(name)
    if (here := os.getcwd()) not in sys.path:
        sys.path.insert(0, here)
    try:
        planner: Planner = getattr(import_module(module_name), attribute)
    except (ImportError, AttributeError, ValueError) as error:
        raise PushWorldError(f"there is no planner {name!r}: {error}") from error
    if not callable(getattr(planner, "solve", None)):
        raise PushWorldError(
            f"{name!r} is no planner: it has no method `solve` (see pushworld.planners.Planner)"
        )
    return planner


def version_of(planner: Planner) -> str:
    """Returns the version that a planner states, or else that of the package and its build."""
    version = getattr(planner, "version", None)
    return str(version) if version else f"{pushworld.__version__}+{build_of_package()}"
