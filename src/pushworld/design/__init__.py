"""The designer: what puzzles demand, how hard they are, and new ones of a wanted kind."""
