"""The examples of the README."""

from __future__ import annotations

import re
from pathlib import Path

README = Path(__file__).parents[2] / "README.md"
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
NAMED = re.compile(r"# (\w+\.py)\n")
TOUR = "tour.py"


def programs() -> dict[str, str]:
    """Return the programs by file name. All blocks without a file name form one program, the tour."""
    made = {TOUR: ""}
    for block in BLOCK.findall(README.read_text(encoding="utf-8")):
        name = NAMED.match(block)
        made[name.group(1) if name else TOUR] = ("" if name else made[TOUR] + "\n") + block
    return made
