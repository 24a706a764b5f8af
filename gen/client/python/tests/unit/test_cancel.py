"""Tests that cancelling a task ends its request or pause."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any

import pytest
from callers import TOKEN, async_taken
from documents import CARD_ID, error, page
from fake_service import FakeService, Hang

from cardvault import AsyncCardVault


async def cancelled_after_a_request(service: FakeService, work: Coroutine[Any, Any, Any]) -> None:
    task = asyncio.create_task(work)
    await asyncio.to_thread(service.arrived.acquire)
    task.cancel()
    await asyncio.wait_for(task, 5)


def test_in_a_pause_before_another_try(service: FakeService) -> None:
    service.script = [error(503, "unavailable", {"Retry-After": "100"})]

    async def run() -> None:
        async with AsyncCardVault(service.url, TOKEN) as client:
            await cancelled_after_a_request(service, client.get_card(CARD_ID))

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(run())
    assert len(service.asked) == 1


def test_in_a_request(service: FakeService) -> None:
    service.script = [Hang()]

    async def run() -> None:
        async with AsyncCardVault(service.url, TOKEN) as client:
            await cancelled_after_a_request(service, client.get_card(CARD_ID))

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(run())
    assert len(service.asked) == 1


def test_between_two_passes_of_changes(service: FakeService) -> None:
    service.script = [page()]

    async def run() -> None:
        async with AsyncCardVault(service.url, TOKEN) as client:
            await cancelled_after_a_request(service, async_taken(client.changes()))

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(run())
    assert len(service.asked) == 1
