"""The report as one HTML file that contains its style, script and data."""

import base64
import hashlib
import html
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from importlib.resources import files
from itertools import groupby
from typing import Any

from pushworld.bench.records import Run, TaskKey
from pushworld.bench.scores import comparison, scores
from pushworld.bench.store import Results
from pushworld.bench.tables import HUMAN, PlannerRuns, Table, all_tasks, coverage, notes
from pushworld.page.drawing import drawing
from pushworld.puzzle import Puzzle

SCRIPTS = ("dom.js", "charts.js", "player.js")
"""The scripts that all reports share."""


def page_of(results: Sequence[Results], planners: Sequence[PlannerRuns]) -> str:
    """Returns the HTML of the page."""
    tasks = all_tasks(planners)
    puzzles = puzzles_of(results)
    data = {
        "planners": [
            {"label": planner.label, "limit": planner.settings.time_limit, "timed": planner.timed}
            for planner in planners
        ],
        "puzzles": [
            puzzle_data(task.puzzle, task.level, puzzles.get(task.digest)) for task in tasks
        ],
        "runs": [
            [(run := each.runs.get(task)) and _run_data(run) for each in planners] for task in tasks
        ],
    }
    return report_page(
        "pushworld.bench",
        heading="PushWorld benchmark",
        shown="Plan",
        data=data,
        tables=table_sections(
            {
                "Solved by level and time": coverage(planners),
                "Scores of planning competitions": scores(planners),
                "Compared with the first planner": comparison(planners),
            }
        ),
        notes=html_list(notes(planners)),
        summary=html.escape(_summary(planners, tasks)),
    )


def report_page(
    package: str,
    *,
    heading: str,
    shown: str,
    data: Any,
    summary: str,
    notes: str,
    head: str = "",
    aside: str = "",
    **sections: str,
) -> str:
    """Returns the page of a report: the frame that all reports share, around its own sections.

    Only the script that the page comes with can run in it, whatever its data contain.

    Args:
        package: has `sections.html` and `page.js` in its folder of assets, and unless it is that of the
            benchmark, a style of its own beside those that reports share.
        heading: HTML of the heading; also the page's title unless `head` has one.
        shown: what the player shows: "Plan" of a planner.
        data: of the script, for JSON.
        summary: HTML below the heading.
        notes: HTML of the items of the last section.
        head: more HTML of the head.
        aside: HTML beside the player.
        sections: HTML by name; ``<!--name-->`` marks its place.
    """
    boards = drawing()
    # The colours of boards have names of the reports' own colours.
    board_style = boards.style.replace(":root", "#player")
    style = board_style + asset("page.css")
    if package != __package__:
        style += asset("answers.css") + asset("page.css", package)
    script = "\n".join([boards.script, *map(asset, SCRIPTS), asset("page.js", package)])
    script = f'\n"use strict";\n{script}\n'
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return _filled(
        asset("frame.html"),
        policy=f"'sha256-{digest}'",
        head=head or f"<title>{heading}</title>",
        style=style,
        heading=heading,
        summary=summary,
        sections=_filled(asset("sections.html", package), **sections),
        notes=notes,
        shown=shown,
        aside=aside,
        patterns=boards.patterns,
        data=json.dumps(data, separators=(",", ":")).replace("<", "\\u003c"),
        script=f"<script>{script}</script>",
    )


def _filled(template: str, **parts: str) -> str:
    """Returns a template in which each ``<!--name-->`` is replaced by the part of that name."""
    pieces = re.split(r"<!--(\w+)-->", template)
    assert sorted(pieces[1::2]) == sorted(parts)
    return "".join(parts[each] if odd % 2 else each for odd, each in enumerate(pieces))


def asset(name: str, package: str = "pushworld.bench") -> str:
    """Returns the text of a file that a page is made of."""
    return (files(package) / "assets" / name).read_text(encoding="utf-8")


def html_list(lines: Iterable[str]) -> str:
    """Returns the items of a list."""
    return "".join(f"<li>{html.escape(line)}</li>" for line in lines)


def _summary(planners: Sequence[PlannerRuns], tasks: Sequence[TaskKey]) -> str:
    planners = [planner for planner in planners if planner.label != HUMAN]
    limits = {(each.settings.time_limit, "s" if each.timed else "moves") for each in planners}
    within = " or ".join(f"{limit:g} {unit}" for limit, unit in sorted(limits))
    return f"{len(planners)} planners, {len(tasks)} puzzles, {within} a puzzle"


def html_table(table: Table) -> str:
    """Returns the table as HTML; adjacent rows of the same name share one cell for it."""
    head = "".join(f"<th scope=col>{html.escape(cell)}</th>" for cell in table.header)
    rows = []
    for name, group in groupby(table.rows, key=lambda row: row[0]):
        same = list(group)
        for index, row in enumerate(same):
            first = f"<th scope=row rowspan={len(same)}>{html.escape(name)}</th>"
            cells = "".join(f"<td>{html.escape(cell)}</td>" for cell in row[1:])
            rows.append(
                f"<tr class=begins>{first}{cells}</tr>" if index == 0 else f"<tr>{cells}</tr>"
            )
    return (
        f"<table class=figures><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"
    )


def table_sections(tables: Mapping[str, Table]) -> str:
    """Returns a section for each table, by its title."""
    return "".join(
        f'<section aria-label="{title}">\n<h2>{title}</h2>\n<div class="wide" role="group" '
        f'aria-label="{title}" tabindex="0">{html_table(table)}</div>\n</section>\n'
        for title, table in tables.items()
    )


def puzzles_of(results: Iterable[Results]) -> dict[str, Puzzle]:
    """Returns the puzzles in the folders by digest."""
    found: dict[str, Puzzle] = {}
    for each in results:
        for run in each.runs:
            if run.digest not in found and (puzzle := each.puzzle(run)) is not None:
                found[run.digest] = puzzle
    return found


def _run_data(run: Run) -> dict[str, Any]:
    data: dict[str, Any] = {
        "status": run.status,
        "seconds": round(run.seconds, 4),
        "cpu": round(run.cpu_seconds, 3),
        "memory": run.peak_memory_bytes,
    }
    if run.message:
        data["message"] = run.message
    if run.states is not None:
        data["states"] = run.states
    if run.status == "solved":
        data["length"] = run.length
    if run.status == "solved" and run.plan is not None:
        data |= {"plan": run.plan, "pushes": run.pushes}
    return data


def puzzle_data(name: str, level: str, puzzle: Puzzle | None) -> dict[str, Any]:
    """Returns a puzzle's name, level and text."""
    text = {} if puzzle is None else {"pwp": puzzle.to_pwp()}
    return {"name": name, "level": level, **text}
