"""The vector environment for Stable-Baselines3."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from numpy.typing import NDArray

from pushworld.envs.vector_env import Mask, Observations, PushWorldVectorEnv
from pushworld.puzzle import PushWorldError

try:
    from stable_baselines3.common.vec_env import VecEnv
except ImportError as error:
    missing = "Sb3VecEnv needs Stable-Baselines3: pip install 'pushworld[sb3]'"
    raise PushWorldError(missing) from error

KEYS = ("puzzle", "achieved_goals", "moved", "is_success", "action_mask")
"""The infos of a step."""


class Sb3VecEnv(VecEnv):  # type: ignore[misc]
    """The native vector environment as a `VecEnv` of Stable-Baselines3.

    It has the same episodes, observations, rewards and infos as `make_vec_env` of Stable-Baselines3 for
    the same id and seed, which steps one environment after another in Python.

    Args:
        envs: what `gymnasium.make_vec` returns for an id of this package. Its autoreset mode becomes
            ``SAME_STEP`` and its `copy` True, as Stable-Baselines3 expects.
    """

    def __init__(self, envs: VectorEnv[Any, Any, Any]) -> None:
        if not isinstance(envs, PushWorldVectorEnv):
            raise PushWorldError(
                f"Sb3VecEnv takes what gymnasium.make_vec('pushworld:...') returns, not {envs!r}"
            )
        envs.autoreset_mode, envs.copy = AutoresetMode.SAME_STEP, True
        self._envs = envs
        super().__init__(envs.num_envs, envs.single_observation_space, envs.single_action_space)

    def reset(self) -> Observations:
        """Starts episodes with the seeds of `seed` and the puzzles of `set_options`, if there are any."""
        puzzles = [each.get("puzzle") for each in self._options]
        options = {"puzzle": puzzles} if any(puzzles) else None
        observations, infos = self._envs.reset(seed=self._seeds, options=options)
        self._reset_seeds()
        self._reset_options()
        self.reset_infos = _rows(infos, np.zeros(self.num_envs, np.bool_))
        return observations

    def step_async(self, actions: NDArray[np.int64]) -> None:
        """Notes the actions for `step_wait`."""
        self._actions = actions

    def step_wait(self) -> tuple[Observations, NDArray[np.float32], Mask, list[dict[str, Any]]]:
        """Returns observations, rewards, ends of episodes and infos after the actions."""
        observations, rewards, terminated, truncated, infos = self._envs.step(self._actions)
        done = terminated | truncated
        ended = np.flatnonzero(done)
        for key in KEYS if ended.size else ():
            infos[key][ended] = infos["final_info"][key][ended]
        rows = _rows(infos, truncated)
        for env in ended:
            rows[env]["terminal_observation"] = infos["final_obs"][env]
        return observations, rewards.astype(np.float32), done, rows

    def close(self) -> None:
        """Closes the environments."""
        self._envs.close()

    def get_images(self) -> list[Any]:
        """Returns a picture of each environment, with ``render_mode="rgb_array"``."""
        return list(self._envs.render() or ())

    def get_attr(self, attr_name: str, indices: int | Iterable[int] | None = None) -> list[Any]:
        """Returns an attribute, which all environments share, for each of them."""
        return [getattr(self._envs, attr_name) for _ in self._get_indices(indices)]

    def set_attr(
        self, attr_name: str, value: Any, indices: int | Iterable[int] | None = None
    ) -> None:
        """Raises PushWorldError: the environments have no attributes of their own."""
        raise PushWorldError(f"environments of one batch cannot get their own {attr_name}")

    def env_method(
        self,
        method_name: str,
        *arguments: Any,
        indices: int | Iterable[int] | None = None,
        **options: Any,
    ) -> list[Any]:
        """Returns the values of a method, such as ``action_masks``, that has one for each environment."""
        values = getattr(self._envs, method_name)(*arguments, **options)
        return [values[env] for env in self._get_indices(indices)]

    def env_is_wrapped(
        self, wrapper_class: type[Any], indices: int | Iterable[int] | None = None
    ) -> list[bool]:
        """Returns for each environment that nothing wraps it."""
        return [False for _ in self._get_indices(indices)]


def _rows(infos: Mapping[str, Any], truncated: Mask) -> list[dict[str, Any]]:
    """Returns the infos of each environment."""
    *columns, masks = (infos[key] for key in KEYS)
    values = zip(*(each.tolist() for each in columns), masks, truncated.tolist(), strict=True)
    # Written out, which is twice as fast as dict(zip(...)).
    return [
        {
            "puzzle": puzzle,
            "achieved_goals": achieved,
            "moved": moved,
            "is_success": success,
            "action_mask": mask,
            "TimeLimit.truncated": out_of_time,
        }
        for puzzle, achieved, moved, success, mask, out_of_time in values
    ]
