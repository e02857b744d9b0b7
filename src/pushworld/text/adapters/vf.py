"""The commands ``vf-*`` of ``verifiers`` with the taskset of this package:

python -m pushworld.text.adapters.vf eval pushworld-v1 -m MODEL -n 50

Processes that a command starts load this module too, so they know the taskset as well.
"""

from __future__ import annotations

import sys
from importlib.metadata import entry_points

from pushworld.text.adapters import verifiers  # noqa: F401 (makes the taskset known)

if __name__ == "__main__":
    scripts = entry_points(group="console_scripts")
    commands = {each.name[3:]: each for each in scripts if each.name.startswith("vf-")}
    if (name := "".join(sys.argv[1:2])) not in commands:
        sys.exit(f"name a command of verifiers first: {', '.join(sorted(commands))}")
    sys.argv[:2] = [f"vf-{name}"]
    commands[name].load()()
