"""Two sizes of the suite, which skips are failures, how Hypothesis searches, how JAX compiles, and what Ctrl-C does."""

from __future__ import annotations

import os
import platform
import shutil
import signal
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from tests.shared import SHARED
from tests.terminals import HAS_TERMINALS

TESTS = Path(__file__).parent

LARGE = (
    "bench/test_containers.py",
    "bench/test_kill.py",
    "docs/test_notebooks.py",
    "docs/test_pages.py",
    "docs/test_site.py",
    "envs/jax/test_devices.py",
    "faults",
    "packaging/test_hub.py",
    "process/test_ray.py",
    "rl/agents/test_onnx.py",
    "rl/algorithms/test_devices.py",
    "rl/algorithms/test_seeds.py",
    "rl/runs/test_imitation.py",
    "rl/runs/test_seeds.py",
    "rl/runs/test_suite.py",
    "rl/runs/test_training.py",
    "text/adapters",
    "text/evaluation/test_kill.py",
    "traces/test_participants.py",
    "traces/test_study.py",
    "web/studies",
    "web/test_page_planner.py",
    "web/test_page_study.py",
)
"""Modules and folders that `make test` leaves to `make test-all`, as it does tests marked `large`."""

EXCUSES = {
    "make test-": True,  # another environment has the package
    "published puzzles": SHARED is None,
    "pseudo-terminals": not HAS_TERMINALS,
    "needs Linux": sys.platform != "linux",
    "x86_64": platform.machine() != "x86_64",
    "Python 3.11": sys.version_info[:2] != (3, 11),
    "emscripten": shutil.which("em++") is None,
    "gringo": shutil.which("gringo") is None,
}
"""What a skip may be for, and whether this machine really lacks it: `--skips-fail` accepts no other skip."""

settings.register_profile(
    "default", max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("ci", settings.get_profile("default"), derandomize=True)
settings.register_profile("thorough", settings.get_profile("default"), max_examples=5000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))

# Tests spend most of JAX's time on compiling: with these flags programs compile in a third of the time. XLA ends the
# process at a flag that it does not know; Python 3.11 has the last JAX that knows the second one.
FAST_COMPILATION = "--xla_backend_optimization_level=0"
if sys.version_info < (3, 12):
    FAST_COMPILATION += " --xla_cpu_use_fusion_emitters=false"
os.environ["XLA_FLAGS"] = f"{FAST_COMPILATION} {os.environ.get('XLA_FLAGS', '')}"

# Shells let background processes ignore Ctrl-C, and the processes of tests would inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_configure(config: pytest.Config) -> None:
    """Gives all workers and all processes of tests one cache of compiled JAX programs."""
    if "JAX_COMPILATION_CACHE_DIR" not in os.environ:
        folder = TemporaryDirectory(prefix="pushworld-jax-", ignore_cleanup_errors=True)
        config.add_cleanup(folder.cleanup)
        os.environ["JAX_COMPILATION_CACHE_DIR"] = folder.name
        os.environ["JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS"] = "0"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--skips-fail", action="store_true", help="fail on skips that this machine can do without"
    )


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leaves out the large modules, whose packages may be missing, unless they are asked for."""
    if config.option.markexpr != "not large":
        return None
    return True if any(collection_path == TESTS / name for name in LARGE) else None


@pytest.hookimpl(trylast=True)
def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """Lists skips by reason; with `--skips-fail`, those without an excuse make the run fail."""
    tests: dict[str, list[str]] = {}
    for report in terminalreporter.stats.get("skipped", ()):
        reason = report.longrepr[2].removeprefix("Skipped: ")
        tests.setdefault(reason, []).append(report.nodeid)
    wrong = [
        reason
        for reason in tests
        if not any(text in reason and lacks for text, lacks in EXCUSES.items())
    ]
    if tests:
        terminalreporter.section("skipped")
    for reason, names in tests.items():
        mark = "  FAILURE: this machine could run them" * (
            config.option.skips_fail and reason in wrong
        )
        terminalreporter.line(f"{len(names):4} {reason} (first: {names[0]}){mark}")
    if config.option.skips_fail and wrong and terminalreporter._session.exitstatus == 0:
        terminalreporter._session.exitstatus = pytest.ExitCode.TESTS_FAILED
