"""Full disks, damaged stores, and two writers on one folder.

- full: a command whose disk is full, or whose files may not grow, ends with an error in one line. With room
  again, the same command goes on to the same result.
- damaged: bits are flipped, bytes cut or changed in what a command left. The next command works or ends with
  an error in one line, never with a traceback, and other files stay as they are.
- opened: the same in one process, many times.
- writers: of two commands on one folder each finishes or says that the other is there; in the end the folder
  holds what one of them alone would leave.
"""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from pushworld.puzzle import PushWorldError
from tests.laboratory.kills import LOCKED, PATIENCE, ROOT, VICTIMS, Victim
from tests.laboratory.trials import Options, Outcome, Trials, one_by_one

INPUTS = "full disks, damaged journals, settings and databases, two writers on one folder"
COUNT = 400
CHUNK = 4
TARGETS = ("benchmark", "design", "generate", "import")
READINGS = 50
ENDINGS = (0, 2, 13)
"""Finished, an error in words, interrupted."""


def start(options: Options) -> Trials:
    """Returns a function that tries some faults."""
    faults = options.chosen(FAULTS)
    folder = TemporaryDirectory(prefix="pushworld-disks-", ignore_cleanup_errors=True)
    done = cache_of(Path(folder.name))

    def tried(trial: int, outcome: Outcome) -> None:
        fault = faults[trial // CHUNK % len(faults)]
        target = TARGETS[trial % len(TARGETS)]
        with TemporaryDirectory(dir=folder.name, ignore_cleanup_errors=True) as scratch:
            what = FAULTS[fault](target, Path(scratch), options.random(trial), done)
        outcome.counts[what] += 1

    tried.folder = folder  # type: ignore[attr-defined]  # keeps it
    return one_by_one(tried)


Done = Callable[[str], Path]
"""Returns a folder with `inputs` and a finished `output` of a target."""


def cache_of(folder: Path) -> Done:
    def done(target: str) -> Path:
        made = folder / target
        if not made.exists():
            (made / "inputs").mkdir(parents=True)
            VICTIMS[target].prepare(made / "inputs")
            code, errors = run(VICTIMS[target], made / "inputs", made / "output")
            assert code == 0, errors
        return made

    return done


def run(victim: Victim, inputs: Path, output: Path, largest: int | None = None) -> tuple[int, str]:
    """Runs a command to its end; returns its exit code and what it wrote to standard error.

    Args:
        largest: the most bytes of a file that it may write.
    """
    command = [part.format(inputs=inputs, output=output) for part in victim.command]
    limit = None if largest is None else partial(_limit_files, largest)
    done = subprocess.run(
        [sys.executable, *command],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
        cwd=ROOT,
        timeout=PATIENCE,
        preexec_fn=limit,
        check=False,
    )
    return done.returncode, done.stderr


def _limit_files(largest: int) -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (largest, largest))


def _check_words(target: str, code: int, errors: str) -> None:
    """Raises if a command ended in another way than by finishing or with an error in words."""
    if target == "import":  # runs as a script: its error is the last line of a traceback
        assert code == 0 or "DataError" in errors.splitlines()[-1], errors[-1500:]
        return
    assert code in ENDINGS, f"exit code {code}: {errors[-1500:]}"
    assert "Traceback" not in errors, errors[-1500:]


def full(target: str, scratch: Path, random: Random, done: Done) -> str:
    made, victim = done(target), VICTIMS[target]
    expected = victim.result(made / "output")
    size = sum(path.stat().st_size for path in (made / "output").rglob("*") if path.is_file())
    with small_disk(scratch / "disk", random.randrange(4096, max(8192, size))) as disk:
        output = (disk or scratch) / "output"
        largest = None if disk else random.randrange(0, 20_000)
        code, errors = run(victim, made / "inputs", output, largest)
        _check_words(target, code, errors)
        if disk:
            shutil.copytree(output, scratch / "kept") if output.exists() else None
            output = scratch / "kept"
        again, errors = run(victim, made / "inputs", output)
        assert again == 0, f"with room again: {errors[-1500:]}"
        assert victim.result(output) == expected, "another result after the disk was full"
    return "finished on a full disk" if code == 0 else "full disks told, then finished"


