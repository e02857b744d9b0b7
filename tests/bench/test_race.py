"""The figure of the race is the same from the planners' runs and from the file that keeps them."""

import importlib
import sys
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"


def test_the_race_is_drawn_again_from_its_file(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    main = importlib.import_module("race").main
    monkeypatch.chdir(tmp_path)
    printed = []
    for figure, rounds in (("one", ["--rounds", "rgd=bundled", "default=bundled"]), ("other", [])):
        arguments = ["race.py", "runs.csv", f"{figure}.svg", "--states", "1000", *rounds]
        monkeypatch.setattr(sys, "argv", arguments)
        main()
        printed.append(capsys.readouterr().out)
    assert printed[0] == printed[1]
    assert "of 12 against rgd: novelty-rgd" in printed[0]
    assert Path("one.svg").read_bytes() == Path("other.svg").read_bytes()
