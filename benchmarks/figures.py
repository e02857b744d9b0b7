"""Writes the figures that documents show from the stored results in `results/`.

    python benchmarks/figures.py

Places in README.md and docs/ look like `<!-- figure NAME -->...<!-- end -->`. NAME is a table of this script, or a
row of `results/figures.csv`: a number that stands in several documents. The tests compare the documents
with what this script would write, and find numbers that stand in two documents without such a place.
"""

import csv
import re
from collections.abc import Callable, Iterable
from functools import cache, partial
from pathlib import Path
from statistics import mean

from learning_table import PAPER, interval, kind, last_evaluations, rates, reached, spread

from pushworld.planners import default_strategies
from pushworld.planners.strategies import EVALUATORS, FEATURES, OPTIONS

ROOT = Path(__file__).parents[1]
RESULTS = Path(__file__).with_name("results")
PLACE = re.compile(r"(<!--\s+figure\s+([\w-]+) -->)(.*?)(<!-- end -->)", re.DOTALL)

PLANNERS = {
    "default": "`default`, 2 threads",
    "novelty-rgd": "`novelty-rgd`, our implementation of the paper's method",
    "astar": "`astar`, shortest plans, one core",
}
LEVELS = {"level1": 68, "level2": 74, "level3": 67, "level4": 14}
SETS = {
    "base": "Base",
    "size": "Larger Puzzle Sizes",
    "walls": "More Walls",
    "obstacles": "More Obstacles",
    "shapes": "More Shapes",
    "goals": "Multiple Goals",
    "all": "All",
}
SHORT = [name.split()[-1] for name in SETS.values()]

Row = dict[str, str]


def main() -> None:
    for path in documents():
        text = path.read_text("utf-8")
        if (new := filled(text)) != text:
            path.write_text(new, encoding="utf-8")
            print(f"wrote {path.relative_to(ROOT)}")


