"""The ids of the Gymnasium environments, registered without importing Gymnasium before it is used."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType

from pushworld.envs.contract import DEFAULT_MAX_STEPS

GYMNASIUM = "gymnasium"
ENTRY_POINT = "pushworld.envs.gymnasium_env:PushWorldEnv"
VECTOR_ENTRY_POINT = "pushworld.envs.vector_env:PushWorldVectorEnv"

# The paper's 100 for the sets that it trains on; plans of the later levels are longer.
LEVEL_STEPS = {1: DEFAULT_MAX_STEPS, 2: 200, 3: 400, 4: 800}
CLASSIC_STEPS = 5000


def environment_sets() -> dict[str, tuple[str | None, int]]:
    """Returns for each id its set of puzzles (None: the user's) and the limit of steps."""
    from pushworld.datasets.published.manifest import LEVEL0_SETS, LEVEL0_SPLITS  # slow to import

    levels: dict[str, tuple[str | None, int]] = {
        f"PushWorld/Level{level}-v0": (f"level{level}", steps)
        for level, steps in LEVEL_STEPS.items()
    }
    level0 = {
        f"PushWorld/{each.title()}-{split.title()}-v0": (
            f"level0/{each}/{split}",
            DEFAULT_MAX_STEPS,
        )
        for each in LEVEL0_SETS
        for split in LEVEL0_SPLITS
    }
    return {
        "PushWorld/Classic-v0": ("classic", CLASSIC_STEPS),
        "PushWorld/Bundled-v0": ("bundled", DEFAULT_MAX_STEPS),
        **levels,
        **level0,
        "PushWorld/Custom-v0": (None, DEFAULT_MAX_STEPS),
    }


def register_environments() -> None:
    """Registers all ids with Gymnasium."""
    from gymnasium.envs.registration import register, registry

    for name, (puzzles, steps) in environment_sets().items():
        if name not in registry:
            register(
                id=name,
                entry_point=ENTRY_POINT,
                vector_entry_point=VECTOR_ENTRY_POINT,
                max_episode_steps=steps,
                kwargs={} if puzzles is None else {"puzzles": puzzles},
            )


def register_when_imported() -> None:
    """Registers all ids now if Gymnasium is imported, else as soon as it is."""
    if sys.modules.get(GYMNASIUM) is not None:
        register_environments()
    elif not any(isinstance(finder, _AfterGymnasium) for finder in sys.meta_path):
        sys.meta_path.insert(0, _AfterGymnasium())


class _AfterGymnasium(MetaPathFinder):
    """Finds nothing itself; lets the import of Gymnasium end with the registration."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname != GYMNASIUM:
            return None
        # Whoever only asks whether Gymnasium is there gets a spec that is never executed.
        found = (
            finder.find_spec(fullname, path, target)
            for finder in sys.meta_path
            if finder is not self
        )
        spec = next((each for each in found if each is not None), None)
        loader = spec.loader if spec is not None else None
        if loader is not None:
            execute = loader.exec_module

            def execute_and_register(module: ModuleType) -> None:
                execute(module)
                with suppress(ValueError):
                    sys.meta_path.remove(self)
                register_environments()

            loader.exec_module = execute_and_register  # type: ignore[method-assign]
        return spec
