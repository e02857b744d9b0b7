"""Designs from a real Ray cluster."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from pushworld.design.engines import choose_engine, local_engine

from pushworld.design.candidates import Wish
from pushworld.design.folder import design_folder
from pushworld.design.search import DesignRequest
from pushworld.puzzle import PushWorldError
from tests.clusters import cluster_of_one_node

pytest.importorskip("ray", reason="needs Ray: pip install 'pushworld[bench]'")

REQUEST = DesignRequest(Wish(1), 5, 5, seed=3, evaluations=60, polish=10)


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    with cluster_of_one_node() as cluster:
        yield cluster


def test_a_cluster_makes_the_same_files_and_goes_on_after_a_break(
    cluster: Any, tmp_path: Path
) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    engine = choose_engine("ray", 1, cluster.address)
    design_folder(there, REQUEST, 1, engine)
    report = design_folder(there, REQUEST, 2, engine)
    assert (report.there_before, report.puzzles) == (1, 2)
    design_folder(here, REQUEST, 2, local_engine(1))
    assert {path.name: path.read_bytes() for path in there.iterdir()} == {
        path.name: path.read_bytes() for path in here.iterdir()
    }


def test_errors_of_searches_come_back_as_they_are(cluster: Any) -> None:
    broken = DesignRequest(Wish(1), 5, 5, start="A M1 .")
    with pytest.raises(PushWorldError, match="goal"):
        next(choose_engine("ray", 1, cluster.address)(broken, count()))


def test_a_cluster_that_is_not_there_is_told() -> None:
    with pytest.raises(PushWorldError, match="cannot be used"):
        next(choose_engine("ray", 1, "nonsense:1:2")(REQUEST, count()))
