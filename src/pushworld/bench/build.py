"""Which build of the native code is measured."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

from pushworld import _native


@cache
def build_of_package() -> str:
    """Returns a short text that is another one when the native code is another one."""
    return hashlib.sha256(Path(_native.__file__).read_bytes()).hexdigest()[:12]
