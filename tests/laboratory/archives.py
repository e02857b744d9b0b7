"""Archives that bomb, escape or are damaged, given to ``pushworld data import``.

Only the published files, byte by byte, get into the store, nothing is written elsewhere, and what cannot be
imported is told by the package's own error, with bounded memory and time.
"""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import resource
import struct
import tarfile
import time
import zipfile
from collections.abc import Callable
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from pushworld.datasets import DataError, import_path
from tests.datasets.tiny import FILES, installed_files, make_tar, make_zip, tiny_store
from tests.laboratory.trials import Options, Outcome, Trials, one_by_one

INPUTS = "archives that bomb or escape, with links, devices, duplicates, wrong types and damage"
COUNT = 20_000
CHUNK = 100
GOOD = "level1/Tiny Steps.pwp"
PLACES = (
    *("../escaped.pwp", "/escaped.pwp", "a/../../escaped.pwp", "..\\escaped.pwp", "C:/escaped.pwp"),
    *(
        "./" * 2000 + "escaped.pwp",
        "level1/" * 500 + "Tiny Steps.pwp",
        "level1/..",
        "level1/\0.pwp",
    ),
    *("level1/Tiny Steps.pwp/x", "~/escaped.pwp", "\\\\host\\share\\escaped.pwp", "level1/CON"),
)
EVERY_BOMB = 50
MOST_MEMORY = 2500
"""Megabytes."""


def escape(random: Random, path: Path) -> None:
    names = [random.choice(PLACES) for _ in range(random.randint(1, 3))]
    files = {**dict.fromkeys(names, FILES[GOOD]), **random.choice(({}, FILES))}
    random.choice((make_zip, make_tar))(path, files)


def links(random: Random, path: Path) -> None:
    if random.random() < 0.3:
        with zipfile.ZipFile(path, "w") as archive:
            special = zipfile.ZipInfo(GOOD)
            special.external_attr = random.choice((0o120777, 0o010666, 0o020666, 0o060666)) << 16
            archive.writestr(special, random.choice(("/etc/passwd", "../../x", GOOD)))
        return
    kinds = (tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.BLKTYPE, tarfile.FIFOTYPE)
    with tarfile.open(path, "w") as packed:
        for name in random.sample([*FILES, "level1", "level1/x"], 3):
            member = tarfile.TarInfo(name)
            member.type = random.choice(kinds)
            member.linkname = random.choice(("/etc/passwd", "../..", GOOD, "level1", name))
            member.devmajor, member.devminor = 1, 5
            packed.addfile(member)
        member = tarfile.TarInfo("level1/x/Tiny Steps.pwp")  # through the link, if it were followed
        member.size = len(FILES[GOOD])
        packed.addfile(member, io.BytesIO(FILES[GOOD]))


def duplicates(random: Random, path: Path) -> None:
    """The same name several times, with other content or as another kind of member."""
    names = [GOOD, GOOD, GOOD.upper(), f"a/{GOOD}", random.choice([*FILES])]
    random.shuffle(names)
    with tarfile.open(path, "w:gz") as archive:
        for name in names:
            data = random.choice((FILES[GOOD], b"A M1 G1", b"", bytes(1000)))
            member = tarfile.TarInfo(name)
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
            if random.random() < 0.3:
                member.type, member.size = tarfile.DIRTYPE, 0
                archive.addfile(member)


def damage(random: Random, path: Path) -> None:
    make: Callable[..., Path] = random.choice((make_zip, make_tar))
    data = bytearray(make(path, FILES).read_bytes())
    pack: Callable[[bytes], bytes] = bytes
    if make is make_tar:
        data = bytearray(gzip.decompress(data))
        pack = random.choice((bytes, gzip.compress, bz2.compress, lzma.compress))
    for _ in range(random.randrange(8)):
        at = random.randrange(len(data))
        match random.randrange(4):
            case 0:
                data[at] ^= 1 << random.randrange(8)
            case 1:
                data[at : at + 8] = struct.pack("<q", random.choice((-1, 2**31, 2**63 - 1, 0)))
            case 2:
                del data[at : at + random.randrange(600)]
            case _:
                data[at:at] = data[: random.randrange(600)]
        if not data:
            break
    path.write_bytes(pack(bytes(data)))


def wrong_type(random: Random, path: Path) -> None:
    noise = random.randbytes(random.randrange(3000))
    head = random.choice((b"", b"PK\x03\x04", b"PK\x05\x06", b"\x1f\x8b", b"BZh9", b"\xfd7zXZ\x00"))
    path.write_bytes(head + random.choice((noise, bytes(1000), b"%PDF-1.4", FILES[GOOD])))


def bomb(random: Random, path: Path) -> None:
    """A few kilobytes that unpack to gigabytes, or a long list of members."""
    match random.randrange(4):
        case 0:
            block = gzip.compress(bytes(16 << 20))
            member = tarfile.TarInfo(random.choice((GOOD, "skipped")))
            member.size = 2 << 30
            path.write_bytes(gzip.compress(member.tobuf()) + block * 128)
        case 1:
            with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
                for number in range(40):
                    archive.writestr(f"{number}/{GOOD}", bytes(16 << 20))
        case 2:
            path.write_bytes(lzma.compress(bytes(600 << 20), preset=0))
        case _:
            make_zip(path, {f"{number}/x": b"" for number in range(120_000)}, zipfile.ZIP_STORED)


MAKERS = {
    "escape": escape,
    "links": links,
    "duplicates": duplicates,
    "damage": damage,
    "wrong-type": wrong_type,
}


def start(options: Options) -> Trials:
    """Returns a function that imports some archives."""
    kinds = options.chosen([*MAKERS, "bomb"])
    ordinary = [kind for kind in kinds if kind != "bomb"]

    def tried(trial: int, outcome: Outcome) -> str | None:
        bombs = "bomb" in kinds and (not ordinary or trial % EVERY_BOMB == EVERY_BOMB - 1)
        kind = "bomb" if bombs else ordinary[trial % len(ordinary)]
        problem = try_import(kind, options.random(trial), outcome)
        return problem and f"{kind}: {problem}"

    return one_by_one(tried)


def try_import(kind: str, random: Random, outcome: Outcome) -> str | None:
    """Imports an archive; returns what is wrong, or None."""
    with TemporaryDirectory(prefix="pushworld-archives-") as name:
        folder = Path(name) / "one" / "two"
        folder.mkdir(parents=True)
        source = folder / "archive"
        (bomb if kind == "bomb" else MAKERS[kind])(random, source)
        store = tiny_store(folder / "data")
        begun = time.process_time()
        try:
            import_path(source, store)
            verdict = "imported in part"
        except DataError as error:
            verdict = "refused"
            if len(str(error)) > 20_000:
                return f"the message has {len(str(error)):,} characters"
            if store.root.exists() and installed_files(store):
                return "it was refused, but something was installed"
        except Exception as error:
            return f"{type(error).__name__}: {error!s:.300}"
        outcome.peak("CPU seconds", round(time.process_time() - begun, 1))
        outcome.counts[verdict] += 1
        if store.root.exists() and not installed_files(store).items() <= FILES.items():
            return "other files or other bytes were installed"
        allowed = {source, store.root, folder, folder.parent}
        others = [path for path in Path(name).rglob("*") if store.root not in path.parents]
        if stray := [path for path in others if path not in allowed]:
            return f"{stray[0]} was written"
        used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1000
        outcome.peak("MB of a worker", used)
        return f"the process grew to {used} MB" if used > MOST_MEMORY else None
