"""The methods that follow changes, of the synchronous client."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime

from . import _positions
from ._generated.client import Operations
from ._generated.models import Card, Deletion, Listing, Sale
from .changes import DEFAULT_INTERVAL, PAGE_SIZE, Changes, Feed
from .events import Event


class Feeds(Operations):
    """Follows the changes of lists."""

    _sleep: Callable[[float], object]

    def changes(
        self,
        since: datetime | None = None,
        *,
        interval: float = DEFAULT_INTERVAL,
        once: bool = False,
        cards: Callable[..., Iterator[Card]] | None = None,
    ) -> Changes:
        """Follow the changes of cards from `since` on or, by default, from the beginning. No change is missed.

        The result yields each changed card and polls again every `interval` seconds; with `once` it makes one pass.
        Store its attribute `since` and pass it here after a restart. To follow only some cards, pass `iter_cards` with
        filters as `cards`: `functools.partial(client.iter_cards, status=[…])`. A card that no longer matches the
        filters after a change is not yielded.
        """
        page_through = cards or self.iter_cards
        return Changes(
            lambda start: page_through(updated_since=start, limit=PAGE_SIZE),
            _positions.versioned,
            since=since,
            interval=interval,
            once=once,
            sleep=self._sleep,
        )

    def listing_changes(
        self,
        since: datetime | None = None,
        *,
        interval: float = DEFAULT_INTERVAL,
        once: bool = False,
        listings: Callable[..., Iterator[Listing]] | None = None,
    ) -> Feed[Listing]:
        """Follow the changes of listings, as `changes` does of cards, with `iter_listings` as `listings`."""
        page_through = listings or self.iter_listings
        return Feed(
            lambda start: page_through(updated_since=start, limit=PAGE_SIZE),
            _positions.listing,
            since=since,
            interval=interval,
            once=once,
            sleep=self._sleep,
        )

    def sale_changes(
        self,
        since: datetime | None = None,
        *,
        interval: float = DEFAULT_INTERVAL,
        once: bool = False,
        sales: Callable[..., Iterator[Sale]] | None = None,
    ) -> Feed[Sale]:
        """Follow the changes of sales, as `changes` does of cards, with `iter_sales` as `sales`."""
        page_through = sales or self.iter_sales
        return Feed(
            lambda start: page_through(updated_since=start, limit=PAGE_SIZE),
            _positions.versioned,
            since=since,
            interval=interval,
            once=once,
            sleep=self._sleep,
        )

    def event_changes(
        self,
        since: datetime | None = None,
        *,
        interval: float = DEFAULT_INTERVAL,
        once: bool = False,
        events: Callable[..., Iterator[Event]] | None = None,
    ) -> Feed[Event]:
        """Follow events, oldest first, with `iter_events` as `events`. The service stores them for 30 days."""
        page_through = events or self.iter_events
        return Feed(
            lambda start: page_through(created_since=start, limit=PAGE_SIZE),
            _positions.event,
            since=since,
            interval=interval,
            once=once,
            sleep=self._sleep,
        )

    def deletion_changes(
        self,
        since: datetime | None = None,
        *,
        interval: float = DEFAULT_INTERVAL,
        once: bool = False,
    ) -> Feed[Deletion]:
        """Follow the deletions of cards. Read them after the cards.

        The service stores them for 90 days: a client that was away for longer reads all cards again.
        """
        return Feed(
            lambda start: self.iter_deletions(updated_since=start, limit=PAGE_SIZE),
            _positions.deletion,
            since=since,
            interval=interval,
            once=once,
            sleep=self._sleep,
        )
