"""The methods that follow changes, for asyncio."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import datetime

from . import _positions
from ._generated.client import AsyncOperations
from ._generated.models import Card, Deletion, Listing, Sale
from .changes import DEFAULT_INTERVAL, PAGE_SIZE, AsyncChanges, AsyncFeed
from .events import Event


class AsyncFeeds(AsyncOperations):
    """Follows the changes of lists."""

    _sleep: Callable[[float], Awaitable[object]]

    def changes(
        self,
        since: datetime | None = None,
        *,
        interval: float = DEFAULT_INTERVAL,
        once: bool = False,
        cards: Callable[..., AsyncIterator[Card]] | None = None,
    ) -> AsyncChanges:
        """Follow the changes of cards like `CardVault.changes`, with `async for`."""
        page_through = cards or self.iter_cards
        return AsyncChanges(
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
        listings: Callable[..., AsyncIterator[Listing]] | None = None,
    ) -> AsyncFeed[Listing]:
        """Follow the changes of listings like `CardVault.listing_changes`."""
        page_through = listings or self.iter_listings
        return AsyncFeed(
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
        sales: Callable[..., AsyncIterator[Sale]] | None = None,
    ) -> AsyncFeed[Sale]:
        """Follow the changes of sales like `CardVault.sale_changes`."""
        page_through = sales or self.iter_sales
        return AsyncFeed(
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
        events: Callable[..., AsyncIterator[Event]] | None = None,
    ) -> AsyncFeed[Event]:
        """Follow events like `CardVault.event_changes`."""
        page_through = events or self.iter_events
        return AsyncFeed(
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
    ) -> AsyncFeed[Deletion]:
        """Follow the deletions of cards like `CardVault.deletion_changes`."""
        return AsyncFeed(
            lambda start: self.iter_deletions(updated_since=start, limit=PAGE_SIZE),
            _positions.deletion,
            since=since,
            interval=interval,
            once=once,
            sleep=self._sleep,
        )
