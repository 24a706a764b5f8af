"""Keep a copy of an inventory in an SQLite database: its cards, listings and sales.

    API=https://vault.example/api TOKEN=cv_… python mirror.py --file inventory.db

The first run copies everything. Each later run copies only what has changed since, and removes the cards that were
deleted. If a run is interrupted, the next one continues it.
"""

from __future__ import annotations

import argparse
import json
import os
import sqlite3
import sys
from contextlib import closing
from datetime import datetime, timedelta, timezone

from cardvault import CardVault, CardVaultError, Feed
from cardvault.models import Card, Deletion, Listing, Sale

MAX_ABSENCE = timedelta(days=80)
"""The time after which everything is copied again, because the service reports deletions for 90 days."""

SCHEMA = """
PRAGMA journal_mode = WAL;
PRAGMA synchronous = NORMAL;
CREATE TABLE IF NOT EXISTS items (
    feed TEXT, id TEXT, at TEXT NOT NULL, item TEXT NOT NULL, PRIMARY KEY (feed, id)
);
CREATE TABLE IF NOT EXISTS positions (feed TEXT PRIMARY KEY, at TEXT NOT NULL);
"""


class Store:
    """The copy. It never has a change without the position of its feed, because one transaction stores both.

    The position of the feed "passes" is the start of the last complete pass.
    """

    def __init__(self, database: sqlite3.Connection, now: datetime) -> None:
        self._database = database
        database.executescript(SCHEMA)
        last = self.since("passes")
        if last is None or now - last > MAX_ABSENCE:
            with database:
                database.execute("DELETE FROM items")
                database.execute("DELETE FROM positions")
                self._move("passes", now)

    def since(self, feed: str) -> datetime | None:
        """Return the position of a feed."""
        row = self._database.execute("SELECT at FROM positions WHERE feed = ?", (feed,)).fetchone()
        return datetime.fromisoformat(row[0]) if row else None

    def changed_at(self, feed: str, item_id: str) -> datetime | None:
        """Return the time of the last change of an item, or None if the copy does not have it."""
        row = self._database.execute("SELECT at FROM items WHERE feed = ? AND id = ?", (feed, item_id)).fetchone()
        return datetime.fromisoformat(row[0]) if row else None

    def count(self, feed: str) -> int:
        """Return the number of items."""
        (number,) = self._database.execute("SELECT count(*) FROM items WHERE feed = ?", (feed,)).fetchone()
        return int(number)

    def save(self, feed: str, item: Card | Listing | Sale) -> None:
        """Store a new or changed item."""
        row = (feed, item.id, item.updated_at.isoformat(), json.dumps(item.to_dict()))
        with self._database:
            self._database.execute("INSERT OR REPLACE INTO items VALUES (?, ?, ?, ?)", row)
            self._move(feed, item.updated_at)

    def delete(self, deletion: Deletion) -> None:
        """Remove a card."""
        with self._database:
            self._database.execute("DELETE FROM items WHERE feed = 'cards' AND id = ?", (deletion.card_id,))
            self._move("deletions", deletion.deleted_at)

    def finish(self, began: datetime) -> None:
        """Store the start of a complete pass."""
        with self._database:
            self._move("passes", began)

    def _move(self, feed: str, at: datetime) -> None:
        self._database.execute("INSERT OR REPLACE INTO positions VALUES (?, ?)", (feed, at.isoformat()))


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="mirror",
        description="Copy the inventory of API and TOKEN to a database, or what has changed since the last run.",
    )
    parser.add_argument("--file", default="inventory.db", help="the database (default: %(default)s)")
    file = parser.parse_args().file
    try:
        client = CardVault(os.environ.get("API", ""), os.environ.get("TOKEN", ""))
    except ValueError as error:
        parser.error(f"set API and TOKEN: {error}")
    try:
        with client, closing(sqlite3.connect(file)) as database:
            mirror(client, database)
            return 0
    except (CardVaultError, sqlite3.Error) as error:
        print("mirror:", error, file=sys.stderr)
        return 1


def mirror(client: CardVault, database: sqlite3.Connection) -> None:
    """Make one pass over all feeds."""
    began = datetime.now(timezone.utc)
    store = Store(database, began)
    follow(store, "cards", client.changes(store.since("cards"), once=True))
    # After the cards, so that a card that is deleted while they are read is removed again.
    forget(store, client.deletion_changes(store.since("deletions"), once=True))
    follow(store, "listings", client.listing_changes(store.since("listings"), once=True))
    follow(store, "sales", client.sale_changes(store.since("sales"), once=True))
    store.finish(began)
    print("in all:", ", ".join(f"{store.count(feed)} {feed}" for feed in ("cards", "listings", "sales")))


def follow(store: Store, feed: str, changes: Feed[Card] | Feed[Listing] | Feed[Sale]) -> None:
    """Copy the items that have changed, and print how many."""
    added = changed = 0
    for item in changes:
        before = store.changed_at(feed, item.id)
        if before == item.updated_at:
            continue  # a feed begins with the last change that is already in the copy
        store.save(feed, item)
        added, changed = (added + 1, changed) if before is None else (added, changed + 1)
    print(f"{feed}: {added} new, {changed} changed")


def forget(store: Store, deletions: Feed[Deletion]) -> None:
    """Remove the cards that were deleted, and print how many."""
    before = store.count("cards")
    for deletion in deletions:
        store.delete(deletion)
    print(f"cards: {before - store.count('cards')} deleted")


if __name__ == "__main__":
    sys.exit(main())
