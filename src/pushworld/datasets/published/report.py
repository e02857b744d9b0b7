"""The result of an import or a download, file by file."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any


@dataclass(frozen=True)
class Problem:
    """A published file, by its path in the manifest, that could not be installed, and why."""

    path: str
    reason: str


@dataclass
class Report:
    """The result of an import or a download.

    Attributes:
        installed: the paths of files installed now.
        already: the paths of files that were installed before.
        human: the puzzles whose human solution was replayed and is installed, now or before.
        wrong: files found with other bytes than the published ones.
        missing: files not found.
        notes: further messages for the user.
    """

    installed: list[str] = field(default_factory=list)
    already: list[str] = field(default_factory=list)
    human: list[str] = field(default_factory=list)
    wrong: list[Problem] = field(default_factory=list)
    missing: list[Problem] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def complete(self) -> bool:
        """Whether all requested files are installed."""
        return not self.wrong and not self.missing

    def as_dict(self) -> dict[str, Any]:
        """Returns the report as plain data for JSON."""
        return {"complete": self.complete, **asdict(self)}
