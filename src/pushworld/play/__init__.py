"""Playing puzzles by hand."""
