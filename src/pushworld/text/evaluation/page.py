"""The report as one HTML file: tables, charts, and every conversation beside the board.

What models write is data: it gets into the page as text only, shortened, with its control characters
made visible.
"""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from typing import Any

from pushworld.bench.html_page import html_list, puzzle_data, report_page, table_sections
from pushworld.bench.tables import NOTHING, Table
from pushworld.engine import Engine
from pushworld.puzzle import LETTERS
from pushworld.text import CANARY, Task, question_of
from pushworld.text.evaluation.outcomes import Contestant, Outcome, visible
from pushworld.text.evaluation.summary import difficulties, kinds_of, step_of, summaries

PACKAGE = "pushworld.text.evaluation"
ASIDE = '<div id="talk" tabindex="0" role="group" aria-label="Conversation"></div>'
MOST_OF_A_TASK = 30_000
"""The characters of a conversation's answers that the page shows."""

LEAST_OF_AN_ANSWER = 300
MOST_OF_A_REPLY = 400
"""The characters shown of what a model was told after an answer: the board shows the rest."""


def page_of(
    contestants: Sequence[Contestant], tables: Mapping[str, Table], notes: Sequence[str]
) -> str:
    """Returns the HTML of the page with these tables and notes; its chart shows the hardest task that was asked."""
    tasks = {key: each.task for one in contestants for key, each in one.outcomes.items()}
    steps = {key: step_of(each) for one in contestants for key, each in one.outcomes.items()}
    names = difficulties(contestants)
    order = sorted(tasks, key=lambda key: (names.index(steps[key]), list(tasks).index(key)))
    engines = {key: Engine(tasks[key].puzzle) for key in order}
    texts: dict[str, int] = {}
    *_, kind = kinds_of(contestants)
    figures = [each.to_json() for each in summaries(contestants) if each.task == kind]
    data = {
        "planners": [
            {"label": each.label, "kind": each.evaluation.settings.kind} for each in contestants
        ],
        "steps": names,
        "figures": figures,
        "puzzles": [_task_data(tasks[key], steps[key]) for key in order],
        "runs": [
            [_run_data(each.outcomes.get(key), engines[key], texts) for each in contestants]
            for key in order
        ],
        "texts": list(texts),
    }
    heading = "PushWorld: language models"
    return report_page(
        PACKAGE,
        head=f'<meta name="canary" content="{html.escape(CANARY)}">\n<title>{heading}</title>',
        heading=heading,
        shown="Answer",
        aside=ASIDE,
        data=data,
        tables=table_sections(tables),
        notes=html_list(notes),
        summary=html.escape(_summary(contestants, len(tasks), len(names))),
    )


def shortened(text: str, most: int) -> str:
    """Returns the beginning and the end of a long text."""
    if len(text) <= most:
        return text
    head = 2 * most // 3
    left_out = f"\n[… {len(text) - most:,} characters left out; the journal holds them …]\n"
    return text[:head] + left_out + text[head - most :]


def _summary(contestants: Sequence[Contestant], tasks: int, steps: int) -> str:
    models = sum(each.evaluation.settings.kind == "model" for each in contestants)
    parts = [_counted(models, "model"), _counted(len(contestants) - models, "baseline")]
    difficulty = f" in {steps} steps of difficulty" if steps > 1 else ""
    return f"{' and '.join(filter(None, parts))} on {_counted(tasks, 'task')}{difficulty}"


def _counted(number: int, one: str) -> str:
    return f"{number:,} {one}{'s' * (number != 1)}" if number else ""


def _task_data(task: Task, step: str) -> dict[str, Any]:
    name = visible(task.name.removeprefix(f"{task.set}/"))
    name += "" if task.kind == "plan" else f" · {task.kind}"
    name += f" · sample {task.sample + 1}" if task.sample else ""
    data = puzzle_data(name, "" if step == NOTHING else f"step {step}", task.puzzle)
    return data | {"step": step, "best": task.best_known, "shortest": task.shortest}


def _run_data(
    outcome: Outcome | None, engine: Engine, texts: dict[str, int]
) -> dict[str, Any] | None:
    """Returns what the page shows of an outcome.

    Args:
        outcome: what to show.
        engine: of the puzzle.
        texts: numbers of the texts that several outcomes share; new ones are added.
    """
    if outcome is None:
        return None
    score, task = outcome.score, outcome.task
    moves = _moved(engine, outcome.steps)
    most = max(LEAST_OF_AN_ANSWER, MOST_OF_A_TASK // max(1, len(outcome.exchanges)))
    return {
        "status": outcome.status,
        "right": None if task.kind == "plan" else " or ".join(question_of(task).right),
        "goals": [score.goals_achieved, score.goals],
        "dead": score.unsolvable_after,
        "illegal": score.illegal_answers if outcome.answers else 0,
        "wasted": score.moves_wasted,
        "reward": round(score.reward, 3),
        "count": score.moves,
        "plan": outcome.steps,
        "pushes": sum(len(each) > 1 for each in moves),
        "moves": moves,
        "tokens": outcome.tokens,
        "seconds": round(outcome.seconds, 1),
        "stopped": outcome.stopped,
        "error": visible(outcome.error),
        "talk": [
            {
                "sent": _number(
                    texts,
                    visible(
                        exchange.sent if not index else shortened(exchange.sent, MOST_OF_A_REPLY)
                    ),
                ),
                "answer": None
                if exchange.turn.answer is None
                else visible(shortened(exchange.turn.answer, most)),
                "thought": visible(shortened(exchange.turn.reasoning, most)),
                "finish": visible(exchange.turn.finish),
                "span": [exchange.first, exchange.last],
            }
            for index, exchange in enumerate(outcome.exchanges)
        ],
    }


def _number(texts: dict[str, int], text: str) -> int:
    return texts.setdefault(text, len(texts))


def _moved(engine: Engine, steps: str) -> list[list[int]]:
    """Returns the indices of the objects that each step moves; a step back moves what it takes back."""
    states = [engine.puzzle.initial_state]
    made: list[list[int]] = []
    found = []
    for step in steps:
        if step.islower():
            states.pop()
            found.append(made.pop())
            continue
        after = engine.step(states[-1], LETTERS.index(step))
        pairs = enumerate(zip(states[-1], after, strict=True))
        made.append([index for index, (old, new) in pairs if old != new])
        found.append(made[-1])
        states.append(after)
    return found
