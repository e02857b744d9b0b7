"""How hypothesis searches: any number of examples a day, none of them timed; how JAX compiles; what Ctrl-C does."""

from __future__ import annotations

import os
import signal

from hypothesis import HealthCheck, settings

settings.register_profile("default", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ci", settings.get_profile("default"), derandomize=True)
settings.register_profile("thorough", settings.get_profile("default"), max_examples=5000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))

# Tests spend most of JAX's time on compiling: programs that are optimised less compile faster.
os.environ["XLA_FLAGS"] = f"--xla_backend_optimization_level=1 {os.environ.get('XLA_FLAGS', '')}"

# Shells let what they run in the background ignore Ctrl-C, which the processes of tests would inherit.
signal.signal(signal.SIGINT, signal.default_int_handler)
