"""Puzzle files that are damaged, odd or huge.

The parser returns a puzzle, which comes back the same after it is written and read again, or raises the
package's own error with a place that is in the file and a message of bounded length. The worker has 4 GB of
memory in all, and each file a minute of CPU time (the largest world takes ten seconds).
"""

from __future__ import annotations

import os
import resource
import signal
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from pushworld.datasets import bundled_puzzles
from pushworld.engine import Engine
from pushworld.puzzle import Puzzle, PuzzleError
from tests.grids import KINDS, puzzle_on
from tests.laboratory.trials import Options, Outcome, Trials

INPUTS = (
    "puzzle files with mutated bytes, tokens and rows, random, truncated, in odd Unicode, or huge"
)
COUNT = 10_000_000
CHUNK = 5_000

MEMORY = 4 << 30
SECONDS = 60
MESSAGE = 2_000
EVERY_HUGE = 20_000
EVERY_ENGINE = 16

IDS = (
    *(
        "A",
        "a",
        "W",
        "w",
        "AW",
        "Aw",
        "M1",
        "m1",
        "M2",
        "M02",
        "M10",
        "Mx",
        "G1",
        "g2",
        "GX",
        "G10",
    ),
    *(
        ".",
        "..",
        "+",
        "A+",
        "+A",
        "M1+M1",
        "M1+G1",
        "M1+AW",
        "A+G1",
        "A+AW",
        "W+G1",
        "M",
        "G",
        "W1",
    ),
    *(
        "Q",
        "\0",
        "M\ufeff",
        "\u200b",
        "Mß",
        "MSS",
        "Mé",
        "Me\u0301",
        "Mİ",
        "Mı",
        "Mſ",
        "MS",
        "M\uff11",
    ),
    *("M😀", "\U000e0001", "M" + "9" * 99, "M" + "9" * 100, "G" * 101, "M-1", "M1.5", "M1,M2", "#"),
)
SPACES = (
    "\t",
    "\v",
    "\f",
    "\x1c",
    "\x85",
    "\xa0",
    "\u2028",
    "\u2029",
    "\u3000",
    "\ufeff",
    "\r",
    "\n",
)
RAW = (
    b"\xff",
    b"\xc0\x80",
    b"\xed\xa0\x80",
    b"\xf4\x90\x80\x80",
    b"\xef\xbb\xbf",
    b"\0",
    b"\x1a",
    b"\x80",
)


def mutate_bytes(random: Random, text: str, other: str) -> bytes:
    data = bytearray(text.encode())
    for _ in range(random.randint(1, 6)):
        at = random.randint(0, len(data))
        match random.randrange(5):
            case 0:
                data[at:at] = random.choice(RAW)
            case 1:
                del data[at : at + random.randint(1, 4)]
            case 2 if at < len(data):
                data[at] ^= 1 << random.randrange(8)
            case 3:
                data[at:at] = data[at : at + random.randint(1, 20)]
            case _:
                data[at : at + 1] = bytes([random.randrange(256)])
    return bytes(data)


def mutate_tokens(random: Random, text: str, other: str) -> bytes:
    rows = [line.split() for line in text.splitlines()]
    for _ in range(random.randint(1, 4)):
        row = random.choice(rows) if rows else []
        at = random.randrange(len(row)) if row else 0
        match random.randrange(8):
            case 0 if row:
                row[at] = random.choice(IDS)
            case 1 if row:
                row[at] += "+" + random.choice(IDS)
            case 2 if row:
                there = random.choice(rows)
                if there:
                    row[at] = random.choice(there)
            case 3 if row:
                row[at] = row[at].swapcase()
            case 4:
                row.insert(at, random.choice(IDS))
            case 5 if row:
                del row[at]
            case 6:
                rows.insert(random.randint(0, len(rows)), list(row))
            case _ if row:
                rows.remove(row)
    space = random.choice(SPACES) if random.random() < 0.1 else " "
    end = random.choice(("\r\n", "\r", "\n\n", " \n", "\n ")) if random.random() < 0.1 else "\n"
    return end.join(space.join(row) for row in rows).encode()


def swap_tokens(random: Random, text: str, other: str) -> bytes:
    """Exchanges cells: mostly valid puzzles, or ones whose objects and goals differ in shape."""
    rows = [line.split() for line in text.splitlines()]
    for _ in range(random.randint(1, 3)):
        one, two = random.choice(rows), random.choice(rows)
        i, j = random.randrange(len(one)), random.randrange(len(two))
        one[i], two[j] = two[j], one[i]
    return "\n".join(" ".join(row) for row in rows).encode()


def mix_unicode(random: Random, text: str, other: str) -> bytes:
    characters = list(text)
    for _ in range(random.randint(1, 5)):
        at = random.randrange(len(characters))
        odd = chr(random.choice((random.randrange(0x80, 0x800), random.randrange(0x800, 0x11000))))
        characters[at] = random.choice((odd, characters[at] + odd, random.choice(SPACES)))
    return "".join(characters).encode("utf-8", "surrogatepass")


def truncate(random: Random, text: str, other: str) -> bytes:
    data = text.encode()
    return data[
        random.choice((0, 0, random.randrange(len(data)))) : random.randrange(len(data) + 1)
    ]


def splice(random: Random, text: str, other: str) -> bytes:
    return (text[: random.randrange(len(text))] + other[random.randrange(len(other)) :]).encode()


def noise(random: Random, text: str, other: str) -> bytes:
    return random.randbytes(random.randrange(200))


