"""The machine that figures are measured on."""

import os
import platform
import shutil
import subprocess
from dataclasses import dataclass
from functools import cache
from pathlib import Path


@dataclass(frozen=True)
class Machine:
    """The hardware and software that a measured time depends on."""

    processor: str
    cores: int
    memory_gb: int
    system: str
    python: str

    def __str__(self) -> str:
        cores = f"{self.cores} core{'s' * (self.cores != 1)}"
        return (
            f"{self.processor}, {cores}, {self.memory_gb} GB, {self.system}, Python {self.python}"
        )


@cache
def this_machine() -> Machine:
    """Returns the machine that this process runs on."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return Machine(
        processor=_processor(),
        cores=usable_cores(),
        memory_gb=round(memory / 1e9),
        system=f"{platform.system()} {platform.machine()}",
        python=platform.python_version(),
    )


def usable_cores() -> int:
    """Returns the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def resident_bytes() -> int:
    """Returns the resident memory of this process, or 0 on systems without /proc."""
    statm = Path("/proc/self/statm")
    return int(statm.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") if statm.exists() else 0


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
