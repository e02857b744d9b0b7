"""The machine and the date, which scripts print with their figures."""

from __future__ import annotations

from datetime import date

from pushworld.machine import this_machine, usable_cores

__all__ = ["describe_machine", "usable_cores"]


def describe_machine() -> dict[str, str]:
    """Returns the machine, the version of Python and the date."""
    machine = this_machine()
    return {
        "processor": machine.processor,
        "cores": str(machine.cores),
        "system": machine.system,
        "python": machine.python,
        "date": date.today().isoformat(),
    }
