"""Checks that an installed package works: needs no compiler, no test framework and no network.

Prints what it found. It runs after `make wheel` and on every system that wheels are built for. Parts
that need an extra (`envs`, `web`) are skipped where it is not installed.
"""

from __future__ import annotations

import importlib.util
import json
import os
import random
import subprocess
import sysconfig
import time
from pathlib import Path
from urllib.request import urlopen


def main() -> None:
    """Runs all checks; the first that fails ends the program with a traceback."""
    import pushworld

    location = Path(pushworld.__file__).parent
    assert "site-packages" in location.parts, f"{location} is not an installed package"
    print(f"pushworld {pushworld.__version__} in {location}")
    for check in (commands, planners, engine, environments, page):
        start = time.perf_counter()
        print(f"{check.__name__}: {check()} ({time.perf_counter() - start:.1f} s)", flush=True)


def commands() -> str:
    """Checks the command line: the version, a solved puzzle and a mistake."""
    import pushworld

    assert run("--version").strip() == f"pushworld {pushworld.__version__}"
    found = json.loads(run("solve", "keyhole", "--json"))
    assert found["status"] == "solved"
    mistake = subprocess.run(command("solve", "no-such-puzzle"), capture_output=True, check=False)
    assert mistake.returncode == 2
    return f"keyhole solved in {len(found['plan'])} moves"


def planners() -> str:
    """Checks native planners against the rules, and one with several threads."""
    import pushworld
    from pushworld.datasets import load_set

    puzzles = list(load_set("bundled"))
    for planner in ("default", "rgd", "astar"):
        for puzzle in puzzles[:4]:
            result = pushworld.solve(puzzle, planner=planner, time_limit=60)
            assert result.status == "solved", (planner, puzzle.name, result.status)
            assert puzzle.validate(result.plan or ""), (planner, puzzle.name)
    assert pushworld.solve(puzzles[0], threads=4, time_limit=60).status == "solved"
    return f"3 planners on {[puzzle.name for puzzle in puzzles[:4]]}"


def engine() -> str:
    """Checks the native engine against the reference dynamics on random walks."""
    from pushworld.datasets import load_set
    from pushworld.engine import Engine

    rng = random.Random(0)
    steps = 0
    puzzles = [*load_set("bundled"), *list(load_set("classic"))[::10]]
    for puzzle in puzzles:
        native = Engine(puzzle)
        state = puzzle.initial_state
        for _ in range(200):
            action = rng.randrange(4)
            expected = puzzle.step(state, action)
            assert tuple(native.step(state, action)) == expected, (puzzle.name, state, action)
            state = expected
            steps += 1
    return f"{steps} steps of {len(puzzles)} puzzles agree with the reference"


def environments() -> str:
    """Checks the vector environment."""
    if importlib.util.find_spec("gymnasium") is None:
        return "skipped without the extra 'envs'"
    import gymnasium

    import pushworld.envs  # noqa: F401 (registers the environments)

    env = gymnasium.make_vec("PushWorld/Classic-v0", num_envs=8)
    env.reset(seed=0)
    for _ in range(50):
        env.step(env.action_space.sample())
    env.close()
    return "50 steps of 8 environments"


def page() -> str:
    """Checks that the server delivers the page."""
    if importlib.util.find_spec("uvicorn") is None:
        return "skipped without the extra 'web'"
    server = subprocess.Popen(
        command("play", "--no-browser", "--port", "0"), stdout=subprocess.PIPE, text=True
    )
    try:
        assert server.stdout is not None
        address = next(
            word for line in server.stdout for word in line.split() if word.startswith("http://")
        )
        html = urlopen(address, timeout=60).read()
        assert b"<title>" in html
    finally:
        server.terminate()  # it ends its workers
        server.wait()
    import pushworld

    planner = Path(pushworld.__file__).parent / "page/static/wasm/planner.wasm"
    return f"{len(html)} bytes, {'with' if planner.exists() else 'without'} the planner for exports"


def command(*arguments: str) -> list[str]:
    """Returns the command line of the installed `pushworld`."""
    suffix = ".exe" if os.name == "nt" else ""
    return [str(Path(sysconfig.get_path("scripts")) / f"pushworld{suffix}"), *arguments]


def run(*arguments: str) -> str:
    """Returns what a command prints."""
    return subprocess.run(
        command(*arguments), check=True, stdout=subprocess.PIPE, text=True, encoding="utf-8"
    ).stdout


if __name__ == "__main__":
    main()
