"""The examples of docs/guides/language-models.md do what it says.

``python -m tests.text.evaluation.test_docs`` writes the prompt into the document again.
"""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from pushworld.datasets import resolve_puzzle
from pushworld.text import one_shot_prompt
from tests.cli.running import run

DOCUMENT = Path(__file__).parents[3] / "docs" / "guides" / "language-models.md"
TEXT = DOCUMENT.read_text(encoding="utf-8")
OURS, ADAPTERS = TEXT.split("## In other ecosystems\n")
PROMPT = re.compile(
    r"(?<=\$ pushworld llm prompt first-push\n).*?(?=```$)", re.MULTILINE | re.DOTALL
)


def blocks(language: str, text: str = OURS) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def test_python_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert len(blocks("python")) == 6
    exec("\n".join(blocks("python")), {})


@pytest.mark.large
def test_commands_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    block = blocks("console")[0]
    for command in re.findall(r"^\$ pushworld (.*)$", block, re.MULTILINE):
        assert run(*shlex.split(command)).exit_code == 0
    assert (tmp_path / "report" / "report.html").is_file()


def test_the_prompt_is_the_one_that_is_shown() -> None:
    (shown,) = PROMPT.findall(TEXT)
    assert run("llm", "prompt", "first-push").out == shown


@pytest.mark.large
@pytest.mark.parametrize("name", ["reasoning_gym"])
def test_adapters_run(name: str) -> None:
    pytest.importorskip(f"pushworld.text.adapters.{name}", reason=f"needs {name}")
    for code in (code for code in blocks("python", ADAPTERS) if f"import {name}" in code):
        exec(code, {})


@pytest.mark.parametrize("link", re.findall(r"\]\((?!https?:)([^)#]+)\)", TEXT))
def test_links_lead_somewhere(link: str) -> None:
    assert (DOCUMENT.parent / link).exists()


if __name__ == "__main__":
    prompt = one_shot_prompt(resolve_puzzle("first-push")) + "\n"
    DOCUMENT.write_text(PROMPT.sub(lambda _: prompt, TEXT), encoding="utf-8")
