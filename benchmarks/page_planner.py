"""Measures the planner in the page against the native one: speed, puzzles solved, and sizes of files.

    python benchmarks/page_planner.py
    python benchmarks/page_planner.py --every 10

It exports the page, serves it as plain files, and runs the same searches of the planner `default` in
Chromium and in native code, one after the other, each on one thread. With one thread the searches
are the same state by state, so a puzzle that both solve shows how their speeds compare. The first
second in a browser is slower: it compiles the code once more while the search runs. Build the
planner first: make page.
"""

from __future__ import annotations

import argparse
import gzip
import shutil
import tempfile
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from statistics import geometric_mean
from typing import Any

from machine import describe_machine
from playwright.sync_api import Page, sync_playwright
from rich.console import Console
from rich.progress import track

from pushworld import Puzzle, solve
from pushworld.datasets import load_set
from pushworld.web.catalogue import load_catalogue
from pushworld.web.site import PLANNER_FILE, export_site

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
MEMORY_GB = 1.5
SEARCH = """async ([pwp, seconds, bytes]) => {
    const { parsePwp } = await import("./js/model/pwp.js");
    const { loadPlanners } = await import("./js/server/wasm-planner.js");
    const planners = await loadPlanners(() => {});
    const puzzle = parsePwp(pwp);
    const began = performance.now();
    const found = planners.solve(puzzle, "default", { seconds, bytes, states: Infinity });
    return { ...found, seconds: (performance.now() - began) / 1000 };
}"""


@dataclass(frozen=True)
class Search:
    """What a search found: its status, its states and its seconds."""

    status: str
    states: int
    seconds: float

    @property
    def rate(self) -> float:
        return self.states / self.seconds


@dataclass(frozen=True)
class Pair:
    """The searches for one puzzle."""

    puzzle: str
    native: Search
    page: Search


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("--puzzles", default="classic", metavar="SET|DIR", help="(default: classic)")
    add("--every", type=int, default=1, metavar="N", help="take every Nth puzzle (default: all)")
    add("--time-limit", type=float, default=10, help="seconds for a search (default: 10)")
    arguments = parser.parse_args()
    puzzles = load_set(arguments.puzzles)[:: arguments.every]
    with tempfile.TemporaryDirectory() as folder:
        site = Path(folder, "site")
        export_site(site, load_catalogue(["bundled", "classic"]))
        if not (site / PLANNER_FILE).is_file():
            raise SystemExit("the page has no planner: run make page, which needs emscripten")
        with served(site) as address, browsed() as page:
            console = Console(stderr=True)
            steps = track(puzzles, "searching", console=console, disable=not console.is_terminal)
            pairs = [compare(page, address, each, arguments.time_limit) for each in steps]
        show(pairs, arguments.time_limit)
        show_sizes(site)
    print(*(f"{name}: {value}" for name, value in describe_machine().items()), sep="\n")


def compare(page: Page, address: str, puzzle: Puzzle, seconds: float) -> Pair:
    """Returns the searches of both planners for a puzzle."""
    found = solve(puzzle, time_limit=seconds, memory_limit_gb=MEMORY_GB)
    page.goto(f"{address}?{puzzle.name}")  # a new planner, without the memory of the last search
    other: dict[str, Any] = page.evaluate(SEARCH, [puzzle.to_pwp(), seconds, MEMORY_GB * 1e9])
    pair = Pair(
        puzzle.name,
        Search(found.status, found.states, found.seconds),
        Search(other["status"], other["states"], other["seconds"]),
    )
    print(
        f"{pair.puzzle:32} native {pair.native.status:12} {pair.native.seconds:6.2f} s "
        f"{pair.native.states:9,}  page {pair.page.status:12} {pair.page.seconds:6.2f} s "
        f"{pair.page.states:9,}",
        flush=True,
    )
    return pair


def show(pairs: Sequence[Pair], seconds: float) -> None:
    """Prints what all searches have in common."""
    native, page = ([each.native for each in pairs], [each.page for each in pairs])
    solved = [sum(each.status == "solved" for each in side) for side in (native, page)]
    rates = [sum(s.states for s in side) / sum(s.seconds for s in side) for side in (native, page)]
    print(f"\n{len(pairs)} puzzles, {seconds:g} s each, one thread")
    print(f"solved: native {solved[0]}, page {solved[1]}")
    print(f"states a second: native {rates[0]:,.0f}, page {rates[1]:,.0f}")
    print(f"speed of the page relative to native, all searches: {rates[1] / rates[0]:.2f}")
    long = [each for each in pairs if each.page.seconds >= 1]
    if long:
        ratio = geometric_mean(each.page.rate / each.native.rate for each in long)
        print(f"the same, mean over the {len(long)} searches of at least 1 s: {ratio:.2f}")
    differ = [
        each.puzzle
        for each in pairs
        if each.native.status == each.page.status == "solved"
        and each.native.states != each.page.states
    ]
    print(f"solved by both after different numbers of states: {', '.join(differ) or 'none'}")


def show_sizes(site: Path) -> None:
    """Prints the sizes of the planner and of the exported site."""
    files = [path for path in site.rglob("*") if path.is_file()]
    for name, some in (("planner", [site / PLANNER_FILE]), ("site", files)):
        bodies = [path.read_bytes() for path in some]
        sizes = {
            "raw": sum(map(len, bodies)),
            "gzip": sum(len(gzip.compress(b, 9)) for b in bodies),
        }
        try:
            import brotli
        except ImportError:
            pass
        else:
            sizes["brotli"] = sum(len(brotli.compress(body)) for body in bodies)
        print(f"{name}: {', '.join(f'{size:,} bytes {kind}' for kind, size in sizes.items())}")


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Yields the address of a file server."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def browsed() -> Iterator[Page]:
    """Yields a page in a browser without a window."""
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        raise SystemExit(f"this needs one of the browsers {', '.join(BROWSERS)} on the PATH")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=path, args=["--no-sandbox", "--disable-gpu"]
        )
        with browser.new_context(service_workers="block") as visitor:
            yield visitor.new_page()
        browser.close()


if __name__ == "__main__":
    main()
