"""Jobs on a real Ray cluster, which is started once: benchmarks, designs, errors, and a node that dies."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from pushworld.bench import run
from pushworld.bench.store import RUNS
from pushworld.design.candidates import Wish
from pushworld.design.folder import choose_executor, design_folder
from pushworld.design.search import DesignRequest
from pushworld.process import ray_tasks, run_jobs
from pushworld.puzzle import PushWorldError, Puzzle, PuzzleError
from tests.bench.odd_planners import BEGINNINGS, GATE
from tests.bench.test_runner import Log
from tests.clusters import NODE, cluster_of_one_node, patiently
from tests.process.executors import SameProcess
from tests.waiting import PATIENCE, wait_until

pytest.importorskip("ray", reason="needs Ray: pip install 'pushworld[bench]'")

PUZZLES = ("first-push", "crossroads")
DESIGN = DesignRequest(Wish(1), 5, 5, seed=3, evaluations=60, polish=10)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cluster")


@pytest.fixture(scope="module")
def cluster(folder: Path) -> Iterator[Any]:
    """Returns a cluster with one node, which has room for one run."""
    gates = {BEGINNINGS: str(folder / "beginnings"), GATE: str(folder / "gate")}
    with cluster_of_one_node(**gates) as cluster:
        yield cluster


def test_a_node_that_dies_costs_no_run_and_counts_none_twice(cluster: Any, folder: Path) -> None:
    node = patiently(lambda: cluster.add_node(**NODE))
    beginnings = folder / "beginnings"
    beginnings.touch()

    def kill_a_node_when_both_are_busy() -> None:
        wait_until(lambda: beginnings.read_text().count("\n") >= 2)
        processes = [Path("/proc", line) for line in beginnings.read_text().split()]
        cluster.remove_node(node, allow_graceful=False)
        wait_until(lambda: not all(process.exists() for process in processes))
        (folder / "gate").touch()

    killer = Thread(target=kill_a_node_when_both_are_busy)
    killer.start()
    log = Log()
    results = run(
        folder / "results",
        PUZZLES,
        ["tests.bench.odd_planners:GATED"],
        time_limit=PATIENCE,
        memory_limit_gb=1,
        engine="ray",
        address=cluster.address,
        watcher=log,
    )
    killer.join()
    assert [(each.puzzle, each.status) for each in results.runs] == [
        (puzzle, "solved") for puzzle in PUZZLES
    ]
    assert beginnings.read_text().count("\n") == len(PUZZLES) + 1, "one run was restarted"
    assert len(log.ended) == len(PUZZLES)
    assert len((folder / "results" / RUNS).read_text().splitlines()) == len(PUZZLES)


def test_designs_results_and_errors_are_those_of_this_machine(cluster: Any, tmp_path: Path) -> None:
    with ray_tasks(cluster.address):  # one connection for all that follows
        here, there = tmp_path / "here", tmp_path / "there"
        design_folder(there, DESIGN, 1, choose_executor("ray", 1, cluster.address))
        design_folder(here, DESIGN, 1, SameProcess)
        assert {path.name: path.read_bytes() for path in there.iterdir()} == {
            path.name: path.read_bytes() for path in here.iterdir()
        }

        texts = [f"A {'. ' * number}M1 G1" for number in range(5)]
        with ray_tasks(cluster.address, most=1) as tasks:
            found = list(run_jobs(tasks, partial(Puzzle.parse, name="row"), texts, in_order=True))
        assert found == [Puzzle.parse(text, name="row") for text in texts]

        with (
            pytest.raises(PuzzleError, match="unknown id 'Q'"),
            ray_tasks(cluster.address) as tasks,
        ):
            list(run_jobs(tasks, Puzzle.parse, ["A Q"]))

        with pytest.raises(PushWorldError, match="no node of the Ray cluster has 1 CPUs and 64 GB"):
            run(tmp_path / "results", "first-push", "bfs", memory_limit_gb=64, engine="ray")


def test_a_cluster_that_cannot_be_reached_is_an_error() -> None:
    with pytest.raises(PushWorldError, match="cannot be used"), ray_tasks("nonsense:1:2"):
        pass
