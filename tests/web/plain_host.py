"""Exports on a plain file server, as most people meet the page."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from pushworld.page.drawing import STATIC_FOLDER
from pushworld.web.site import PLANNER_FILE
from tests.waiting import wait_until

needs_planner = pytest.mark.skipif(
    not (STATIC_FOLDER / PLANNER_FILE).is_file(),
    reason="needs the planner of the page: make page (needs emscripten)",
)
"""Skips a test where the planner of the page is not built."""


@dataclass(frozen=True)
class Host:
    """A plain file server: its address, its process and the file of its log."""

    address: str
    process: subprocess.Popen[bytes]
    log: Path

    def requests(self) -> set[str]:
        """Returns the paths that were asked for."""
        return set(re.findall(r'"GET /(\S*) ', self.log.read_text()))


@contextmanager
def hosted(folder: Path) -> Iterator[Host]:
    """Yields a plain file server of a folder."""
    log = folder.with_suffix(".log")
    command = (sys.executable, "-u", "-m", "http.server", "0", "--bind", "127.0.0.1")
    with log.open("wb") as output:
        process = subprocess.Popen(
            [*command, "--directory", str(folder)], stdout=output, stderr=output
        )
    try:
        wait_until(lambda: "http://" in log.read_text())
        found = re.search(r"http://[\d.:]+/", log.read_text())
        assert found is not None
        yield Host(found[0], process, log)
    finally:
        process.kill()
        process.wait()
