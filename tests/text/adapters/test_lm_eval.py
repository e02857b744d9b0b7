"""The task inside lm-eval, which asks the scripted server over its own client."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest

from pushworld.text import tasks
from tests.text.evaluation.server import ScriptedServer, serving

pytest.importorskip("lm_eval", reason="needs lm-eval: make test-lm-eval")

import lm_eval
from lm_eval.tasks import TaskManager

SOURCE: dict[str, Any] = {"source": "evaluation", "limit": 8, "seed": "0"}


def figures(model: str, **metadata: Any) -> dict[str, float]:
    """Returns the figures of a scripted model by their names."""
    command = [sys.executable, "-m", "pushworld.text.adapters.lm_eval"]
    folder = subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
    manager = TaskManager(include_path=folder, include_defaults=False, metadata=SOURCE | metadata)
    with serving(ScriptedServer(list(tasks(**SOURCE)))) as address:
        found = lm_eval.simple_evaluate(
            model="local-chat-completions",
            model_args={"model": model, "base_url": f"{address}/chat/completions"},
            tasks=["pushworld"],
            task_manager=manager,
            apply_chat_template=True,
            bootstrap_iters=0,
        )
    values = found["results"]["pushworld"]
    return {name.partition(",")[0]: value for name, value in values.items()}


def test_the_four_tasks() -> None:
    found = figures("optimist")
    for kind in ("see", "simulate", "push", "plan"):
        assert found[kind] == 1
    assert found["judge"] < 1
    assert 0 < found["reward"] < 1


def test_only_plans() -> None:
    found = figures("lazy", ask="plan")
    assert found["solved"] == found["plan"] == found["reward"] == 0
    assert "see" not in found
