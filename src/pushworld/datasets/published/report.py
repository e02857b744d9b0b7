"""What an import or a download did, file by file."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any


@dataclass(frozen=True)
class Problem:
    """A published file that is not there now, and why."""

    path: str
    reason: str


@dataclass
class Report:
    """What happened to the files that were asked for.

    Attributes:
        installed: paths put in place now.
        already: paths that were in place before.
        wrong: files found with bytes that are not the published ones.
        missing: files not found.
        notes: what else the user should know.
    """

    installed: list[str] = field(default_factory=list)
    already: list[str] = field(default_factory=list)
    wrong: list[Problem] = field(default_factory=list)
    missing: list[Problem] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def complete(self) -> bool:
        """Whether everything that was asked for is in place."""
        return not self.wrong and not self.missing

    def as_dict(self) -> dict[str, Any]:
        """Returns the report as plain data for JSON."""
        return {"complete": self.complete, **asdict(self)}
