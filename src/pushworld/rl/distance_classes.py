"""The classes of goal distances that the learned planner's network predicts; it needs no JAX."""

DISTANCES = (0, 1, 2, 3, 4, 5, 6, 8, 10, 13, 16, 20, 25, 32, 40, 50, 64, 80, 100, 128)
"""The distances that are classes; other distances mix two neighbouring classes."""

DEAD_END = len(DISTANCES)
"""The class of dead ends: states from which no plan leads to the goal."""

CLASSES = len(DISTANCES) + 1

EPSILON = 1e-5
"""What the network adds to the mean square that it divides by."""
