"""Names of puzzles and sets, and the errors for unknown names."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from pushworld.datasets import (
    DataError,
    Manifest,
    Store,
    bundled_puzzles,
    import_path,
    load_set,
    resolve_puzzle,
    set_names,
)
from pushworld.puzzle import Puzzle, PuzzleError
from tests.datasets.tiny import FILES, manifest_csv, puzzle_bytes, write_files


@pytest.fixture
def full(tmp_path: Path, store: Store) -> Store:
    """A store with everything of the tiny sets installed."""
    import_path(write_files(tmp_path / "sets"), store)
    return store


@pytest.mark.parametrize(
    ("name", "puzzle"),
    [
        ("Tiny Steps", "Tiny Steps"),
        ("tiny-steps", "Tiny Steps"),
        (" TINY_steps ", "Tiny Steps"),
        ("level1/Tiny Steps", "Tiny Steps"),
        ("Level 1/tiny steps", "Tiny Steps"),
        ("level1/Tiny Steps.pwp", "Tiny Steps"),
        ("published/the-last-one", "The Last One"),
        ("base/train/11", "level_0_base_train_11"),
        ("level0/base/train/11", "level_0_base_train_11"),
        ("Base/Train/level_0_base_train_3", "level_0_base_train_3"),
        ("level_0_all_test_0", "level_0_all_test_0"),
        ("level_0_all_test_0.pwp", "level_0_all_test_0"),
        ("first-push", "first-push"),
        ("First Push", "first-push"),
        ("bundled/first-push", "first-push"),
    ],
)
def test_a_puzzle_is_found_by_its_name(name: str, puzzle: str, full: Store) -> None:
    assert resolve_puzzle(name, full).name == puzzle


def test_a_name_gives_the_very_puzzle(full: Store) -> None:
    assert resolve_puzzle("long way", full) == Puzzle.parse(FILES["level2/Long Way.pwp"].decode())
    assert resolve_puzzle("base/train/7", full) == Puzzle.parse(puzzle_bytes(11).decode())


def test_a_path_is_read_from_where_it_is(
    tmp_path: Path, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "Tiny Steps.pwp").write_bytes(puzzle_bytes(20))
    (tmp_path / "notes").write_bytes(puzzle_bytes(21))
    monkeypatch.chdir(tmp_path)
    assert resolve_puzzle("Tiny Steps.pwp", store).width == 22
    assert resolve_puzzle(tmp_path / "Tiny Steps.pwp", store).name == "Tiny Steps"
    assert resolve_puzzle("notes", store).width == 23


def test_bundled_names_mean_the_same_whatever_is_installed(tmp_path: Path) -> None:
    files = {"level1/First Push.pwp": puzzle_bytes(9)}
    store = Store(tmp_path / "data", Manifest.parse(manifest_csv(files)))
    import_path(write_files(tmp_path / "sets", files), store)
    bundled = {each.name: each.puzzle for each in bundled_puzzles()}
    assert resolve_puzzle("first push", store) == bundled["first-push"]
    assert resolve_puzzle("level1/first-push", store).width == 11


def test_a_name_that_two_levels_have_needs_its_level(tmp_path: Path) -> None:
    files = {"level1/Twin.pwp": puzzle_bytes(9), "level3/Twin.pwp": puzzle_bytes(10)}
    store = Store(tmp_path / "data", Manifest.parse(manifest_csv(files)))
    source = write_files(tmp_path / "sets", files)
    import_path(source / "level3", store)
    assert resolve_puzzle("twin", store).width == 12
    import_path(source, store)
    with pytest.raises(DataError, match=r"'level1/Twin' or 'level3/Twin'"):
        resolve_puzzle("twin", store)
    assert resolve_puzzle("level1/twin", store).width == 11


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("tiny stpes", "did you mean 'level1/Tiny Steps'"),
        ("firstpush", "did you mean 'first-push'"),
        ("level1/Tiny Step", "did you mean 'level1/Tiny Steps'"),
        ("level2/Tiny Steps", "there is no puzzle"),
        ("qqqqqqqq", "`pushworld data list` shows"),
        ("", "there is no puzzle ''"),
        ("x" * 5000, "there is no puzzle"),
        ("base/train/12", "has the numbers 0 to 11"),
        ("size/train/0", "there is no puzzle level0/size/train/0"),
        ("level1", "level1 is a set where one puzzle is needed"),
        ("nowhere/at/all", "there is no puzzle"),
    ],
)
def test_a_name_that_nothing_has(name: str, words: str, full: Store) -> None:
    with pytest.raises(DataError, match=words.replace("?", r"\?")):
        resolve_puzzle(name, full)


def test_a_file_that_is_not_there(store: Store) -> None:
    with pytest.raises(PuzzleError, match=r"nothing\.pwp: the file cannot be read"):
        resolve_puzzle("nothing.pwp", store)


@pytest.mark.parametrize("name", ["level1/Tiny Steps", "tiny steps", "base/train/3"])
def test_a_known_puzzle_that_is_not_installed(name: str, store: Store) -> None:
    with pytest.raises(DataError, match=r"not installed.*data download.*data import PATH"):
        resolve_puzzle(name, store)


@pytest.mark.parametrize("name", ["level1", "published", "base", "level0/all/test"])
def test_a_known_set_that_is_not_installed(name: str, store: Store) -> None:
    with pytest.raises(DataError, match=r"not installed.*data download.*data import PATH"):
        load_set(name, store)


@pytest.mark.parametrize(
    ("name", "count"),
    [
        ("level1", 2),
        ("LEVEL-4", 1),
        ("published", 4),
        ("base", 13),
        ("base/train", 12),
        ("level0/base/train", 12),
        ("level0/base/test/", 1),
        ("all", 1),
        ("level0", 14),
        ("bundled", len(bundled_puzzles())),
        ("tiny steps", 1),
        ("base/train/3", 1),
    ],
)
def test_a_set_is_found_by_its_name(name: str, count: int, full: Store) -> None:
    assert len(load_set(name, full)) == count


def test_sets_come_in_order(full: Store) -> None:
    numbers = [puzzle.name.rsplit("_", 1)[1] for puzzle in load_set("base/train", full)]
    assert numbers == [str(number) for number in range(12)]
    assert [puzzle.name for puzzle in load_set("level1", full)] == ["Tiny Steps", "Dont Look Back"]


def test_all_names_of_sets_are_known(full: Store) -> None:
    assert len(set_names()) == len(set(set_names())) == 4 + 4 + 1 + 1 + 7 * 3
    for name in (
        "bundled",
        "classic",
        "frontier",
        "heldout",
        "level1",
        "published",
        "level0/base/train",
        "level0/all",
    ):
        assert name in set_names()
        assert load_set(name, full)


def test_of_a_partial_set_what_is_there_is_loaded(tmp_path: Path, store: Store) -> None:
    import_path(write_files(tmp_path / "sets") / "level1" / "Tiny Steps.pwp", store)
    assert [puzzle.name for puzzle in load_set("level1", store)] == ["Tiny Steps"]


def test_a_damaged_puzzle_is_not_loaded_in_silence(full: Store) -> None:
    (full.root / "level1/Tiny Steps.pwp").write_bytes(puzzle_bytes(8))
    for name in ("level1", "tiny steps"):
        with pytest.raises(DataError, match="damaged"):
            load_set(name, full)


def test_a_folder_is_a_set(tmp_path: Path, store: Store) -> None:
    files = ["p10.pwp", "p2.PWP", "below/deep/x.pwp", "below/y.pwp", "other/y.pwp"]
    write_files(tmp_path / "mine", {name: puzzle_bytes(5) for name in files})
    (tmp_path / "mine" / "readme.txt").write_text("hello")
    names = [puzzle.name for puzzle in load_set(tmp_path / "mine", store)]
    assert names == ["x", "below/y", "other/y", "p2", "p10"]


def test_a_file_is_a_set_of_one(tmp_path: Path, store: Store) -> None:
    write_files(tmp_path, {"one.pwp": puzzle_bytes(5)})
    assert [puzzle.name for puzzle in load_set(tmp_path / "one.pwp", store)] == ["one"]


def test_a_set_comes_before_a_folder_of_its_name(
    tmp_path: Path, full: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_files(tmp_path / "here", {"level1/mine.pwp": puzzle_bytes(5)})
    monkeypatch.chdir(tmp_path / "here")
    assert len(load_set("level1", full)) == 2
    assert [puzzle.name for puzzle in load_set("./level1", full)] == ["mine"]


def test_sets_that_cannot_be_loaded(tmp_path: Path, store: Store) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(DataError, match=r"no \.pwp file below"):
        load_set(tmp_path / "empty", store)
    with pytest.raises(DataError, match=r"no set or puzzle 'levle1': did you mean 'level1'"):
        load_set("levle1", store)
    write_files(tmp_path / "bad", {"bad.pwp": b"A ?"})
    with pytest.raises(PuzzleError, match=r"bad\.pwp, line 1, column 3"):
        load_set(tmp_path / "bad", store)


def test_a_data_folder_can_be_moved(tmp_path: Path, full: Store) -> None:
    moved = Store(tmp_path / "moved", full.manifest)
    shutil.move(full.root, moved.root)
    assert len(load_set("published", moved)) == 4
