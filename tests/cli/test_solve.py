"""The commands solve, planners and strategies."""

from __future__ import annotations

import json
import os
import pty
import re
import signal
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path

import pytest

from pushworld import Puzzle
from pushworld.datasets import resolve_puzzle
from pushworld.planners import all_planners, default_strategies, planners
from tests.cli.running import run
from tests.planners.test_solving import ENDLESS
from tests.terminals import needs_terminal
from tests.waiting import wait_until

UNSOLVABLE = "M1 . G1\n. A .\n"


def save(folder: Path, text: str) -> str:
    path = folder / "given.pwp"
    path.write_text(text)
    return str(path)


def test_the_plan_goes_to_standard_output() -> None:
    outcome = run("solve", "first-push")
    assert outcome.exit_code == 0
    assert resolve_puzzle("first-push").validate(outcome.out.strip())
    assert outcome.err.startswith("solved with ")


@pytest.mark.parametrize("planner", [each.name for each in planners()])
def test_json_has_everything(planner: str) -> None:
    outcome = run("solve", "keyhole", "--planner", planner, "--json")
    assert outcome.exit_code == 0
    found = json.loads(outcome.out)
    assert (found["puzzle"], found["planner"], found["status"]) == ("keyhole", planner, "solved")
    assert resolve_puzzle("keyhole").validate(found["plan"])
    assert found["length"] == len(found["plan"])
    assert 0 < found["pushes"] <= found["length"]
    assert found["seconds"] > 0
    assert {"expanded", "generated", "evaluated", "states_per_second", "peak_memory_bytes"} <= set(
        found
    )


def test_unsolvable_has_its_exit_code(tmp_path: Path) -> None:
    outcome = run("solve", save(tmp_path, UNSOLVABLE), "--json")
    assert outcome.exit_code == 10
    found = json.loads(outcome.out)
    assert (found["puzzle"], found["status"], found["plan"]) == ("given", "unsolvable", None)


def test_limits_have_their_exit_codes(tmp_path: Path) -> None:
    endless = save(tmp_path, ENDLESS.to_pwp())
    assert run("solve", endless, "--time-limit", "0.2").exit_code == 11
    assert run("solve", endless, "--memory-limit", "0.002").exit_code == 12
    outcome = run("solve", endless, "--max-states", "300", "--planner", "bfs", "--json")
    assert outcome.exit_code == 14
    assert json.loads(outcome.out)["status"] == "state-limit"


