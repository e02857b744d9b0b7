"""A data folder of its own for each test."""

from __future__ import annotations

from pathlib import Path

import pytest

from pushworld.datasets import Store
from tests.datasets.tiny import tiny_store


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return tiny_store(tmp_path / "data")
