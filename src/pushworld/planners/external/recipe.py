"""How to run a planner of another project: its command, and how to read its output."""

import os
import re
import shlex
import stat
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from pushworld.export.files import Format
from pushworld.planners.protocol import Availability, PlannerError, Status

NUMBER = re.compile(r"[0-9]*\.?[0-9]+(e[+-]?[0-9]+)?|[0-9]+\.", re.IGNORECASE)
MOST_READ = 1 << 24
"""The most bytes of a plan, and of either end of what a planner printed."""

MOST_PRINTED = 1 << 30
"""A planner that prints more bytes is ended."""

MOST_WORDS = 500
"""The most characters of a line that an error message quotes."""


@dataclass(frozen=True)
class Program:
    """A program: what to write in front of its arguments, empty if it is not installed."""

    command: tuple[str, ...]
    availability: Availability


def command_in(variable: str) -> tuple[str, ...]:
    """Returns the words of the command in an environment variable; none if it is not set.

    A command with an unclosed quote is one word: running it then reports that there is no such program.
    """
    text = os.environ.get(variable, "")
    try:
        return tuple(shlex.split(text))
    except ValueError:
        return (text,)


@dataclass(frozen=True)
class Patterns:
    """Regular expressions for what a planner prints.

    Of those with numbers the first group is the number; all numbers that match are added up, and of
    memory the largest counts.

    Attributes:
        step: a line that is a step of the plan, the step in the first group; for planners that
            write no plan file.
        unsolvable: printed by planners that prove a puzzle unsolvable.
        representation_seconds: for translating and grounding.
        peak_memory_kb: if the planner knows it better than the system does.
        expanded, generated, evaluated: numbers of states.
    """

    step: str | None = None
    unsolvable: str | None = None
    representation_seconds: str | None = None
    peak_memory_kb: str | None = None
    expanded: str | None = None
    generated: str | None = None
    evaluated: str | None = None

    def __post_init__(self) -> None:
        for pattern in vars(self).values():
            if pattern is not None:
                re.compile(pattern)


@dataclass(frozen=True)
class Recipe:
    """How to run a planner.

    Attributes:
        name, description, complete, optimal: as of `Planner`.
        find: returns the program.
        arguments: of the program, with ``{domain}`` and ``{problem}`` or ``{sas}`` and ``{plan}`` in
            place of files, ``{time}`` of seconds, ``{memory}`` of megabytes (10^6 bytes), ``{seed}``.
        representation: what it reads.
        plan_files: patterns of the names of plan files in its folder, in the order of preference;
            of several files the last one counts.
        first_plan: whether to end it as soon as it has written a plan that is valid.
        exit_codes: what its exit codes mean, where they mean something.
        patterns: see there.
    """

    name: str
    description: str
    find: Callable[[], Program]
    arguments: tuple[str, ...]
    representation: Format
    complete: bool = False
    optimal: bool = False
    plan_files: tuple[str, ...] = ("plan", "plan.*")
    first_plan: bool = False
    exit_codes: Mapping[int, Status] = field(default_factory=dict)
    patterns: Patterns = Patterns()


@dataclass(frozen=True)
class Output:
    """The files that a planner has written into its folder."""

    folder: Path
    recipe: Recipe

    @cached_property
    def log(self) -> str:
        """What it printed; of very much the beginning and the end."""
        with suppress(OSError), (self.folder / "log").open("rb") as file:
            data = file.read(MOST_READ)
            if len(data) == MOST_READ:
                left = file.seek(0, os.SEEK_END) - MOST_READ
                file.seek(-min(left, MOST_READ), os.SEEK_END)
                data += file.read(MOST_READ)
            return data.decode("utf-8", "replace")
        return ""

    def plans(self) -> list[str]:
        """Returns the plans that it wrote or printed, the best last.

        Raises:
            PlannerError: if it wrote or printed too much.
        """
        self.check_size()
        found = []
        for file in self._plan_files():
            with suppress(OSError):  # a file that the planner has just removed
                found.append(file.read_text(encoding="utf-8", errors="replace"))
        if self.recipe.patterns.step is not None:
            steps = self._groups(self.recipe.patterns.step)
            found += ["\n".join(steps)] if steps else []
        return found

    def check_size(self) -> None:
        """Raises PlannerError if the planner has written or printed too much."""
        for file, most in [(self.folder / "log", MOST_PRINTED)] + [
            (file, MOST_READ) for file in self._plan_files()
        ]:
            with suppress(OSError):
                if file.stat().st_size > most:
                    what = "printed" if file.name == "log" else "wrote a plan of"
                    raise PlannerError(
                        f"the planner {self.recipe.name!r} {what} more than {most >> 20} MiB"
                    )

    def _plan_files(self) -> list[Path]:
        """Returns the plan files; no pipes, devices or folders, whatever their names."""
        found = []
        for pattern in self.recipe.plan_files:
            files = sorted(self.folder.glob(pattern), key=lambda file: (len(file.name), file.name))
            for file in files:
                with suppress(OSError):
                    found += [file] if stat.S_ISREG(file.lstat().st_mode) else []
        return found

    def says_unsolvable(self) -> bool:
        pattern = self.recipe.patterns.unsolvable
        return pattern is not None and re.search(pattern, self.log, re.M) is not None

    def numbers(self, pattern: str | None) -> list[float]:
        """Returns the numbers that a pattern finds, or raises PlannerError if it finds others."""
        numbers = []
        for text in self._groups(pattern) if pattern is not None else ():
            if not NUMBER.fullmatch(text):
                raise PlannerError(
                    f"of what the planner {self.recipe.name!r} printed, the pattern {pattern!r} "
                    f"finds {text!r}, which is no number"
                )
            numbers.append(float(text))
        return numbers

    def _groups(self, pattern: str) -> list[str]:
        """Returns what the first group of a pattern matches, each time that it does."""
        found = [match[1] for match in re.finditer(pattern, self.log, re.M)]
        return [text for text in found if text is not None]

    def last_words(self) -> str:
        """Returns the last lines that it printed."""
        words = [line.strip() for line in self.log.splitlines() if line.strip()]
        return " / ".join(line[:MOST_WORDS] for line in words[-3:])
