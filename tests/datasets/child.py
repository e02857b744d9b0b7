"""A process to kill: imports or downloads, and says on standard output where it stands.

Run as ``python -m tests.datasets.child import|download DATA SOURCE``. An import stops before
it renames its second file; a download stops when the first bytes of LONG have come. What
stops waits for standard input to close.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from pushworld.datasets import Entry, download, import_path
from tests.datasets.tiny import tiny_store

LONG = "level2/Long Way.pwp"


def wait() -> None:
    print("waiting", flush=True)
    sys.stdin.read()


def stop_before_second_rename() -> None:
    rename = Path.replace
    count = 0

    def replace(*paths: Any) -> Any:
        nonlocal count
        count += 1
        if count == 2:
            wait()
        return rename(*paths)

    setattr(Path, "replace", replace)  # noqa: B010


def stop_in_long(entry: Entry, received: int, total: int | None) -> None:
    if entry.path == LONG:
        wait()


if __name__ == "__main__":
    _, command, data, source = sys.argv
    if command == "import":
        stop_before_second_rename()
        import_path(source, tiny_store(Path(data)))
    else:
        download(store=tiny_store(Path(data)), base_url=source, on_bytes=stop_in_long)
