"""Measures the latency of the page's server under many players.

    python benchmarks/web_load.py
    python benchmarks/web_load.py --players 300 --seconds 60
    python benchmarks/web_load.py --study

It starts a real server with recording, and sends it what the page sends: each player arrives at a
random moment, loads every file of the page and a set of puzzles, then makes moves (which the page
computes itself) and sends each as an event, which the server answers when it is on the disk. Some
players ask the solver for one hard puzzle after another, so that all workers always search. The
latency is the time from sending a request to the last byte of the answer; for the solver, which
streams its answer, to the first byte. Server, searches and players share the machine.

With `--study` the players are participants of a study: they agree, solve puzzles with some undone moves,
and answer questions; who has finished is followed by another participant. The target then holds for the
requests of the study.
"""

import argparse
import asyncio
import itertools
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from aiohttp import ClientSession, TCPConnector
from common import command_line, print_machine, run_script

from pushworld.datasets import bundled_puzzles
from pushworld.web.server import allow_many_connections
from pushworld.web.site import SCRIPT, STYLE

HARD = """\
A  .  .  .  .  .  .  .  .  .
.  M1 .  M3 .  M5 .  M7 .  .
.  .  .  .  .  .  .  .  .  .
.  M2 .  M4 .  M6 .  M8 .  .
.  .  .  .  G1+G2  .  .  .  .  .
.  M9 .  .  .  .  .  .  M0 .
"""
"""Two objects have the same goal cell: the search uses its whole time limit."""

STUDY = """
title = "Load"
consent = "Do you agree?"
instructions = "Push."
[rules]
time_limit = 3600
[[blocks]]
name = "main"
puzzles = ["first-push", "crossroads", "keyhole", "through-the-fence", "lid-last"]
order = "counterbalanced"
[[questions.after_puzzle]]
id = "difficulty"
kind = "likert"
text = "How difficult was this puzzle?"
labels = ["easy", "difficult"]
"""

SECONDS_BETWEEN_MOVES = 0.4
SOLVE_SECONDS = 2
TARGET_MS = 100


@dataclass
class Load:
    """The load on the server, and the latencies in seconds by kind of request."""

    address: str
    ends: float
    latencies: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    refused: int = 0
    stored: int = 0


@dataclass
class Visitor:
    """What a browser does, with its session."""

    load: Load
    session: ClientSession

    async def ask(self, kind: str, path: str, body: object = None) -> bytes:
        """Returns the body of the answer, and stores the latency."""
        began = time.perf_counter()
        async with self.session.request(
            "GET" if body is None else "POST", path, json=body
        ) as answer:
            data = await answer.read()
            self.load.latencies[kind].append(time.perf_counter() - began)
            if answer.status != 200:
                raise SystemExit(f"{path} was answered with {answer.status}: {data.decode()}")
        return data

    async def open_page(self, files: Sequence[str]) -> Any:
        """Loads the page; returns what the site offers."""
        await self.ask("file", "")
        await asyncio.gather(*(self.ask("file", path) for path in files))
        return json.loads(await self.ask("data", "data/site.json"))

    async def solve(self, pwp: str) -> None:
        """Asks for a search, stores the latency of the first byte, and reads the answer to its end."""
        began = time.perf_counter()
        body = {"pwp": pwp, "time_limit": SOLVE_SECONDS}
        async with self.session.post("api/solve", json=body) as answer:
            self.load.latencies["solve, first byte"].append(time.perf_counter() - began)
            self.load.refused += answer.status == 503
            with suppress(TimeoutError):
                async with asyncio.timeout(self.load.ends - time.perf_counter()):
                    await answer.read()


async def play(visitor: Visitor, files: Sequence[str], number: int) -> None:
    """One player: loads the page, then sends moves until the time is over."""
    load, choice = visitor.load, random.Random(number)
    site = await visitor.open_page(files)
    chosen = choice.choice(site["sets"])["id"]
    await visitor.ask("data", f"data/sets/{chosen}.json")
    sequence = 0
    while time.perf_counter() < load.ends:
        event = {
            "sequence": sequence,
            "puzzle": f"{chosen}/puzzle",
            "digest": "0" * 64,
            "time_ms": time.time_ns() // 1_000_000,
            "kind": "move",
            "action": choice.choice("LRUD"),
            "step": sequence,
        }
        body = {"session": f"player-{number:08}", "events": [event]}
        answer = await visitor.ask("trace", "api/traces", body)
        load.stored += json.loads(answer)["stored"]
        sequence += 1
        await asyncio.sleep(choice.expovariate(1 / SECONDS_BETWEEN_MOVES))


