"""The README's commands and examples do what it says."""

from __future__ import annotations

import os
import re
import shlex
import signal
import subprocess
import sys
from pathlib import Path
from urllib.request import urlopen

import pytest

from tests.cli.running import run
from tests.docs.blocks import blocks, sessions

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
SHOWN = dict(sessions(README))
NAMED = {
    command.split("  ")[0].strip()
    for text in [
        *SHOWN,
        *"".join(blocks(README, "bash")).splitlines(),
        *re.findall("`(.+?)`", README),
    ]
    if (command := text).startswith(("pushworld ", "pip ", "make "))
}
EXCEPTED = {
    "pip install '.[web]'": "the tests run in what it installs",
    "make wheel": "takes minutes, and tries what it builds",
    "pushworld data download": "needs the network; tests/datasets downloads from a server of its own",
    "make test": "would run this test",
    "make test-all": "would run this test",
    "make bench": "takes a minute; tests/bench runs such a benchmark",
    "make docs": "tests/docs/test_site.py builds the site",
}
"""Commands that are not run here, and why."""


def test_python_examples_run(tmp_path: Path) -> None:
    assert blocks(README, "python")
    code = "\n".join(blocks(README, "python"))
    subprocess.run([sys.executable, "-c", code], cwd=tmp_path, check=True, timeout=600)


@pytest.mark.parametrize("command", sorted(NAMED - set(EXCEPTED) - {"pushworld play"}))
def test_command_prints_what_is_shown(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = run(*shlex.split(command)[1:])
    assert done.exit_code == 0, done.err
    if SHOWN.get(command):
        assert done.out == SHOWN[command]
    else:  # what it prints or writes is not shown, but there is something
        assert done.out.strip() or list(tmp_path.iterdir())


def test_exceptions_are_needed() -> None:
    assert set(EXCEPTED) <= NAMED


def test_play_shows_the_page() -> None:
    assert "pushworld play" in NAMED
    pytest.importorskip("uvicorn", reason="needs uvicorn")
    with subprocess.Popen(
        [sys.executable, "-m", "pushworld", "play"],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, "BROWSER": "true"},  # a browser that shows nothing
    ) as process:
        try:
            assert process.stdout
            told = process.stdout.readline()
            (address,) = re.findall(r"http://\S+", told)
            with urlopen(address, timeout=60) as answer:
                assert b"<title>PushWorld</title>" in answer.read()
        finally:
            process.send_signal(signal.SIGINT)


@pytest.mark.parametrize("link", re.findall(r"\]\((?!https?:)([^)#]+)\)", README))
def test_links_lead_somewhere(link: str) -> None:
    assert (ROOT / link).exists()
