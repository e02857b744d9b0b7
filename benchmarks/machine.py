"""The machine that a figure was measured on."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
from datetime import date
from pathlib import Path


def describe_machine() -> dict[str, str]:
    """Returns what to state next to a measurement."""
    return {
        "processor": _processor(),
        "cores": str(usable_cores()),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "date": date.today().isoformat(),
    }


def usable_cores() -> int:
    """Returns how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _processor() -> str:
    cpuinfo = Path("/proc/cpuinfo")
    listed = cpuinfo.read_text() if cpuinfo.exists() else ""
    if "model name" not in listed and shutil.which("lscpu"):
        listed = subprocess.run(["lscpu"], capture_output=True, text=True, check=False).stdout
    for line in listed.splitlines():
        key, _, value = line.partition(":")
        if key.strip().lower() == "model name":
            return value.strip()
    return platform.processor() or platform.machine()
