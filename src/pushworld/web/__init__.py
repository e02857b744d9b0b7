"""The page to play, watch, edit and solve puzzles: its server, and its export as a static site."""
