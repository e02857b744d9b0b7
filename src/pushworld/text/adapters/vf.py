"""The commands ``vf-*`` of ``verifiers`` with the taskset of this package:

python -m pushworld.text.adapters.vf eval pushworld-v1 -m MODEL -n 50

Processes that a command starts load this module too, so they know the taskset as well.
"""

from __future__ import annotations

import sys
from importlib.metadata import entry_points

from pushworld.text.adapters import verifiers  # noqa: F401 (makes the taskset known)

if __name__ == "__main__":
    commands = {entry.name: entry for entry in entry_points(group="console_scripts")}
    name = f"vf-{''.join(sys.argv[1:2])}"
    if name not in commands:
        known = [each.removeprefix("vf-") for each in commands if each.startswith("vf-")]
        sys.exit(f"name a command of verifiers first: {', '.join(sorted(known))}")
    sys.argv[:2] = [name]
    commands[name].load()()
