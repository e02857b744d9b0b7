"""Files are written whole or not at all, folders have one writer, and what others wrote is checked."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from pushworld.files import locked_folder, parse_json, parse_toml, read_text, replaced, write_text
from pushworld.journal import append_rows, open_journal, read_rows
from pushworld.puzzle import PushWorldError, Puzzle
from pushworld.render import save_picture
from tests.cli.running import run

PUZZLE = Puzzle.parse("A M1 G1")
DEEP = 100_000


@contextmanager
def full_disk() -> Iterator[None]:
    """Lets no file of this process grow."""
    resource = pytest.importorskip("resource", reason="needs limits on files")
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)


WRITERS: dict[str, Callable[[Path], object]] = {
    "plan.txt": lambda path: run("solve", "first-push", "-o", str(path)),
    "puzzle.pwp": PUZZLE.save,
    "a.svg": lambda path: save_picture(path, PUZZLE),
    "a.png": lambda path: save_picture(path, PUZZLE),
    "a.gif": lambda path: save_picture(path, PUZZLE, plan="R"),
    "a.mp4": lambda path: save_picture(path, PUZZLE, plan="R"),
    "rows.jsonl": lambda path: append_rows(path, [{"a": 2}]),
}


@pytest.mark.parametrize("name", WRITERS)
@pytest.mark.parametrize("before", [None, b'{"a": 1}\n'])
def test_a_full_disk_leaves_the_old_file_or_none(
    name: str, before: bytes | None, tmp_path: Path
) -> None:
    if name.endswith("mp4"):
        pytest.importorskip("imageio_ffmpeg")
    path = tmp_path / name
    if before is not None:
        path.write_bytes(before)
    with full_disk():
        try:
            outcome = WRITERS[name](path)
        except PushWorldError as error:
            outcome = str(error)
    assert "cannot be written: File too large" in str(outcome) or name.endswith("mp4")
    left = {each.name: each.read_bytes() for each in tmp_path.iterdir() if each.stat().st_size}
    assert left == ({} if before is None else {name: before})
    assert not list(tmp_path.glob(".*"))


@pytest.mark.skipif(sys.platform == "win32", reason="needs links and devices as POSIX has them")
def test_links_devices_and_rights_stay_what_they_are(tmp_path: Path) -> None:
    write_text(Path("/dev/null"), "x")
    assert not Path("/dev/null").is_file()
    private, link = tmp_path / "private", tmp_path / "link"
    private.touch(0o600)
    link.symlink_to(private)
    write_text(link, "new")
    assert link.is_symlink()
    assert private.read_text() == "new"
    assert private.stat().st_mode & 0o777 == 0o600


def test_an_error_that_is_not_about_the_file_keeps_its_words(tmp_path: Path) -> None:
    for block in (replaced(tmp_path / "file"), locked_folder(tmp_path / "folder")):
        with pytest.raises(FileNotFoundError, match="elsewhere"), block:
            open(tmp_path / "elsewhere")  # noqa: SIM115
    assert not list((tmp_path / "folder").iterdir())
    assert not (tmp_path / "file").exists()


def test_a_folder_has_one_writer(tmp_path: Path) -> None:
    for _ in range(2):  # the lock is free again
        with (
            locked_folder(tmp_path),
            pytest.raises(PushWorldError, match="another process is adding to"),
            locked_folder(tmp_path),
        ):
            pass


def test_what_a_killed_writer_left_goes_with_the_next_lock(tmp_path: Path) -> None:
    (tmp_path / ".0123.partial").touch()
    with locked_folder(tmp_path):
        assert open_journal(tmp_path / "log", {"a": 1}, {}) == []
    assert [path.name for path in tmp_path.iterdir()] == ["log"]


@pytest.mark.parametrize("torn", [b'{"n', b"\0\0\0", b"\0\0\0\n", b"\xff"])
def test_rows_take_the_place_of_a_torn_line(torn: bytes, tmp_path: Path) -> None:
    path = tmp_path / "log"
    append_rows(path, [{"n": 1}])
    with path.open("ab") as file:
        file.write(torn)
    assert read_rows(path, {"n": int}, "") == [{"n": 1}]
    append_rows(path, [{"n": 2}, {"n": 3}])
    assert path.read_bytes() == b'{"n": 1}\n{"n": 2}\n{"n": 3}\n'


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("[" * DEEP, "nested too deeply"),
        ('{"a":' * 150 + "1" + "}" * 150, "nested too deeply"),
        (r'{"a": "\ud800"}', "not Unicode"),
        (r'{"\udfff": 1}', "not Unicode"),
        ('["\udcff"]', "not Unicode"),
        (b'"\xff"', "not Unicode"),
        ("[NaN]", "not a number"),
        ("[-Infinity]", "not a number"),
        ("[1e999]", "not a finite number"),
        ("1" * 5000, "integer"),
        ("{", "line 1"),
    ],
)
def test_json_that_would_fail_later_is_an_error_at_once(text: str | bytes, problem: str) -> None:
    with pytest.raises(PushWorldError, match=f"^FILE is not valid JSON: .*{problem}") as caught:
        parse_json(text, "FILE")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("a = " + "[" * DEEP, "nested too deeply"),
        (".".join("a" * 200) + " = 1", "nested too deeply"),
        (r'a = "\ud800"', "scalar"),
        ("a = nan", "not a finite number"),
        ("a = -inf", "not a finite number"),
    ],
)
def test_toml_that_would_fail_later_is_an_error_at_once(text: str, problem: str) -> None:
    with pytest.raises(PushWorldError, match=f"^FILE is not valid TOML: .*{problem}"):
        parse_toml(text, "FILE")


def test_text_that_is_none_says_where(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"x\n\xff")
    with pytest.raises(PushWorldError, match="a, line 2: this is not UTF-8 text"):
        read_text(tmp_path / "a")
    with pytest.raises(PushWorldError, match="larger than 64 MiB"):
        read_text(Path("/dev/zero" if os.path.exists("/dev/zero") else os.devnull))


@pytest.mark.parametrize(
    "arguments",
    [
        ("study", "check", "{}.toml"),
        ("solve", "first-push", "--strategy", "{}.toml"),
        ("solve", "first-push", "--planner", "{}.toml"),
        ("report", "{}"),
        ("llm", "report", "{}"),
    ],
)
def test_deep_nesting_is_one_line_of_every_command(
    arguments: tuple[str, ...], tmp_path: Path
) -> None:
    deep = tmp_path / "deep"
    deep.mkdir()
    for name in ("settings.json", "journal.jsonl"):
        (deep / name).write_text("[" * DEEP + "\n")
    (tmp_path / "deep.toml").write_text("a = " + "[" * DEEP)
    ended = run(*(each.format(deep) for each in arguments))
    assert ended.exit_code in (1, 2)
    assert "deep" in ended.err
    assert ended.err.count("\n") == 1
