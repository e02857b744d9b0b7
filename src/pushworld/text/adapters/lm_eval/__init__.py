"""PushWorld for ``lm-eval``: the four tasks with one answer each.

lm_eval run --include_path "$(python -m pushworld.text.adapters.lm_eval)" --tasks pushworld \\
    --metadata '{"source": "evaluation", "limit": 50}' --apply_chat_template --model ...
"""

from __future__ import annotations

from typing import Any

from pushworld.text import Task, prompt_for, score_answer
from pushworld.text.adapters import asked_tasks, needs

with needs("lm-eval"):
    from datasets import Dataset


def documents(**chosen: Any) -> dict[str, Dataset]:
    """Returns the tasks of a source; lm-eval passes what ``--metadata`` holds, and more."""
    rows = [{"prompt": prompt_for(each), "task": each.to_json()} for each in asked_tasks(**chosen)]
    return {"test": Dataset.from_list(rows)}


def results(document: dict[str, Any], answers: list[str]) -> dict[str, float]:
    """Returns the score of an answer, also under the name of what was asked."""
    about = Task.from_json(document["task"])
    score = score_answer(about, answers[0], prove=False)
    return {"solved": float(score.solved), "reward": score.reward, about.kind: float(score.solved)}
