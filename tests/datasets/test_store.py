"""The data folder: only published bytes get in, and they get in whole."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from pushworld.datasets import DataError, Store, default_store, published_manifest
from pushworld.datasets.published.store import STALE_SECONDS, Status
from tests.datasets.tiny import FILES, installed_files

PATH = "level1/Tiny Steps.pwp"


def test_the_manifest_of_the_package_lists_the_published_sets() -> None:
    manifest = published_manifest()
    counts = [len(manifest.of_levels([f"level{level}"])) for level in range(5)]
    assert counts == [1, 68, 74, 67, 14]
    assert len(manifest.puzzles) == 223
    assert all(len(entry.sha256) == 64 for entry in manifest.entries)


def test_a_file_is_missing_then_installed_then_readable(store: Store) -> None:
    entry = store.manifest.by_path[PATH]
    assert store.status(entry) is Status.MISSING
    store.install(entry, FILES[PATH])
    assert store.status(entry) is Status.INSTALLED
    assert store.read(entry) == FILES[PATH]


def test_wrong_bytes_never_replace_good_ones(store: Store) -> None:
    entry = store.manifest.by_path[PATH]
    store.install(entry, FILES[PATH])
    with pytest.raises(DataError, match="SHA-256"):
        store.install(entry, b"something else")
    assert installed_files(store) == {PATH: FILES[PATH]}


def test_a_damaged_file_is_noticed_and_can_be_replaced(store: Store) -> None:
    entry = store.manifest.by_path[PATH]
    store.install(entry, FILES[PATH])
    store.path_of(entry).write_bytes(b"A . .")
    assert store.status(entry) is Status.DAMAGED
    with pytest.raises(DataError, match=r"damaged.*pushworld data download"):
        store.read(entry)
    store.install(entry, FILES[PATH])
    assert store.read(entry) == FILES[PATH]


def test_nothing_but_the_file_is_left_after_an_install(store: Store) -> None:
    store.install(store.manifest.by_path[PATH], FILES[PATH])
    files = [path for path in store.root.rglob("*") if path.is_file()]
    assert files == [store.root / PATH]


def test_leftovers_of_crashed_processes_go_and_those_of_running_ones_stay(store: Store) -> None:
    store.prepare()
    old, new = store.root / ".old.partial", store.root / ".new.partial"
    old.touch()
    new.touch()
    long_ago = time.time() - STALE_SECONDS - 1
    os.utime(old, (long_ago, long_ago))
    store.prepare()
    assert not old.exists()
    assert new.exists()


def test_a_folder_that_cannot_be_written_is_an_error_with_advice(
    tmp_path: Path, store: Store
) -> None:
    blocked = Store(tmp_path / "file" / "below", store.manifest)
    (tmp_path / "file").touch()
    entry = store.manifest.by_path[PATH]
    assert blocked.status(entry) is Status.MISSING
    for attempt in (blocked.prepare, lambda: blocked.install(entry, FILES[PATH])):
        with pytest.raises(DataError, match=r"cannot be written.*PUSHWORLD_DATA"):
            attempt()


def test_the_environment_chooses_the_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PUSHWORLD_DATA", str(tmp_path))
    assert default_store().root == tmp_path
    monkeypatch.delenv("PUSHWORLD_DATA")
    assert default_store().root.name == "pushworld"
