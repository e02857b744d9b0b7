"""Calibrates the difficulty model, and measures the designer.

    python benchmarks/design.py --calibrate ../shared/puzzles --cache results/design.jsonl
    python benchmarks/design.py --calibrate ../shared/puzzles --cache results/design.jsonl --write
    python benchmarks/design.py --rates --levels 1 2 --skills tool-use movable-obstacle

`--calibrate` measures every puzzle below the folders ``level1`` to ``level4``, one line of the cache
each, so that an interrupted run goes on; fits the model to the levels; and prints its agreement with
them, each puzzle graded by a model that has not seen it. `--write` stores the model in the package.

`--rates` designs puzzles of each level and skill and prints how many come a minute of CPU, how many
puzzles the searches looked at, and which shares of those can be solved and were as wished.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from typing import Any

from calibration import cross_validated, fit_model, rank_correlation, report_agreement
from machine import describe_machine, usable_cores

from pushworld.design import difficulty
from pushworld.design.quality import Wish
from pushworld.design.search import Designed, DesignRequest, design_one, parse_size
from pushworld.design.skills import SKILLS
from pushworld.puzzle import Puzzle

LEVELS = (1, 2, 3, 4)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--calibrate", type=Path, metavar="FOLDER", help="with level1 to level4")
    parser.add_argument("--cache", type=Path, default=Path("results/design.jsonl"))
    parser.add_argument("--write", action="store_true", help="store the model in the package")
    parser.add_argument("--workers", type=int, default=usable_cores())
    parser.add_argument("--rates", action="store_true", help="design puzzles and count them")
    parser.add_argument("--levels", type=int, nargs="+", default=list(LEVELS))
    parser.add_argument("--skills", nargs="+", default=list(SKILLS))
    parser.add_argument("--size", default="9x9", help="of the interior (default: 9x9)")
    parser.add_argument("--searches", type=int, default=4, help="for each level and skill")
    arguments = parser.parse_args()
    print(", ".join(f"{key} {value}" for key, value in describe_machine().items()))
    if arguments.calibrate:
        calibrate(arguments.calibrate, arguments.cache, arguments.workers, arguments.write)
    if arguments.rates:
        size = parse_size(arguments.size)
        print(f"interior {arguments.size}, {arguments.searches} searches each, ", end="")
        print(f"{arguments.workers} workers")
        print("level  skill                   puzzles  a CPU minute  looked at  solvable  accepted")
        for level in arguments.levels:
            for skill in arguments.skills:
                measure_rate(level, skill, size, arguments.searches, arguments.workers)


def calibrate(folder: Path, cache: Path, workers: int, write: bool) -> None:
    """Fits the model and prints how it agrees with the levels."""
    rows = measured(folder, cache, workers)
    model = fit_model(rows)
    print(report_agreement(rows, cross_validated(rows)))
    every = [name for name in rows[0] if name not in ("level", "puzzle", "status")]
    print(f"rank correlation with all {len(every)} features: {rank_correlation(rows, every):.3f}")
    told = {
        "base": round(model.base, 4),
        "weights": {name: round(weight, 4) for name, weight in model.weights.items()},
        "cuts": [round(cut, 3) for cut in model.cuts],
    }
    print(json.dumps(told))
    if write:
        place = Path(difficulty.__file__).with_name("difficulty.json")
        place.write_text(json.dumps(told, indent=2) + "\n", encoding="utf-8")


def measured(folder: Path, cache: Path, workers: int) -> list[dict[str, Any]]:
    """Returns the level and the features of every puzzle, measuring those not in the cache yet."""
    files = sorted(folder.glob("level[1-4]/*.pwp"))
    if not files:
        sys.exit(f"there is no puzzle below {folder}/level1 to level4")
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


def measure_rate(
    level: int, skill: str, size: tuple[int, int], searches: int, workers: int
) -> None:
    """Designs puzzles of a level and a skill and prints how many come out."""
    request = DesignRequest(Wish(level, (skill,)), *size)
    with ProcessPoolExecutor(workers) as pool:
        results = list(pool.map(timed_design, [request] * searches, range(searches)))
    made = sum(designed.puzzle is not None for designed, _ in results)
    seconds = sum(spent for _, spent in results)
    looked_at = sum(designed.looked_at for designed, _ in results)
    solvable = sum(designed.solvable for designed, _ in results)
    accepted = sum(designed.accepted for designed, _ in results)
    print(
        f"{level:5}  {skill:22} {made:4} of {searches} {60 * made / seconds:13.2f} {looked_at:10} "
        f"{solvable / looked_at:9.2f} {accepted / looked_at:9.3f}",
        flush=True,
    )


def timed_design(request: DesignRequest, number: int) -> tuple[Designed, float]:
    """Returns a design and the seconds of CPU that it took."""
    start = time.process_time()
    return design_one(request, number), time.process_time() - start


def _level(file: Path) -> int:
    return int(file.parent.name.removeprefix("level"))


if __name__ == "__main__":
    main()
