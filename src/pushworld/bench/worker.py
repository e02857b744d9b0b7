"""The process of one run.

    python -m pushworld.bench.worker JOB ANSWER

The job is a file with a JSON object. The answer is a file with up to two lines of JSON. The process
writes the first line when everything is loaded and the planner is about to begin, the second when the
planner has ended. If the process dies, the missing lines show how far it came.
"""

import json
import os
import sys
import threading
import time
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from pushworld.bench.contestants import native_build
from pushworld.bench.records import WALL_PER_CPU
from pushworld.machine import resident_bytes
from pushworld.planners import Planner, get_planner, solve
from pushworld.planners.external import ExternalPlanner
from pushworld.planners.protocol import WrongPlanError
from pushworld.planners.solving import run_planner
from pushworld.puzzle import PushWorldError, Puzzle

PARENT_CHECK_SECONDS = 0.5
MOST_WORDS = 500
"""Characters at the end of an error message that are kept."""


def main() -> None:
    """Runs the job whose file the command line names."""
    job = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    answer = os.open(sys.argv[2], os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o666)
    threading.Thread(target=_end_with_parent, args=(os.getppid(),), daemon=True).start()
    planner = get_planner(job["planner"])
    puzzle = Puzzle.parse(job["pwp"], name=job["puzzle"])
    solve(Puzzle.parse("A M1 G1"))  # the first search of a process also loads things
    if resident_bytes() > job["memory_limit_bytes"]:
        sys.exit("the memory limit is too low for Python to start")
    _write(answer, {"build": native_build(), "cpu_seconds": time.process_time()})
    _write(answer, answer_of(planner, puzzle, job))
    os._exit(0)  # freeing the memory of a large search would only take time


def answer_of(planner: Planner, puzzle: Puzzle, job: dict[str, Any]) -> dict[str, Any]:
    """Returns the planner's result, or the error that it raised."""
    limit = job["wall_limit"]
    if job["clock"] == "cpu" and isinstance(planner, ExternalPlanner):
        # It can keep a limit of CPU time; the runner ends others when theirs is used up.
        planner, limit = replace(planner, wall_per_cpu=WALL_PER_CPU), job["time_limit"]
    memory_left = max(1, job["memory_limit_bytes"] - resident_bytes())
    start = time.perf_counter()
    try:
        result = run_planner(
            planner,
            puzzle,
            time_limit=limit,
            memory_limit_gb=memory_left / 1e9,
            threads=job["threads"],
            seed=job["seed"],
            progress=None,
        )
        return asdict(result)
    except MemoryError as error:
        status, message = "out-of-memory", str(error) or "memory cannot be allocated"
    except WrongPlanError as error:
        status, message = "wrong-plan", str(error)
    except PushWorldError as error:
        status, message = "error", str(error)
    except Exception as error:
        status, message = "error", f"{type(error).__name__}: {error}"
    # What a planner raises may hold half a character, which no file can.
    message = message[-MOST_WORDS:].encode(errors="replace").decode()
    return {"status": status, "message": message, "seconds": time.perf_counter() - start}


def _write(descriptor: int, message: dict[str, Any]) -> None:
    os.write(descriptor, json.dumps(message).encode() + b"\n")


def _end_with_parent(parent: int) -> None:
    """Ends this process when its supervisor dies."""
    while os.getppid() == parent:
        time.sleep(PARENT_CHECK_SECONDS)
    os._exit(1)


if __name__ == "__main__":
    main()
