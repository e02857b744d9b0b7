"""Calibrates the difficulty model, and measures the designer.

    python benchmarks/design.py --calibrate
    python benchmarks/design.py --calibrate FOLDER --store results/design.jsonl --write
    python benchmarks/design.py --rates --levels 1 2 --skills tool-use movable-obstacle
    python benchmarks/design.py --rates --searches 2 --store results/rates.jsonl

`--calibrate` measures every installed puzzle of the levels 1 to 4, or every puzzle in the folders ``level1``
to ``level4`` of a folder. It fits the model to the levels and prints how well they agree by cross-validation.
`--write` stores the model in the package.

`--people HUMAN.csv` says how measures agree with what is known of people: the lengths of their plans in that file, with
the puzzles beside it, and the levels that they gave. The searches for it are shorter than those of `--calibrate`.

`--rates` designs puzzles of each level and skill. It prints how many puzzles come per minute of CPU time,
how many puzzles the searches evaluated, and the shares that are solvable and as wished. The store keeps every
measurement, so that an interrupted run can continue.
"""

import argparse
import csv
import json
import math
import sys
import time
from collections.abc import Sequence
from functools import partial
from itertools import product
from pathlib import Path

import numpy as np
from common import Row, command_line, print_machine, rows_of, run_script

from pushworld.cli.arguments import parse_size
from pushworld.datasets import default_store
from pushworld.design import difficulty
from pushworld.design.analysis import SKILLS
from pushworld.design.budget import GRADING, Budget
from pushworld.design.candidates import Wish
from pushworld.design.search import SIZES, DesignRequest
from pushworld.machine import usable_cores
from pushworld.puzzle import Puzzle
from pushworld.statistics import Spearman, spearman

LEVELS = (1, 2, 3, 4)
FEATURES = ("log_length", "log_effort", "movables", "unsolved")
"""Of the model; the others are measured to see what they would add."""

PEOPLE = Budget(100_000, 0, 20_000, 0, 0, 0, 0)
"""For `--people`: search and shortening within a second."""

RIDGE = 1.0
FOLDS = 10


def main() -> None:
    parser = command_line(__doc__)
    add = parser.add_argument
    add(
        "--calibrate",
        type=Path,
        nargs="?",
        const=default_store().root,
        metavar="FOLDER",
        help="with level1 to level4 (default: the installed puzzles)",
    )
    add("--store", type=Path, default=Path("results/design.jsonl"))
    add("--write", action="store_true", help="store the model in the package")
    add("--workers", type=int, default=usable_cores())
    add("--people", type=Path, metavar="HUMAN.csv", help="compare measures with human plans")
    add("--rates", action="store_true", help="design puzzles and count them")
    add("--levels", type=int, nargs="+", default=list(LEVELS))
    add("--skills", nargs="+", default=list(SKILLS))
    add("--size", help="of the interior (default: that of `pushworld design`)")
    add("--searches", type=int, default=4, help="for each level and skill")
    add("--evaluations", type=int, default=400, help="puzzles per search")
    arguments = parser.parse_args()
    print_machine()
    if arguments.calibrate:
        calibrate(arguments.calibrate, arguments.store, arguments.workers, arguments.write)
    if arguments.people:
        compare_with_people(arguments.people, arguments.store, arguments.workers)
    if arguments.rates:
        measure_rates(arguments)


