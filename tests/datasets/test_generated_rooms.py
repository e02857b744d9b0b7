"""Random rooms have what their parameters ask for, or say that nothing fits."""

from __future__ import annotations

from random import Random

import pytest

from pushworld.datasets import DataError
from pushworld.datasets.generated.rooms import RoomPlan, random_room


def test_a_room_has_the_size_and_at_most_the_objects_of_its_parameters() -> None:
    parameters = RoomPlan(width=6, height=5, goals=(1, 2), others=(0, 3), agent_walls=0.5)
    for seed in range(20):
        room = random_room(parameters, Random(seed))
        assert (room.width, room.height) == (8, 7)
        assert 1 <= len(room.goal) <= 2
        assert len(room.movables) <= 5


def test_a_size_that_holds_nothing_is_an_error_and_not_an_endless_search() -> None:
    parameters = RoomPlan(width=2, height=1, goals=(1, 1), others=(0, 0), agent_walls=0.0)
    with pytest.raises(DataError, match="random rooms of 2 x 1 cells has space"):
        random_room(parameters, Random(0))
