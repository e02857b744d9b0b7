"""Prints the folder of the task, for ``--include_path``."""

from pathlib import Path

print(Path(__file__).parent)
