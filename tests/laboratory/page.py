"""The rules of the page, run by Node.js in a process of its own."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

SCRIPT = Path(__file__).with_name("page.mjs")


class Page:
    """A process that answers requests one by one."""

    def __init__(self, node: str) -> None:
        self._process = subprocess.Popen(
            [node, "--no-warnings", str(SCRIPT)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )

    def ask(self, *request: Any) -> dict[str, Any]:
        """Returns the answer to a request; the script says what requests there are."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()
        answer: dict[str, Any] = json.loads(self._process.stdout.readline())
        return answer


def open_page() -> Page | None:
    """Returns the page's rules, or None without Node.js. They end with this process."""
    node = shutil.which("node")
    return None if node is None else Page(node)
