"""Training runs: the loop, metrics, checkpoints, suites of runs, and interrupts."""
