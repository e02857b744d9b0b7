"""Learning: PPO, DQN and imitation in JAX, training runs, and the evaluation of trained agents.

`config` describes a run. `algorithms` holds networks and these three; `evaluation` plays puzzles with
trained agents; `runs` trains with metrics and checkpoints. Each of them imports only those before it.
"""

import sys
from importlib.util import find_spec

from pushworld.errors import fail_without_extra

PACKAGES = ("jax", "flax", "optax", "orbax", "msgspec")
"""What the extra ``jax`` installs and training needs."""


def require_jax() -> None:
    """Raises PushWorldError if a package of the extra ``jax`` is missing."""
    missing = [name for name in PACKAGES if find_spec(name) is None]
    if missing:
        fail_without_extra(
            f"learning needs {', '.join(missing)}, not installed here: pip install 'pushworld[jax]'"
        )


def require_jax_to_start() -> None:
    """Ends ``python -m MODULE`` in one line if MODULE is one of this package and JAX is missing.

    Modules that other code imports may work without JAX.
    """
    if sys.argv[:1] == ["-m"]:
        require_jax()


require_jax_to_start()