def test_strategies_are_names_texts_and_files(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('[strategies]\nwide = "fifo"\n')
    for given in ("uncommitted", "novelty, rgd; moved: cost | commitment any", str(file)):
        outcome = run("solve", "keyhole", "--strategy", given, "--strategy", "rgd", "--json")
        assert outcome.exit_code == 0
        found = json.loads(outcome.out)
        assert found["planner"] == "default"
        assert resolve_puzzle("keyhole").validate(found["plan"])


def test_strategies_are_listed() -> None:
    outcome = run("strategies")
    rows = {line.split()[0]: line.split()[1:] for line in outcome.out.splitlines()}
    assert "in-turn" in rows["goals-in-turn"]
    assert "together" in rows["few-objects"]
    assert outcome.exit_code == 0
    listed = json.loads(run("strategies", "--json").out)
    assert [each["text"] for each in listed] == [str(each) for each in default_strategies()]
    for each in listed:
        assert each["name"] in outcome.out
        assert {"open_lists", "commitment", "share"} <= set(each)


def test_the_plan_can_be_written_to_a_file(tmp_path: Path) -> None:
    file = tmp_path / "plan.txt"
    outcome = run("solve", "first-push", "--output", str(file))
    assert file.read_text() == outcome.out
    assert run("validate", "first-push", outcome.out.strip()).exit_code == 0


def test_a_plan_can_be_shortened() -> None:
    outcome = run("solve", "duet", "--shorten", "600", "--json")
    assert outcome.exit_code == 0
    found = json.loads(outcome.out)
    assert resolve_puzzle("duet").validate(found["plan"])
    assert found["optimal"]
    assert found["length"] == len(found["plan"]) <= found["shortened_from"]
    best = json.loads(run("solve", "duet", "--planner", "astar", "--json").out)
    assert best["optimal"]
    assert "shortened_from" not in best
    assert best["length"] == found["length"]


def test_shortening_is_reported_on_standard_error() -> None:
    outcome = run("solve", "duet", "--shorten", "600")
    assert resolve_puzzle("duet").validate(outcome.out.strip())
    assert re.search(r"shortened from \d+ to \d+ actions, as few as any plan has", outcome.err)


def test_each_better_plan_is_printed_when_it_comes() -> None:
    puzzle = resolve_puzzle("duet")
    lines = run("solve", "duet", "--improve", "600", "--json").out.splitlines()
    *events, last = map(json.loads, lines)
    assert {each["event"] for each in events} == {"plan"}
    lengths = [each["length"] for each in events]
    assert lengths == sorted(set(lengths), reverse=True)
    assert all(puzzle.validate(each["plan"]) for each in events)
    assert last["optimal"]
    assert last["lower_bound"] == last["length"]
    assert all((each["lower_bound"] or 0) <= last["length"] for each in events)
    assert last["length"] <= lengths[-1] <= lengths[0] == last["shortened_from"]
    plans = run("solve", "duet", "--improve", "600").out.split()
    assert all(map(puzzle.validate, plans))
    assert plans[-1] == last["plan"]
    assert len(set(plans)) == len(plans)


def test_what_every_plan_has_is_told_when_time_ends() -> None:
    outcome = run("solve", "duet", "--planner", "astar", "--max-states", "10")
    assert outcome.exit_code == 14
    least = re.search(r"state-limit \(every plan has at least (\d+) actions\)", outcome.err)
    assert least is not None
    assert (
        0 < int(least[1]) <= json.loads(run("solve", "duet", "-p", "astar", "--json").out)["length"]
    )


def test_shorten_and_improve_exclude_each_other() -> None:
    outcome = run("solve", "duet", "--improve", "1", "--shorten", "1")
    assert outcome.exit_code == 2
    assert "choose one of them" in outcome.err


def test_no_time_for_shortening_is_reported() -> None:
    outcome = run("solve", "duet", "--shorten", "0")
    assert outcome.exit_code == 2
    assert "the time for shortening must be a positive number of seconds" in outcome.err


def test_a_file_that_cannot_be_written_is_reported(tmp_path: Path) -> None:
    outcome = run("solve", "first-push", "-o", str(tmp_path / "nowhere" / "plan.txt"))
    assert outcome.exit_code == 2
    assert "cannot be written" in outcome.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("no-such-puzzle",), "no-such-puzzle"),
        (("first-push", "--planner", "asta"), "did you mean astar?"),
        (("first-push", "--time-limit", "-1"), "time limit must be a positive number"),
        (("first-push", "--memory-limit", "0"), "memory limit must be a positive number"),
        (("first-push", "--threads", "0"), "threads must be 1 to 1000"),
        (("first-push", "--seed", "-1"), "seed must be a whole number"),
        (("first-push", "--max-states", "0"), "limit on states must be a whole number from 1"),
        (("first-push", "--strategy", "depth"), "there is no strategy 'depth'"),
        (("first-push", "--strategy", "moved: cots"), "there is no evaluator 'cots'"),
        (("first-push", "-p", "bfs", "--strategy", "cost"), "only 'default' takes them"),
        (("first-push", "-p", "lama", "--max-states", "9"), "cannot keep a limit on states"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(arguments: tuple[str, ...], message: str) -> None:
    outcome = run("solve", *arguments)
    assert (outcome.exit_code, outcome.out) == (2, "")
    assert message in outcome.err
    assert outcome.err.count("\n") == 1


def test_a_sandbox_is_bad_input(tmp_path: Path) -> None:
    outcome = run("solve", save(tmp_path, "A . M1\n"))
    assert outcome.exit_code == 2
    assert "no goals" in outcome.err


def test_planners_are_listed() -> None:
    outcome = run("planners")
    assert outcome.exit_code == 0
    found = json.loads(run("planners", "--json").out)
    assert [each["name"] for each in found] == [planner.name for planner in all_planners()]
    for each in found:
        assert each["name"] in outcome.out
        assert {"description", "complete", "optimal"} <= set(each)
        assert each["available"] == (each["version"] is not None) == (not each["install"])
    assert all(each["available"] for each in found[: len(planners())])


def read_terminal(terminal: int, shown: bytearray) -> None:
    """Adds all that appears on a terminal until its other end is closed."""
    with suppress(OSError):
        while text := os.read(terminal, 1024):
            shown += text


@needs_terminal
def test_control_c_stops_a_search_in_a_terminal(tmp_path: Path) -> None:
    """A user sees progress, presses Ctrl-C, and still gets a report."""
    terminal, standard_error = pty.openpty()
    endless = save(tmp_path, ENDLESS.to_pwp())
    command = [sys.executable, "-c", "from pushworld.cli import main; main()"]
    with subprocess.Popen(
        [*command, "solve", endless, "--time-limit", "600", "--json"],
        stdout=subprocess.PIPE,
        stderr=standard_error,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "120"},
    ) as child:
        os.close(standard_error)
        shown = bytearray()
        reader = threading.Thread(target=read_terminal, args=(terminal, shown))
        reader.start()
        wait_until(lambda: b" states, " in shown and b"best heuristic" in shown)
        child.send_signal(signal.SIGINT)
        assert child.stdout is not None
        found = json.loads(child.stdout.read())
    reader.join()
    os.close(terminal)
    assert child.returncode == 13
    assert (found["status"], found["plan"]) == ("interrupted", None)
    assert found["states"] > 0
    assert Puzzle.load(endless).name == found["puzzle"]


def test_a_planner_of_ones_own_is_an_attribute_of_a_module(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "own_planner.py").write_text(
        "from pushworld import solve\n"
        "from pushworld.planners import SolveResult\n"
        "class Mine:\n"
        "    name = 'mine'\n"
        "    def solve(self, puzzle, **options):\n"
        "        plan = solve(puzzle, 'bfs').plan\n"
        "        return SolveResult.of_plan(puzzle, self.name, 'solved', plan, 0.0)\n"
        "planner = Mine()\n"
        "other = 3\n"
    )
    outcome = run("solve", "first-push", "--planner", "own_planner:planner")
    assert outcome.out == "RRRR\n"
    assert re.fullmatch(r"solved with 4 actions, 2 of them pushes in \d\.\d\d s\n", outcome.err)
    outcome = run("solve", "first-push", "--planner", "own_planner:other")
    assert (outcome.exit_code, outcome.err.count("\n")) == (2, 1)
    assert "'own_planner:other' is no planner: it has no `solve`" in outcome.err
