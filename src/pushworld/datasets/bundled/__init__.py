"""The puzzles that ship with the package: those that teach the rules, and the set ``classic``."""
