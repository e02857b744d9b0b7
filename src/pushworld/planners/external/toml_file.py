"""Any planner by a command template in a TOML file."""

import re
import shlex
import shutil
from dataclasses import fields
from pathlib import Path
from string import Formatter
from typing import Any

from pushworld.export.files import Format
from pushworld.files import read_toml
from pushworld.planners.external.planner import ExternalPlanner
from pushworld.planners.external.recipe import Patterns, Program
from pushworld.planners.protocol import Availability
from pushworld.puzzle import PushWorldError

PLACEHOLDERS = {"domain", "problem", "sas", "plan", "time", "memory", "seed"}
KEYS: dict[str, type] = {
    "name": str,
    "description": str,
    "version": str,
    "command": str,
    "low_arity": bool,
    "complete": bool,
    "optimal": bool,
    "first_plan": bool,
    "plan_files": list,
    "unsolvable_exit_codes": list,
    "patterns": dict,
}


def load_planner_file(path: Path) -> ExternalPlanner:
    """Returns the planner that a TOML file describes; docs/guides/add-a-planner.md lists the keys.

    The program is looked up next to the file first, and then in PATH.

    Raises:
        PushWorldError: if the file cannot be read or says something that makes no sense.
    """
    table = read_toml(path)
    try:
        return _planner(table, path)
    except (ValueError, re.error) as error:
        raise PushWorldError(f"{path}: {error}") from error


def _planner(table: dict[str, Any], path: Path) -> ExternalPlanner:
    for key, value in table.items():
        if key not in KEYS:
            raise ValueError(f"unknown key {key!r}; known are {', '.join(KEYS)}")
        if not isinstance(value, KEYS[key]):
            raise ValueError(f"{key} must be of type {KEYS[key].__name__}, not {value!r}")
    command = shlex.split(table.get("command", ""))
    if not command:
        raise ValueError('there is no command; write command = "planner {domain} {problem} {plan}"')
    plan_files = table.get("plan_files", ["plan", "plan.*"])
    if not all(isinstance(each, str) and each and Path(each).root == "" for each in plan_files):
        raise ValueError(f"plan_files must be names in the planner's folder, not {plan_files!r}")
    codes = table.get("unsolvable_exit_codes", [])
    if not all(isinstance(code, int) for code in codes):
        raise ValueError(f"unsolvable_exit_codes must be whole numbers, not {codes!r}")
    program = _program(command[0], path, table.get("version", "unknown version"))
    return ExternalPlanner(
        name=table.get("name", path.stem),
        description=table.get("description", f"the command in {path.name}"),
        find=lambda: program,
        arguments=tuple(command[1:]),
        representation=_representation(command, table.get("low_arity", False)),
        complete=table.get("complete", False),
        optimal=table.get("optimal", False),
        plan_files=tuple(plan_files),
        first_plan=table.get("first_plan", False),
        exit_codes=dict.fromkeys(codes, "unsolvable"),
        patterns=_patterns(table.get("patterns", {})),
    )


def _representation(command: list[str], low_arity: bool) -> Format:
    """Returns what the command reads, by the files that it names."""
    parts = [part for word in command for part in Formatter().parse(word)]
    named = {name for _, name, _, _ in parts if name is not None}
    if unknown := named - PLACEHOLDERS:
        raise ValueError(
            f"unknown placeholder {{{min(unknown)}}} in the command; "
            f"known are {', '.join(sorted(PLACEHOLDERS))}"
        )
    if any(form or conversion for _, _, form, conversion in parts):
        raise ValueError("placeholders in the command are names alone, such as {plan}")
    if "sas" in named and not named & {"domain", "problem"}:
        return "sas"
    if {"domain", "problem"} <= named and "sas" not in named:
        return "pddl-low-arity" if low_arity else "pddl"
    raise ValueError("the command must name {domain} and {problem}, or {sas}")


def _patterns(table: dict[str, Any]) -> Patterns:
    known = [each.name for each in fields(Patterns)]
    for key, value in table.items():
        if key not in known:
            raise ValueError(f"unknown pattern {key!r}; known are {', '.join(known)}")
        if not isinstance(value, str):
            raise ValueError(f"the pattern {key} must be a regular expression, not {value!r}")
        if key != "unsolvable" and re.compile(value).groups == 0:
            raise ValueError(f"the pattern {key} needs a group in parentheses")
    return Patterns(**table)


def _program(name: str, path: Path, version: str) -> Program:
    beside = path.parent / name
    found = str(beside.absolute()) if beside.is_file() else shutil.which(name)
    if found is None:
        return Program((), Availability(None, f"{name} is neither next to {path} nor in PATH"))
    return Program((found,), Availability(version))
