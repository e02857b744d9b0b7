"""Compares two revisions of the package on this machine.

    python benchmarks/against.py main --puzzles classic --every 8 --planners default --time-limit 3

Each revision is built in `build/against/` from a copy of its files. Every puzzle is run by both in turn, each time the other one
first, so that whatever else the machine does falls on both alike. The tables are those of `pushworld report`, with intervals.
"""

import argparse
import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from pushworld.bench import Results, read_results
from pushworld.bench.report import print_tables
from pushworld.bench.tasks import choose_tasks
from pushworld.cli.consoles import table_console
from pushworld.files import make_folder

FOLDER = Path("build/against").absolute()
RUN = "import json, sys; from pushworld import bench; bench.run(**json.loads(sys.argv[1]))"


def commit_of(revision: str) -> str:
    """Returns the short name of a revision."""
    asked = ["git", "rev-parse", "--quiet", "--short=12", "--verify", f"{revision}^{{commit}}"]
    found = subprocess.run(asked, capture_output=True, text=True).stdout.strip()
    return found or sys.exit(f"there is no revision {revision} here")


def build(commit: str) -> Path:
    """Returns a Python that has a commit installed."""
    folder = make_folder(FOLDER / commit)
    source, python = folder / "source.zip", folder / "venv" / "bin" / "python"
    if not (folder / "built").exists():
        print(f"building {commit}", flush=True)
        subprocess.run(["git", "archive", "-o", source, commit], check=True)
        subprocess.run([sys.executable, "-m", "venv", "--clear", folder / "venv"], check=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", source], check=True)
        (folder / "built").touch()
    return python


def solved(results: Results) -> set[Any]:
    return {(run.planner, run.task) for run in results.runs if run.status == "solved"}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("revision", help="what to compare with: a branch, tag or commit")
    parser.add_argument("--ours", default="HEAD", help="what is compared")
    parser.add_argument("--puzzles", nargs="+", default=["classic"])
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--planners", nargs="+", default=["default"])
    parser.add_argument("--time-limit", type=float, default=3)
    parser.add_argument("--clock", choices=("wall", "cpu"), default="cpu")
    run = vars(parser.parse_args()) | {"workers": 1}
    names = run.pop("revision"), run.pop("ours")
    commits = [commit_of(each) for each in names]
    if commits[0] == commits[1]:
        parser.error(f"{' and '.join(names)} are the same commit")
    builds = {commit: build(commit) for commit in commits}
    folders = {name: FOLDER / "results" / name for name in commits}
    shutil.rmtree(FOLDER / "results", ignore_errors=True)
    tasks = choose_tasks(run.pop("puzzles"), run.pop("every"))
    for number, task in enumerate(tasks):
        file = make_folder(FOLDER / "results" / task.level) / f"{task.puzzle.name}.pwp"
        file.write_text(task.puzzle.to_pwp(), encoding="utf-8")
        for name in commits[:: -1 if number % 2 else 1]:
            what = json.dumps(run | {"puzzles": [str(file)], "output": str(folders[name])})
            subprocess.run([builds[name], "-c", RUN, what], check=True)
        print(f"{number + 1} of {len(tasks)}", end="\r", file=sys.stderr)
    theirs, ours = (read_results(folder) for folder in folders.values())
    print_tables([theirs, ours], table_console())
    gained, lost = len(solved(ours) - solved(theirs)), len(solved(theirs) - solved(ours))
    print(f"{names[1]} against {names[0]}: {gained} puzzles gained, {lost} lost")


if __name__ == "__main__":
    main()
