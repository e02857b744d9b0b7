"""The error of this room."""

from pushworld.puzzle import PushWorldError


class DataError(PushWorldError):
    """A name, set, archive or data folder cannot be used; the message says what to do about it."""
