"""Planners by a TOML file: a small script that plans, and scripts that fail in every way."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from shlex import quote

import pytest

from pushworld import PushWorldError, solve
from pushworld.planners import PlannerError, Progress, WrongPlanError, get_planner
from tests.cli.running import run
from tests.planners.scripts import PLAN, PUZZLE, shell_planner, write_planner
from tests.planners.test_solving import crowd
from tests.planners.tiny_puzzles import tiny_puzzle
from tests.waiting import PATIENCE, growing_limits, wait_until

# Searches the SAS+ file that it is given, with the reader that the tests have for it.
SAS_PLANNER = f"""\
#!/bin/sh
exec {quote(sys.executable)} - "$@" <<'END'
import sys
sys.path.insert(0, {str(Path(__file__).parents[2])!r})
from tests.export.cheapest import cheapest_plan
from tests.export.sas_reader import read_sas
found = cheapest_plan(read_sas(open(sys.argv[1]).read()))
print("Grounding took 0.001 seconds; 123456 KB; expanded 42")
if found is None:
    sys.exit(9)
for number, action in enumerate(found[1]):
    print(f"step {{number}}: {{action}}")
END
"""

SAS_TOML = """\
name = "tiny-planner"
command = "planner {sas} --seconds {time} --megabytes {memory} --seed {seed}"
version = "1.0"
complete = true
optimal = true
unsolvable_exit_codes = [9]
[patterns]
step = '^step [0-9]+: (.*)'
representation_seconds = 'took ([0-9.]+) seconds'
peak_memory_kb = '([0-9]+) KB'
expanded = 'expanded ([0-9]+)'
"""


def test_a_script_plans_like_exhaustive_search(tmp_path: Path) -> None:
    name = write_planner(tmp_path, SAS_PLANNER, SAS_TOML)
    assert get_planner(name).availability().version == "1.0"
    for seed in (0, 1, 8):
        puzzle = tiny_puzzle(seed)
        ours, theirs = solve(puzzle, "bfs"), solve(puzzle, name, time_limit=PATIENCE)
        assert (theirs.status, theirs.length) == (ours.status, ours.length)
    assert theirs.planner == "tiny-planner"
    assert theirs.expanded == 42
    assert theirs.peak_memory_bytes == 123456 * 1024
    assert theirs.representation_seconds is not None
    assert 0.001 < theirs.representation_seconds < theirs.seconds


def test_the_command_line_takes_the_file(tmp_path: Path) -> None:
    name = shell_planner(tmp_path, f"cat > $3 <<'END'\n{PLAN}END")
    puzzle = tmp_path / "row.pwp"
    PUZZLE.save(puzzle)
    outcome = run("solve", str(puzzle), "--planner", name, "--time-limit", "600", "--json")
    reports = json.loads(outcome.out)
    assert (outcome.exit_code, reports["status"], reports["plan"]) == (0, "solved", "RRR")
    assert reports["planner"] == "mine"


def test_the_task_is_there_in_the_language_asked_for(tmp_path: Path) -> None:
    copy = f'cp "$1" "$2" {quote(str(tmp_path))}; echo unsolvable'
    for low_arity, predicate in (("false", "(step ?o"), ("true", "(step ?p")):
        name = shell_planner(
            tmp_path, copy, f"low_arity = {low_arity}\npatterns = {{unsolvable = 'unsolvable'}}"
        )
        assert solve(PUZZLE, name, time_limit=PATIENCE).status == "unsolvable"
        assert predicate in (tmp_path / "domain.pddl").read_text()
        assert "(at " in (tmp_path / "problem.pddl").read_text()


def test_of_several_plan_files_the_last_counts(tmp_path: Path) -> None:
    longer = f"(move p-1-1 p-2-1 right)\n(move p-2-1 p-1-1 left)\n{PLAN}"
    script = f"cat > $3.9 <<'END'\n{longer}END\ncat > $3.10 <<'END'\n{PLAN}END"
    assert solve(PUZZLE, shell_planner(tmp_path, script), time_limit=PATIENCE).plan == "RRR"


def test_the_first_plan_ends_a_planner_that_goes_on(tmp_path: Path) -> None:
    script = f"cat > $3 <<'END'\n{PLAN}END\nsleep 600"
    result = solve(
        PUZZLE, shell_planner(tmp_path, script, "first_plan = true"), time_limit=PATIENCE
    )
    assert result.plan == "RRR"


def test_a_plan_found_before_the_time_limit_counts(tmp_path: Path) -> None:
    written = tmp_path / "written"
    script = f"cat > $3 <<'END'\n{PLAN}END\ntouch {quote(str(written))}\nsleep 600"
    for seconds in growing_limits():
        result = solve(PUZZLE, shell_planner(tmp_path, script), time_limit=seconds)
        if written.exists():
            break
    assert result.plan == "RRR"


def test_limits_are_kept(tmp_path: Path) -> None:
    name = shell_planner(tmp_path, "sleep 600")
    assert solve(PUZZLE, name, time_limit=0.5).status == "time-limit"
    fill = f"{quote(sys.executable)} -c 'import time; x = b\"1\" * 10**8; time.sleep(600)'"
    name = shell_planner(tmp_path, fill)
    result = solve(PUZZLE, name, time_limit=PATIENCE, memory_limit_gb=0.05)
    assert result.status == "memory-limit"
    assert result.peak_memory_bytes > 5 * 10**7


def test_limits_and_interrupts_end_the_writing_of_a_large_task(tmp_path: Path) -> None:
    """This one would take minutes, and gigabytes."""

    def interrupt(_: Progress) -> None:
        raise KeyboardInterrupt

    name = shell_planner(tmp_path, "exit 3")
    large = crowd(60, 50)
    for ended, arguments in (
        ("time-limit", {"time_limit": 0.1}),
        ("memory-limit", {"time_limit": PATIENCE, "memory_limit_gb": 0.01}),
        ("interrupted", {"time_limit": PATIENCE, "progress": interrupt}),
    ):
        result = solve(large, name, **arguments)  # type: ignore[arg-type]
        assert (result.status, result.plan) == (ended, None)
        assert result.representation_seconds is not None
        assert 0 < result.representation_seconds <= result.seconds


def test_a_killed_command_leaves_no_folder(tmp_path: Path) -> None:
    name = shell_planner(tmp_path, f"touch {quote(f'{tmp_path}/begun')}; sleep 600")
    PUZZLE.save(tmp_path / "row.pwp")
    command = ["solve", str(tmp_path / "row.pwp"), "--planner", name, "--time-limit", "600"]
    solving = subprocess.Popen(
        [sys.executable, "-m", "pushworld", *command], env=os.environ | {"TMPDIR": str(tmp_path)}
    )
    wait_until((tmp_path / "begun").exists)
    assert list(tmp_path.glob("pushworld-planner-*"))
    solving.kill()
    solving.wait()
    wait_until(lambda: not list(tmp_path.glob("pushworld-planner-*")))


def test_an_interrupt_ends_it(tmp_path: Path) -> None:
    def interrupt(_: Progress) -> None:
        raise KeyboardInterrupt

    name = shell_planner(tmp_path, "sleep 600")
    result = solve(PUZZLE, name, time_limit=PATIENCE, progress=interrupt)
    assert (result.status, result.plan) == ("interrupted", None)


def test_a_wrong_plan_is_reported_with_its_first_wrong_line(tmp_path: Path) -> None:
    name = shell_planner(tmp_path, "echo '(move p-1-1 p-1-2 down)' > $3")
    with pytest.raises(WrongPlanError, match=r"'mine' is wrong: line 1 .* would enter a wall"):
        solve(PUZZLE, name, time_limit=PATIENCE)


def test_a_crash_is_reported_with_the_last_words(tmp_path: Path) -> None:
    name = shell_planner(tmp_path, "echo out of ideas; exit 3")
    with pytest.raises(PlannerError, match=r"exit code 3 .*: out of ideas"):
        solve(PUZZLE, name, time_limit=PATIENCE)


@pytest.mark.parametrize(
    ("commands", "message"),
    [("kill -SEGV $$", "ended with signal SIGSEGV"), ("kill -40 $$", "ended with signal 40")],
)
def test_a_signal_is_reported(tmp_path: Path, commands: str, message: str) -> None:
    with pytest.raises(PlannerError, match=message):
        solve(PUZZLE, shell_planner(tmp_path, commands), time_limit=PATIENCE)


def test_a_pattern_that_finds_no_number_is_reported(tmp_path: Path) -> None:
    script = f"cat > $3 <<'END'\n{PLAN}END\necho expanded many"
    name = shell_planner(tmp_path, script, "patterns = {expanded = 'expanded (.*)'}")
    with pytest.raises(PlannerError, match=r"'expanded \(\.\*\)' finds 'many', which is no number"):
        solve(PUZZLE, name, time_limit=PATIENCE)


def test_folders_like_plans_and_braces_in_paths_do_not_matter(tmp_path: Path) -> None:
    folder = tmp_path / "a {b} c"
    folder.mkdir()
    name = shell_planner(folder, f"mkdir \"$3.more\"\ncat > $3 <<'END'\n{PLAN}END")
    assert solve(PUZZLE, name, time_limit=PATIENCE).plan == "RRR"


@pytest.mark.parametrize(
    ("commands", "message"),
    [
        ("yes '(move p-1-1 p-2-1 right)' > $3; sleep 600", "wrote a plan of more than 16 MiB"),
        ("mkfifo $3", "without a plan"),
        ("ln -s /dev/zero $3", "without a plan"),
        ("head -c 40000000 /dev/zero | tr '\\0' x; exit 3", "exit code 3 .*: x{500}$"),
    ],
    ids=["a plan without end", "a pipe", "a device", "one endless line"],
)
def test_what_it_writes_is_bounded(tmp_path: Path, commands: str, message: str) -> None:
    with pytest.raises(PlannerError, match=message):
        solve(PUZZLE, shell_planner(tmp_path, commands), time_limit=PATIENCE)


def test_a_program_that_is_missing_is_reported(tmp_path: Path) -> None:
    file = tmp_path / "missing.toml"
    file.write_text('command = "no-such-planner {sas} {plan}"')
    assert get_planner(str(file)).availability().version is None
    with pytest.raises(PlannerError, match=r"not installed: no-such-planner is neither next to"):
        solve(PUZZLE, str(file))


@pytest.mark.parametrize("text", ["  ", '"/opt/planner', "/no/such/planner"])
def test_whatever_the_variables_say_the_planners_can_be_listed(
    monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    for variable in ("PUSHWORLD_FAST_DOWNWARD", "PUSHWORLD_LAPKT"):
        monkeypatch.setenv(variable, text)
    for name in ("ff", "bfws"):
        available = get_planner(name).availability()
        assert available.version or available.install
        if text.strip():
            with pytest.raises(PushWorldError, match=r"cannot be run|gringo"):
                solve(PUZZLE, name)


@pytest.mark.parametrize(
    ("toml", "message"),
    [
        ("", "there is no command"),
        ('command = "p {sas}"\nspeed = 3', "unknown key 'speed'"),
        ("command = 3", "command must be of type str"),
        ('command = "p {domain}"', r"must name \{domain\} and \{problem\}, or \{sas\}"),
        ('command = "p {sas} {cpu}"', r"unknown placeholder \{cpu\}"),
        ('command = "p {sas}"\npatterns = {steps = "x"}', "unknown pattern 'steps'"),
        ('command = "p {sas}"\npatterns = {step = "x"}', "needs a group in parentheses"),
        ('command = "p {sas}"\npatterns = {step = "("}', "unterminated"),
        ("command =", "is not valid TOML"),
        ('command = "p {sas} {}"', r"unknown placeholder \{\}"),
        ('command = "p {sas} {time:d}"', "names alone"),
        ('command = "p {sas}"\nunsolvable_exit_codes = [[1]]', "must be whole numbers"),
        ('command = "p {sas}"\nplan_files = [1]', "must be names in the planner's folder"),
        ('command = "p {sas}"\nplan_files = ["/plan"]', "must be names in the planner's folder"),
        ('command = "p {sas}"\nplan_files = [""]', "must be names in the planner's folder"),
        ('name = "\udce9"', "line 1: this is not UTF-8 text"),
        pytest.param(f"a = {'[' * 20_000}", "nested too deeply", id="nested deeply"),
    ],
)
def test_a_bad_file_is_reported(tmp_path: Path, toml: str, message: str) -> None:
    file = tmp_path / "bad.toml"
    file.write_bytes(toml.encode(errors="surrogateescape"))
    with pytest.raises(PushWorldError, match=message) as raised:
        get_planner(str(file))
    assert str(file) in str(raised.value)
