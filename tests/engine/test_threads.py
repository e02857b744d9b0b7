"""The threads that batches share live as long as the process, and outlive nothing else."""

from __future__ import annotations

import os
import subprocess
import sys
import warnings
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray

from pushworld.engine import Engine
from pushworld.puzzle import Puzzle

ENGINE = Engine(Puzzle.parse(". . . .\nA M1 . .\n. . M2 G1"))
COUNT = 8 * 1024
ACTIONS = np.random.default_rng(0).integers(0, 4, (20, COUNT), dtype=np.uint8)


def walk(threads: int) -> NDArray[np.int16]:
    """Returns the states after random walks."""
    states = ENGINE.initial_states(COUNT)
    for actions in ACTIONS:
        ENGINE.step_batch(states, actions, threads=threads)
    return states


def test_callers_share_the_threads() -> None:
    expected = walk(1)
    with ThreadPoolExecutor(4) as callers:
        for states in callers.map(walk, [2, 3, 8, 5] * 3):
            assert np.array_equal(states, expected)


def test_a_child_process_has_its_own_threads() -> None:
    expected = walk(3)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # newer Pythons warn of threads
        child = os.fork()
    if child == 0:
        os._exit(0 if np.array_equal(walk(3), expected) else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert np.array_equal(walk(3), expected)


def test_threads_do_not_hinder_the_exit() -> None:
    program = (
        "import os\nfrom tests.engine.test_threads import walk\nwalk(4)\n"
        "child = os.fork()\nwalk(4)\nif child: assert os.waitpid(child, 0)[1] == 0"
    )
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)
