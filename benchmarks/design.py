"""Calibrates the difficulty model, and measures the designer.

    python benchmarks/design.py --calibrate
    python benchmarks/design.py --calibrate FOLDER --cache results/design.jsonl --write
    python benchmarks/design.py --rates --levels 1 2 --skills tool-use movable-obstacle
    python benchmarks/design.py --rates --searches 2 --store results/rates.jsonl

`--calibrate` measures every installed puzzle of the levels 1 to 4, or every puzzle in the folders ``level1``
to ``level4`` of a folder, and writes a line of the cache
for each, so that an interrupted run can continue. It fits the model to the levels and prints how well they
agree by cross-validation. `--write` stores the model in the package.

`--rates` designs puzzles of each level and skill. It prints how many puzzles come per minute of CPU time,
how many puzzles the searches evaluated, and the shares that are solvable and as wished. The store has a
line for each search, so that an interrupted run can continue.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from itertools import product
from pathlib import Path
from typing import Any

from calibration import cross_validated, fit_model, rank_correlation, report_agreement
from machine import describe_machine, usable_cores

from pushworld.datasets import default_store
from pushworld.design import difficulty
from pushworld.design.candidates import Wish
from pushworld.design.search import DesignRequest, design_one, parse_size
from pushworld.design.skills import SKILLS
from pushworld.puzzle import Puzzle

LEVELS = (1, 2, 3, 4)
SIZES = {1: "9x9", 2: "9x9", 3: "11x11", 4: "24x24"}
"""Of the interior, by level: fixed, so that rates stay comparable whatever `pushworld design` takes."""


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--calibrate",
        type=Path,
        nargs="?",
        const=default_store().root,
        metavar="FOLDER",
        help="with level1 to level4 (default: the installed puzzles)",
    )
    parser.add_argument("--cache", type=Path, default=Path("results/design.jsonl"))
    parser.add_argument("--write", action="store_true", help="store the model in the package")
    parser.add_argument("--workers", type=int, default=usable_cores())
    parser.add_argument("--rates", action="store_true", help="design puzzles and count them")
    parser.add_argument("--levels", type=int, nargs="+", default=list(LEVELS))
    parser.add_argument("--skills", nargs="+", default=list(SKILLS))
    parser.add_argument("--size", help="of the interior (default: 9x9, 9x9, 11x11, 24x24 by level)")
    parser.add_argument("--searches", type=int, default=4, help="for each level and skill")
    parser.add_argument("--evaluations", type=int, default=400, help="puzzles per search")
    parser.add_argument("--store", type=Path, help="JSON lines with the measurements")
    arguments = parser.parse_args()
    print(", ".join(f"{key} {value}" for key, value in describe_machine().items()))
    if arguments.calibrate:
        calibrate(arguments.calibrate, arguments.cache, arguments.workers, arguments.write)
    if arguments.rates:
        measure_rates(arguments)


def calibrate(folder: Path, cache: Path, workers: int, write: bool) -> None:
    """Fits the model and prints how it agrees with the levels."""
    rows = measured(folder, cache, workers)
    model = fit_model(rows)
    print(report_agreement(rows, cross_validated(rows)))
    every = [name for name in rows[0] if name not in ("level", "puzzle", "status")]
    print(f"rank correlation with all {len(every)} features: {rank_correlation(rows, every):.3f}")
    content = {
        "base": round(model.base, 4),
        "weights": {name: round(weight, 4) for name, weight in model.weights.items()},
        "cuts": [round(cut, 3) for cut in model.cuts],
    }
    print(json.dumps(content))
    if write:
        place = Path(difficulty.__file__).with_name("difficulty.json")
        place.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")


def measured(folder: Path, cache: Path, workers: int) -> list[dict[str, Any]]:
    """Returns the level and the features of every puzzle; measures those that the cache lacks."""
    files = sorted(folder.glob("level[1-4]/*.pwp"))
    if not files:
        sys.exit(f"there is no puzzle below {folder}/level1 to level4: run pushworld data download")
    cache.parent.mkdir(parents=True, exist_ok=True)
    cache.touch()
    rows = [json.loads(line) for line in cache.read_text(encoding="utf-8").splitlines()]
    known = {(row["level"], row["puzzle"]) for row in rows}
    missing = [file for file in files if (_level(file), file.stem) not in known]
    with (
        ProcessPoolExecutor(workers, initializer=os.nice, initargs=(5,)) as pool,
        cache.open("a", encoding="utf-8") as log,
    ):
        for future in as_completed([pool.submit(features_of, file) for file in missing]):
            rows.append(future.result())
            log.write(json.dumps(rows[-1]) + "\n")
            log.flush()
    wanted = {(_level(file), file.stem) for file in files}
    rows = [row for row in rows if (row["level"], row["puzzle"]) in wanted]
    return sorted(rows, key=lambda row: (row["level"], row["puzzle"]))


def features_of(file: Path) -> dict[str, Any]:
    """Returns a line of the cache."""
    measures = difficulty.measure_for_grading(Puzzle.load(file))
    features = difficulty.difficulty_features(measures)
    return {"level": _level(file), "puzzle": file.stem, "status": measures.status, **features}


@dataclass(frozen=True)
class Searched:
    """The result of one search for a puzzle.

    Attributes:
        level, skill: the wanted ones.
        size: of the interior.
        evaluations: how many puzzles it could evaluate.
        number: the number of the search.
        made: whether it found a puzzle.
        seconds: its CPU time.
        looked_at, solvable, accepted: how many puzzles it evaluated, and how many of those were so.
    """

    level: int
    skill: str
    size: str
    evaluations: int
    number: int
    made: bool
    seconds: float
    looked_at: int
    solvable: int
    accepted: int

    @property
    def key(self) -> tuple[int, str, str, int, int]:
        return self.level, self.skill, self.size, self.evaluations, self.number


def measure_rates(arguments: argparse.Namespace) -> None:
    """Designs puzzles of each level and skill and prints the rates."""
    print(
        f"{arguments.searches} searches each with up to {arguments.evaluations} evaluations, "
        f"{arguments.workers} workers"
    )
    print(
        "level   size  skill                   puzzles  a CPU minute  looked at  solvable  accepted"
    )
    known = {row.key: row for row in read_searches(arguments.store)}
    with ProcessPoolExecutor(arguments.workers) as pool:
        for level, skill in product(arguments.levels, arguments.skills):
            keys = [
                (level, skill, arguments.size or SIZES[level], arguments.evaluations, number)
                for number in range(arguments.searches)
            ]
            missing = [key for key in keys if key not in known]
            for future in as_completed([pool.submit(timed_design, *key) for key in missing]):
                row = future.result()
                known[row.key] = row
                if arguments.store:
                    with arguments.store.open("a", encoding="utf-8") as store:
                        print(json.dumps(asdict(row)), file=store)
            print_rate([known[key] for key in keys])


def read_searches(store: Path | None) -> list[Searched]:
    """Returns the searches of a store."""
    if store is None or not store.exists():
        return []
    return [Searched(**json.loads(line)) for line in store.read_text("utf-8").splitlines()]


def timed_design(level: int, skill: str, size: str, evaluations: int, number: int) -> Searched:
    """Returns the result and the CPU time of a search."""
    request = DesignRequest(Wish(level, (skill,)), *parse_size(size), evaluations=evaluations)
    start = time.process_time()
    designed = design_one(request, number)
    return Searched(
        level=level,
        skill=skill,
        size=size,
        evaluations=evaluations,
        number=number,
        made=designed.puzzle is not None,
        seconds=round(time.process_time() - start, 2),
        looked_at=designed.looked_at,
        solvable=designed.solvable,
        accepted=designed.accepted,
    )


def print_rate(rows: list[Searched]) -> None:
    """Prints a line for the searches of a level and a skill."""
    made = sum(row.made for row in rows)
    looked_at = sum(row.looked_at for row in rows)
    per_minute = 60 * made / sum(row.seconds for row in rows)
    solvable = sum(row.solvable for row in rows) / looked_at
    accepted = sum(row.accepted for row in rows) / looked_at
    print(
        f"{rows[0].level:5}  {rows[0].size:>5}  {rows[0].skill:22} {made:4} of {len(rows)} {per_minute:13.2f} "
        f"{looked_at:10} {solvable:9.2f} {accepted:9.3f}",
        flush=True,
    )


def _level(file: Path) -> int:
    return int(file.parent.name.removeprefix("level"))


if __name__ == "__main__":
    main()
