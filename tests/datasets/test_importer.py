"""Importing copies of the published sets in every form that people have them in."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from pushworld.datasets import (
    DataError,
    Store,
    import_path,
    load_set,
    published_manifest,
    resolve_puzzle,
)
from tests.datasets.tiny import FILES, installed_files, make_tar, make_zip, write_files
from tests.shared import SHARED, needs_shared

CLONE = "some-clone/benchmark/puzzles/"


def in_clone(files: dict[str, bytes]) -> dict[str, bytes]:
    others = {CLONE + "README.md": b"hello", "some-clone/.git/level1/Tiny Steps.pwp": b"not this"}
    return {**others, **{CLONE + path: data for path, data in files.items()}}


FORMS: dict[str, Callable[[Path], Path]] = {
    "folder": lambda tmp: write_files(tmp / "sets"),
    "clone": lambda tmp: write_files(tmp / "clone", in_clone(FILES)),
    "zip": lambda tmp: make_zip(tmp / "sets.zip", in_clone(FILES)),
    "stored zip": lambda tmp: make_zip(tmp / "sets.zip", FILES, zipfile.ZIP_STORED),
    "tar": lambda tmp: make_tar(tmp / "sets.tar", FILES, "w"),
    "tar.gz": lambda tmp: make_tar(tmp / "sets.tar.gz", in_clone(FILES), "w:gz"),
    "tar.bz2": lambda tmp: make_tar(tmp / "sets.tar.bz2", FILES, "w:bz2"),
    "tar.xz": lambda tmp: make_tar(tmp / "any-name", FILES, "w:xz"),
    "Windows paths": lambda tmp: make_zip(
        tmp / "sets.zip", {"sets\\" + path.replace("/", "\\"): FILES[path] for path in FILES}
    ),
    "Windows line ends": lambda tmp: write_files(
        tmp / "sets",
        {
            path: data.replace(b"\n", b"\r\n") if path.endswith(".pwp") else data
            for path, data in FILES.items()
        },
    ),
}


@pytest.mark.parametrize("form", FORMS)
def test_every_form_of_the_sets_is_installed(form: str, tmp_path: Path, store: Store) -> None:
    seen: list[str] = []
    report = import_path(FORMS[form](tmp_path), store, on_file=seen.append)
    assert report.complete
    assert sorted(report.installed) == sorted(seen) == sorted(FILES)
    assert installed_files(store) == FILES
    again = import_path(FORMS[form](tmp_path), store)
    assert again.complete
    assert not again.installed
    assert sorted(again.already) == sorted(FILES)


def test_only_the_levels_in_the_path_are_asked_for(tmp_path: Path, store: Store) -> None:
    report = import_path(write_files(tmp_path / "sets") / "level1", store)
    assert report.complete
    assert report.installed == ["level1/Tiny Steps.pwp", "level1/Dont Look Back.pwp"]


@pytest.mark.parametrize("path", ["level1/Tiny Steps.pwp", "level0.zip"])
def test_a_single_file_is_enough(path: str, tmp_path: Path, store: Store) -> None:
    source = write_files(tmp_path / "sets") / path
    assert import_path(source, store).installed == [path]


def test_a_single_file_is_known_by_its_bytes(tmp_path: Path, store: Store) -> None:
    renamed = tmp_path / "level0 (1).zip"
    renamed.write_bytes(FILES["level0.zip"])
    assert import_path(renamed, store).installed == ["level0.zip"]


def test_partial_sets_are_installed_and_the_rest_reported(tmp_path: Path, store: Store) -> None:
    some = {path: FILES[path] for path in ("level1/Tiny Steps.pwp", "level0.zip")}
    report = import_path(write_files(tmp_path / "sets", some), store)
    assert not report.complete
    assert sorted(report.installed) == sorted(some)
    assert [problem.path for problem in report.missing] == ["level1/Dont Look Back.pwp"]


def test_pieces_add_up(tmp_path: Path, store: Store) -> None:
    for path, data in FILES.items():
        report = import_path(write_files(tmp_path / path.replace("/", "-"), {path: data}), store)
    assert report.complete
    assert installed_files(store) == FILES


def test_wrong_bytes_are_reported_and_harm_nothing(tmp_path: Path, store: Store) -> None:
    import_path(write_files(tmp_path / "good", {"level0.zip": FILES["level0.zip"]}), store)
    wrong = dict.fromkeys(FILES, b"A M1 G1")
    report = import_path(write_files(tmp_path / "wrong", wrong), store)
    assert report.already == ["level0.zip"]
    assert len(report.wrong) == len(FILES) - 1
    assert "SHA-256" in report.wrong[0].reason
    assert installed_files(store) == {"level0.zip": FILES["level0.zip"]}


def test_one_right_copy_among_wrong_ones_is_found(tmp_path: Path, store: Store) -> None:
    path = "level1/Tiny Steps.pwp"
    files = {f"a/{path}": b"wrong", f"b/{path}": FILES[path], f"c/{path}": b"wrong too"}
    report = import_path(write_files(tmp_path / "sets", files), store)
    assert report.installed == [path]
    assert not report.wrong


def test_a_damaged_install_is_repaired(tmp_path: Path, store: Store) -> None:
    source = write_files(tmp_path / "sets")
    import_path(source, store)
    (store.root / "level2/Long Way.pwp").write_bytes(b"oops")
    assert import_path(source, store).installed == ["level2/Long Way.pwp"]
    assert installed_files(store) == FILES


def test_an_unpacked_level0_is_left_out_with_a_reason(tmp_path: Path, store: Store) -> None:
    unpacked = {"level0/base/train/level_0_base_train_0.pwp": b"A M1 G1"}
    with pytest.raises(DataError, match=r"import that"):
        import_path(write_files(tmp_path / "only", unpacked), store)
    report = import_path(write_files(tmp_path / "both", {**FILES, **unpacked}), store)
    assert report.complete
    assert not report.notes
    del (rest := {**FILES, **unpacked})["level0.zip"]
    assert "level0.zip" in import_path(write_files(tmp_path / "rest", rest), store).notes[0]


@pytest.mark.parametrize("what", ["absent", "empty folder", "text", "empty file"])
def test_a_path_without_the_sets_is_an_error_with_advice(
    what: str, tmp_path: Path, store: Store
) -> None:
    path = tmp_path / "path"
    if what == "empty folder":
        path.mkdir()
    elif what != "absent":
        path.write_text("hello" * (what == "text"))
    with pytest.raises(DataError, match="path"):
        import_path(path, store)
    assert not store.root.exists()


@needs_shared
def test_the_published_puzzles_at_hand_become_names(tmp_path: Path) -> None:
    assert SHARED is not None
    real = Store(tmp_path / "real", published_manifest())
    report = import_path(SHARED / "puzzles", real)
    assert not report.wrong
    assert len(report.installed) + len(report.missing) == 224
    names = [puzzle.name for puzzle in load_set("published", real)]
    assert names == [Path(path).stem for path in report.installed if path != "level0.zip"]
    for name in ("two goals", "level1/Two Goals", "LEVEL1/two-goals"):
        assert resolve_puzzle(name, real).name == "Two Goals"
    assert resolve_puzzle("base/train/1999", real).name == "level_0_base_train_1999"
    assert len(load_set("walls/test", real)) == 200
