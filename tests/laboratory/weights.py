"""Agents and checkpoints that are damaged or malicious.

Loading returns what was saved or raises the package's own error. It never runs code from a file, and never
takes memory that the file only claims to need.
"""

from __future__ import annotations

import io
import pickle
import resource
import struct
import zipfile
from collections.abc import Callable
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from pushworld.puzzle import PushWorldError
from tests.laboratory.trials import Options, Outcome, Trials

INPUTS = "agents with bit flips, cuts, pickles and huge shapes"
COUNT = 20_000
CHUNK = 100
MOST_MEMORY = 2500
"""Megabytes."""

Loader = Callable[[Path], object]


class Payload:
    """Creates a file when it is unpickled."""

    def __init__(self, path: Path) -> None:
        self.path = str(path)

    def __reduce__(self) -> tuple[Any, ...]:
        return open, (self.path, "w")


def start(options: Options) -> Trials:
    """Returns a function that loads some files."""
    folder = TemporaryDirectory(prefix="pushworld-weights-")
    loaders = loaders_in(Path(folder.name))
    kinds = options.chosen(ATTACKS)

    def tried(trials: range) -> Outcome:
        outcome = Outcome()
        for trial in trials:
            random = options.random(trial)
            kind = kinds[trial % len(kinds)]
            name = random.choice([*loaders])
            path = Path(folder.name) / "attacked.zip"
            marker = Path(folder.name) / "executed"
            path.write_bytes(ATTACKS[kind](random, (Path(folder.name) / name).read_bytes(), marker))
            try:
                loaders[name](path)
                outcome.counts["loaded"] += 1
            except PushWorldError as error:
                outcome.counts["refused"] += 1
                if len(str(error)) > 3000:
                    outcome.findings.append(f"trial {trial}, {kind} of {name}: a long message")
            except Exception as error:
                problem = f"{type(error).__name__}: {error!s:.200}"
                outcome.findings.append(f"trial {trial}, {kind} of {name}: {problem}")
            if marker.exists():
                marker.unlink()
                outcome.findings.append(f"trial {trial}, {kind} of {name}: it ran code")
        used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1000
        outcome.peak("MB of a worker", used)
        if used > MOST_MEMORY:
            outcome.findings.append(f"the process grew to {used} MB")
        return outcome

    tried.folder = folder  # type: ignore[attr-defined]  # keeps it
    return tried


def loaders_in(folder: Path) -> dict[str, Loader]:
    """Writes good files and returns how each is loaded."""
    from pushworld.rl.config import RunConfig
    from pushworld.rl.evaluation.agents import Agent, load_agent, save_agent

    arrays = {"dense": {"kernel": np.ones((4, 4), np.float32)}}
    save_agent(folder / "agent.zip", Agent(RunConfig(), 8, 8, 1, 100, arrays))
    return {"agent.zip": load_agent}


def flip(random: Random, data: bytes, marker: Path) -> bytes:
    changed = bytearray(data)
    for _ in range(random.randint(1, 5)):
        changed[random.randrange(len(data))] ^= 1 << random.randrange(8)
    return bytes(changed)


def cut(random: Random, data: bytes, marker: Path) -> bytes:
    return data[: random.randrange(len(data))]


def flip_inside(random: Random, data: bytes, marker: Path) -> bytes:
    """Flips bits of a member and gives it the right checksum."""

    def damage(name: str, content: bytes) -> bytes:
        head = content[: min(len(content), random.choice((12, 80, 10**6)))]
        return flip(random, head, marker) + content[len(head) :] if head else content

    return _with_member(random, data, damage)


def pickled(random: Random, data: bytes, marker: Path) -> bytes:
    """Puts a pickle, or an array of pickled objects, in the place of a member."""
    if random.random() < 0.2:
        return pickle.dumps(Payload(marker))

    def attack(name: str, content: bytes) -> bytes:
        if random.random() < 0.3:
            return pickle.dumps(Payload(marker))
        file = io.BytesIO()
        np.save(file, np.array([Payload(marker)], object), allow_pickle=True)
        return file.getvalue()

    return _with_member(random, data, attack)


def huge(random: Random, data: bytes, marker: Path) -> bytes:
    """Claims a huge shape in the header of an array, or is one, compressed."""

    def attack(name: str, content: bytes) -> bytes:
        sizes = (2**31, 2**40, 2**62, 10**30, -1)
        shape = tuple(random.choice(sizes) for _ in range(random.randint(1, 3)))
        header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': {shape}, }}".ljust(117) + "\n"
        return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + bytes(64)

    return _with_member(random, data, attack)


def bomb(random: Random, data: bytes, marker: Path) -> bytes:
    """Is a few kilobytes of compressed zeros, and says so."""

    def attack(name: str, content: bytes) -> bytes:
        file = io.BytesIO()
        np.save(file, np.zeros(24 << 20, np.float32))
        return file.getvalue()

    return _with_member(random, data, attack)


def wrong_arrays(random: Random, data: bytes, marker: Path) -> bytes:
    """Has arrays of other shapes and types under the same names."""

    def attack(name: str, content: bytes) -> bytes:
        arrays: list[Any] = [np.zeros(()), np.zeros((0, 3)), np.array("text"), np.full(3, np.nan)]
        arrays += [np.zeros((3, 3), complex), np.array([1, 2], "M8[s]"), np.zeros(2, "f4,i4")]
        file = io.BytesIO()
        np.save(file, random.choice(arrays))
        return file.getvalue()

    return _with_member(random, data, attack)


def wrong_text(random: Random, data: bytes, marker: Path) -> bytes:
    """Has something else than an array in a member, or another name for it."""
    texts = (
        b"",
        b"{}",
        b"[]",
        b"null",
        b'{"config": 3}',
        b"[" * 100_000,
        b"\xff",
        b'{"width": 1e999}',
    )
    return _with_member(random, data, lambda name, content: random.choice(texts))


ATTACKS: dict[str, Callable[[Random, bytes, Path], bytes]] = {
    "flipped": flip,
    "cut": cut,
    "flipped-inside": flip_inside,
    "pickled": pickled,
    "huge": huge,
    "bomb": bomb,
    "wrong-arrays": wrong_arrays,
    "wrong-text": wrong_text,
}


def _with_member(random: Random, data: bytes, change: Callable[[str, bytes], bytes]) -> bytes:
    """Returns an archive with one changed member."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    chosen = random.choice([*members])
    members[chosen] = change(chosen, members[chosen])
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return packed.getvalue()
