"""PushWorld for TextArena: importing this module registers the game ``PushWorld-v0`` for one player.

>>> import textarena
>>> import pushworld.text.adapters.textarena
>>> env = textarena.make("PushWorld-v0", source="stream:2")
"""

from __future__ import annotations

from typing import Any

from pushworld.text import Episode
from pushworld.text.adapters import DEFAULT_SOURCE, draw_task, needs

with needs("textarena"):
    import textarena as ta
    from textarena.envs.registration import register_with_versions
    from textarena.wrappers import LLMObservationWrapper

NAME = "PushWorld-v0"


class PushWorldEnv(ta.Env):  # type: ignore[misc]
    """Episodes of `pushworld.text.Episode`; the reward at the end is `Score.reward`."""

    def __init__(self, source: str = DEFAULT_SOURCE, **options: Any) -> None:
        """Makes the game, with a source as `draw_task` takes it and options of `Episode`."""
        self._source, self._options = source, options

    def reset(self, num_players: int = 1, seed: int | None = None) -> None:
        """Begins an episode; the same seed gives the same puzzle."""
        task = draw_task(self._source, seed)
        self._episode = Episode(task.puzzle, best_known=task.best_known, **self._options)
        self.state = ta.SinglePlayerState(num_players=num_players, seed=seed)
        self.state.reset(player_prompt_function=lambda **_: self._episode.prompt)

    def step(self, action: str) -> tuple[bool, dict[str, Any]]:
        """Carries out an answer; an illegal one counts, as in every episode."""
        episode, state = self._episode, self.state
        state.add_observation(
            action, ta.ObservationType.PLAYER_ACTION, from_id=state.current_player_id
        )
        text = episode.reply(action)
        state.add_observation(text, ta.ObservationType.GAME_MESSAGE)
        if episode.done:
            score = episode.score(prove=False)
            state.set_outcome(score.reward, text.partition("\n")[0])
            state.game_info[0] |= {"score": score.as_dict()}
        done, info = state.step()
        return done, info


register_with_versions(NAME, PushWorldEnv, wrappers={"default": [LLMObservationWrapper]})
