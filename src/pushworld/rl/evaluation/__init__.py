"""Trained agents: their files, the puzzles they solve, and confidence intervals."""
