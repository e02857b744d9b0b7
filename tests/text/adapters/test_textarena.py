"""The game inside TextArena."""

from __future__ import annotations

from typing import Any

import pytest

from pushworld.text.adapters import draw_task

pytest.importorskip("textarena", reason="needs textarena: make test-textarena")

import textarena as ta

from pushworld.text.adapters.textarena import NAME


def begun(seed: int = 1, **options: Any) -> Any:
    env = ta.make(NAME, source="stream:2", **options)
    env.reset(num_players=1, seed=seed)
    return env


def test_a_game() -> None:
    env, plan = begun(), draw_task("stream:2", 1).plan or ""
    player, prompt = env.get_observation()
    assert player == 0
    assert "You play in turns" in prompt
    done, _ = env.step(f"First one move. <plan>{plan[0]}</plan>")
    assert not done
    _, seen = env.get_observation()
    assert "1 of 1 actions were carried out." in seen
    done, _ = env.step(f"<plan>{plan[1:]}</plan>")
    assert done
    rewards, info = env.close()
    assert rewards == {0: 1.0}
    assert info[0]["score"]["solved"]
    assert info[0]["turn_count"] == 2


def test_answers_that_cannot_be_read_end_the_game() -> None:
    env = begun(undo=True)
    for number in range(1, 6):
        env.get_observation()
        done, _ = env.step("I do not know.")
        assert done == (number == 5)
    rewards, info = env.close()
    assert rewards == {0: 0.0}
    assert info[0]["score"]["illegal_answers"] == 5


def test_the_same_seed_gives_the_same_puzzle() -> None:
    prompts = [begun(seed).get_observation()[1] for seed in (1, 1, 2)]
    assert prompts[0] == prompts[1] != prompts[2]
