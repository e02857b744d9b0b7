"""The error for users, which all errors of the package are kinds of."""


class PushWorldError(ValueError):
    """A user's mistake, with a message for the user; the command line prints it without a traceback."""
