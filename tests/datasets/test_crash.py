"""Processes that die in the middle, and several at once."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from pushworld.datasets import Store, download, import_path
from tests.datasets.child import LONG
from tests.datasets.server import cut_after, running
from tests.datasets.tiny import FILES, installed_files, write_files

ROOT = Path(__file__).resolve().parents[2]


@contextmanager
def child(command: str, store: Store, source: str | Path) -> Iterator[subprocess.Popen[str]]:
    """Starts the process and gives it when it waits in the middle of its work."""
    arguments = [
        sys.executable,
        "-m",
        "tests.datasets.child",
        command,
        str(store.root),
        str(source),
    ]
    pipe = subprocess.PIPE
    process = subprocess.Popen(arguments, cwd=ROOT, stdin=pipe, stdout=pipe, text=True)
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == "waiting\n"
        yield process
    finally:
        process.kill()
        process.communicate()


def test_an_import_killed_before_a_rename_leaves_whole_files(tmp_path: Path, store: Store) -> None:
    source = write_files(tmp_path / "sets")
    with child("import", store, source) as process:
        process.kill()
    there = installed_files(store)
    assert len(there) == 1
    assert there.items() <= FILES.items()
    report = import_path(source, store)
    assert report.complete
    assert installed_files(store) == FILES


def test_a_killed_import_leaves_what_was_installed_before(tmp_path: Path, store: Store) -> None:
    source = write_files(tmp_path / "sets")
    import_path(source, store)
    for damaged in ("level1/Tiny Steps.pwp", "level4/The Last One.pwp"):
        (store.root / damaged).write_bytes(b"oops")
    with child("import", store, source) as process:
        process.kill()
    assert installed_files(store) == {**FILES, "level4/The Last One.pwp": b"oops"}


def test_a_killed_download_goes_on_with_the_same_file(store: Store) -> None:
    with running(dict(FILES)) as server:
        server.misbehaviours[LONG] = [cut_after(100)]
        with child("download", store, server.url) as process:
            process.kill()
        assert len(installed_files(store)) == 2
        assert installed_files(store).items() <= FILES.items()
        assert download(store=store, base_url=server.url).complete
        assert server.requests.count(LONG) == 2
    assert installed_files(store) == FILES


def test_an_import_during_an_import(tmp_path: Path, store: Store) -> None:
    source = write_files(tmp_path / "sets")
    with child("import", store, source) as process:
        assert import_path(source, store).complete
        assert installed_files(store) == FILES
        process.communicate()
        assert process.returncode == 0
    assert installed_files(store) == FILES


def test_an_import_during_a_download(tmp_path: Path, store: Store) -> None:
    source = write_files(tmp_path / "sets")
    with running(dict(FILES)) as server, child("download", store, server.url) as process:
        assert import_path(source, store).complete
        process.communicate()
        assert process.returncode == 0
    assert installed_files(store) == FILES


def test_two_downloads_take_turns(store: Store) -> None:
    with running(dict(FILES)) as server, child("download", store, server.url) as first:
        arguments = [sys.executable, "-m", "tests.datasets.child"]
        second = subprocess.Popen([*arguments, "download", store.root, server.url], cwd=ROOT)
        first.communicate()
        assert first.returncode == 0
        assert second.wait() == 0
        assert len(server.requests) == len(FILES)
    assert installed_files(store) == FILES


@pytest.mark.parametrize("command", ["import", "download"])
def test_nothing_unfinished_is_ever_a_puzzle(command: str, tmp_path: Path, store: Store) -> None:
    source = write_files(tmp_path / "sets")
    with running(dict(FILES)) as server:
        server.misbehaviours[LONG] = [cut_after(100)]
        with child(command, store, source if command == "import" else server.url) as process:
            process.kill()
    for path in store.root.rglob("*.pwp"):
        assert path.read_bytes() == FILES[path.relative_to(store.root).as_posix()]
