"""Keeps a copy of the inventory with version 1.0.0 of the Python client, as go-1.0.0/copy does:

API=http://127.0.0.1:8080/api TOKEN=cv_test_… python copy_cards.py
"""

from __future__ import annotations

import json
import os
import sys
from datetime import datetime, timedelta, timezone
from pathlib import Path

import httpx

sys.path.insert(0, str(Path(__file__).with_name("cardvault-1.0.0-py3-none-any.whl")))

from cardvault import CardVault  # noqa: E402


def read_deletions(since: str, copied: dict[str, int]) -> str:
    """Remove the cards that were deleted since a time, and return the time of the last one."""
    query, last = {"updated_since": since}, since
    while True:
        page = httpx.get(
            f"{os.environ['API']}/deletions",
            params=query,
            headers={"Authorization": f"Bearer {os.environ['TOKEN']}"},
        ).json()
        for deletion in page["data"]:
            copied.pop(deletion["card_id"], None)
            last = deletion["deleted_at"]
        if page["next_cursor"] is None:
            return last
        query["cursor"] = page["next_cursor"]


def main() -> None:
    """Carry out the commands of standard input."""
    api = CardVault(os.environ["API"], os.environ["TOKEN"])
    copied: dict[str, int] = {}
    changes = api.changes(once=True)
    deleted = (datetime.now(timezone.utc) - timedelta(minutes=1)).isoformat()
    for line in sys.stdin:
        if line.strip() == "cards":
            for card in changes:
                copied[card.id] = max(copied.get(card.id, 0), card.version)
        elif line.strip() == "deletions":
            deleted = read_deletions(deleted, copied)
        print(json.dumps(copied), flush=True)


main()
