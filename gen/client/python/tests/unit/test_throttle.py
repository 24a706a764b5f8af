"""Tests that the requests of a client wait while the rate limit is used up."""

from __future__ import annotations

import asyncio
import logging
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from callers import TOKEN, Caller
from documents import CARD_ID, card, error
from fake_service import FakeService, HangUp, Reply
from limited_service import EPOCH, Limited

from cardvault import AsyncCardVault, CardVault, CardVaultError, RateClass, Wait
from cardvault._answer import Answer
from cardvault._window import Window


class Simulation:
    """Sends requests through a window to a service whose clock is ahead. A response takes a second."""

    def __init__(self, limit: int, skew: float = 0.0) -> None:
        self.now = 0.0
        self.limited = Limited(limit, 60, lambda: EPOCH + skew + self.now)
        self.window = Window(RateClass.WRITE, lambda: self.now)
        self.waits: list[Wait] = []

    def send(self, waiting: int) -> float:
        """Send requests until all are allowed. Return how long it takes."""
        start = self.now
        while waiting:
            sent = 0
            while sent < waiting and self.window.take():
                sent += 1
            replies = [self.limited() for _ in range(sent)]
            self.now += 1
            for reply in replies:
                self.window.observe(Answer(reply.status, reply.headers, b""))
                waiting -= reply.status == 200
            wait = self.window.new_wait()
            if waiting and wait:
                self.waits.append(wait)
                self.now += wait.seconds
        return self.now - start


@pytest.mark.parametrize("skew", [0.0, 3600.0, -3600.0])
def test_a_burst_takes_as_long_as_the_limit_requires(skew: float) -> None:
    simulation = Simulation(30, skew)
    assert 180 <= simulation.send(100) <= 185
    assert simulation.limited.rejected == 70, "only of the first burst, whose limit is unknown"
    assert [wait.rate_class for wait in simulation.waits] == [RateClass.WRITE] * 3
    assert all(50 < wait.seconds <= 60 for wait in simulation.waits)


def test_a_known_limit_is_not_exceeded() -> None:
    simulation = Simulation(30)
    simulation.send(1)
    assert 60 <= simulation.send(59) <= 65
    assert simulation.limited.rejected == 0


def test_a_request_without_a_response_is_given_back() -> None:
    simulation = Simulation(2)
    simulation.send(1)
    for _ in range(3):
        assert simulation.window.take()
        simulation.window.observe(None)
    assert simulation.window.take()
    assert not simulation.window.take()


def test_a_late_response_of_an_earlier_window() -> None:
    simulation = Simulation(1)
    late = simulation.limited()
    simulation.window.observe(Answer(200, late.headers, b""))
    simulation.now = 60
    simulation.send(1)
    simulation.window.observe(Answer(200, late.headers, b""))
    assert not simulation.window.take()
    assert simulation.window.remaining_time() == pytest.approx(60, abs=2)


def update_all(service: FakeService, number: int, waits: list[Wait]) -> None:
    with (
        CardVault(service.url, TOKEN, on_wait=waits.append) as client,
        ThreadPoolExecutor(number) as pool,
    ):
        for updated in [pool.submit(client.update_card, CARD_ID, notes="new") for _ in range(number)]:
            assert updated.result(30).id == CARD_ID


def update_all_async(service: FakeService, number: int, waits: list[Wait]) -> None:
    async def run() -> None:
        async with AsyncCardVault(service.url, TOKEN, on_wait=waits.append) as client:
            await asyncio.gather(*(client.update_card(CARD_ID, notes="new") for _ in range(number)))

    asyncio.run(run())


@pytest.mark.parametrize("update", [update_all, update_all_async])
def test_concurrent_updates_all_succeed(service: FakeService, caplog: pytest.LogCaptureFixture, update: Any) -> None:
    limited = Limited(4, length=1)
    service.script = [limited]
    waits: list[Wait] = []
    with caplog.at_level(logging.WARNING, "cardvault"):
        began = time.monotonic()
        update(service, 12, waits)
    assert 2 <= time.monotonic() - began < 8
    assert limited.rejected <= 8
    assert len(waits) >= 2
    assert "The rate limit for write requests is used up: waiting" in caplog.text


def test_reads_do_not_wait_for_writes(service: FakeService) -> None:
    service.script = [Limited(1, length=60), Reply(body=card())]
    with CardVault(service.url, TOKEN) as client:
        client.update_card(CARD_ID)
        assert client.get_card(CARD_ID).id == CARD_ID


def test_without_retries_nothing_waits(service: FakeService) -> None:
    service.script = [Limited(1, length=60)]
    with CardVault(service.url, TOKEN, max_retries=0) as client:
        client.update_card(CARD_ID)
        with pytest.raises(CardVaultError) as raised:
            client.update_card(CARD_ID)
    assert raised.value.code == "rate_limited"


def test_too_many_at_the_same_time_is_not_the_limit(service: FakeService, caller: Caller) -> None:
    reset = str(int(time.time()) + 60)
    headers = {"X-RateLimit-Limit": "60", "X-RateLimit-Remaining": "59", "X-RateLimit-Reset": reset}
    service.script = [error(429, "rate_limited", {**headers, "Retry-After": "1"}), Reply(body=card())]
    caller.call("get_card", CARD_ID)
    assert caller.pauses == [1.5]


def test_a_broken_connection_lets_the_next_request_go(service: FakeService) -> None:
    limited = Limited(2, length=60)
    service.script = [limited, HangUp(), limited]
    with CardVault(service.url, TOKEN) as client:
        client._draw = lambda: 0.0
        client.update_card(CARD_ID)
        client.update_card(CARD_ID)


def test_cancelling_ends_the_wait(service: FakeService) -> None:
    service.script = [Limited(1, length=60)]

    async def run() -> None:
        waiting = asyncio.Event()
        async with AsyncCardVault(service.url, TOKEN, on_wait=lambda _: waiting.set()) as client:
            await client.update_card(CARD_ID)
            tasks = [asyncio.create_task(client.update_card(CARD_ID)) for _ in range(2)]
            await asyncio.wait_for(waiting.wait(), 5)
            for task in tasks:
                task.cancel()
            ended = await asyncio.gather(*tasks, return_exceptions=True)
            assert all(isinstance(one, asyncio.CancelledError) for one in ended)

    asyncio.run(run())
