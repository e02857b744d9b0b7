"""The published puzzles: their manifest, and how they are installed."""
