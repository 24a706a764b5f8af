"""A common interface of both clients, so that each test runs with both. Pauses are recorded instead of waited."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterable, Awaitable, Callable, Iterable
from typing import Any, Protocol, TypeVar

import httpx

from cardvault import AsyncCardVault, CardVault

T = TypeVar("T")
TOKEN = "cv_test_0123456789"
NO_TLS = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)  # loading all certificates in each test is slow


class Caller(Protocol):
    """The part of a client that tests use."""

    pauses: list[float]

    def call(self, operation: str, /, *args: Any, **options: Any) -> Any:
        """Call the method of the client and return its result."""

    def collect(self, operation: str, /, *args: Any, at_most: int | None = None, **options: Any) -> list[Any]:
        """Iterate over the result of the method and return its first `at_most` items, or all."""


class Blocking:
    """Calls CardVault."""

    def __init__(self, url: str, **options: Any) -> None:
        self.pauses: list[float] = []
        self._url = url
        self._options = options

    def _with_client(self, use: Callable[[CardVault], T]) -> T:
        with httpx.Client(verify=NO_TLS) as http:
            client = CardVault(self._url, TOKEN, http_client=http, **self._options)
            client._sleep = self.pauses.append
            client._draw = lambda: 1.0
            return use(client)

    def call(self, operation: str, /, *args: Any, **options: Any) -> Any:
        return self._with_client(lambda client: getattr(client, operation)(*args, **options))

    def collect(self, operation: str, /, *args: Any, at_most: int | None = None, **options: Any) -> list[Any]:
        return self._with_client(lambda client: taken(getattr(client, operation)(*args, **options), at_most))


class Awaiting:
    """Calls AsyncCardVault."""

    def __init__(self, url: str, **options: Any) -> None:
        self.pauses: list[float] = []
        self._url = url
        self._options = options

    async def _pause(self, seconds: float) -> None:
        self.pauses.append(seconds)

    def _with_client(self, use: Callable[[AsyncCardVault], Awaitable[T]]) -> T:
        async def run() -> T:
            async with httpx.AsyncClient(verify=NO_TLS) as http:
                client = AsyncCardVault(self._url, TOKEN, http_client=http, **self._options)
                client._sleep = self._pause
                client._draw = lambda: 1.0
                return await use(client)

        return asyncio.run(run())

    def call(self, operation: str, /, *args: Any, **options: Any) -> Any:
        return self._with_client(lambda client: getattr(client, operation)(*args, **options))

    def collect(self, operation: str, /, *args: Any, at_most: int | None = None, **options: Any) -> list[Any]:
        return self._with_client(lambda client: async_taken(getattr(client, operation)(*args, **options), at_most))


def taken(items: Iterable[Any], at_most: int | None = None) -> list[Any]:
    """Return the first `at_most` items, or all."""
    got = []
    for item in items:
        got.append(item)
        if len(got) == at_most:
            break
    return got


async def async_taken(items: AsyncIterable[Any], at_most: int | None = None) -> list[Any]:
    """Return the first `at_most` items, or all."""
    got = []
    async for item in items:
        got.append(item)
        if len(got) == at_most:
            break
    return got
