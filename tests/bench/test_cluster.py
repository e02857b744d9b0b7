"""Runs on a real Ray cluster of two nodes, one of which is killed in the middle."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from pushworld.bench import run
from pushworld.bench.store import RUNS
from pushworld.puzzle import PushWorldError
from tests.bench.odd_planners import BEGINNINGS, GATE
from tests.bench.test_runner import Log
from tests.clusters import NODE, cluster_of_one_node, patiently
from tests.waiting import PATIENCE, wait_until

pytest.importorskip("ray", reason="needs Ray: pip install 'pushworld[bench]'")

PUZZLES = ("first-push", "crossroads", "keyhole")


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
    assert beginnings.read_text().count("\n") == len(PUZZLES) + 1, "one run was begun anew"
    assert len(log.ended) == len(PUZZLES)
    assert len((folder / "results" / RUNS).read_text().splitlines()) == len(PUZZLES)


def test_a_run_that_no_node_has_room_for_is_told(cluster: Any, tmp_path: Path) -> None:
    with pytest.raises(PushWorldError, match="no node of the Ray cluster has 1 CPUs and 64 GB"):
        run(
            tmp_path / "results",
            ["first-push"],
            ["bfs"],
            memory_limit_gb=64,
            engine="ray",
            address=cluster.address,
        )
