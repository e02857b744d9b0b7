"""The page in a real browser: Debian's Chromium, driven by Playwright."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Error, Page, expect, sync_playwright

from pushworld.web.catalogue import CatalogueSet, load_catalogue, puzzle_digest
from pushworld.web.site import Asset, build_site
from tests.http_server import Quiet, answering

NAMES = ("chromium", "chromium-browser", "google-chrome")
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
PREFIX = "/some/folder/"
"""Where the test server puts the site: nothing in the page may assume the root of a host."""

POLICY = "default-src 'self'; img-src 'self' data: blob:; style-src 'self'; frame-src *"

PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "has_touch": True,
    "is_mobile": True,
}
"""How a visitor with a phone sees the page, as Playwright's `new_context` takes it."""

KEYS = {"L": "ArrowLeft", "R": "ArrowRight", "U": "ArrowUp", "D": "ArrowDown"}
"""The keys of the actions."""

PATIENCE_MS = 120_000
"""How long to wait for the browser: the machine may be slow and busy."""

expect.set_options(timeout=PATIENCE_MS)

needs_browser = pytest.mark.skipif(
    not any(map(shutil.which, NAMES)),
    reason=f"needs one of the browsers {', '.join(NAMES)} on the PATH (apt install chromium)",
)
"""Skips a test where there is no browser."""


@contextmanager
def running_browser(*arguments: str, **environment: str) -> Iterator[Browser]:
    """Yields a browser without a window, with further arguments and variables of its environment."""
    path = next(filter(None, map(shutil.which, NAMES)))
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=path,
            args=[*ARGUMENTS, *arguments],
            env={**os.environ, **environment},
            timeout=PATIENCE_MS,
        )
        yield browser
        browser.close()


@contextmanager
def report_in_browser(file: Path, **options: Any) -> Iterator[Page]:
    """Yields the page of a report, which must request nothing else and report no errors."""
    with running_browser() as browser:
        page = browser.new_page(**options)
        page.set_default_timeout(PATIENCE_MS)
        problems: list[str] = []
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("console", lambda message: problems.append(message.text))
        page.on("request", lambda request: problems.append(request.url))
        page.goto(file.as_uri())
        yield page
        assert problems == [file.as_uri()]


