"""Learning from solved puzzles: the network behind the planner ``learned``, and how it is trained."""
