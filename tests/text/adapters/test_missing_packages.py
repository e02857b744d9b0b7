"""What users see who have not installed the package of an adapter."""

from __future__ import annotations

import sys
from importlib import import_module

import pytest

from pushworld.puzzle import PushWorldError
from tests.cli.running import run


@pytest.mark.parametrize(
    ("adapter", "package", "extra"),
    [
        ("verifiers", "verifiers", "verifiers"),
        ("reasoning_gym", "reasoning_gym", "reasoning-gym"),
        ("openenv", "openenv", "openenv"),
        ("mcp", "mcp", "mcp"),
        ("huggingface", "pyarrow", "hf"),
        ("inspect_ai", "inspect_ai", "inspect"),
        ("lm_eval", "datasets", "lm-eval"),
        ("textarena", "textarena", "textarena"),
    ],
)
def test_the_error_names_the_extra(
    adapter: str, package: str, extra: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in [*sys.modules]:
        if module.startswith(("pushworld.text.adapters.", f"{package}.")):
            monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(PushWorldError, match=rf"pip install 'pushworld\[{extra}\]'"):
        import_module(f"pushworld.text.adapters.{adapter}")
    if adapter == "mcp":
        outcome = run("mcp")
        assert outcome.exit_code == 2
        assert "pip install 'pushworld[mcp]'" in outcome.err
