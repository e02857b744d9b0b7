"""The examples of the pages run, and their figures can be repeated by anyone."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.running import built_application, run
from tests.docs.blocks import blocks, sessions

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
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


def shown_commands() -> list[str]:
    """Returns the commands of all blocks of the pages, of the notebooks and of the examples in help."""
    texts = [*TEXTS.values(), (ROOT / "README.md").read_text("utf-8")]
    shells = [
        block for text in texts for kind in ("bash", "console") for block in blocks(text, kind)
    ]
    for notebook in DOCS.rglob("*.ipynb"):
        cells = json.loads(notebook.read_text("utf-8"))["cells"]
        lines = [line for cell in cells for line in cell["source"]]
        shells += re.findall("`(pushworld .+?)`", "".join(lines))
    shells += [file.read_text("utf-8") for file in (ROOT / "src/pushworld/cli").glob("*.py")]
    joined = [re.sub(r"\\\n\s*", " ", shell) for shell in shells]
    commands = (re.findall(r"^ *(?:\$ )?pushworld (.+)$", text, re.MULTILINE) for text in joined)
    return sorted({command for found in commands for command in found})


@pytest.mark.parametrize("command", shown_commands())
def test_commands_have_the_arguments_that_are_shown(command: str) -> None:
    """Whether or not another test runs it, its names and values are those that the command line takes."""
    parser, context, name = built_application(), None, "pushworld"
    words = shlex.split(command, comments=True)
    arguments = words[: words.index("|")] if "|" in words else words
    while arguments and hasattr(parser, "resolve_command"):  # a group of commands
        context = parser.context_class(parser, info_name=name, parent=context)
        name, parser, arguments = parser.resolve_command(context, arguments)
    parser.make_context(name, arguments, parent=context)


def test_no_page_names_a_folder_that_readers_do_not_have() -> None:
    assert [
        page for page, text in TEXTS.items() if re.search(r"\.\./shared|/work/|/root/", text)
    ] == []
