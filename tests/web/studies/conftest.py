"""A study that runs for all tests of a file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.web.server_process import RunningServer
from tests.web.studies.taking_part import ONE_PUZZLE, study_file, study_server


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[RunningServer, Path]]:
    """A server and its database; each test has participants of its own."""
    questions = '[[questions.end]]\nid = "why"\nkind = "text"\ntext = "?"\n'
    path = study_file(tmp_path_factory.mktemp("study"), ONE_PUZZLE + questions)
    with study_server(path) as server:
        yield server, path.with_suffix(".db")