@contextmanager
def small_disk(place: Path, size: int) -> Iterator[Path | None]:
    """Yields a folder on a disk of a few kilobytes; None where this process cannot mount one."""
    place.mkdir()
    pages = max(4, size // 4096)
    mount = ["mount", "-t", "tmpfs", "-o", f"size={pages * 4096}", "tmpfs", str(place)]
    if os.getuid() != 0 or subprocess.run(mount, capture_output=True, check=False).returncode:
        yield None
        return
    try:
        yield place
    finally:
        subprocess.run(["umount", "-l", str(place)], check=False)


def damaged(target: str, scratch: Path, random: Random, done: Done) -> str:
    made, victim = done(target), VICTIMS[target]
    output = scratch / "output"
    shutil.copytree(made / "output", output)
    files = sorted(path for path in output.rglob("*") if path.is_file())
    journals = [path for path in files if path.suffix in (".jsonl", ".json")] or files
    for path in random.sample(journals, 1) + random.sample(files, random.randrange(2)):
        path.write_bytes(damage(random, path.read_bytes()))
    before = {path: path.read_bytes() for path in files if path.suffix == ".pwp"}
    code, errors = run(victim, made / "inputs", output)
    _check_words(target, code, errors)
    if code != 0:
        assert all(path.read_bytes() == data for path, data in before.items()), "files were changed"
    return "damaged stores went on" if code == 0 else "damaged stores told"


def damage(random: Random, data: bytes) -> bytes:
    changed = bytearray(data)
    if not data or random.random() < 0.1:
        return random.choice(
            (b"", b"\n", b"null\n", b"[]\n[]\n", b"{}\n{}\n", b"3\n", b"\xff\xfe\0")
        )
    at = random.randrange(len(changed))
    match random.randrange(4):
        case 0:
            changed[at] ^= 1 << random.randrange(8)
        case 1:
            del changed[at:]
        case 2:
            changed[at : at + 100] = random.randbytes(min(100, len(changed) - at))
        case _:
            changed[at : at + 512] = bytes(min(512, len(changed) - at))  # as after a loss of power
    return bytes(changed)


def read_again(target: str, scratch: Path, random: Random, done: Done) -> str:
    """Damages a store again and again and opens it in this process, which is faster than a command."""
    stores = _stores(done)
    for _ in range(READINGS):
        name = random.choice([*stores])
        source, file, read = stores[name]
        copy = scratch / "copy"
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(source, copy)
        data = damage(random, (copy / file).read_bytes())
        (copy / file).write_bytes(data)
        try:
            read(copy)
        except PushWorldError as error:
            if len(str(error)) > 5000:
                raise AssertionError(f"{name}: a very long message") from error
        except Exception as error:
            where = traceback.extract_tb(error.__traceback__)[-1]
            story = f"{error!r:.300} at {where.filename}:{where.lineno}, with {data[:200]!r}"
            raise AssertionError(f"{name}: {story}") from error
    return f"stores damaged and opened, {READINGS} times"


def _stores(done: Done) -> dict[str, tuple[Path, str, Callable[[Path], object]]]:
    """Returns for each store a folder, the file that is damaged, and how it is opened."""
    from pushworld.bench import read_results
    from pushworld.datasets.generated import LEVEL0_DISTRIBUTIONS, generate_folder
    from pushworld.design.candidates import Wish
    from pushworld.design.folder import design_folder
    from pushworld.design.search import DesignRequest
    from pushworld.web.trace_database import open_database
    from tests.process.executors import SameProcess

    generated = done("benchmark").parent / "generated"
    designed = done("benchmark").parent / "designed"
    recorded = done("benchmark").parent / "recorded"
    base = LEVEL0_DISTRIBUTIONS["base"]
    request = DesignRequest(Wish(1), 5, 5, seed=3, evaluations=30, polish=2)
    generate = partial(generate_folder, distribution=base, count=8, name="base", seed=1)
    design = partial(design_folder, request=request, count=1, open_executor=SameProcess)
    if not recorded.exists():
        generate(generated)
        design(designed)
        recorded.mkdir()
        open_database(recorded / "traces.db").close()

    def open_traces(folder: Path) -> None:
        open_database(folder / "traces.db", create=False).close()

    return {
        "generated set": (generated, "manifest.jsonl", generate),
        "designs": (designed, "designs.jsonl", design),
        "benchmark": (done("benchmark") / "output", "runs.jsonl", read_results),
        "settings of a benchmark": (done("benchmark") / "output", "settings.json", read_results),
        "recorded events": (recorded, "traces.db", open_traces),
    }


def writers(target: str, scratch: Path, random: Random, done: Done) -> str:
    made, victim = done(target), VICTIMS[target]
    command = [
        part.format(inputs=made / "inputs", output=scratch / "output") for part in victim.command
    ]
    both = [
        subprocess.Popen(
            [sys.executable, *command],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            cwd=ROOT,
        )
        for _ in range(2)
    ]
    ends = [process.communicate(timeout=PATIENCE)[1] for process in both]
    for process, errors in zip(both, ends, strict=True):
        assert process.returncode == 0 or LOCKED in errors, errors[-1500:]
    assert any(process.returncode == 0 for process in both), "none of the two finished"
    assert victim.result(scratch / "output") == victim.result(made / "output"), "another result"
    return "two writers"


FAULTS: dict[str, Callable[[str, Path, Random, Done], str]] = {
    "full": full,
    "damaged": damaged,
    "opened": read_again,
    "writers": writers,
}