def alphabet(random: Random, text: str, other: str) -> bytes:
    width, height = random.randint(1, 5), random.randint(1, 5)
    rows = (" ".join(random.choices(IDS[:20], k=width)) for _ in range(height))
    return "\n".join(rows).encode()


MUTATIONS: dict[str, Callable[[Random, str, str], bytes]] = {
    "bytes": mutate_bytes,
    "tokens": mutate_tokens,
    "swapped": swap_tokens,
    "unicode": mix_unicode,
    "truncated": truncate,
    "spliced": splice,
    "noise": noise,
    "alphabet": alphabet,
}


def huge(random: Random) -> bytes:
    """Returns a file at or beyond the limits on size, or one that grows when it is read."""
    side = random.choice((997, 998, 999, 1001))
    match random.randrange(9):
        case 0:
            return ("A " + ". " * (side - 1) + "\n" + (". " * side + "\n") * (side - 1)).encode()
        case 1:
            return b"A " * random.randrange(1, 1 << 22)
        case 2:
            return b" " * random.randrange(1, 1 << 25) + b"A"
        case 3:
            return b"A" + b"\n" * random.randrange(1, 1 << 25) + b"A"
        case 4:
            return b"M" * random.randrange(1, 1 << 25)
        case 5:
            return b"A" + b"+G1" * random.randrange(1, 1 << 22)
        case 6:
            return bytes((32 << 20) + random.randrange(-1, 3))
        case 7:
            rows = [[f"M{y * 32 + x}" for x in range(32)] for y in range(random.randint(30, 33))]
            rows[0][0] = "A"
            return "\n".join(" ".join(row) for row in rows).encode()
        case _:
            row = "+".join(f"G{k}" for k in range(random.randrange(1, 500)))
            return ("A " + " ".join(f"M{k}" for k in range(500)) + "\n" + ". " * 500 + row).encode()


def start(options: Options) -> Trials:
    """Returns a function that makes and reads some files."""
    mutations = options.chosen([*MUTATIONS, "huge"])
    ordinary = [name for name in mutations if name != "huge"]
    texts = valid_texts()
    folder = TemporaryDirectory(prefix="pushworld-faults-", dir=_memory_folder())
    path = Path(folder.name) / "puzzle.pwp"
    file = os.open(path, os.O_RDWR | os.O_CREAT)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, resource.getrlimit(resource.RLIMIT_AS)[1]))
    signal.signal(signal.SIGPROF, signal.SIG_DFL)  # ends the worker even inside native code

    def tried(trials: range) -> Outcome:
        outcome = Outcome()
        for trial in trials:
            random = options.random(trial)
            if not ordinary or ("huge" in mutations and trial % EVERY_HUGE == EVERY_HUGE - 1):
                name, data = "huge", huge(random)
            else:
                name = ordinary[trial % len(ordinary)]
                data = MUTATIONS[name](random, random.choice(texts), random.choice(texts))
            os.ftruncate(file, 0)
            os.pwrite(file, data, 0)
            signal.setitimer(signal.ITIMER_PROF, SECONDS)
            begun = time.process_time()
            try:
                verdict = read(path, data, engine=trial % EVERY_ENGINE == 0)
            except Exception as error:
                verdict = "wrong"
                where = traceback.extract_tb(error.__traceback__)[-1]
                problem = (
                    f"{type(error).__name__} {error!s:.200} at {where.filename}:{where.lineno}"
                )
                outcome.findings.append(f"trial {trial}, {name}: {problem}: {data[:300]!r}")
            outcome.peak("CPU seconds a file", round(time.process_time() - begun, 3))
            outcome.counts[verdict] += 1
        signal.setitimer(signal.ITIMER_PROF, 0)
        used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        outcome.peak("MB of a worker", used // 1000)
        return outcome

    tried.folder = folder  # type: ignore[attr-defined]  # keeps it
    return tried


def read(path: Path, data: bytes, engine: bool) -> str:
    """Reads a file; returns whether it was a puzzle, or raises what it should not."""
    try:
        puzzle = Puzzle.load(path)
    except PuzzleError as error:
        check_error(error, data)
        return "refused"
    text = puzzle.to_pwp()
    again = Puzzle.parse(text)
    assert again == puzzle, "the puzzle changes when it is written and read"
    assert again.to_pwp() == text, "the text changes when it is read and written"
    assert [thing.name for thing in again.objects] == [thing.name for thing in puzzle.objects]
    if engine:
        Engine(puzzle).step(puzzle.initial_state, 0)
    return "puzzles"


def check_error(error: PuzzleError, data: bytes) -> None:
    """Raises if the message is too long or its place is not in the file."""
    assert len(str(error)) < MESSAGE, "the message is too long"
    if error.line is not None:
        lines = data.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n").split("\n")
        assert 1 <= error.line <= len(lines), "the line is not in the file"
        longest = len(lines[error.line - 1]) + 1
        assert error.column is None or 1 <= error.column <= longest, "the column is not in the line"


def valid_texts() -> list[str]:
    """Returns valid puzzles of all kinds, most of them small."""
    random = Random(0)
    kinds = ["painted"] * 12 + ["woven"] * 4 + ["nested", *KINDS]
    texts = [puzzle_on(KINDS[random.choice(kinds)](random), random).to_pwp() for _ in range(400)]
    texts += [each.puzzle.to_pwp() for each in bundled_puzzles()[:20]]
    return [text for text in texts if len(text) < 600] + [
        text for text in texts if 600 <= len(text) < 20_000
    ][:8]


def _memory_folder() -> str | None:
    """Returns a folder in memory, where there is one."""
    return "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
