"""The client that waits for its answers."""

from __future__ import annotations

import copy
import random
import time
from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Any, TypeVar

import httpx

from ._answer import Answer, Outcome
from ._call import Call
from ._generated.client import Operations
from ._generated.models import Card
from ._generated.types import Request
from ._settings import DEFAULT_MAX_RETRIES, DEFAULT_TIMEOUT, Settings
from ._transport import CALLERS_FAULT, FAILED, failure
from .changes import DEFAULT_INTERVAL, PAGE_SIZE, Changes
from .responses import ResponseInfo

T = TypeVar("T")


class CardVault(Operations):
    """A method for each operation, and more: `with CardVault(base_url, token) as client: client.list_cards()`.

    It may be shared by threads. What went wrong is raised as a `CardVaultError`.
    """

    _sleep: Callable[[float], object] = staticmethod(time.sleep)
    _draw: Callable[[], float] = staticmethod(random.random)

    def __init__(
        self,
        base_url: str,
        token: str,
        *,
        timeout: float = DEFAULT_TIMEOUT,
        max_retries: int = DEFAULT_MAX_RETRIES,
        on_response: Callable[[ResponseInfo], object] | None = None,
        http_client: httpx.Client | None = None,
    ) -> None:
        """Make a client; nothing is sent yet.

        Args:
            base_url: The service's address, such as https://vault.example/api.
            token: A token as it was shown, cv_live_… or cv_test_….
            timeout: Seconds for one attempt; of these, connecting may take as many, and so may sending.
            max_retries: How often a request that failed in passing is sent again.
            on_response: Told of every answer, also of those that are retried: for ETags, logs and the rate limit.
            http_client: Yours, with proxies, certificates and the like; you close it.
        """
        self._settings = Settings(base_url, token, timeout, max_retries, on_response)
        self._http = http_client or httpx.Client()
        self._owns_http = http_client is None

    def with_options(self, *, timeout: float | None = None, max_retries: int | None = None) -> CardVault:
        """The same client, connections shared, with other options: `client.with_options(timeout=90).identify(…)`."""
        other = copy.copy(self)
        other._owns_http = False
        other._settings = self._settings.with_options(timeout, max_retries)
        return other

    def changes(
        self,
        since: datetime | None = None,
        *,
        interval: float = DEFAULT_INTERVAL,
        once: bool = False,
        cards: Callable[..., Iterator[Card]] | None = None,
    ) -> Changes:
        """Every card that changes, from `since` on, or from the beginning; it never misses a change.

        Having given all there is, it asks again every `interval` seconds; with `once` it ends. Its own `since` is what
        to store and to start from the next time. `cards` is `iter_cards` with filters, where you do not want them all:
        `functools.partial(client.iter_cards, status=[…])`. A card that leaves the filter is not given.
        """
        page_through = cards or self.iter_cards
        return Changes(
            lambda start: page_through(updated_since=start, limit=PAGE_SIZE),
            since=since,
            interval=interval,
            once=once,
            sleep=self._sleep,
        )

    def close(self) -> None:
        """Close the connections, unless the HTTP client is yours."""
        if self._owns_http:
            self._http.close()

    def __enter__(self) -> CardVault:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _call(self, request: Request[T]) -> T:
        call = Call(request, self._settings, self._draw)
        while (pause := call.pause_after(self._attempt(call))) is not None:
            self._sleep(pause)
        return call.result

    def _attempt(self, call: Call[Any]) -> Outcome:
        timeout = self._settings.timeout
        deadline = time.monotonic() + timeout
        try:
            with self._http.stream(
                call.method,
                call.url,
                params=call.query,
                headers=call.headers,
                content=call.content,
                timeout=timeout,
                follow_redirects=False,
            ) as response:
                body = b"".join(_until(deadline, response.iter_bytes()))
                return Answer(response.status_code, response.headers, body)
        except CALLERS_FAULT:
            raise
        except FAILED as error:
            return failure(error, timeout)

    def _iterate(self, page: Callable[[str | None], Request[Any]]) -> Iterator[Any]:
        cursor = None
        while True:
            answer = self._call(page(cursor))
            yield from answer.data
            cursor = answer.next_cursor
            if not answer.has_more or cursor is None:
                return


def _until(deadline: float, chunks: Iterator[bytes]) -> Iterator[bytes]:
    """The chunks; ReadTimeout where they trickle in so slowly that none of them alone is late."""
    for chunk in chunks:
        if time.monotonic() > deadline:
            raise httpx.ReadTimeout("the answer took too long")
        yield chunk