def calibrate(folder: Path, store: Path, workers: int, write: bool) -> None:
    """Fits the model and prints how it agrees with the levels."""
    files = sorted(folder.glob("level[1-4]/*.pwp"))
    if not files:
        sys.exit(f"there is no puzzle below {folder}/level1 to level4: run pushworld data download")
    tasks = {("features", _level(file), file.stem): partial(features_of, file) for file in files}
    rows = list(rows_of(tasks, store, workers).values())
    model = fit_model(rows)
    print(report_agreement(rows, cross_validated(rows)))
    every = [name for name in rows[0] if name not in ("level", "puzzle", "status")]
    scores = np.array([score for score, _ in cross_validated(rows, every)])
    rho = spearman(scores, [row["level"] for row in rows]).rho
    print(f"rank correlation with all {len(every)} features: {rho:.3f}")
    content = {
        "base": round(model.base, 4),
        "weights": {name: round(weight, 4) for name, weight in model.weights.items()},
        "cuts": [round(cut, 3) for cut in model.cuts],
    }
    print(json.dumps(content))
    if write:
        place = Path(difficulty.__file__).with_name("difficulty.json")
        place.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")


def compare_with_people(lengths: Path, store: Path, workers: int) -> None:
    """Prints the rank correlations of measures with human plans and with levels, with 95 % intervals."""
    with lengths.open(encoding="utf-8") as lines:
        human = {row["puzzle"]: int(row["human_actions"]) for row in csv.DictReader(lines)}
    tasks = {
        ("people", name): partial(features_of, lengths.parent / f"{name}.pwp", PEOPLE)
        for name in human
    }
    rows = list(rows_of(tasks, store, workers).values())
    model, lengths_of_people = difficulty.stored_model(), list(human.values())
    columns: dict[str, Sequence[float]] = {
        "length of the human plan": lengths_of_people,
        "score": [model.score(row) for row in rows],
        **{name: [row[name] for row in rows] for name in (*FEATURES, "goals", "chain")},
    }
    solved = [n for n, row in enumerate(rows) if not row["unsolved"]]
    print(
        f"{len(rows)} puzzles, {len(solved)} of them with a plan; lengths and chains are of these"
    )
    print(f"{'':26}{'level':22}{'human length':22}the same at levels 1, 2 and 3")
    for name, values in columns.items():
        known = solved if name in ("log_length", "chain") else range(len(rows))
        cells = [spearman([values[n] for n in known], [rows[n]["level"] for n in known])]
        for levels in (LEVELS, (1,), (2,), (3,)):
            chosen = [n for n in known if rows[n]["level"] in levels]
            ours, theirs = ([side[n] for n in chosen] for side in (values, lengths_of_people))
            cells.append(spearman(ours, theirs))
        print(f"{name:26}" + "".join(f"{rounded(cell):22}" for cell in cells))


def rounded(found: Spearman) -> str:
    """Returns a rank correlation with its interval as text."""
    low, high = found.interval or (math.nan, math.nan)
    return "-" if found.rho is None else f"{found.rho:.2f} ({low:.2f} to {high:.2f})"


def features_of(file: Path, budget: Budget = GRADING) -> Row:
    """Returns the level and the features of a puzzle."""
    found = difficulty.measure(Puzzle.load(file), budget, ("default",))
    plan, states = found.plan, found.efforts[0].states
    length = None if plan is None else plan.length
    features = difficulty.difficulty_features(found.movables, length, states)
    return {
        **{"level": _level(file), "puzzle": file.stem, "status": found.status},
        **features,
        "log_pushes": math.log2(1 + plan.pushes) if plan else 0.0,
        "log_runs": math.log2(1 + plan.runs) if plan else 0.0,
        "log_turns": math.log2(1 + plan.turns) if plan else 0.0,
        "chain": plan.longest_chain if plan else 0,
        "moved": len(plan.moved) if plan else 0,
        "goals": found.goals,
        "log_states": found.log10_states or 0.0,
    }


