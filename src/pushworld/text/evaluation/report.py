"""The report about evaluations: tables, files for other programs, and one HTML file with every conversation beside
the board.

What models write is data: it gets into the page as text only, shortened, with its control characters
made visible.
"""

import html
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console

from pushworld.bench.html_page import html_list, puzzle_data, report_page, table_sections
from pushworld.bench.tables import NOTHING, Table, show_tables
from pushworld.design.explanation import counted
from pushworld.engine import Engine
from pushworld.files import make_folder, write_text
from pushworld.puzzle import LETTERS
from pushworld.text import CANARY, Task, question_of
from pushworld.text.evaluation.accounts import Prices, costs, pairs, price_notes, samples
from pushworld.text.evaluation.outcomes import Contestant, Exchange, Outcome, visible
from pushworld.text.evaluation.profile import by_difficulty, by_set, by_skill, profile_table
from pushworld.text.evaluation.summary import (
    difficulties,
    kinds_of,
    leaderboard,
    notes,
    step_of,
    summaries,
    write_csv,
)

PACKAGE = "pushworld.text.evaluation"
ASIDE = '<div id="talk" tabindex="0" role="group" aria-label="Conversation"></div>'
MOST_OF_A_TASK = 30_000  # characters of a conversation's answers that the page shows
LEAST_OF_AN_ANSWER = 300
MOST_OF_A_REPLY = 400  # characters of what a model was told: the board shows the rest


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
    figures = [each for each in summaries(contestants) if each["task"] == kind]
    data = {
        "planners": [{"label": each.label, "kind": each.settings.kind} for each in contestants],
        "steps": names,
        "asked": kind,
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
    models = sum(each.is_model for each in contestants)
    counts = counted(models, "model"), counted(len(contestants) - models, "baseline")
    who = " and ".join(each for each in counts if not each.startswith("0 "))
    difficulty = f" in {steps} steps of difficulty" if steps > 1 else ""
    return f"{who} on {counted(tasks, 'task')}{difficulty}"


def _task_data(task: Task, step: str) -> dict[str, Any]:
    name = visible(task.name.removeprefix(f"{task.set}/"))
    name += "" if task.kind == "plan" else f" · {task.kind}"
    name += f" · sample {task.sample + 1}" if task.sample else ""
    data = puzzle_data(name, "" if step == NOTHING else f"step {step}", task.puzzle)
    return data | {"step": step, "best": task.best_known, "shortest": task.shortest}


def _run_data(
    outcome: Outcome | None, engine: Engine, texts: dict[str, int]
) -> dict[str, Any] | None:
    """Returns what the page shows of an outcome; adds to the numbers of the texts that outcomes share."""
    if outcome is None:
        return None
    score, task = outcome.score, outcome.task
    moves = _moved(engine, outcome.steps)
    most = max(LEAST_OF_AN_ANSWER, MOST_OF_A_TASK // max(1, len(outcome.exchanges)))

    def talk(index: int, exchange: Exchange) -> dict[str, Any]:
        sent = visible(exchange.sent if not index else shortened(exchange.sent, MOST_OF_A_REPLY))
        turn = exchange.turn
        return {
            "sent": texts.setdefault(sent, len(texts)),
            "answer": None if turn.answer is None else visible(shortened(turn.answer, most)),
            "thought": visible(shortened(turn.reasoning, most)),
            "finish": visible(turn.finish),
            "span": [exchange.first, exchange.last],
        }

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
        "error": visible(outcome.error),
        "talk": [talk(index, each) for index, each in enumerate(outcome.exchanges)],
    }


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


PAGE, SUMMARY, ROWS = "report.html", "summary.json", "tasks.csv"


def tables_of(contestants: Sequence[Contestant], prices: Prices | None = None) -> dict[str, Table]:
    """Returns the tables of a report that have rows and more than one figure, by their headings.

    All but those of costs and samples are of the first sample of each task.
    """
    once = [each.only(lambda one: not one.task.sample) for each in contestants]
    tables = {
        "Profile": profile_table(once),
        "Plans": leaderboard(once),
        "Right answers by difficulty step": by_difficulty(once),
        "Puzzles solved by what they demand": by_skill(once),
        "Puzzles and their twins": by_set(once),
        "Samples": samples(contestants),
        "Runs in pairs": pairs(once),
        "Costs": costs(contestants, prices),
    }
    if len(kinds_of(contestants)) == 1:
        del tables["Profile"]
    elif len(difficulties(contestants)) == 1:
        del tables["Right answers by difficulty step"]
    return {name: each for name, each in tables.items() if each.rows and len(each.header) > 2}


def print_tables(
    contestants: Sequence[Contestant],
    console: Console,
    *,
    markdown: bool = False,
    prices: Prices | None = None,
) -> None:
    """Prints the figures of all contestants, and what they mean."""
    lines = [*notes(contestants), *price_notes(contestants, prices)]
    show_tables(tables_of(contestants, prices).values(), lines, console, markdown=markdown)


def summary_of(contestants: Sequence[Contestant]) -> dict[str, object]:
    """Returns the figures of all contestants by difficulty, their settings and the notes."""
    return {
        "contestants": {
            each.label: {**each.settings.to_json(), "verified": each.verified}
            for each in contestants
        },
        "figures": summaries(contestants),
        "notes": list(notes(contestants)),
    }


def write_report(
    contestants: Sequence[Contestant], folder: Path, prices: Prices | None = None
) -> tuple[Path, ...]:
    """Writes ``report.html``, ``summary.json`` and ``tasks.csv`` into a folder; returns their paths."""
    page, summary, rows = folder / PAGE, folder / SUMMARY, folder / ROWS
    make_folder(folder)
    lines = [*notes(contestants), *price_notes(contestants, prices)]
    write_text(page, page_of(contestants, tables_of(contestants, prices), lines))
    write_text(summary, json.dumps(summary_of(contestants), indent=2) + "\n")
    write_csv(contestants, rows)
    return page, summary, rows
