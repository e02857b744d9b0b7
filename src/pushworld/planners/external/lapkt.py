"""The width-based planners of LAPKT."""

import shutil
import sys
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from pushworld.planners.external.planner import ExternalPlanner
from pushworld.planners.external.recipe import Patterns, Program, command_in
from pushworld.planners.protocol import Availability

VARIABLE = "PUSHWORLD_LAPKT"
SCRIPT = "lapkt_cmd.py"
INSTALL = (
    "pip install 'pushworld[planners]' with Python 3.11 on Linux x86_64; elsewhere set "
    f"{VARIABLE} to a command that runs {SCRIPT}"
)
INSTALL_GRINGO = "LAPKT needs the program gringo (Debian: apt-get install gringo)"

PATTERNS = Patterns(
    unsolvable=r"ReachabilityLPUnsolvable",
    representation_seconds=r"Finished LAPKT_PARSE_GROUND_TASK after ([0-9.]+) seconds wall-clock",
    expanded=r"^Nodes expanded during search: ([0-9]+)",
    generated=r"^Nodes generated during search: ([0-9]+)",
)


def find_lapkt() -> Program:
    """Returns the program that the environment names, or else that of the package."""
    if command := command_in(VARIABLE):
        found = f"LAPKT, by {VARIABLE}"
    else:
        script = Path(sys.executable).parent / SCRIPT
        try:
            found = f"LAPKT {version('lapkt')}"
        except PackageNotFoundError:
            return Program((), Availability(None, INSTALL))
        command = (sys.executable, str(script))
    if shutil.which("gringo") is None:
        return Program((), Availability(None, INSTALL_GRINGO))
    return Program(command, Availability(found))


def lapkt_planners() -> Iterator[ExternalPlanner]:
    """Yields the planners; LAPKT reads PDDL, and its grounder copes best with low arity."""
    variants = (
        ("bfws", "DUAL-BFWS", "LAPKT: Dual-BFWS, polynomial search first, then a complete one"),
        ("k-bfws", "k-BFWS", "LAPKT: best-first width search bounded by novelty 2"),
        ("bfws-f5", "BFWS-f5", "LAPKT: best-first width search f5"),
    )
    for name, search, description in variants:
        yield ExternalPlanner(
            name=name,
            description=description,
            find=find_lapkt,
            arguments=(
                "BFWS",
                *("-d", "{domain}", "-p", "{problem}"),
                *("--search_type", search, "--plan_file", "{plan}"),
            ),
            representation="pddl-low-arity",
            patterns=PATTERNS,
        )
