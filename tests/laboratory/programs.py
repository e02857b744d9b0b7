"""External planners that do not behave.

Whatever a planner does, `solve` ends soon after its time limit with a result or the package's own error, none
of the planner's processes is left, and this process and the planner's folder stay small.
"""

from __future__ import annotations

import os
import resource
import sys
import time
from pathlib import Path
from shlex import quote
from tempfile import TemporaryDirectory

from pushworld import solve
from pushworld.puzzle import PushWorldError
from tests.laboratory.trials import Options, Outcome, Trials, one_by_one
from tests.planners.scripts import PLAN, PUZZLE, shell_planner

INPUTS = (
    "external planners that ignore signals, fork, print without end, or write huge or odd plans"
)
COUNT = 200
CHUNK = 5
LIMIT = 1.5
SLACK = 60.0
"""Seconds that a busy machine may take beyond the limit."""

MOST_MEMORY = 1500
"""Megabytes."""

LEFT = "processes were left"
MARK = "PUSHWORLD_FAULTS_MARK"
PYTHON = f"exec {quote(sys.executable)} -c"
WRITE_PLAN = f"cat > $3 <<'END'\n{PLAN}END\n"

PROGRAMS = {
    "ignores signals": "trap '' TERM INT HUP QUIT PIPE; while :; do sleep 0.1; done",
    "ignores signals and forks": "trap '' TERM INT HUP; (trap '' TERM; sleep 600) & sleep 600",
    "becomes a daemon": "setsid sleep 600 & setsid sh -c 'sleep 600 & sleep 600' & exit 0",
    "daemon by two forks": f"""{PYTHON} '
import os, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        time.sleep(600)
    os._exit(0)
' """,
    "forks again and again": "for i in 1 2 3 4 5 6 7 8 9; do (sleep 600 &) ; done; sleep 600",
    "hands over at death": """sh -c 'while :; do sleep 0.05 & wait; done' & kill -9 $$""",
    "prints without end": "yes prints",
    "prints one endless line": "tr '\\0' x < /dev/zero",
    "prints binary data": "head -c 3000000 /dev/urandom; exit 3",
    "closes its output": "exec >&- 2>&-; sleep 600",
    "writes a plan without end": "yes '(move p-1-1 p-2-1 right)' > $3",
    "writes a huge plan": "yes '(move p-1-1 p-2-1 right)' | head -n 3000000 > $3",
    "writes a plan of noise": "head -c 1000000 /dev/urandom > $3",
    "plan is a folder": "mkdir $3",
    "plan is a pipe": "mkfifo $3",
    "plan is an endless device": "ln -s /dev/zero $3",
    "plan is a link to itself": "ln -s $3 $3",
    "plan is elsewhere": "ln -s /etc/passwd $3",
    "many plans": "for i in 1 2 3 4 5 6 7 8 9 10; do echo '(move p-1-1 p-2-1 right)' > $3.$i; done",
    "removes its folder": "rm -rf $(dirname $3); exit 0",
    "makes its folder unreadable": "chmod 000 $(dirname $3); exit 0",
    "fills memory": f"""{PYTHON} 'x = b"1" * 3 * 10**9; import time; time.sleep(600)'""",
    "stops itself": "kill -STOP $$; sleep 600",
    "kills its parent": "kill -9 $PPID; sleep 600",
    "stops its parent": "setsid sleep 600 & kill -STOP $PPID; sleep 600",
    "stops its parent again and again": "while :; do kill -STOP $PPID; done",
    "a plan, then no end": f"{WRITE_PLAN}trap '' TERM; while :; do sleep 0.1; done",
    "a plan, then a crash": f"{WRITE_PLAN}kill -SEGV $$",
    "no program at all": "exec /no/such/program",
}


def start(options: Options) -> Trials:
    """Returns a function that solves a puzzle with some of the planners."""
    variants = options.chosen([*(name.replace(" ", "-") for name in PROGRAMS), "exit-codes"])
    scripts = {name.replace(" ", "-"): script for name, script in PROGRAMS.items()}

    def tried(trial: int, outcome: Outcome) -> str | None:
        variant = variants[trial % len(variants)]
        code = options.random(trial).randrange(256)
        script = scripts.get(variant, f"exit {code}")
        problem = misbehave(script, f"{os.getpid()}-{trial}", outcome)
        if problem == LEFT and variant == "kills-its-parent":
            return None  # nobody is left who knows them
        return problem and f"{variant}: {problem}"

    return one_by_one(tried)


def misbehave(script: str, mark: str, outcome: Outcome) -> str | None:
    """Solves a puzzle with a planner that is a shell script; returns what is wrong, or None."""
    with TemporaryDirectory(prefix="pushworld-programs-") as name:
        planner = shell_planner(Path(name), f"export {MARK}={mark}\n{script}")
        begun = time.monotonic()
        os.environ[MARK] = mark
        try:
            result = solve(PUZZLE, planner, time_limit=LIMIT, memory_limit_gb=2)
            outcome.counts[result.status] += 1
        except PushWorldError as error:
            outcome.counts["errors in words"] += 1
            if len(str(error)) > 3000:
                return f"the message has {len(str(error)):,} characters"
        except Exception as error:
            return f"{type(error).__name__}: {error!s:.300}"
        finally:
            del os.environ[MARK]
        seconds = time.monotonic() - begun
        outcome.peak("seconds", round(seconds, 1))
        if seconds > LIMIT + SLACK:
            return f"it took {seconds:.0f} s"
        left = _processes(mark)
        if left:
            for process in left:
                os.kill(process, 9)
            return LEFT
        used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1000
        outcome.peak("MB of a worker", used)
        return f"this process grew to {used} MB" if used > MOST_MEMORY else None


def _processes(mark: str) -> list[int]:
    """Returns the processes that have the mark in their environment, apart from this one."""
    found = []
    for path in Path("/proc").glob("[0-9]*/environ"):
        try:
            if f"{MARK}={mark}".encode() in path.read_bytes():
                found.append(int(path.parent.name))
        except OSError:
            continue
    return [process for process in found if process != os.getpid()]
