"""The application that serves PushWorld for OpenEnv, as ``openenv.yaml`` names it."""

from __future__ import annotations

import os
from functools import partial

from openenv.core.env_server import ConcurrencyConfig, create_app

from pushworld.text.adapters.openenv import (
    PushWorldAction,
    PushWorldEnvironment,
    PushWorldObservation,
)
from pushworld.text.adapters.source import DEFAULT_SOURCE

MOST_SESSIONS = 64
IDLE_SECONDS = 3600.0

app = create_app(
    partial(PushWorldEnvironment, os.environ.get("PUSHWORLD_SOURCE", DEFAULT_SOURCE)),
    PushWorldAction,
    PushWorldObservation,
    env_name="pushworld",
    concurrency_config=ConcurrencyConfig(
        max_concurrent_envs=MOST_SESSIONS, session_timeout=IDLE_SECONDS
    ),
)
