"""What goes wrong with data, told in words."""

from __future__ import annotations

from pushworld.puzzle import PushWorldError


class DataError(PushWorldError):
    """A name, a set, an archive or a data folder that cannot be used, and what to do about it."""
