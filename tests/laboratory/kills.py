"""SIGKILL at random moments, again and again, while a command fills a folder.

What the command has acknowledged stays, the same command goes on after each kill, and in the end there is
exactly what an undisturbed run leaves. The recorder acknowledges an event when it answers the request.
"""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from tests.datasets.tiny import manifest_csv, puzzle_bytes, write_files
from tests.laboratory.trials import Options, Outcome, Trials
from tests.planners.tiny_puzzles import tiny_puzzle

INPUTS = "SIGKILL at random moments of benchmark, design, generate, train, import and the recorder"
COUNT = 600
CHUNK = 10
ROOT = Path(__file__).resolve().parents[2]
MEASURED = ("seconds", "cpu_seconds", "peak_memory_bytes", "date")
TIMES = ("seconds", "steps_per_second")
LOCKED = "is adding to"
PATIENCE = 300.0
IMPORTED = {f"level1/Row {number}.pwp": puzzle_bytes(4 + number) for number in range(400)}
IMPORT = """
import sys
from pathlib import Path
from pushworld.datasets import Manifest, Store, import_path
manifest = Manifest.parse(Path(sys.argv[1], "manifest.csv").read_text())
import_path(Path(sys.argv[1], "files"), Store(Path(sys.argv[2]), manifest))
"""

State = dict[str, Any]


@dataclass(frozen=True)
class Victim:
    """A command that fills a folder.

    Attributes:
        command: its arguments, where {inputs} and {output} are folders.
        prepare: writes the inputs.
        acknowledged: what the folder holds for good, by name; later it must hold the same.
        result: what two finished folders have in common.
    """

    command: list[str]
    prepare: Callable[[Path], None]
    acknowledged: Callable[[Path], State]
    result: Callable[[Path], State]


def start(options: Options) -> Trials:
    """Returns a function that kills a command some times."""
    targets = options.chosen([*VICTIMS, "recorder"])
    folder = TemporaryDirectory(prefix="pushworld-kills-", ignore_cleanup_errors=True)
    known: dict[str, tuple[State, float]] = {}
    os.environ.setdefault("JAX_COMPILATION_CACHE_DIR", str(Path(folder.name) / "jax"))
    os.environ.setdefault("JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS", "0")

    def tried(trials: range) -> Outcome:
        outcome = Outcome()
        target = targets[trials.start // CHUNK % len(targets)]
        random = options.random(trials.start)
        with TemporaryDirectory(dir=folder.name, ignore_cleanup_errors=True) as scratch:
            try:
                if target == "recorder":
                    kill_recorder(Path(scratch), random, len(trials))
                else:
                    if target not in known:
                        known[target] = undisturbed(target, Path(folder.name) / target)
                    kill_again(target, Path(scratch), random, len(trials), *known[target])
                outcome.counts[f"kills of {target}"] += len(trials)
            except Exception as error:
                outcome.findings.append(f"{target}: {type(error).__name__}: {error}")
        return outcome

    tried.folder = folder  # type: ignore[attr-defined]  # keeps it
    return tried


def undisturbed(target: str, folder: Path) -> tuple[State, float]:
    """Returns the result of an undisturbed run, and the seconds that a second one takes."""
    victim = VICTIMS[target]
    (folder / "inputs").mkdir(parents=True)
    victim.prepare(folder / "inputs")
    seconds = 0.0
    for output in ("first", "second"):  # the second has everything compiled
        begun = time.monotonic()
        process = _begin(victim, folder / "inputs", folder / output)
        _, errors = process.communicate(timeout=PATIENCE)
        assert process.returncode == 0, errors[-1000:]
        seconds = time.monotonic() - begun
    results = [victim.result(folder / output) for output in ("first", "second")]
    assert results[0] == results[1], "two undisturbed runs differ"
    return results[0], seconds


def kill_again(
    target: str, scratch: Path, random: Random, kills: int, expected: State, seconds: float
) -> None:
    """Kills a command some times, begins anew where one ends before, and compares the ends."""
    victim = VICTIMS[target]
    inputs = scratch / "inputs"
    inputs.mkdir()
    victim.prepare(inputs)
    killed = folders = 0
    output = scratch / "0"
    while True:
        before = victim.acknowledged(output) if output.exists() else {}
        process = _begin(victim, inputs, output)
        ends = None if killed == kills else random.uniform(0, 1.1 * seconds)
        try:
            _, errors = process.communicate(timeout=PATIENCE if ends is None else ends)
        except subprocess.TimeoutExpired:
            if ends is None:
                raise
            process.kill()
            process.communicate()
            killed += 1
        else:
            if LOCKED in errors:  # what the killed process had started is about to end
                time.sleep(0.2)
                continue
            assert process.returncode == 0, f"after {killed} kills: {errors[-1000:]}"
        now = victim.acknowledged(output) if output.exists() else {}
        lost = [name for name, value in before.items() if now.get(name) != value]
        assert not lost, f"after {killed} kills {lost[:5]} were lost or changed"
        if process.returncode == 0:
            result = victim.result(output)
            other = [
                name for name in {**expected, **result} if result.get(name) != expected.get(name)
            ]
            assert not other, f"another result after {killed} kills: {other[:5]}"
            if killed == kills:
                return
            folders += 1
            output = scratch / str(folders)


def _begin(victim: Victim, inputs: Path, output: Path) -> subprocess.Popen[str]:
    command = [part.format(inputs=inputs, output=output) for part in victim.command]
    return subprocess.Popen(
        [sys.executable, *command],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    )


def _play(
    address: str, acknowledged: set[tuple[str, int]], begun: threading.Event, session: str
) -> None:
    """Sends events until the server is gone; keeps those that it acknowledges."""
    import httpx

    from tests.web.trace_requests import event

    with httpx.Client(base_url=address, timeout=PATIENCE) as client:
        for first in range(0, 10**6, 3):
            events = [event(first + index) for index in range(3)]
            try:
                answer = client.post("api/traces", json={"session": session, "events": events})
            except httpx.TransportError:
                return
            assert answer.json() == {"stored": 3}, answer.text
            acknowledged.update((session, each["sequence"]) for each in events)
            begun.set()


def kill_recorder(scratch: Path, random: Random, kills: int) -> None:
    """Kills a server some times while it stores events, and compares with what it answered."""
    from tests.web.trace_requests import recording_server, stored

    database = scratch / "traces.db"
    acknowledged: set[tuple[str, int]] = set()
    for kill in range(kills):
        with recording_server(database) as server:
            begun = threading.Event()
            play = partial(_play, server.address, acknowledged, begun)
            players = [
                threading.Thread(target=play, args=(f"player-{kill:04}-{number:04}",))
                for number in range(4)
            ]
            for player in players:
                player.start()
            assert begun.wait(PATIENCE), "no event was acknowledged"
            time.sleep(random.uniform(0, 0.5))
            server.stop(signal.SIGKILL)
            for player in players:
                player.join(PATIENCE)
        kept = {(session, sequence) for session, sequence, *_ in stored(database)}
        assert acknowledged <= kept, f"{len(acknowledged - kept)} acknowledged events were lost"
        with closing(sqlite3.connect(database)) as connection:
            assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def _lines(file: str) -> Callable[[Path], State]:
    """Returns a function that gives the finished lines of a file by number."""

    def lines(folder: Path) -> State:
        path = folder / file
        data = path.read_bytes() if path.exists() else b""
        whole = data[: data.rfind(b"\n") + 1]
        return {str(number): line for number, line in enumerate(whole.splitlines())}

    return lines


def _contents(folder: Path) -> State:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in files
        if "partial" not in str(path.relative_to(folder))
    }


