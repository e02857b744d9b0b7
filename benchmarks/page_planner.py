"""Measures the planner in the page against the native one: speed, puzzles solved, and sizes of files.

    python benchmarks/page_planner.py
    python benchmarks/page_planner.py --every 10

It exports the page, serves it as plain files, and runs the same searches of the planner `default` in
Chromium and in native code, one after the other, each on one thread. With one thread the searches
are the same state by state, so a puzzle that both solve shows how their speeds compare. The first
second in a browser is slower: it compiles the code once more while the search runs. Build the
planner first: make page.
"""

import gzip
import shutil
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from common import Row, command_line, print_machine, run_script
from playwright.sync_api import Page, sync_playwright

from pushworld import Puzzle, solve
from pushworld.datasets import load_set
from pushworld.web.catalogue import load_catalogue
from pushworld.web.site import PLANNER_FILE, SCRIPT, export_site

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
RULES = [f"js/model/{name}.js" for name in ("puzzle", "pwp", "dynamics")]
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


def main() -> None:
    parser = command_line(__doc__)
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
        print_machine()
        print(
            f"{'puzzle':32}{'native':>14}{'s':>8}{'states':>12}{'page':>14}{'s':>8}{'states':>12}"
        )
        with served(site, QuietFiles) as address, browsed() as page:
            pairs = [compare(page, address, each, arguments.time_limit) for each in puzzles]
        for name, runs in zip(("native", "page"), zip(*pairs, strict=True), strict=True):
            solved = sum(run["status"] == "solved" for run in runs)
            rate = sum(run["states"] for run in runs) / sum(run["seconds"] for run in runs)
            print(f"{name}: solves {solved} of {len(runs)}, {rate:,.0f} states a second")
        files = {path: (site / path).read_bytes() for path in (PLANNER_FILE, SCRIPT, *RULES)}
        rules = b"".join(files.pop(path) for path in RULES)
        for path, body in {**files, "the rules in it": rules}.items():
            print(f"{path}: {len(body):,} bytes, {len(gzip.compress(body, 9)):,} compressed")


def compare(page: Page, address: str, puzzle: Puzzle, seconds: float) -> tuple[Row, Row]:
    """Returns the searches of both planners for a puzzle."""
    found = solve(puzzle, time_limit=seconds, memory_limit_gb=MEMORY_GB)
    page.goto(f"{address}?{puzzle.name}")  # a new planner, without the memory of the last search
    other: Row = page.evaluate(SEARCH, [puzzle.to_pwp(), seconds, MEMORY_GB * 1e9])
    cells = (
        f"{run['status']:>14}{run['seconds']:8.2f}{run['states']:12,}"
        for run in (vars(found), other)
    )
    print(f"{puzzle.name:32}{''.join(cells)}", flush=True)
    return vars(found), other


@contextmanager
def served(folder: Path, handler: type[SimpleHTTPRequestHandler]) -> Iterator[str]:
    """Yields the address of a file server."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(handler, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()


class QuietFiles(SimpleHTTPRequestHandler):
    """Sends the files of a folder, and says nothing."""

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
    run_script(main)
