"""What the tests of the page share: a browser and a static site for each file, and servers."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.web.browser import fresh, running_browser, served, static_site
from tests.web.server_process import RunningServer, running_server


# Not for the whole session: while Playwright is active, no other test of its process can run an
# event loop.
@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with running_browser() as browser:
        yield browser


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with served(static_site()) as address:
        yield address


@pytest.fixture
def page(shared_page: Page) -> Iterator[Page]:
    """The page that a file has opened, at the gallery, with nothing remembered."""
    with fresh(shared_page, "#/") as page:
        yield page


@pytest.fixture(scope="session")
def plain_server() -> Iterator[RunningServer]:
    """A server with its standard settings."""
    with running_server("--puzzles", "bundled") as server:
        yield server


@pytest.fixture(scope="session")
def public_server() -> Iterator[RunningServer]:
    """A server for other machines, under a name of its own, without solver and recording."""
    arguments = ("--puzzles", "bundled", "--no-solver", "--allow-host", "Play.Example")
    with running_server(*arguments, "--host", "0.0.0.0") as server:
        yield server