def documents() -> list[Path]:
    """Returns the documents that may show figures."""
    return [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def filled(text: str) -> str:
    """Returns a document with what the stored results say in all its places."""
    return PLACE.sub(lambda place: f"{place[1]}{figure(place[2])}{place[4]}", text)


def figure(name: str) -> str:
    """Returns a table, the puzzles that a planner solves in a time, or a row of `figures.csv`."""
    if name in TABLES:
        return f"\n\n{TABLES[name]()}\n\n"
    planner, _, seconds = name.rpartition("-")
    if planner in PLANNERS:
        return published("as published", planner)[seconds][-1]
    return {row["name"]: row["figure"] for row in stored("figures")}[name]


@cache
def stored(name: str) -> list[Row]:
    """Returns the rows of a file of stored results."""
    lines = (RESULTS / f"{name}.csv").read_text("utf-8").splitlines()
    return list(csv.DictReader(line for line in lines if not line.startswith("#")))


def markdown(*rows: Iterable[object]) -> str:
    """Returns a table, its first row the heading, its first column text."""
    head, *others = (re.sub(" +", " ", f"| {' | '.join(map(str, row))} |") for row in rows)
    return "\n".join([head, "| --- " + "| --: " * (head.count("|") - 2) + "|", *others])


def published(puzzles: str, planner: str) -> dict[str, list[str]]:
    """Returns how many puzzles of each level and of all a planner solves, by the seconds that it has."""
    return {
        row["seconds"]: [*solved, str(sum(map(int, solved))) if all(solved) else ""]
        for row in stored("published")
        if (row["puzzles"], row["planner"]) == (puzzles, planner)
        for solved in [[row[level] for level in LEVELS]]
    }


def planners() -> str:
    rows = [
        [title, f"{seconds} s", *solved]
        for planner, title in PLANNERS.items()
        for seconds, solved in published("as published", planner).items()
    ]
    levels = [f"level {level[-1]} ({size})" for level, size in LEVELS.items()]
    return markdown(["planner", "within", *levels, f"all ({sum(LEVELS.values())})"], *rows)


def variants() -> str:
    times = ["1", "10", "60"]
    rows = [
        [puzzles, *(published(puzzles, "default")[seconds][-1] for seconds in times)]
        for puzzles in ("as published", "turned", "tight", "crowd")
    ]
    return markdown(["puzzles", *(f"{seconds} s" for seconds in times)], *rows)


def strategies() -> str:
    """Returns the strategies of the default planner."""
    table = markdown(
        ["strategy", "commitment", "objects", "goals", "share", "open lists"],
        *(
            [
                f"`{o.name}`",
                o.commitment,
                o.objects,
                o.goals,
                o.share,
                f"`{'; '.join(map(str, o.open_lists))}`",
            ]
            for o in default_strategies()
        ),
    )
    return table.replace("--:", "---")


def words(title: str, meanings: dict[str, str], heading: str) -> str:
    """Returns the words of strategies and their meanings."""
    table = markdown(
        [title, heading], *([f"`{name}`", meaning] for name, meaning in meanings.items())
    )
    return table.replace("--:", "---")


def options() -> str:
    """Returns the options of strategies."""
    rows = [[f"`{o.name}`", o.meaning, o.default] for o in OPTIONS.values()]
    return markdown(["option", "meaning", "default"], *rows).replace("--:", "---", 1)


def learning() -> str:
    """The test puzzles of Level 0 with the best actions, and Level 1, next to the paper."""
    table: list[list[object]] = []
    for algorithm in ("ppo", "dqn"):
        level1 = f"{algorithm}-level1-small"
        ours = [best("level0-seeds", f"{algorithm}-{name}", "test") for name in SETS]
        theirs = [PAPER[f"{algorithm}-{name}"][1] for name in SETS]
        solved = PAPER[level1][0]
        below = f"{solved:g}" if algorithm == "ppo" else f"under {solved:g}"
        table.append([algorithm.upper(), *ours, best("level1-learning", level1, "train")])
        minutes = [best("level0-table", f"{algorithm}-{name}", "test") for name in SETS]
        table.append([f"{algorithm.upper()}, preset `gpu`", *minutes, ""])
        table.append([f"{algorithm.upper()} in the paper", *theirs, below])
    for name, both in (("`level0-policy`", "0"), ("with symmetric views and a memory", "1")):
        table.append([name, *(rate(policy_row(each, "8", both)) for each in SETS), ""])
    return markdown(["", *SHORT, "Level 1"], *table)


def value_cost() -> str:
    files = {"weight 0.5": "level0-learning-value-cost-0.5", "weight 0.1": "level0-learning"}
    rows = (
        [name, *(best(file, f"ppo-{each}", "test") for each in SETS)]
        for name, file in files.items()
    )
    return markdown(["", *SHORT], *rows)


def best(file: str, run: str, part: str) -> str:
    """Returns the percentage with the best actions at the end of a run."""
    ends = last_evaluations(stored(file), run)
    return spread([100 * float(row[f"{part}_greedy"]) for row in ends])


def three_seeds(file: str, algorithm: str) -> str:
    rows = stored(file)
    table = [
        [title, steps(ends), rates(ends, "train"), rates(ends, "test"), PAPER[run][1]]
        for name, title in SETS.items()
        for run in [f"{algorithm}-{name}"]
        for ends in [last_evaluations(rows, run)]
    ]
    return markdown([algorithm.upper(), "million steps", "train", "test", "paper's test"], *table)


def preset_gpu() -> str:
    """Runs of the preset `gpu`: their last evaluations, and the first that is above the paper's test figure."""
    table: list[list[object]] = []
    rows = stored("level0-gpu")
    for run in dict.fromkeys(map(kind, rows)):
        algorithm, name = run.split("-")
        ends = last_evaluations(rows, run)
        paper = PAPER[run][1]
        table.append(
            [f"{algorithm.upper()}, {SETS[name]}", len(ends), reached(rows, run, paper or 0)]
        )
        table[-1] += [steps(ends), rates(ends, "test"), paper]
    titles = ["seeds", "seconds above the paper", "million steps", "test", "paper's test"]
    return markdown(["", *titles], *table)


def one_seed(algorithm: str) -> str:
    rows, random = stored("level0-learning"), {row["set"]: row for row in stored("level0-random")}
    table: list[list[object]] = []
    for name, title in SETS.items():
        run = f"{algorithm}-{name}"
        ends = last_evaluations(rows, run)
        table.append(
            [title, steps(ends), rates(ends, "train"), PAPER[run][0], random[name]["train"]]
        )
        table[-1] += [rates(ends, "test"), interval(ends), PAPER[run][1], random[name]["test"]]
    titles = ["train", "paper", "random", "test", "interval", "paper", "random"]
    return markdown([algorithm.upper(), "million steps", *titles], *table)


def steps(ends: list[Row]) -> str:
    return f"{mean(float(row['steps']) for row in ends) / 1e6:.1f}"


def policy() -> str:
    """The agent `level0-policy`, and three on the way to it."""
    table = []
    for name, title in SETS.items():
        both = policy_row(name, "8", "1")
        interval_ = f"{float(both['low']):.1f} to {float(both['high']):.1f}"
        others = [rate(policy_row(name, agent, "1")) for agent in "567"]
        best_ = rate(policy_row(name, "8", "0"))
        table.append([title, best_, f"**{rate(both)}**", interval_, *others])
    titles = ["best actions", "both", "interval", "All alone", "all seven sets", "17,885 more"]
    return markdown(["test set", *titles], *table)


def policy_row(name: str, agent: str, both: str) -> Row:
    """Returns the row of an agent and a set, with or without symmetric views and memory."""
    keys = ("agent", "set", "symmetric", "remember")
    wanted = [f"imitation-all-{agent}", f"{name}/test", both, both]
    rows = stored("level0-remember")
    (row,) = (row for row in rows if [row[key] for key in keys] == wanted)
    return row


def rate(row: Row) -> str:
    return f"{float(row['greedy']):.1f}"


TABLES: dict[str, Callable[[], str]] = {
    "planners": planners,
    "variants": variants,
    "strategies": strategies,
    "features": partial(words, "feature", FEATURES, "a bucket for each set of"),
    "evaluators": partial(words, "evaluator", EVALUATORS, "value"),
    "options": options,
    "learning": learning,
    "three-seeds-ppo": partial(three_seeds, "level0-seeds", "ppo"),
    "three-seeds-dqn": partial(three_seeds, "level0-seeds", "dqn"),
    "preset-gpu-ppo": partial(three_seeds, "level0-table", "ppo"),
    "preset-gpu-dqn": partial(three_seeds, "level0-table", "dqn"),
    "preset-gpu": preset_gpu,
    "one-seed-ppo": partial(one_seed, "ppo"),
    "one-seed-dqn": partial(one_seed, "dqn"),
    "policy": policy,
    "value-cost": value_cost,
}
"""The tables by name."""


if __name__ == "__main__":
    main()