@contextmanager
def served(assets: Mapping[str, Asset]) -> Iterator[str]:
    """Yields the address of a plain web host that serves a site's files and nothing else."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Handler, assets))
    with answering(server) as address:
        yield f"{address}{PREFIX}"


class _Handler(Quiet, BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def __init__(self, assets: Mapping[str, Asset], *arguments: Any) -> None:
        self._assets = assets
        super().__init__(*arguments)

    def do_GET(self) -> None:
        path = self.path.partition("?")[0]
        asset = self._assets.get(path.removeprefix(PREFIX) or "index.html")
        found = asset is not None and path.startswith(PREFIX)
        body = asset.body if asset is not None and found else b"not found"
        self.send_response(200 if found else 404)
        self.send_header("Content-Type", asset.media_type if asset and found else "text/plain")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Content-Security-Policy", POLICY)
        self.send_header("Cache-Control", "max-age=3600")
        self.end_headers()
        self.wfile.write(body)


def static_site(*more: CatalogueSet) -> dict[str, Asset]:
    """Returns the files of a static site with the bundled puzzles and further sets."""
    return build_site([*load_catalogue(["bundled"]), *more], solver=False, recording=False)


def set_of_texts(set_id: str, title: str, puzzles: Mapping[str, str], **more: Any) -> CatalogueSet:
    """Returns a set of puzzles given as texts by name, with any further fields."""
    records = [
        {
            "id": f"p{number}",
            "name": name,
            "set": set_id,
            "description": "",
            "tags": [],
            "width": 0,
            "height": 0,
            "objects": 1,
            "goals": 1,
            "digest": puzzle_digest(text),
            "pwp": text,
        }
        | more
        for number, (name, text) in enumerate(puzzles.items())
    ]
    return CatalogueSet(set_id, title, tuple(records))


@contextmanager
def opened(browser: Browser, address: str, allowed: str = "-", **context: Any) -> Iterator[Page]:
    """Yields a page of a new visitor; any error in it fails the test.

    Args:
        browser: the browser.
        address: what to open.
        allowed: a part of the errors that are expected.
        context: how the visitor sees the page, as Playwright's `new_context` takes it; nothing
            moves by itself unless it says so.
    """
    with browser.new_context(**{"reduced_motion": "reduce", **context}) as visitor:
        visitor.set_default_timeout(PATIENCE_MS)
        page = visitor.new_page()
        with no_errors(page, allowed):
            page.goto(address)
            page.wait_for_selector("main[data-ready]")
            yield page


@contextmanager
def fresh(page: Page, route: str) -> Iterator[Page]:
    """Yields an open page at a route, with nothing stored, as a fresh visitor sees it.

    This costs a small part of what `opened` does; any error in the page fails the test.
    """
    go(page, "#/nowhere")  # closes the view of the test before
    page.evaluate("localStorage.clear()")
    with no_errors(page):
        go(page, route)
        yield page


@contextmanager
def no_errors(page: Page, allowed: str = "-") -> Iterator[None]:
    """Fails at its end if there were errors in the page, other than those with the allowed text."""
    problems: list[str] = []

    def on_error(error: Error) -> None:
        problems.append(str(error))

    def on_message(message: ConsoleMessage) -> None:
        if message.type == "error":
            problems.append(message.text)

    page.on("pageerror", on_error)
    page.on("console", on_message)
    yield
    page.remove_listener("pageerror", on_error)
    page.remove_listener("console", on_message)
    assert [problem for problem in problems if allowed not in problem] == []


def go(page: Page, route: str) -> None:
    """Opens a view by its address, and returns when it, and no earlier one, can be used."""
    page.evaluate(
        """route => new Promise((done) => {
            if (location.hash === route) return done();
            addEventListener("hashchange", () => done(), { once: true });
            location.hash = route;
        })""",
        route,
    )
    page.wait_for_selector("main[data-ready]")


def stop_clock(page: Page) -> None:
    """Stops the time in a page: only `page.clock.run_for` lets it pass, until `page.clock.resume`."""
    page.clock.install()
    page.clock.pause_at(page.evaluate("Date.now()") / 1000 + 3600)


def route_of(link: str) -> str:
    """Returns the part of a link that names the view and what it shows."""
    return f"#{link.partition('#')[2]}"


def state_on_page(page: Page) -> list[list[int]]:
    """Returns the positions of all objects that the board shows, the agent first."""
    state: list[list[int]] = page.eval_on_selector_all(
        ".board .piece", "pieces => pieces.map(piece => [+piece.dataset.x, +piece.dataset.y])"
    )
    return state


def cell_width(page: Page) -> float:
    """Returns the width of a board's cells in pixels."""
    width: float = page.locator(".board").evaluate("svg => svg.getScreenCTM().a")
    return width


def point_of(page: Page, x: float, y: float) -> tuple[float, float]:
    """Returns where the middle of a cell is on the screen."""
    script = """(svg, [x, y]) => {
        const point = new DOMPoint(x + .5, y + .5).matrixTransform(svg.getScreenCTM());
        return [point.x, point.y];
    }"""
    left, top = page.locator(".board").evaluate(script, [x, y])
    return left, top


def middle(page: Page) -> tuple[float, float]:
    """Returns the middle of what is seen of the board."""
    box = page.locator(".surface").bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def touch(page: Page, *stages: list[tuple[float, float]]) -> None:
    """Puts the fingers of the first stage down one by one, moves all, and lifts them."""
    fingers = page.context.new_cdp_session(page)

    def send(kind: str, points: list[tuple[float, float]]) -> None:
        touches = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(points)]
        fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})

    first, *others = stages
    for count in range(1, len(first) + 1):
        send("touchStart", first[:count])
    for stage in others:
        send("touchMove", stage)
    send("touchEnd", [])


def play(page: Page, plan: str, keys: Mapping[str, str] = KEYS) -> None:
    """Presses the keys of a plan."""
    for letter in plan:
        page.keyboard.press(keys[letter])
