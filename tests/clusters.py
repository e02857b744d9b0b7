"""Ray clusters of small nodes on this machine, for tests of what runs on them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from tests.waiting import PATIENCE

NODE = {"num_cpus": 1, "memory": 2 * 10**9, "object_store_memory": 80_000_000}
ATTEMPTS = 5
ROOT = Path(__file__).parents[1]


def patiently(start: Callable[[], Any]) -> Any:
    """Returns what starts at the last attempt at the latest: on busy machines Ray gives up early."""
    for _ in range(ATTEMPTS - 1):
        with suppress(Exception):  # Ray has no class of its own for nodes that take over 30 s
            return start()
    return start()


@contextmanager
def cluster_of_one_node(**variables: str) -> Iterator[Any]:
    """Gives a cluster with room for one run, whose workers see these variables."""
    from ray.cluster_utils import Cluster

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
        # Or it ends runs when others fill the memory.
        patch.setenv("RAY_memory_monitor_refresh_ms", "0")
        patch.setenv("RAY_gcs_server_port_wait_time_s", str(round(PATIENCE)))
        patch.setenv("PYTHONPATH", str(ROOT))
        for name, value in variables.items():
            patch.setenv(name, value)
        patch.chdir(ROOT)
        head = NODE | {"include_dashboard": False}
        cluster = patiently(lambda: Cluster(initialize_head=True, head_node_args=head))
        yield cluster
        cluster.shutdown()