async def take_part(visitor: Visitor, files: Sequence[str], number: int) -> None:
    """One participant after another: each loads the page and goes through the study."""
    load, choice = visitor.load, random.Random(number)
    plans = {each.name: each.plan or "" for each in bundled_puzzles()}
    for attempt in itertools.count():
        await visitor.open_page(files)
        who = {"parameters": {"PROLIFIC_PID": f"{number:04}-{attempt}"}, "key": "0" * 32}

        async def ask(request: str, body: object) -> Any:
            return json.loads(await visitor.ask(f"study, {request}", f"api/study/{request}", body))

        await ask("enter", who)
        now = await ask("consent", who | {"agreed": True})
        now = await ask("continue", {"token": now["token"], "stage": "instructions"})
        while now["stage"] != "finished":
            if now["stage"] == "questions":
                trial = now["questions"]["trial"]
                answers = {"token": now["token"], "trial": trial, "answers": {"difficulty": 4}}
                now = await ask("answers", answers)
                continue
            events = game_events(plans[now["puzzle"]["puzzle"]], choice)
            for made, event in enumerate(events):
                if time.perf_counter() > load.ends:
                    return
                event |= {
                    "number": now["received"] + made,
                    "trial": now["puzzle"]["trial"],
                    "time_ms": time.time_ns() // 1_000_000,
                }
                stored = await ask("events", {"token": now["token"], "events": [event]})
                if stored["refused"]:
                    raise SystemExit(f"an event was refused: {stored['refused']}")
                load.stored += 1
                await asyncio.sleep(choice.expovariate(1 / SECONDS_BETWEEN_MOVES))
            now = stored["now"]


def game_events(plan: str, choice: random.Random) -> Iterator[dict[str, object]]:
    """Yields the events of a game by a plan all of whose moves have an effect."""
    common = {"action": None, "actor": "player", "shown": None}
    yield common | {"kind": "start", "step": 0}
    for step, letter in enumerate(plan, 1):
        if choice.random() < 0.1 and step > 1:
            yield common | {"kind": "undo", "step": step - 2}
            yield common | {"kind": "redo", "action": plan[step - 2], "step": step - 1}
        yield common | {"kind": "move", "action": letter, "step": step}


async def ask_solver(visitor: Visitor) -> None:
    """One player who asks the solver all the time."""
    while time.perf_counter() < visitor.load.ends:
        refused = visitor.load.refused
        await visitor.solve(HARD)
        if visitor.load.refused > refused:
            await asyncio.sleep(1)


async def run_load(address: str, arguments: argparse.Namespace) -> Load:
    load = Load(address.rstrip("/") + "/", time.perf_counter() + arguments.seconds)
    files = [SCRIPT, STYLE, "icon.svg"]
    dice = random.Random(0)
    arrivals = sorted(dice.uniform(0, arguments.arrive) for _ in range(arguments.players))

    async def arrive(number: int, moment: float) -> None:
        await asyncio.sleep(moment)
        # Browsers keep at most six connections to a server.
        async with ClientSession(load.address, connector=TCPConnector(limit=6)) as session:
            await (take_part if arguments.study else play)(Visitor(load, session), files, number)

    async with ClientSession(load.address) as session:
        await asyncio.gather(
            *(arrive(number, moment) for number, moment in enumerate(arrivals)),
            *(
                ask_solver(Visitor(load, session))
                for _ in range(0 if arguments.study else arguments.solvers)
            ),
        )
    return load


def quantile(values: Sequence[float], share: float) -> float:
    """Returns the value that this share of the values does not exceed, in milliseconds."""
    return 1000 * sorted(values)[min(len(values) - 1, int(share * len(values)))]


def main() -> None:
    parser = command_line(__doc__)
    add = parser.add_argument
    add("--players", type=int, default=100, help="players at once (default: 100)")
    add("--solvers", type=int, default=4, help="players who use the solver (default: 4)")
    add("--seconds", type=float, default=30, help="seconds of play (default: 30)")
    add(
        "--arrive", type=float, default=10, help="seconds within which players arrive (default: 10)"
    )
    add("--study", action="store_true", help="the players take part in a study")
    arguments = parser.parse_args()

    allow_many_connections()
    before = os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as folder:
        study = Path(folder, "study.toml")
        study.write_text(STUDY, encoding="utf-8")
        server = subprocess.Popen(
            [
                *(sys.executable, "-c", "from pushworld.cli import main; main()"),
                *("play", "--no-browser", "--port", "0"),
                *("--record", str(Path(folder, "traces.db"))),
                *(("--study", str(study)) if arguments.study else ()),
            ],
            stdout=subprocess.PIPE,
            text=True,
        )
        try:
            assert server.stdout is not None
            said = server.stdout.readline()
            address = re.search(r"http://\S+", said)
            if address is None:
                raise SystemExit(f"the server did not start: {said}")
            load = asyncio.run(run_load(address[0], arguments))
        finally:
            server.kill()
            server.wait()
    print_machine()
    who = (
        f"{arguments.players} {'participants' if arguments.study else 'players'} who arrive within "
        f"{arguments.arrive:g} s and play for {arguments.seconds:g} s"
    )
    if not arguments.study:
        who += f", {arguments.solvers} who use the solver"
    print(f"{who}; {load.stored} events stored, {load.refused} searches refused")
    print(f"load average of the machine before: {before:.1f}")
    print(f"{'request':20}{'count':>8}{'p50 ms':>10}{'p99 ms':>10}{'max ms':>10}")
    held = "study" if arguments.study else "all"
    groups = dict(sorted(load.latencies.items()))
    groups[f"{held}, together"] = together = [
        value
        for kind, values in load.latencies.items()
        if kind.startswith("study") or not arguments.study
        for value in values
    ]
    for kind, values in groups.items():
        cells = "".join(f"{quantile(values, share):10.1f}" for share in (0.5, 0.99, 1))
        print(f"{kind:20}{len(values):>8}{cells}")
    verdict = "kept" if quantile(together, 0.99) < TARGET_MS else "MISSED"
    print(f"target, p99 of {held} requests under {TARGET_MS} ms: {verdict}")


if __name__ == "__main__":
    run_script(main)