def fit_model(rows: Sequence[Row], features: Sequence[str] = FEATURES) -> difficulty.Model:
    """Returns the ridge regression of the levels on the standardised features, with its cuts."""
    values = np.array([[row[name] for name in features] for row in rows], float)
    levels = np.array([row["level"] for row in rows], float)
    mean, spread = values.mean(axis=0), values.std(axis=0) + 1e-9
    scaled = (values - mean) / spread
    gram = scaled.T @ scaled + RIDGE * np.eye(len(features))
    weights = np.linalg.solve(gram, scaled.T @ (levels - levels.mean())) / spread
    base = float(levels.mean() - weights @ mean)
    scores = values @ weights + base
    named = dict(zip(features, weights.tolist(), strict=True))
    # The cuts give as many puzzles to each level as people did.
    shares = [float(np.mean(levels <= level)) for level in LEVELS[:-1]]
    return difficulty.Model(base, named, tuple(np.quantile(scores, shares).tolist()))


def cross_validated(
    rows: Sequence[Row], features: Sequence[str] = FEATURES
) -> list[tuple[float, int]]:
    """Returns the score and level of each puzzle by a model fitted to the other folds."""
    found: list[tuple[float, int]] = [(0.0, 0)] * len(rows)
    for fold in range(FOLDS):
        others = [row for index, row in enumerate(rows) if index % FOLDS != fold]
        model = fit_model(others, features)
        for index in range(fold, len(rows), FOLDS):
            score = model.score(rows[index])
            found[index] = (score, model.level(score))
    return found


def report_agreement(rows: Sequence[Row], graded: Sequence[tuple[float, int]]) -> str:
    """Returns the rank correlation and the confusion matrix as text."""
    levels = np.array([row["level"] for row in rows], float)
    scores = np.array([score for score, _ in graded])
    given = np.array([level for _, level in graded])
    lines = [
        f"{len(rows)} puzzles, {FOLDS} folds",
        f"Spearman's rank correlation of score and level: {spearman(scores, levels).rho:.3f}",
        f"same level {np.mean(given == levels):.3f}, "
        f"at most one apart {np.mean(np.abs(given - levels) <= 1):.3f}",
        "level     graded as 1    2    3    4",
    ]
    for level in LEVELS:
        counts = [int(np.sum((levels == level) & (given == each))) for each in LEVELS]
        lines.append(f"{level:<17}" + "".join(f"{count:5}" for count in counts))
    return "\n".join(lines)


def measure_rates(arguments: argparse.Namespace) -> None:
    """Designs puzzles of each level and skill and prints the rates."""
    print(
        f"{arguments.searches} searches each with up to {arguments.evaluations} evaluations, "
        f"{arguments.workers} workers"
    )
    print(
        "level   size  skill                   puzzles  a CPU minute  looked at  solvable  accepted"
    )
    for level, skill in product(arguments.levels, arguments.skills):
        size = arguments.size or SIZES[level - 1]
        tasks = {
            ("rate", level, skill, size, arguments.evaluations, number): partial(
                timed_design, level, skill, size, arguments.evaluations, number
            )
            for number in range(arguments.searches)
        }
        rows = list(rows_of(tasks, arguments.store, arguments.workers).values())
        total = {key: sum(row[key] for row in rows) for key in rows[0]}
        print(
            f"{level:5}  {size:>5}  {skill:22} {total['made']:4} of {len(rows)} "
            f"{60 * total['made'] / total['seconds']:13.2f} {total['looked_at']:10} "
            f"{total['solvable'] / total['looked_at']:9.2f} "
            f"{total['accepted'] / total['looked_at']:9.3f}",
            flush=True,
        )


def timed_design(level: int, skill: str, size: str, evaluations: int, number: int) -> Row:
    """Returns the result and the CPU time of a search."""
    request = DesignRequest(Wish(level, (skill,)), *parse_size(size), evaluations=evaluations)
    start = time.process_time()
    designed = request.search(number)
    return {
        "made": designed.puzzle is not None,
        "seconds": round(time.process_time() - start, 2),
        "looked_at": designed.looked_at,
        "solvable": designed.solvable,
        "accepted": designed.accepted,
    }


def _level(file: Path) -> int:
    return int(file.parent.name.removeprefix("level"))


if __name__ == "__main__":
    run_script(main)
