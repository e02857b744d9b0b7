"""Puzzle design: what a puzzle demands, how hard it is, and the search for new puzzles."""
