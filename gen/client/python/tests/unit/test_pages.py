"""Tests of the iterators of lists."""

from __future__ import annotations

import pytest
from callers import Caller
from documents import (
    BATCH_ID,
    CARD_ID,
    TIME,
    WEBHOOK_ID,
    batch,
    card,
    delivery,
    error,
    event,
    history_entry,
    listing,
    page,
    sale,
    webhook,
)
from fake_service import FakeService, Reply

from cardvault import CardVaultError
from cardvault.models import BatchStatus, DeliveryState, EventKind, ListingStatus, SaleChannel, WorkflowStatus


def test_to_the_end_with_the_same_filters(service: FakeService, caller: Caller) -> None:
    service.script = [page(card(id="a"), card(id="b"), next_cursor="one"), page(next_cursor="two"), page(card(id="c"))]
    cards = caller.collect("iter_cards", status=[WorkflowStatus.SOLD], limit=2)
    assert [one.id for one in cards] == ["a", "b", "c"]
    filters = {"status": ["sold"], "limit": ["2"]}
    assert [asked.query for asked in service.asked] == [
        filters,
        {**filters, "cursor": ["one"]},
        {**filters, "cursor": ["two"]},
    ]


def test_no_page_before_it_is_needed(service: FakeService, caller: Caller) -> None:
    service.script = [page(card(), card(), next_cursor="one")]
    caller.collect("iter_cards", at_most=2)
    assert len(service.asked) == 1
    caller.collect("iter_cards", at_most=3)
    assert len(service.asked) == 3


def test_an_end_that_is_half_told(service: FakeService, caller: Caller) -> None:
    service.script = [Reply(body={"data": [card()], "has_more": True, "next_cursor": None})]
    assert len(caller.collect("iter_cards")) == 1


def test_an_error_on_the_way(service: FakeService, caller: Caller) -> None:
    service.script = [page(card(), next_cursor="one"), error(400, "invalid_cursor")]
    with pytest.raises(CardVaultError) as raised:
        caller.collect("iter_cards")
    assert raised.value.code == "invalid_cursor"


def test_the_other_lists(service: FakeService, caller: Caller) -> None:
    service.script = [page(one) for one in (card(), batch(), listing(), event(), sale(), webhook(), delivery())]
    service.script += [page(history_entry()), page({"card_id": CARD_ID, "deleted_at": TIME})]
    assert caller.collect("iter_batch_cards", BATCH_ID, q="fox")[0].title == "Ember Fox"
    assert caller.collect("iter_batches", status=BatchStatus.OPEN)[0].name == "Spring fair"
    assert caller.collect("iter_listings", status=[ListingStatus.LIVE])[0].marketplace == "sandbox"
    assert caller.collect("iter_events", event=[EventKind.CARD_PRICED])[0].event == "card.priced"
    assert caller.collect("iter_sales", channel=SaleChannel.IN_PERSON)[0].net.amount == 1250
    assert caller.collect("iter_webhooks", limit=5)[0].events == [EventKind.LISTING_SOLD]
    assert caller.collect("iter_webhook_deliveries", WEBHOOK_ID, state=DeliveryState.PENDING)[0].attempts == []
    assert caller.collect("iter_card_history", CARD_ID, limit=5)[0].changes[0].to == "A nick."
    assert caller.collect("iter_deletions", limit=5)[0].card_id == CARD_ID
    assert [asked.target for asked in service.asked] == [
        f"/api/batches/{BATCH_ID}/cards?q=fox",
        "/api/batches?status=open",
        "/api/listings?status=live",
        "/api/events?event=card.priced",
        "/api/sales?channel=in_person",
        "/api/webhooks?limit=5",
        f"/api/webhooks/{WEBHOOK_ID}/deliveries?state=pending",
        f"/api/cards/{CARD_ID}/history?limit=5",
        "/api/deletions?limit=5",
    ]
