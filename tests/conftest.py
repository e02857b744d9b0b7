"""How Hypothesis searches, how JAX compiles, and what Ctrl-C does."""

from __future__ import annotations

import os
import signal

from hypothesis import HealthCheck, settings

settings.register_profile(
    "default", max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("ci", settings.get_profile("default"), derandomize=True)
settings.register_profile("thorough", settings.get_profile("default"), max_examples=5000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))

# Most of JAX's time in tests is compilation, which is faster with fewer optimisations.
os.environ["XLA_FLAGS"] = f"--xla_backend_optimization_level=1 {os.environ.get('XLA_FLAGS', '')}"

# A shell's background jobs ignore Ctrl-C, and the processes that tests start would inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)
