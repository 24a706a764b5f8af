"""Tests that `changes` yields each change exactly once."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timezone
from functools import partial

import pytest
from callers import TOKEN, Caller, async_taken, taken
from documents import Document, card, error, page
from fake_service import Asked, FakeService, Reply

from cardvault import AsyncCardVault, CardVault, CardVaultError
from cardvault.models import Card, WorkflowStatus


def moment(microsecond: int) -> datetime:
    return datetime(2026, 5, 11, 12, 0, 0, microsecond, timezone.utc)


@dataclass
class Inventory:
    """Lists cards like the service, in the order of changes, two on a page. Calls one of `meanwhile` per response."""

    cards: dict[str, Document] = field(default_factory=dict)
    meanwhile: list[Callable[[], None]] = field(default_factory=list)
    broken: bool = False

    def change(self, *ids: str, at: int) -> None:
        for id_ in ids:
            version = self.cards[id_]["version"] + 1 if id_ in self.cards else 1
            stamp = moment(at).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
            self.cards[id_] = card(id=id_, version=version, updated_at=stamp)

    def answer(self, asked: Asked) -> Reply:
        if self.broken:
            self.broken = False
            return error(500, "internal_error")
        since = datetime.fromisoformat(asked.query["updated_since"][0]).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
        after = tuple(asked.query["cursor"][0].split("_")) if "cursor" in asked.query else ("", "")
        keys = sorted((one["updated_at"], one["id"]) for one in self.cards.values())
        rest = [key for key in keys if key[0] >= since and key > after]
        here = [self.cards[id_] for _, id_ in rest[:2]]
        reply = page(*here, next_cursor="_".join(rest[1]) if len(rest) > 2 else None)
        if self.meanwhile:
            self.meanwhile.pop(0)()
        return reply


@pytest.fixture
def inventory(service: FakeService) -> Inventory:
    made = Inventory()
    service.script = [made.answer]
    return made


def seen(cards: list[Card]) -> list[tuple[str, int]]:
    return [(one.id, one.version) for one in cards]


def test_one_pass_from_the_beginning(inventory: Inventory, caller: Caller) -> None:
    inventory.change("a", at=1)
    inventory.change("b", "c", "d", "e", at=2)
    assert seen(caller.collect("changes", once=True)) == [("a", 1), ("b", 1), ("c", 1), ("d", 1), ("e", 1)]


def test_since_is_inclusive(inventory: Inventory, caller: Caller) -> None:
    inventory.change("a", at=1)
    inventory.change("b", at=2)
    assert seen(caller.collect("changes", since=moment(2), once=True)) == [("b", 1)]


def test_what_changes_between_pages(inventory: Inventory, caller: Caller) -> None:
    inventory.change("a", "b", "c", "d", at=1)
    inventory.meanwhile = [lambda: inventory.change("a", "d", at=2), lambda: inventory.change("e", at=2)]
    assert seen(caller.collect("changes", once=True)) == [("a", 1), ("b", 1), ("c", 1), ("a", 2), ("d", 2), ("e", 1)]


def test_what_changes_between_passes(inventory: Inventory, caller: Caller) -> None:
    inventory.change("a", "b", at=1)
    inventory.meanwhile = [
        lambda: inventory.change("c", at=1),  # at the time of the last change that was yielded
        lambda: inventory.change("a", at=2),
        lambda: inventory.change("b", at=3),
    ]
    assert seen(caller.collect("changes", interval=5, at_most=5)) == [("a", 1), ("b", 1), ("c", 1), ("a", 2), ("b", 2)]
    assert caller.pauses == [5.0, 5.0]


def test_passes_without_news_give_nothing(inventory: Inventory, caller: Caller) -> None:
    inventory.change("a", "b", "c", at=1)
    inventory.meanwhile = [lambda: None] * 6 + [lambda: inventory.change("d", at=2)]
    assert seen(caller.collect("changes", at_most=4)) == [("a", 1), ("b", 1), ("c", 1), ("d", 1)]
    assert caller.pauses == [60.0, 60.0, 60.0]


def test_starting_again_with_what_was_stored(inventory: Inventory, service: FakeService) -> None:
    inventory.change("a", at=1)
    inventory.change("b", "c", at=2)
    with CardVault(service.url, TOKEN) as client:
        feed = client.changes(once=True)
        assert [(one.id, feed.since) for one in feed] == [("a", moment(1)), ("b", moment(2)), ("c", moment(2))]
        inventory.change("d", at=3)
        assert seen(list(client.changes(feed.since, once=True))) == [("b", 1), ("c", 1), ("d", 1)]


def test_only_some_cards(service: FakeService) -> None:
    service.script = [page(card())]
    with CardVault(service.url, TOKEN) as client:
        sold = partial(client.iter_cards, status=[WorkflowStatus.SOLD])
        assert len(list(client.changes(moment(1), once=True, cards=sold))) == 1
    assert service.asked[0].query["status"] == ["sold"]
    assert service.asked[0].query["limit"] == ["200"]


def test_going_on_where_the_loop_was_left(inventory: Inventory, service: FakeService) -> None:
    inventory.change("a", "b", "c", at=1)
    with CardVault(service.url, TOKEN) as client:
        feed = client.changes(once=True)
        assert seen(taken(feed, at_most=2)) == [("a", 1), ("b", 1)]
        assert seen(list(feed)) == [("b", 1), ("c", 1)]
        assert seen(list(feed)) == []


def test_going_on_after_an_error(inventory: Inventory, service: FakeService) -> None:
    inventory.change("a", "b", "c", at=1)
    inventory.meanwhile = [lambda: setattr(inventory, "broken", True)]
    with CardVault(service.url, TOKEN) as client:
        feed = client.changes(once=True)
        with pytest.raises(CardVaultError):
            list(feed)
        assert seen(list(feed)) == [("c", 1)]


def test_asyncio_goes_on_too(inventory: Inventory, service: FakeService) -> None:
    inventory.change("a", "b", "c", at=1)

    async def run() -> None:
        async with AsyncCardVault(service.url, TOKEN) as client:
            feed = client.changes(once=True)
            assert seen(await async_taken(feed, at_most=2)) == [("a", 1), ("b", 1)]
            assert feed.since == moment(1)
            assert seen(await async_taken(feed)) == [("b", 1), ("c", 1)]

    asyncio.run(run())


def test_a_time_needs_a_zone(caller: Caller) -> None:
    with pytest.raises(ValueError, match="time zone"):
        caller.collect("changes", since=datetime(2026, 5, 11))


def test_an_interval_is_a_pause(caller: Caller) -> None:
    with pytest.raises(ValueError, match="interval"):
        caller.collect("changes", interval=0)
