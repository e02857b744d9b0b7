"""The planners of a benchmark: found by name, TOML file or Python attribute, with their versions."""

import hashlib
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pushworld
from pushworld import _native
from pushworld.planners import Planner, get_planner
from pushworld.planners.external import ExternalPlanner
from pushworld.puzzle import PushWorldError


@dataclass(frozen=True)
class Contestant:
    """A planner in a benchmark."""

    name: str  # its name in the results
    version: str  # its version, with a digest of its code or file
    source: str  # how the user named it, for `get_planner`


def choose_contestants(sources: Iterable[str]) -> list[Contestant]:
    """Returns the planners that the user named, without repetition; raises PushWorldError."""
    chosen: dict[str, Contestant] = {}
    for source in dict.fromkeys(sources):
        planner = get_planner(source)
        contestant = Contestant(planner.name, _version(planner, source), source)
        if planner.name in chosen:
            other = chosen[planner.name].source
            raise PushWorldError(f"{other} and {source} are both called {planner.name!r}")
        chosen[planner.name] = contestant
    if not chosen:
        raise PushWorldError("no planner is named")
    return list(chosen.values())


def _version(planner: Planner, source: str) -> str:
    """Returns a version that changes whenever the planner does; raises PushWorldError."""
    available = planner.availability() if hasattr(planner, "availability") else None
    if available is not None and available.version is None:
        raise PushWorldError(f"the planner {planner.name!r} is not installed: {available.install}")
    version = getattr(planner, "version", None) or (available and available.version)
    code: list[str | None] = []
    if source.endswith(".toml") and isinstance(planner, ExternalPlanner):
        code = [source, *planner.find().command, *planner.arguments]
    elif ":" in source and (module := sys.modules.get(source.partition(":")[0])):
        code = [module.__file__]
    elif version == pushworld.__version__:
        code = [_native.__file__]
    files = [Path(name) for name in code if name and Path(name).is_file()]
    return f"{version or pushworld.__version__}{f'+{_digest(*files)}' if files else ''}"


@cache
def native_build() -> str:
    """Returns a digest of the native code."""
    return _digest(Path(_native.__file__))


def _digest(*files: Path) -> str:
    """Returns a digest of the content of files."""
    content = hashlib.sha256()
    for file in files:
        with file.open("rb") as opened:
            content.update(hashlib.file_digest(opened, "sha256").digest())
    return content.hexdigest()[:12]
