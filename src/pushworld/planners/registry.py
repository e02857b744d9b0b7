"""All planners by name. This is the place to add one."""

import os
import sys
from collections.abc import Iterable
from dataclasses import replace
from difflib import get_close_matches
from functools import cache, partial
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path

from pushworld import _native
from pushworld.planners.native import NativePlanner
from pushworld.planners.protocol import Planner
from pushworld.planners.strategies import Strategy, find_strategies
from pushworld.puzzle import PushWorldError

ENTRY_POINTS = "pushworld.planners"
"""The group of entry points by which packages, this one included, add planners."""

_DEFAULT = NativePlanner(
    name="default",
    description="ours: search over pushes with several open lists that take turns",
    search=_native.solve_by_pushes,
)

_ASTAR = NativePlanner(
    name="astar",
    description="A* over pushes with pattern databases: shortest plans, or the fewest pushes",
    optimal=True,
    search=_native.solve_a_star,
)

_PLANNERS: tuple[Planner, ...] = (
    _DEFAULT,
    NativePlanner(
        name="novelty-rgd",
        description="the paper's best method, our program of it: novelty up to 3, then RGD",
        search=_native.solve_novelty_rgd,
    ),
    NativePlanner(
        name="rgd",
        description="greedy best-first search with the recursive graph distance, fewest tools first",
        search=_native.solve_rgd,
    ),
    NativePlanner(
        name="cea",
        description="greedy best-first search with the context-enhanced additive heuristic",
        search=_native.solve_cea,
    ),
    _ASTAR,
    NativePlanner(
        name="bfs",
        description="breadth-first search: shortest plans of small puzzles",
        optimal=True,
        search=_native.solve_breadth_first,
    ),
)


@cache
def planners() -> tuple[Planner, ...]:
    """Returns our own planners, the default first, then those that installed packages register.

    A package registers a planner as an entry point of the group ``pushworld.planners``: a class, or a
    function without arguments, that returns a `Planner`.

    Raises:
        PushWorldError: if a registered planner cannot be loaded.
    """
    return (*_PLANNERS, *(_load(entry) for entry in entry_points(group=ENTRY_POINTS)))


def _load(entry: EntryPoint) -> Planner:
    try:
        planner: Planner = entry.load()()
    except Exception as error:
        package = entry.dist.name if entry.dist else "an unknown package"
        raise PushWorldError(
            f"the planner {entry.name!r} of {package} cannot be loaded: {error}"
        ) from error
    return planner


def all_planners() -> tuple[Planner, ...]:
    """Returns our own planners and those of other projects, installed or not."""
    from pushworld.planners.external import EXTERNAL_PLANNERS

    return (*planners(), *EXTERNAL_PLANNERS)


def with_strategies(planner: str, strategies: Iterable[Strategy | str] | str) -> Planner:
    """Returns the default planner with other strategies than its own, as values or as `find_strategies` takes.

    Raises:
        PushWorldError: if another planner is asked for, or if there is no strategy or none of a name.
    """
    if planner != _DEFAULT.name:
        raise PushWorldError(
            f"the planner {planner!r} has no strategies: only {_DEFAULT.name!r} takes them"
        )
    values = [
        strategy.native()
        for given in ([strategies] if isinstance(strategies, str) else strategies)
        for strategy in (find_strategies(given) if isinstance(given, str) else [given])
    ]
    if not values:
        raise PushWorldError("there must be at least one strategy; without any, leave them out")
    return replace(_DEFAULT, search=partial(_native.solve_by_pushes, strategies=values))


def with_fewest_pushes(planner: str) -> Planner:
    """Returns the planner of plans with the fewest pushes: ``astar``, also in place of the default.

    Raises:
        PushWorldError: if another planner is asked for.
    """
    if planner not in (_ASTAR.name, _DEFAULT.name):
        raise PushWorldError(
            f"the planner {planner!r} cannot minimize pushes: only {_ASTAR.name!r} does"
        )
    return replace(_ASTAR, search=partial(_native.solve_a_star, fewest_pushes=True))


def get_planner(name: str) -> Planner:
    """Returns the planner of that name, or the one that a file ``NAME.toml`` describes.

    ``MODULE:ATTRIBUTE`` is an object that follows the protocol `Planner`; the module may be a file in the
    current folder.

    Raises:
        PushWorldError: if there is none; the message names similar ones.
    """
    if name.endswith(".toml"):
        from pushworld.planners.external import load_planner_file

        return load_planner_file(Path(name))
    by_name = {planner.name: planner for planner in all_planners()}
    if name in by_name:
        return by_name[name]
    module, colon, attribute = name.partition(":")
    if colon:
        return _of_module(module, attribute)
    similar = get_close_matches(name.lower(), by_name)
    hint = f"did you mean {' or '.join(similar)}?" if similar else f"known are {', '.join(by_name)}"
    raise PushWorldError(f"there is no planner {name!r}: {hint}")


def _of_module(module: str, attribute: str) -> Planner:
    """Returns the planner that is an attribute of a module."""
    if (here := os.getcwd()) not in sys.path:
        sys.path.insert(0, here)
    try:
        planner: Planner = getattr(import_module(module), attribute)
    except Exception as error:  # of any module that a user writes
        raise PushWorldError(f"there is no planner '{module}:{attribute}': {error}") from error
    for needed in ("solve", "name"):
        if not hasattr(planner, needed):
            raise PushWorldError(
                f"'{module}:{attribute}' is no planner: it has no `{needed}` (see "
                "pushworld.planners.Planner)"
            )
    return planner
