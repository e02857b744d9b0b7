"""The ids of the environments, and their registration with Gymnasium."""

from pushworld.datasets.published.manifest import LEVEL0_SETS, LEVEL0_SPLITS
from pushworld.envs.contract import DEFAULT_MAX_STEPS

ENTRY_POINT = "pushworld.envs.gymnasium_env:PushWorldEnv"
VECTOR_ENTRY_POINT = "pushworld.envs.vector_env:PushWorldVectorEnv"

# The paper's 100 for the sets that it trains on; plans of the later levels are longer.
LEVEL_STEPS = {1: DEFAULT_MAX_STEPS, 2: 200, 3: 400, 4: 800}
CLASSIC_STEPS = 5000


def environment_sets() -> dict[str, tuple[str | None, int]]:
    """Returns for each id its set of puzzles (None: the user's) and its limit on steps."""
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
    """Registers all ids that are not registered yet."""
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
