"""The examples of the pages run, and their figures can be repeated by anyone."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.running import run
from tests.docs.blocks import blocks, sessions

DOCS = Path(__file__).parents[2] / "docs"
TEXTS = {page.relative_to(DOCS).as_posix(): page.read_text("utf-8") for page in DOCS.rglob("*.md")}
ELSEWHERE = {
    "guides/add-a-heuristic.md",  # test_heuristic_guide.py
    "guides/benchmark.md",  # tests/bench
    "guides/design.md",  # tests/design
    "guides/environments.md",  # tests/envs
    "guides/jax.md",  # tests/envs/jax
    "guides/language-models.md",  # tests/text
    "guides/studies.md",  # tests/traces
    "guides/traces.md",  # tests/traces
}
"""Pages whose examples other tests run."""

RUN_HERE = sorted(
    page
    for page, text in TEXTS.items()
    if page not in ELSEWHERE and (blocks(text, "python") or sessions(text))
)
MAZE = "A . M1 . G1\n. . W . .\n"


@pytest.mark.parametrize("page", RUN_HERE)
def test_examples_run(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands come first: they may make the files that the code reads."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "maze.pwp").write_text(MAZE, encoding="utf-8")
    code = "\n".join(blocks(TEXTS[page], "python"))
    (tmp_path / "mine.py").write_text(code, encoding="utf-8")
    for command, shown in sessions(TEXTS[page]):
        files = set(tmp_path.rglob("*"))
        done = run(*shlex.split(command, comments=True)[1:])
        assert done.exit_code == 0, f"{command}\n{done.err}"
        if shown:
            assert done.out == shown
        else:  # what it prints or writes is not shown, but there is something
            assert done.out.strip() or set(tmp_path.rglob("*")) > files
    subprocess.run([sys.executable, "mine.py"], check=True, timeout=600)


def test_no_page_names_a_folder_that_readers_do_not_have() -> None:
    assert [
        page for page, text in TEXTS.items() if re.search(r"\.\./shared|/work/|/root/", text)
    ] == []
