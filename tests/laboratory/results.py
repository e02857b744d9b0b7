"""Planners in Python that return odd results, and records, planners and strategies with odd values.

Whatever a planner returns, its run becomes a record that comes back the same when written and read. A file
with values of other kinds, or nested deeply, is read or refused with the package's own error.
"""

from __future__ import annotations

import json
import traceback
from dataclasses import fields
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from pushworld.bench import read_results
from pushworld.bench.contestants import Contestant
from pushworld.bench.records import Run
from pushworld.bench.report import rows_of_report, write_tables
from pushworld.bench.single_run import Job, record_of
from pushworld.bench.store import RUNS, SETTINGS
from pushworld.bench.tasks import Task
from pushworld.bench.worker import answer_of
from pushworld.planners import SolveResult, get_planner
from pushworld.planners.strategies import load_strategies
from pushworld.puzzle import PushWorldError
from tests.bench.odd_planners import OddPlanner
from tests.bench.samples import CORRIDOR, SAMPLE_RUN, SAMPLE_SETTINGS, sample_folder
from tests.laboratory.trials import Options, Outcome, Trials, one_by_one

INPUTS = (
    "odd results of planners in Python; records, planners and strategies with odd or nested values"
)
COUNT = 20_000
CHUNK = 200

ODD: tuple[Any, ...] = (
    *(
        None,
        True,
        -1,
        0,
        10**400,
        -100.0,
        float("nan"),
        float("inf"),
        b"LR",
        "",
        "puzzled",
        "\ud800",
    ),
    *("R" * 5_000, "L" * (1 << 24) + "R", [], ["L"], {}, object, 1j),
)
STORED: tuple[Any, ...] = (
    None,
    True,
    -1,
    10**400,
    float("nan"),
    float("inf"),
    "",
    [],
    {},
    "x" * 5_000,
)
"""Odd values that JSON can hold."""

WORK = {"clock": "wall", "wall_limit": 9, "memory_limit_bytes": 10**9, "threads": 1, "seed": 0}
JOB = Job(Contestant("odd", "7", "odd"), Task("level1", CORRIDOR), SAMPLE_SETTINGS)
VARIANTS = ("returned", "runs", "settings", "planner", "strategies")


def start(options: Options) -> Trials:
    """Returns a function that tries some results and files."""
    variants = options.chosen(VARIANTS)

    def tried(trial: int, outcome: Outcome) -> str | None:
        variant = variants[trial % len(variants)]
        try:
            with TemporaryDirectory(prefix="pushworld-results-") as name:
                outcome.counts[_try(variant, options.random(trial), Path(name))] += 1
        except PushWorldError as error:
            outcome.counts["refused"] += 1
            if "\n" in str(error) or len(str(error)) > 1_000:
                return f"{variant}: {error!s:.300}"
        except Exception:
            return f"{variant}: {traceback.format_exc()}"
        return None

    return one_by_one(tried)


def _try(variant: str, random: Random, folder: Path) -> str:
    """Returns what happened."""
    if variant == "returned":
        names = random.sample([field.name for field in fields(SolveResult)], random.randint(1, 3))
        changes = {name: random.choice(ODD) for name in names}
        planner: Any = OddPlanner(lambda: changes)
        answer = json.loads(json.dumps(answer_of(planner, CORRIDOR, WORK), allow_nan=False))
        run = record_of(JOB, answer, 0.1, 10**6, lambda: False)
        assert Run.from_json(json.loads(json.dumps(run.to_json(), allow_nan=False))) == run
        return run.status
    if variant in ("runs", "settings"):
        results = sample_folder(folder / "results", [SAMPLE_RUN] * 2)
        file = results.path / (RUNS if variant == "runs" else SETTINGS)
        first, *others = file.read_text().splitlines(keepends=True)
        values = json.loads(first)
        part = random.choice([values, values["settings"]]) if variant == "settings" else values
        part[random.choice(list(part))] = random.choice(STORED)
        text = "[" * 200_000 if random.random() < 0.2 else json.dumps(values)
        file.write_text("".join([text, "\n", *others]))
        read = [read_results(results.path)]
        write_tables(read, rows_of_report(read), folder / "tables")
        return "read"
    value = random.choice(
        ["[" * 20_000, "{a=" * 20_000, "'x'", "nan", "[[1]]", "{}", "\x00", "1e999"]
    )
    file = folder / "odd.toml"
    if variant == "planner":
        key = random.choice(["name", "command", "complete", "plan_files", "patterns", "odd"])
        file.write_text(f"command = 'p {{sas}}'\n{key} = {value}\n")
        get_planner(str(file)).availability()
    else:
        file.write_text(f"[{random.choice(['strategies', 'odd'])}]\na = {value}\n")
        load_strategies(file)
    return "read"
