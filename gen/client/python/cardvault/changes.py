"""Following the cards by polling, without missing a change."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from datetime import datetime, timezone

import anyio

from ._generated.models import Card

EVERYTHING = datetime.fromtimestamp(0, timezone.utc)
PAGE_SIZE = 200  # the largest: there may be much to catch up on
DEFAULT_INTERVAL = 60.0


class Boundary:
    """The last moment that was seen, and what was seen of it: the service's bound is inclusive."""

    def __init__(self, since: datetime | None) -> None:
        if since is not None and since.utcoffset() is None:
            raise ValueError("since has no time zone: use datetime.now(timezone.utc) or the like")
        self.since = since or EVERYTHING
        self._seen: set[tuple[str, int]] = set()

    def is_news(self, card: Card) -> bool:
        """Whether the card, the next in the order of change, has not been dealt with. Moves the boundary to it."""
        if card.updated_at != self.since:
            self.since = card.updated_at
            self._seen.clear()
        return (card.id, card.version) not in self._seen

    def done(self, card: Card) -> None:
        """The card has been dealt with: it is no news any more."""
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
        """Where to start the next time: store it once the card at hand is dealt with.

        A feed that is made anew starts inclusively, so it can give the last cards once more; it misses none.
        """
        return self._boundary.since


class Changes(_Feed):
    """Gives each changed card, oldest change first. It is for one thread.

    Iterate again, after an error for example, and it goes on where it was: with the card at which the loop was left.
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
    """The same for asyncio; cancelling the task ends the wait."""

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
