"""Planted faults, one in each chunk: what the laboratory must notice."""

from __future__ import annotations

import os
import signal
import time

from tests.laboratory.trials import Options, Outcome, Trials

INPUTS = "planted faults"
COUNT = 5
CHUNK = 1


def start(options: Options) -> Trials:
    """Returns a function whose trials 1 to 3 end badly."""

    def tried(trials: range) -> Outcome:
        outcome = Outcome()
        outcome.counts["tried"] += 1
        match trials.start:
            case 1:
                outcome.findings.append("a wrong answer")
            case 2:
                os.kill(os.getpid(), signal.SIGSEGV)
            case 3:
                time.sleep(3600)
        return outcome

    return tried
