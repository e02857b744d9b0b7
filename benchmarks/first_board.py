"""Measures how long a first visitor on a slow line waits for the first board of the page.

    python benchmarks/first_board.py
    python benchmarks/first_board.py --site SITE

It exports the page, serves it compressed as web hosts do, and opens a lesson in Chromium with nothing
stored, over a line of 400 kbit/s with 400 ms to and fro: the "slow 3G" of Lighthouse. `--site` measures
a site that was exported before.
"""

import gzip
import tempfile
import time
from pathlib import Path
from statistics import median

from common import command_line, print_machine, run_script
from page_planner import QuietFiles, browsed, served

from pushworld.web.catalogue import load_catalogue
from pushworld.web.site import export_site

LINE = {"offline": False, "latency": 400, "downloadThroughput": 50_000, "uploadThroughput": 50_000}
VISITS = 3


class CompressedFiles(QuietFiles):
    """Sends files compressed, and keeps connections open."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:  # noqa: N802
        path = Path(self.translate_path(self.path.partition("?")[0]))
        path = path / "index.html" if path.is_dir() else path
        body = gzip.compress(path.read_bytes(), 6)
        self.send_response(200)
        self.send_header("Content-Type", self.guess_type(path))
        self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def main() -> None:
    parser = command_line(__doc__)
    parser.add_argument("--site", type=Path, help="an exported site (default: this version's)")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        site = arguments.site or Path(folder, "site")
        if arguments.site is None:
            export_site(site, load_catalogue(["bundled", "classic"]))
        visits = []
        with served(site, CompressedFiles) as address:
            for _ in range(VISITS):
                with browsed() as page:
                    requests: list[str] = []
                    page.on("request", lambda request: requests.append(request.url))  # noqa: B023
                    page.context.new_cdp_session(page).send(
                        "Network.emulateNetworkConditions", LINE
                    )
                    began = time.perf_counter()
                    page.goto(f"{address}#/play/bundled/first-push", wait_until="commit")
                    page.wait_for_selector(".surface .board")
                    visits.append((time.perf_counter() - began, len(requests)))
    print_machine()
    seconds, requests_made = (list(each) for each in zip(*visits, strict=True))
    print(
        f"first board after {median(seconds):.1f} s (median of {VISITS} visits, {min(seconds):.1f} to "
        f"{max(seconds):.1f} s), {max(requests_made)} requests"
    )


if __name__ == "__main__":
    run_script(main)
