"""What the tests of the page share: one browser for each file, and the page as a static site."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.web.browser import running_browser, served, static_site


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with running_browser() as browser:
        yield browser


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with served(static_site()) as address:
        yield address
