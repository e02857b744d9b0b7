"""The examples of docs/guides/studies.md work, and the codebook in the documents is the real one."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from pushworld.datasets import bundled_puzzles
from pushworld.traces.rows import codebook
from tests.cli.running import run
from tests.traces.recordings import Script, add_participant, add_study, write_recording

DOCS = Path(__file__).parents[2] / "docs"
TEXT = (DOCS / "guides" / "studies.md").read_text(encoding="utf-8")
PUZZLES = [each for each in bundled_puzzles() if each.name in ("first-push", "crossroads")]


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)


def record_study(path: Path) -> None:
    """Writes the games of three participants, each with a detour."""
    scripts = []
    for number in range(3):
        script = Script(f"{number:032x}", PUZZLES[0].puzzle, visit=1, now=number)
        for trial, each in enumerate(PUZZLES):
            script.trial = trial
            script.play(each.puzzle).moves("LR" * number + each.plan).add("solved")
        scripts.append(script)
    write_recording(path, scripts)
    add_study(path)
    for number, script in enumerate(scripts):
        add_participant(path, script, f"P{number}", [each.puzzle for each in PUZZLES])


@pytest.mark.large
def test_from_the_study_file_to_the_plots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "agg")
    record_study(tmp_path / "study.db")
    commands = re.findall(r"^\$ pushworld (.*)$", "".join(blocks("console")), re.MULTILINE)
    assert len(commands) == 4
    for command in commands:
        assert run(*shlex.split(command)).exit_code == 0
    listed = re.findall(r"^\| `([\w.]+\.(?:csv|md))` \|", TEXT, re.MULTILINE)
    assert sorted(listed) == sorted(path.name for path in (tmp_path / "data").iterdir())
    (program,) = blocks("python")
    exec(program, {})
    assert (tmp_path / "study.png").stat().st_size > 1000
    assert (tmp_path / "report.html").is_file()


def test_the_codebook_in_the_documents_is_up_to_date() -> None:
    path = DOCS / "reference" / "codebook.md"
    assert path.read_text(encoding="utf-8") == codebook(), "write codebook() there"
