"""Mirrors of the published files that send without an end, drip, redirect, lie or break off.

A download ends with a report in lines without control characters, installs nothing but the published bytes,
and writes nothing outside its folder.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from pushworld.datasets.published.download import RetryPolicy, download
from tests.datasets.server import (
    Misbehaviour,
    cut_after,
    endless,
    redirecting,
    reset_after,
    running,
    sending,
)
from tests.datasets.tiny import FILES, installed_files, tiny_store
from tests.laboratory.trials import Options, Outcome, Trials, one_by_one

INPUTS = "mirrors that send without an end, drip, redirect, lie about lengths or break off"
COUNT = 2_000
CHUNK = 20
PATIENCE = 200.0
"""Seconds that a download may take: three attempts of a part of a second, and a busy machine."""

LONG = "level2/Long Way.pwp"
OK = b"HTTP/1.1 200 OK\r\n"
CHUNKED = OK + b"Transfer-Encoding: chunked\r\n\r\n"
PLACES = (
    *("/mirror/level2/Long%20Way.pwp", "file:///etc/passwd", "ftp://127.0.0.1:1/x", "../../x"),
    *("http://127.0.0.1:99999999/", "http://[::1/", f"http://{'a' * 70}.example/", "//\x00/"),
)
HEADS = (
    *(b"HTTP/1.1 404 \x1b[2J\r\n\r\n", b"\x1b[2J\0\xff\r\n\r\n", b"HTTP/1.1 99999 X\r\n\r\n", b""),
    *(OK + b"Content-Length: -5\r\n\r\nx", OK + b"Content-Length: " + b"9" * 5000 + b"\r\n\r\nx"),
    *(
        OK + b"X: y\r\n" * 1000,
        OK + b"X: " + b"y" * 70_000,
        CHUNKED + b"zz\r\n",
        CHUNKED + b"-5\r\nx",
    ),
    *(CHUNKED + b"f" * 16 + b"\r\nx", b"HTTP/1.1 206 P\r\nContent-Range: bytes 0-\r\n\r\nx"),
    *(
        OK + b"Content-Encoding: gzip\r\n\r\nx",
        b"HTTP/1.1 204 N\r\n\r\n",
        b"HTTP/1.1 100 C\r\n\r\n",
    ),
)


def start(options: Options) -> Trials:
    """Returns a function that downloads from hostile mirrors."""
    kinds = options.chosen(ATTACKS)

    def tried(trial: int, outcome: Outcome) -> None:
        kind = kinds[trial % len(kinds)]
        seconds = attacked(ATTACKS[kind](options.random(trial)))
        outcome.counts[kind] += 1
        outcome.peak("seconds of a download", round(seconds, 1))

    return one_by_one(tried)


def attacked(misbehaviour: Misbehaviour) -> float:
    """Downloads from a mirror that is hostile about one file; returns the seconds that it took."""
    retries = RetryPolicy(3, 0, timeout=0.3, least_rate=1e7)
    with TemporaryDirectory(prefix="pushworld-mirrors-") as name, running(dict(FILES)) as server:
        server.misbehaviours[LONG] = [misbehaviour] * 100_000
        store = tiny_store(Path(name) / "data")
        begun = time.monotonic()
        report = download(store=store, base_url=server.url, retries=retries)
        seconds = time.monotonic() - begun
        assert installed_files(store).items() <= FILES.items(), "other bytes were installed"
        assert [each.name for each in Path(name).iterdir()] == ["data"], "written outside"
    assert seconds < PATIENCE, f"{seconds:.0f} s"
    for problem in (*report.wrong, *report.missing):
        assert problem.reason.isprintable(), repr(problem.reason)
    return seconds


ATTACKS: dict[str, Callable[[Random], Misbehaviour]] = {
    "redirects": lambda random: redirecting(random.choice(PLACES)),
    "odd-heads": lambda random: sending([random.choice(HEADS) * random.choice((1, 1000))]),
    "noise": lambda random: sending([random.choice((OK, CHUNKED, b"")), random.randbytes(3000)]),
    "drips": lambda random: sending(
        [random.choice((OK + b"X: ", CHUNKED, OK + b"\r\n")), *[b"0"] * 1000], 0.02
    ),
    "breaks-off": lambda random: random.choice((cut_after, reset_after))(random.randrange(100)),
    "endless": lambda random: endless,
}
