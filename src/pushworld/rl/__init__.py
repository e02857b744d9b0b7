"""Learning: networks, PPO and DQN that run whole on the device, and the evaluation of agents."""

from pushworld.puzzle import PushWorldError

try:
    import flax as _flax  # noqa: F401
    import jax as _jax  # noqa: F401
    import optax as _optax  # type: ignore[import-untyped]  # noqa: F401
except ImportError as error:
    raise PushWorldError(
        f"learning needs JAX, Flax and Optax ({error.name} is missing): "
        "pip install 'pushworld[jax]'"
    ) from error
