"""The synchronous client."""

from __future__ import annotations

import copy
import random
import time
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

import httpx

from ._answer import Answer, Outcome
from ._bulk import Bulk
from ._call import Call
from ._feeds import Feeds
from ._generated.types import Request
from ._settings import DEFAULT_MAX_RETRIES, DEFAULT_TIMEOUT, Settings
from ._throttle import OnWait, Throttle
from ._transport import CALLERS_FAULT, FAILED, failure
from ._window import RateClass
from .responses import ResponseInfo

T = TypeVar("T")


class CardVault(Bulk, Feeds):
    """The client of an account: `with CardVault(base_url, token) as client: client.list_cards()`.

    It has a method for each operation. Several threads may use it. Failed requests raise a `CardVaultError`.
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
        on_wait: OnWait | None = None,
        http_client: httpx.Client | None = None,
    ) -> None:
        """Create a client. This sends nothing.

        Args:
            base_url: The URL of the service, such as https://vault.example/api.
            token: A token of the account, cv_live_… or cv_test_….
            timeout: The timeout of an attempt in seconds. It limits connecting, sending and receiving separately, so an
                attempt can take longer. An attempt of `scan_cards` gets a second more for each 128 KiB of its photos.
            max_retries: How often the client repeats a request after a temporary error. With 0, requests do not wait
                for the rate limit either.
            on_response: Called with each response, also before a retry. Use it for ETags, logs and the rate limit.
            on_wait: Called when requests begin to wait because the rate limit of their class is used up, once for each
                window of the limit. It must not send requests.
            http_client: Your own client, for proxies and certificates. You close it.
        """
        self._settings = Settings(base_url, token, timeout, max_retries, on_response)
        self._http = http_client or httpx.Client()
        self._owns_http = http_client is None
        self._throttles = {rate_class: Throttle(rate_class, on_wait) for rate_class in RateClass}

    def with_options(self, *, timeout: float | None = None, max_retries: int | None = None) -> CardVault:
        """Return a client with other options and the same connections, as in `client.with_options(timeout=90)`."""
        other = copy.copy(self)
        other._owns_http = False
        other._settings = self._settings.with_options(timeout, max_retries)
        return other

    def close(self) -> None:
        """Close the connections, unless you passed `http_client`."""
        if self._owns_http:
            self._http.close()

    def __enter__(self) -> CardVault:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _call(self, request: Request[T]) -> T:
        call = Call(request, self._settings, self._draw)
        while (pause := call.pause_after(self._throttled(call))) is not None:
            self._sleep(pause)
        return call.result

    def _throttled(self, call: Call[Any]) -> Outcome:
        throttle = self._throttles[call.rate_class]
        if self._settings.max_retries:
            throttle.acquire()
        outcome = None
        try:
            outcome = self._attempt(call)
        finally:
            throttle.observe(outcome)
        return outcome

    def _attempt(self, call: Call[Any]) -> Outcome:
        timeout = self._settings.timeout + call.upload_time
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
    """Yield the chunks. Raise ReadTimeout after the deadline, also if each chunk alone is in time."""
    for chunk in chunks:
        if time.monotonic() > deadline:
            raise httpx.ReadTimeout("the response took too long")
        yield chunk
