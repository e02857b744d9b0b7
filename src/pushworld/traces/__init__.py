"""Recorded games as data: games, moves, what a planner says about them, export and report."""
