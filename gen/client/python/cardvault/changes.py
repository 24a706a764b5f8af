"""Follows the changes of cards by polling, without missing a change."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from datetime import datetime, timezone

import anyio

from ._generated.models import Card

EVERYTHING = datetime.fromtimestamp(0, timezone.utc)
PAGE_SIZE = 200  # the maximum, because there may be many changes
DEFAULT_INTERVAL = 60.0


class Boundary:
    """The time of the last change that was yielded, and the cards with this time that were processed.

    The service's filter is inclusive, so the next pass gets these cards again.
    """

    def __init__(self, since: datetime | None) -> None:
        if since is not None and since.utcoffset() is None:
            raise ValueError("since has no time zone: use datetime.now(timezone.utc) or the like")
        self.since = since or EVERYTHING
        self._seen: set[tuple[str, int]] = set()

    def is_news(self, card: Card) -> bool:
        """Move the boundary to the card, the next in the order of changes, and report whether it is unprocessed."""
        if card.updated_at != self.since:
            self.since = card.updated_at
            self._seen.clear()
        return (card.id, card.version) not in self._seen

    def done(self, card: Card) -> None:
        """Mark the card as processed."""
        self._seen.add((card.id, card.version))


class _Feed:
    def __init__(self, since: datetime | None, interval: float, once: bool) -> None:
        if interval <= 0:
            raise ValueError(f"interval is {interval}: give seconds above 0")
        self._boundary = Boundary(since)
        self._interval = interval
        self._once = once

    @property
    def since(self) -> datetime:
        """The time of the last change that was yielded. Store it after you have processed the card.

        After a restart with this time, the cards that changed at exactly this time are yielded again.
        """
        return self._boundary.since


class Changes(_Feed):
    """Yields each changed card, oldest change first. Use it in one thread only.

    A new loop, for example after an error, continues with the card at which the last loop ended.
    """

    def __init__(
        self,
        fetch: Callable[[datetime], Iterator[Card]],
        *,
        since: datetime | None,
        interval: float,
        once: bool,
        sleep: Callable[[float], object] = time.sleep,
    ) -> None:
        super().__init__(since, interval, once)
        self._fetch = fetch
        self._sleep = sleep

    def __iter__(self) -> Iterator[Card]:
        while True:
            for card in self._fetch(self.since):
                if self._boundary.is_news(card):
                    yield card
                    self._boundary.done(card)
            if self._once:
                return
            self._sleep(self._interval)


class AsyncChanges(_Feed):
    """`Changes` for asyncio. Cancelling the task ends the wait."""

    def __init__(
        self,
        fetch: Callable[[datetime], AsyncIterator[Card]],
        *,
        since: datetime | None,
        interval: float,
        once: bool,
        sleep: Callable[[float], Awaitable[object]] = anyio.sleep,
    ) -> None:
        super().__init__(since, interval, once)
        self._fetch = fetch
        self._sleep = sleep

    async def __aiter__(self) -> AsyncIterator[Card]:
        while True:
            async for card in self._fetch(self.since):
                if self._boundary.is_news(card):
                    yield card
                    self._boundary.done(card)
            if self._once:
                return
            await self._sleep(self._interval)
