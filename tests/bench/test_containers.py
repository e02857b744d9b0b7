"""The recipes of containers say what the package understands; they are not built here."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

from pushworld.datasets.sets import known_set
from pushworld.planners import get_planner
from tests.cli.running import run

ROOT = Path(__file__).parents[2]
CONTAINERS = ROOT / "containers"


def commands() -> list[list[str]]:
    """Returns what the image of Docker and that of Apptainer run."""
    docker = (CONTAINERS / "Dockerfile").read_text()
    apptainer = (CONTAINERS / "comparison.def").read_text()
    entry = re.search(r"^ENTRYPOINT (.*)$", docker, re.M)
    script = re.search(r'^ +exec (.*) "\$@"$', apptainer, re.M)
    assert entry is not None
    assert script is not None
    return [json.loads(entry[1]), shlex.split(script[1])]


def test_both_images_run_the_same_eight_planners_on_the_published_levels(tmp_path: Path) -> None:
    docker, apptainer = commands()
    assert docker == apptainer
    assert [known_set(name) for name in docker[2:6]] == [f"level{n}" for n in (1, 2, 3, 4)]
    planners = docker[docker.index("--planners") + 1].split(",")
    assert len({get_planner(name).name for name in planners}) == 8
    # Options that come later win, so the same command runs on what is at hand.
    words = ["benchmark", "first-push", *docker[docker.index("--planners") :]]
    words += ["--planners", "bfs", "--output", str(tmp_path / "results")]
    assert run(*words).exit_code == 0


def test_images_copy_files_that_exist_and_install_extras_that_exist() -> None:
    kept = [
        line[1:]
        for line in (CONTAINERS / "Dockerfile.dockerignore").read_text().splitlines()
        if line.startswith("!")
    ]
    assert all((ROOT / name).exists() for name in kept)
    extras = (ROOT / "pyproject.toml").read_text()
    for recipe in ("Dockerfile", "comparison.def"):
        named = re.search(r"\[(planners,plot)\]", (CONTAINERS / recipe).read_text())
        assert named is not None
        assert all(f"\n{extra} = [" in extras for extra in named[1].split(","))


def test_planutils_finds_what_it_needs_and_runs_the_command() -> None:
    package = CONTAINERS / "planutils" / "pushworld"
    manifest = json.loads((package / "manifest.json").read_text())
    assert manifest.keys() >= {"name", "description", "dependencies", "install-size"}
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    ended = subprocess.run(
        [package / "run", "validate", "first-push", "RRRR"],
        env=os.environ | {"PATH": path},
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    assert "valid" in ended.stdout
    assert all(os.access(package / script, os.X_OK) for script in ("install", "uninstall"))
