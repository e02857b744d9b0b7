"""The page that people play on: its files (`static/`), and the part of them that reports draw boards with."""
