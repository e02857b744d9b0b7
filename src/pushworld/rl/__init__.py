"""Learning: PPO, DQN and imitation in JAX, training runs, and the evaluation of trained agents.

`config` describes a run. `algorithms` holds networks and these three; `evaluation` plays puzzles with
trained agents; `runs` trains with metrics and checkpoints. Each of them imports only those before it.
"""

from importlib.util import find_spec

from pushworld.errors import PushWorldError

PACKAGES = ("jax", "flax", "optax", "msgspec")
"""What the extra ``jax`` installs and training needs."""


def require_jax() -> None:
    """Raises PushWorldError if a package of the extra ``jax`` is missing."""
    missing = [name for name in PACKAGES if find_spec(name) is None]
    if missing:
        raise PushWorldError(
            f"learning needs {', '.join(missing)}, not installed here: pip install 'pushworld[jax]'"
        )
