"""Follows the changes of lists by polling, without missing a change."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Awaitable, Callable, Hashable, Iterator
from datetime import datetime, timezone
from typing import Generic, TypeVar

import anyio

from ._generated.models import Card

T = TypeVar("T")

Position = Callable[[T], tuple[Hashable, datetime]]
"""Returns what identifies the state of an item, and the time when it changed."""

EVERYTHING = datetime.fromtimestamp(0, timezone.utc)
PAGE_SIZE = 200  # the maximum, because there may be many changes
DEFAULT_INTERVAL = 60.0


class Boundary(Generic[T]):
    """The time of the last change that was yielded, and the items with this time that were processed.

    The service's filter is inclusive, so the next pass gets these items again.
    """

    def __init__(self, since: datetime | None, position: Position[T]) -> None:
        if since is not None and since.utcoffset() is None:
            raise ValueError("since has no time zone: use datetime.now(timezone.utc) or the like")
        self.since = since or EVERYTHING
        self._position = position
        self._seen: set[Hashable] = set()

    def is_news(self, item: T) -> bool:
        """Move the boundary to the item, the next in the order of changes, and report whether it is unprocessed."""
        state, changed_at = self._position(item)
        if changed_at != self.since:
            self.since = changed_at
            self._seen.clear()
        return state not in self._seen

    def done(self, item: T) -> None:
        """Mark the item as processed."""
        self._seen.add(self._position(item)[0])


class _Feed(Generic[T]):
    def __init__(self, since: datetime | None, position: Position[T], interval: float, once: bool) -> None:
        if interval <= 0:
            raise ValueError(f"interval is {interval}: give seconds above 0")
        self._boundary = Boundary(since, position)
        self._interval = interval
        self._once = once

    @property
    def since(self) -> datetime:
        """The time of the last change that was yielded. Store it after you have processed the item.

        After a restart with this time, the items that changed at exactly this time are yielded again.
        """
        return self._boundary.since


class Feed(_Feed[T]):
    """Yields each changed item, oldest change first. Use it in one thread only.

    A new loop, for example after an error, continues with the item at which the last loop ended.
    """

    def __init__(
        self,
        fetch: Callable[[datetime], Iterator[T]],
        position: Position[T],
        *,
        since: datetime | None,
        interval: float,
        once: bool,
        sleep: Callable[[float], object] = time.sleep,
    ) -> None:
        super().__init__(since, position, interval, once)
        self._fetch = fetch
        self._sleep = sleep

    def __iter__(self) -> Iterator[T]:
        while True:
            for item in self._fetch(self.since):
                if self._boundary.is_news(item):
                    yield item
                    self._boundary.done(item)
            if self._once:
                return
            self._sleep(self._interval)


class AsyncFeed(_Feed[T]):
    """`Feed` for asyncio. Cancelling the task ends the wait."""

    def __init__(
        self,
        fetch: Callable[[datetime], AsyncIterator[T]],
        position: Position[T],
        *,
        since: datetime | None,
        interval: float,
        once: bool,
        sleep: Callable[[float], Awaitable[object]] = anyio.sleep,
    ) -> None:
        super().__init__(since, position, interval, once)
        self._fetch = fetch
        self._sleep = sleep

    async def __aiter__(self) -> AsyncIterator[T]:
        while True:
            async for item in self._fetch(self.since):
                if self._boundary.is_news(item):
                    yield item
                    self._boundary.done(item)
            if self._once:
                return
            await self._sleep(self._interval)


class Changes(Feed[Card]):
    """The changes of cards."""


class AsyncChanges(AsyncFeed[Card]):
    """The changes of cards, for asyncio."""
