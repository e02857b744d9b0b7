"""Ids are registered by importing pushworld.envs, or pushworld after Gymnasium."""

from __future__ import annotations

import subprocess
import sys

import pytest

from pushworld.datasets import classic_puzzles
from pushworld.envs.registration import environment_sets

IDS = [
    *(f"PushWorld/Level{level}-v0" for level in (1, 2, 3, 4)),
    *(
        f"PushWorld/{name}-{split}-v0"
        for name in ("Base", "Size", "Walls", "Obstacles", "Shapes", "Goals", "All")
        for split in ("Train", "Test")
    ),
    "PushWorld/Bundled-v0",
    "PushWorld/Classic-v0",
    "PushWorld/Custom-v0",
]


def run_python(code: str) -> str:
    """Returns the output of a new interpreter in which warnings are errors."""
    done = subprocess.run(
        [sys.executable, "-W", "error::UserWarning", "-c", code],
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize(
    "imports",
    [
        "import gymnasium, pushworld",
        "import pushworld.envs, gymnasium; gymnasium.register_envs(pushworld.envs)",
        "import gymnasium; gymnasium.make('pushworld:PushWorld/Bundled-v0')",
    ],
)
def test_all_ids_are_registered(imports: str) -> None:
    output = run_python(f"{imports}; print(*(i for i in gymnasium.registry if 'PushWorld' in i))")
    assert sorted(output.split()) == sorted(IDS)


def test_pushworld_alone_imports_little_and_its_prefix_registers_later() -> None:
    output = run_python(
        "import sys, pushworld; print(sorted({'gymnasium', 'numpy', 'PIL'} & set(sys.modules)))\n"
        "import gymnasium; print(gymnasium.make('pushworld.envs:PushWorld/Bundled-v0'))\n"
        "print(gymnasium.make_vec('PushWorld/Bundled-v0', 3))"
    )
    assert output.splitlines() == [
        "[]",
        "<TimeLimit<OrderEnforcing<PassiveEnvChecker<PushWorldEnv<PushWorld/Bundled-v0>>>>>",
        "PushWorldVectorEnv(PushWorld/Bundled-v0, num_envs=3)",
    ]


def test_classic_comes_first_with_time_for_its_longest_plan() -> None:
    name, (puzzles, steps) = next(iter(environment_sets().items()))
    assert (name, puzzles) == ("PushWorld/Classic-v0", "classic")
    assert steps >= max(len(entry.plan) for entry in classic_puzzles())


def test_without_the_frameworks() -> None:
    output = run_python(
        "import sys; sys.modules['gymnasium'] = None; sys.modules['dm_env'] = None\n"
        "import pushworld, pushworld.envs\n"
        "for name in ('PushWorldEnv', 'PushWorldVectorEnv', 'PushWorldDmEnv'):\n"
        "    try: getattr(pushworld.envs, name)\n"
        "    except pushworld.PushWorldError as error: print(error)\n"
    )
    assert output.splitlines() == [
        "PushWorldEnv needs gymnasium: pip install 'pushworld[envs]'",
        "PushWorldVectorEnv needs gymnasium: pip install 'pushworld[envs]'",
        "PushWorldDmEnv needs dm_env: pip install 'pushworld[envs]'",
    ]
