"""The report as one HTML file: figures, charts, and every game beside the board, move by move.

What participants wrote and what they are called never gets into it; the names of puzzles get in as text.
"""

import html
import math
from collections.abc import Mapping, Sequence
from typing import Any

from pushworld.bench.html_page import html_list, html_table, puzzle_data, report_page
from pushworld.bench.tables import Table
from pushworld.design.explanation import counted
from pushworld.statistics import Share
from pushworld.traces.figures import Attempt, PuzzleFigures
from pushworld.traces.games import Game
from pushworld.traces.measures import NOTHING_KNOWN, Outlooks

PACKAGE = "pushworld.traces"
ASIDE = """<div>
<div class="chart" id="way"></div>
<div id="log-box" tabindex="0" role="group" aria-label="Moves"><table id="log"></table></div>
</div>"""
"""Beside the board: the length of the best plan after each move, and the moves."""
CONDITIONS = '<h2>By condition</h2><div class="wide" role="group" aria-label="By condition" tabindex="0">{}</div>'
MOST_PEOPLE = 200
"""The people whose games the page plays; the figures are of all."""


def page_of(
    title: str,
    figures: Sequence[PuzzleFigures],
    outlooks: dict[str, Outlooks],
    people: Sequence[str],
    tables: Mapping[str, Table],
    notes: Sequence[str],
) -> str:
    """Returns the HTML of the page; `people` are the sessions, in the order in which they are numbered."""
    shown = people[:MOST_PEOPLE]
    groups = tables.get("conditions")
    runs = []
    for each in figures:
        own = {attempt.session: attempt for attempt in each.attempts}
        judged = outlooks[each.digest]
        runs.append([_run(own[one], judged) if one in own else None for one in shown])
    data = {
        "planners": [{"label": f"P{number}"} for number in range(1, len(shown) + 1)],
        "puzzles": [_puzzle_data(each) for each in figures],
        "runs": runs,
    }
    attempts = [attempt for each in figures for attempt in each.attempts]
    solved = Share.of(each.solved for each in attempts)
    moves = sum(each.moves for each in attempts)
    hours = sum(each.active_s for each in attempts) / 3600
    cards = [
        ("people", f"{len({each.session for each in attempts}):,}"),
        ("games", f"{len(attempts):,}"),
        ("solved (95 %)", str(solved)),
        ("moves", f"{moves:,}"),
        ("time played", f"{hours:.1f} h" if hours >= 1 else f"{60 * hours:.0f} min"),
    ]
    return report_page(
        PACKAGE,
        head="<title>PushWorld: recorded games</title>",
        heading=html.escape(title),
        shown="Game",
        aside=ASIDE,
        data=data,
        summary=html.escape(
            f"{counted(len(people), 'person', 'people')}, {counted(len(figures), 'puzzle')}"
        ),
        cards="".join(_card(name, value) for name, value in cards),
        puzzles=html_table(tables["puzzles"]),
        conditions="" if groups is None else CONDITIONS.format(html_table(groups)),
        comparison=html_table(tables["comparison"]),
        correlation=html_table(tables["correlation"]),
        notes=html_list(notes),
    )


def _card(name: str, value: str) -> str:
    return (
        f'<div class="score"><div class="name">{html.escape(name)}</div>'
        f'<div class="count">{html.escape(value)}</div></div>'
    )


def _puzzle_data(each: PuzzleFigures) -> dict[str, Any]:
    level = "no score" if each.score is None else f"difficulty {each.score:.2f}"
    low, high = each.share.interval
    return puzzle_data(each.puzzle.name, level, each.puzzle) | {
        "score": each.score,
        "best": each.best,
        "solved": each.share.count,
        "people": each.share.trials,
        "interval": [round(low, 4), round(high, 4)],
        "times": [round(seconds, 2) for seconds in each.times],
        "median": None if math.isinf(each.median_time) else round(each.median_time, 2),
    }


def _run(attempt: Attempt, outlooks: Outlooks) -> dict[str, Any]:
    """Returns the last game of an attempt, as a plan of steps that the player of plans understands."""
    game, row = attempt.games[-1], attempt.rows[-1]
    steps, moves, log = _steps(game, outlooks)
    start = outlooks.get(game.puzzle.initial_state, NOTHING_KNOWN)
    return {
        "status": attempt.outcome,
        "helped": attempt.helped,
        "seconds": round(attempt.active_s, 1),
        "count": attempt.moves,
        "games": len(attempt.games),
        "undos": row.undos + row.resets,
        "lost": row.unsolvable_after,
        "best": start.best,
        "pushes": row.pushes,
        "plan": steps,
        "moves": moves,
        "log": log,
    }


def _steps(game: Game, outlooks: Outlooks) -> tuple[str, list[list[int]], list[list[Any]]]:
    """Returns the steps of a replay, the objects that each moves, and a line for each change.

    A step that takes a move back has a small letter. A line holds the number of steps after it, its
    kind, action and actor, active seconds, think time, and what is known about the position: the
    length of the best plan, whether none is shorter, and whether it can be solved.
    """
    steps = ""
    moves: list[list[int]] = []
    made: list[list[int]] = []
    log: list[list[Any]] = []
    for change in game.changes:
        if change.is_forward:
            moved = list(change.moved)
            steps += change.event.action or ""
            moves.append(moved)
            if moved:
                made.append(moved)
        else:
            steps += change.taken_back.lower()
            moves += [made.pop() for _ in change.taken_back]
        known = outlooks.get(change.after, NOTHING_KNOWN)
        line: list[Any] = [len(steps), change.kind, change.event.action, change.event.actor]
        line += [round(change.at_s, 1), round(change.think_s, 1)]
        log.append([*line, known.best, known.shortest, known.solvable])
    return steps, moves, log
