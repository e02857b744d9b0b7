"""Compares the node store and the open lists with plain Python versions."""

from __future__ import annotations

import heapq
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from tests.native.parts import NO_NODE, FeatureBucketOpenList, NodeStore, OpenList


@given(
    sizes=st.lists(st.sampled_from([1, 2, 5, 64, 1000, 2**20]), min_size=1, max_size=12),
    seed=st.integers(0, 2**32),
)
def test_a_node_store_keeps_every_state_once_with_its_path(sizes: list[int], seed: int) -> None:
    random = Random(seed)
    store = NodeStore(sizes)
    nodes: dict[tuple[int, ...], int] = {}
    paths: dict[int, list[int]] = {}
    actions: dict[int, list[int]] = {}
    for _ in range(300):
        state = tuple(random.randrange(min(size, 4)) * max(1, size // 4) for size in sizes)
        parent = random.choice([NO_NODE, *nodes.values()])
        label = random.randrange(2**32)
        assert store.contains(state) == (state in nodes)
        node, is_new = store.insert(state, parent, label)
        assert is_new == (state not in nodes)
        if is_new:
            assert node == len(nodes)
            nodes[state] = node
            paths[node] = [*paths.get(parent, []), node]
            actions[node] = [] if parent == NO_NODE else [*actions[parent], label % 4]
        assert node == nodes[state]
    assert len(store) == len(nodes)
    for state, node in nodes.items():
        assert tuple(store.read(node, len(sizes))) == state
        assert store.path_to(node) == paths[node]
        assert store.actions_to(node) == actions[node]


def test_a_node_store_finds_its_states_after_it_has_grown() -> None:
    store = NodeStore([300, 300])
    for number in range(60_000):
        assert store.insert((number % 300, number // 300), NO_NODE, 0) == (number, True)
    assert all(store.contains((number % 300, number // 300)) for number in range(0, 60_000, 7))
    assert not store.contains((0, 299))


@given(st.lists(st.one_of(st.none(), st.integers(0, 5)), max_size=1500))
def test_an_open_list_gives_the_lowest_rank_and_the_oldest_of_it(ranks: list[int | None]) -> None:
    """None stands for a pop."""
    found = OpenList()
    wanted: list[tuple[int, int]] = []
    for node, rank in enumerate(ranks):
        if rank is not None:
            found.push(rank, node)
            heapq.heappush(wanted, (rank, node))
        elif wanted:
            assert found.pop() == heapq.heappop(wanted)
        assert found.empty() == (not wanted)
    while wanted:
        assert found.pop() == heapq.heappop(wanted)
    assert found.empty()


@given(st.lists(st.tuples(st.integers(0, 7), st.integers(0, 9)), max_size=60))
def test_buckets_take_turns_and_lose_nothing(pushed: list[tuple[int, int]]) -> None:
    """Features are sets of three objects. The list alternates between sizes, then between sets."""
    found = FeatureBucketOpenList()
    levels: dict[int, dict[int, list[tuple[int, int]]]] = {}
    for node, (feature, rank) in enumerate(pushed):
        found.push(feature.bit_count(), feature, rank, node)
        levels.setdefault(feature.bit_count(), {}).setdefault(feature, []).append((rank, node))
    turn = 0
    turns = dict.fromkeys(levels, 0)
    size = 1 + max(levels, default=-1)
    for _ in pushed:
        wanted = None
        while wanted is None:
            level = levels.get(turn % size, {})
            turn += 1
            buckets = list(level.values())
            for _ in buckets:
                at = (turn - 1) % size
                bucket = buckets[turns[at] % len(buckets)]
                turns[at] += 1
                if bucket:
                    wanted = bucket.pop(bucket.index(min(bucket)))[1]
                    break
        assert found.pop() == wanted
    assert found.pop() == NO_NODE
