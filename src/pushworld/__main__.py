"""``python -m pushworld``: the same as the command ``pushworld``."""

from pushworld.cli import main

main()
