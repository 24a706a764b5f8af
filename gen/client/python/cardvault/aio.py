"""The client for asyncio."""

from __future__ import annotations

import copy
import random
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, TypeVar

import anyio
import httpx

from ._answer import Answer, Outcome
from ._async_feeds import AsyncFeeds
from ._bulk import AsyncBulk
from ._call import Call
from ._generated.types import Request
from ._settings import DEFAULT_MAX_RETRIES, DEFAULT_TIMEOUT, Settings
from ._throttle import AsyncThrottle, OnWait
from ._transport import CALLERS_FAULT, FAILED, failure
from ._window import RateClass
from .responses import ResponseInfo

T = TypeVar("T")


class AsyncCardVault(AsyncBulk, AsyncFeeds):
    """`CardVault` for asyncio: `async with AsyncCardVault(base_url, token) as client: await client.list_cards()`.

    Cancelling a task ends its request or its wait for a retry.
    """

    _sleep: Callable[[float], Awaitable[object]] = staticmethod(anyio.sleep)
    _draw: Callable[[], float] = staticmethod(random.random)

    def __init__(
        self,
        base_url: str,
        token: str,
        *,
        timeout: float = DEFAULT_TIMEOUT,
        max_retries: int = DEFAULT_MAX_RETRIES,
        on_response: Callable[[ResponseInfo], object] | None = None,
        on_wait: OnWait | None = None,
        http_client: httpx.AsyncClient | None = None,
    ) -> None:
        """Create a client. The arguments are those of `CardVault`, but `timeout` limits each attempt as a whole."""
        self._settings = Settings(base_url, token, timeout, max_retries, on_response)
        self._http = http_client or httpx.AsyncClient()
        self._owns_http = http_client is None
        self._throttles = {rate_class: AsyncThrottle(rate_class, on_wait) for rate_class in RateClass}

    def with_options(self, *, timeout: float | None = None, max_retries: int | None = None) -> AsyncCardVault:
        """Return a client with other options and the same connections."""
        other = copy.copy(self)
        other._owns_http = False
        other._settings = self._settings.with_options(timeout, max_retries)
        return other

    async def close(self) -> None:
        """Close the connections, unless you passed `http_client`."""
        if self._owns_http:
            await self._http.aclose()

    async def __aenter__(self) -> AsyncCardVault:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def _call(self, request: Request[T]) -> T:
        call = Call(request, self._settings, self._draw)
        while (pause := call.pause_after(await self._throttled(call))) is not None:
            await self._sleep(pause)
        return call.result

    async def _throttled(self, call: Call[Any]) -> Outcome:
        throttle = self._throttles[call.rate_class]
        if self._settings.max_retries:
            await throttle.acquire()
        outcome = None
        try:
            outcome = await self._attempt(call)
        finally:
            throttle.observe(outcome)
        return outcome

    async def _attempt(self, call: Call[Any]) -> Outcome:
        timeout = self._settings.timeout + call.upload_time
        try:
            with anyio.fail_after(timeout):
                return await self._exchange(call, timeout)
        except CALLERS_FAULT:
            raise
        except FAILED as error:
            return failure(error, timeout)

    async def _exchange(self, call: Call[Any], timeout: float) -> Answer:  # noqa: ASYNC109 - that of httpx
        response = await self._http.request(
            call.method,
            call.url,
            params=call.query,
            headers=call.headers,
            content=call.content,
            timeout=timeout,
            follow_redirects=False,
        )
        return Answer(response.status_code, response.headers, response.content)

    async def _iterate(self, page: Callable[[str | None], Request[Any]]) -> AsyncIterator[Any]:
        cursor = None
        while True:
            answer = await self._call(page(cursor))
            for item in answer.data:
                yield item
            cursor = answer.next_cursor
            if not answer.has_more or cursor is None:
                return
