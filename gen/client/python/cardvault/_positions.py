"""What identifies the state of an item of each list, and when it changed."""

from __future__ import annotations

from collections.abc import Hashable
from datetime import datetime
from typing import Any

from ._generated.models import Card, Deletion, Listing, Sale


def versioned(item: Card | Sale) -> tuple[Hashable, datetime]:
    """A version of an item."""
    return (item.id, item.version), item.updated_at


def listing(item: Listing) -> tuple[Hashable, datetime]:
    """A listing, whose state the time of its change identifies."""
    return item.id, item.updated_at


def event(item: Any) -> tuple[Hashable, datetime]:
    """An event, which never changes."""
    return item.id, item.created_at


def deletion(item: Deletion) -> tuple[Hashable, datetime]:
    """The deletion of a card."""
    return item.card_id, item.deleted_at
