"""Commands run under limits: time and memory are enforced on everything that a command starts."""

from pushworld.process.limited import Limit, Limits, Outcome, Usage, run_limited

__all__ = ["Limit", "Limits", "Outcome", "Usage", "run_limited"]