def _benchmark_runs(folder: Path) -> State:
    from pushworld.bench import read_results

    runs = [run.to_json() for run in read_results(folder).runs]
    return {
        f"{run['planner']} {run['puzzle']}": {
            key: value for key, value in run.items() if key not in MEASURED
        }
        for run in runs
    } | {"count": len(runs)}


def _training(folder: Path) -> State:
    import numpy as np
    from flax import traverse_util

    from pushworld.rl.evaluation.agents import load_agent
    from pushworld.rl.runs.metrics import read_metrics

    weights = traverse_util.flatten_dict(load_agent(folder).weights, sep="/")  # type: ignore[no-untyped-call]
    rows = read_metrics(folder / "metrics.csv")
    return {name: np.asarray(each).tobytes() for name, each in weights.items()} | {
        "metrics": [{k: v for k, v in row.items() if k not in TIMES} for row in rows]
    }


def _write_puzzles(folder: Path) -> None:
    for seed in range(5):
        puzzle = tiny_puzzle(seed)
        puzzle.save(folder / f"{puzzle.name}.pwp")


def _write_training(folder: Path) -> None:
    from tests.rl.conftest import NETWORKS, ROUND_STEPS, SETS, SETTINGS

    for part, puzzles in SETS.items():
        for name, text in puzzles.items():
            write_files(folder / "set", {f"{part}/{name}.pwp": text.encode()})
    steps = ROUND_STEPS["ppo"]
    often = {"log_every": steps, "evaluate_every": 10**9, "checkpoint_every": steps}
    network = {**NETWORKS["ppo"], "channels": 4, "precision": "float32"}
    (folder / "settings.json").write_text(json.dumps({**SETTINGS, **often, "network": network}))


def _write_import(folder: Path) -> None:
    write_files(folder / "files", IMPORTED)
    (folder / "manifest.csv").write_text(manifest_csv(IMPORTED))


def _checkpoints(folder: Path) -> State:
    """The last finished checkpoint is there until there is a later one."""
    numbers = [int(path.name) for path in folder.glob("checkpoints/*") if path.name.isdigit()]
    return {"a checkpoint": True} if numbers else {}


PUSHWORLD = ["-m", "pushworld"]
DESIGN = ["--level", "1", "--size", "5x5", "--evaluations", "60", "--count", "4", "--seed", "3"]
VICTIMS = {
    "benchmark": Victim(
        [
            *PUSHWORLD,
            *("benchmark", "--puzzles", "{inputs}", "--planners", "bfs", "--workers", "2"),
            *("--time-limit", "600", "-o", "{output}"),
        ],
        _write_puzzles,
        _lines("runs.jsonl"),
        _benchmark_runs,
    ),
    "design": Victim(
        [*PUSHWORLD, "design", *DESIGN, "--workers", "2", "-o", "{output}"],
        lambda folder: None,
        _lines("designs.jsonl"),
        _contents,
    ),
    "generate": Victim(
        [
            *PUSHWORLD,
            *("generate", "level0", "base", "--count", "3000", "--seed", "1", "-o", "{output}"),
        ],
        lambda folder: None,
        _lines("manifest.jsonl"),
        _contents,
    ),
    "train": Victim(
        [
            *(*PUSHWORLD, "train", "ppo", "--set", "{inputs}/set", "--seed", "1"),
            *("--config", "{inputs}/settings.json", "--steps", str(4096 * 6), "-o", "{output}"),
        ],
        _write_training,
        _checkpoints,
        _training,
    ),
    "import": Victim(
        ["-c", IMPORT, "{inputs}", "{output}"],
        _write_import,
        _contents,
        _contents,
    ),
}
