"""Tests that listings, sales, events and deletions are followed like cards."""

from __future__ import annotations

from datetime import datetime, timezone

import pytest
from callers import TOKEN, Caller
from documents import Document, listing, page, sale
from fake_service import FakeService

from cardvault import CardVault
from cardvault.models import ListingStatus

SINCE = datetime(2026, 5, 11, 15, 32, 0, tzinfo=timezone.utc)


def at(second: int) -> str:
    return f"2026-05-11T15:32:{second:02}.000000Z"


def an_event(id_: str, second: int) -> Document:
    return {"id": id_, "event": "shop.opened", "created_at": at(second), "account_id": "acc_1", "data": {}}


def a_listing(id_: str, second: int) -> Document:
    return listing(id=id_, updated_at=at(second))


def a_sale(id_: str, second: int) -> Document:
    return sale(id=id_, version=second, updated_at=at(second))


def a_deletion(id_: str, second: int) -> Document:
    return {"card_id": id_, "deleted_at": at(second)}


@pytest.mark.parametrize(
    ("method", "make", "parameter"),
    [
        ("listing_changes", a_listing, "updated_since"),
        ("sale_changes", a_sale, "updated_since"),
        ("event_changes", an_event, "created_since"),
        ("deletion_changes", a_deletion, "updated_since"),
    ],
)
def test_two_passes(service: FakeService, caller: Caller, method: str, make: object, parameter: str) -> None:
    assert callable(make)
    service.script = [
        page(make("a", 1), make("b", 2)),
        page(make("b", 2), make("c", 2), make("a", 3)),
        page(make("a", 3), make("d", 4)),
    ]
    items = caller.collect(method, since=SINCE, interval=5, at_most=5)
    assert [getattr(item, "id", None) or item.card_id for item in items] == ["a", "b", "c", "a", "d"]
    assert caller.pauses == [5.0, 5.0]
    assert [asked.query["limit"] for asked in service.asked] == [["200"]] * 3
    starts = [datetime.fromisoformat(asked.query[parameter][0]).second for asked in service.asked]
    assert starts == [0, 2, 3]


def test_filters(service: FakeService) -> None:
    service.script = [page(a_listing("a", 1))]
    with CardVault(service.url, TOKEN) as client:
        feed = client.listing_changes(
            SINCE,
            once=True,
            listings=lambda **since: client.iter_listings(status=[ListingStatus.LIVE], **since),
        )
        assert [one.id for one in feed] == ["a"]
        assert feed.since.second == 1
    assert service.asked[0].query["status"] == ["live"]
