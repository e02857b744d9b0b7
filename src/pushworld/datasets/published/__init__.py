"""The published puzzles: what they are, and how they get to this machine."""
