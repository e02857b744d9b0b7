"""The planners of Fast Downward."""

import shlex
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from pushworld.planners.external.planner import ExternalPlanner
from pushworld.planners.external.recipe import Patterns, Program, command_in
from pushworld.planners.protocol import Availability, Status

NAME = "Fast Downward"
VARIABLE = "PUSHWORLD_FAST_DOWNWARD"
INSTALL = (
    "pip install 'pushworld[planners]' on Linux x86_64; elsewhere build Fast Downward and set "
    f"{VARIABLE} to the path of its fast-downward.py"
)

EXIT_CODES: dict[int, Status] = {
    10: "unsolvable",
    11: "unsolvable",
    20: "memory-limit",
    21: "time-limit",
    22: "memory-limit",
    23: "time-limit",
    24: "memory-limit",
}

PORTFOLIO_AT_ITS_END = 34
"""The portfolio's exit code when its time is over: some of its searches take no conditional effects,
which each of them says at once so that the others share its time."""

PATTERNS = Patterns(
    representation_seconds=r"^Done! \[[0-9.]+s CPU, ([0-9.]+)s wall-clock\]",
    expanded=r"Expanded ([0-9]+) state\(s\)\.",
    generated=r"Generated ([0-9]+) state\(s\)\.",
    evaluated=r"Evaluated ([0-9]+) state\(s\)\.",
)

ALL_EXPLORED = r"^(?:\[.*\] )?Completely explored state space -- no solution!"
"""What a search says at its end. It proves that a puzzle is unsolvable if the search takes only dead ends
for dead ends. Versions before 22 have no exit code for that."""


def find_fast_downward() -> Program:
    """Returns the driver that the environment names, or else that of the package."""
    if command := command_in(VARIABLE):
        return _driver(command)
    package = find_spec("up_fast_downward")
    if package is None or package.origin is None:
        return Program((), Availability(None, INSTALL))
    return _driver((str(Path(package.origin).parent / "downward" / "fast-downward.py"),))


@cache
def _driver(command: tuple[str, ...]) -> Program:
    if command[0].endswith(".py"):
        command = (sys.executable, *command)
    try:
        asked = subprocess.run(
            [*command, "--version"], capture_output=True, text=True, check=True, timeout=60
        )
    except (OSError, subprocess.SubprocessError) as error:
        return Program((), Availability(None, f"{shlex.join(command)} cannot be run: {error}"))
    version, *_ = [*asked.stdout.splitlines(), ""]
    if not version.startswith(NAME):
        version = f"{NAME} {version}".strip()
    return Program(command, Availability(version))


def fast_downward_planner(
    name: str,
    description: str,
    *,
    alias: str = "",
    search: str = "",
    evaluator: str = "",
    complete: bool = True,
    optimal: bool = False,
) -> ExternalPlanner:
    """Returns the planner of an alias, a search or a lazy greedy one with an evaluator, from SAS+."""
    if evaluator:
        search = "lazy_greedy([h], preferred=[h])"
    return ExternalPlanner(
        name=name,
        description=description,
        find=find_fast_downward,
        arguments=(
            *(("--alias", alias) if alias else ()),
            *("--overall-time-limit", "{time}s", "--overall-memory-limit", "{memory}M"),
            *("--plan-file", "{plan}", "{sas}"),
            *(("--evaluator", f"h={evaluator}") if evaluator else ()),
            *(("--search", search) if search else ()),
        ),
        representation="sas",
        complete=complete,
        optimal=optimal,
        first_plan=True,
        exit_codes=EXIT_CODES,
        patterns=replace(PATTERNS, unsolvable=ALL_EXPLORED) if complete else PATTERNS,
    )


def on_pddl(planner: ExternalPlanner) -> ExternalPlanner:
    """Returns the planner with Fast Downward's own translator in front of the search."""
    place = planner.arguments.index("{sas}")
    before, after = planner.arguments[:place], planner.arguments[place + 1 :]
    return replace(
        planner,
        name=f"{planner.name}-pddl",
        description=f"{planner.name}, from PDDL through Fast Downward's translator",
        arguments=(*before, "--sas-file", "{plan}-task", "{domain}", "{problem}", *after),
        representation="pddl",
    )


def fast_downward_planners() -> Iterator[ExternalPlanner]:
    """Yields the planners, each from SAS+ and from PDDL."""
    planners = (
        fast_downward_planner(
            "ff",
            "Fast Downward: lazy greedy search with the FF heuristic and preferred operators",
            evaluator="ff()",
        ),
        fast_downward_planner(
            "fd-cea",
            "Fast Downward: lazy greedy search with the context-enhanced additive heuristic",
            evaluator="cea()",
            complete=False,
        ),
        fast_downward_planner(
            "fd-autotune",
            "Fast Downward's alias seq-sat-fd-autotune-1, up to the first plan",
            alias="seq-sat-fd-autotune-1",
        ),
        fast_downward_planner(
            "lama",
            "LAMA 2011: Fast Downward's alias seq-sat-lama-2011, up to the first plan",
            alias="seq-sat-lama-2011",
        ),
        replace(
            fast_downward_planner(
                "fdss",
                "Stone Soup 2018: Fast Downward's portfolio seq-sat-fdss-2018, up to the first plan",
                alias="seq-sat-fdss-2018",
            ),
            exit_codes=EXIT_CODES | {PORTFOLIO_AT_ITS_END: "time-limit"},
            patterns=PATTERNS,  # some of its searches give up states that are no dead ends
        ),
    )
    yield from planners
    yield from map(on_pddl, planners)
