"""Tests of both clients against the real service."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from datetime import datetime, timedelta, timezone

import httpx
import pytest
from product import API, TOKEN

from cardvault import AsyncCardVault, CardVault, CardVaultError, ErrorCode, NotModified, events
from cardvault.models import (
    BatchStatus,
    Card,
    CardInput,
    Currency,
    Game,
    Hints,
    IdentificationInput,
    IdentificationPatch,
    IdentifyOutcomeOutcome,
    ListingStatus,
    Money,
    PhotoRole,
    PricingPatch,
    RevisionStatus,
    WorkflowStatus,
)

TAIL = "0123456789abcdefghjkmnpqrs"


@pytest.fixture
def client() -> Iterator[CardVault]:
    with CardVault(API, TOKEN) as made:
        yield made


@pytest.fixture
def picture(client: CardVault) -> bytes:
    """Return a photo of a card of the demo."""
    kit = next(card for card in client.iter_cards(q="smoulderpaw") if card.photos)
    assert kit.photos[0].url
    return httpx.get(kit.photos[0].url).raise_for_status().content


def until(client: CardVault, card: Card, status: WorkflowStatus) -> Card:
    """Wait until the card has the status and return it."""
    return next(now for now in client.changes(card.updated_at, interval=0.2) if now.id == card.id and _is(now, status))


def _is(card: Card, status: WorkflowStatus) -> bool:
    return card.workflow_status == status


def test_a_cards_life(client: CardVault, picture: bytes) -> None:
    began = datetime.now(timezone.utc)
    batch = client.create_batch(name="Life", description="Bought at the spring fair.")
    (card,) = client.create_cards(cards=[CardInput(batch_id=batch.id, identify=False)]).data
    card = client.put_card_photo(card.id, PhotoRole.FRONT, picture, content_type="image/jpeg")
    outcome = client.identify(card_id=card.id, hints=Hints(game=Game.OTHER, language="en"))
    assert (outcome.outcome, outcome.card and outcome.card.title) == (
        IdentifyOutcomeOutcome.IDENTIFIED,
        "Smoulderpaw Kit",
    )
    price = client.lookup_price(card_id=card.id).price
    found, missing = client.lookup_prices([card.id, "card_" + "0" * 26]).data
    assert found.estimate
    assert found.estimate.price == price
    assert missing.error
    assert missing.error.code == ErrorCode.CARD_NOT_FOUND
    card = client.update_card(card.id, pricing=PricingPatch(asking_price=price), location="Room A/Shelf 2")
    assert (card.workflow_status, card.pricing.asking_price) == (WorkflowStatus.PRICED, price)

    listing = client.publish_card(card.id, price=Money(amount=450, currency=Currency.USD))
    assert listing.status == ListingStatus.PUBLISHING
    until(client, card, WorkflowStatus.LISTED)
    assert client.get_listing(listing.id).status == ListingStatus.LIVE
    revised = client.update_listing(listing.id, title="Smoulderpaw Kit, near mint")
    assert (revised.title, revised.revision.status) == ("Smoulderpaw Kit, near mint", RevisionStatus.PENDING)
    client.end_listing(listing.id)
    card = until(client, client.get_card(card.id), WorkflowStatus.PRICED)
    assert [one.id for one in client.iter_listings(card=card.id, status=[ListingStatus.ENDED])] == [listing.id]

    client.delete_card_photo(card.id, card.photos[0].id)
    assert [one.photos for one in client.iter_batch_cards(batch.id)] == [[]]
    assert client.complete_batch(batch.id).status == BatchStatus.COMPLETE
    assert client.update_batch(batch.id, name="Summer fair", description=None).name == "Summer fair"
    assert client.reopen_batch(batch.id).status == client.get_batch(batch.id).status == BatchStatus.OPEN
    assert batch.id in [one.id for one in client.iter_batches(updated_since=began)]
    check_events(client, began, card)


def check_events(client: CardVault, began: datetime, card: Card) -> None:
    told = list(client.iter_events(created_since=began, limit=2))
    about = [event for event in told if getattr(event.data, "card_id", card.id) == card.id]
    kinds = {type(event) for event in about}
    assert kinds >= {
        events.CardIdentifiedEvent,
        events.CardPricedEvent,
        events.CardWorkflowStatusChangedEvent,
        events.ListingPublishedEvent,
        events.ListingEndedEvent,
        events.BatchCompletedEvent,
    }
    assert events.UnknownEvent not in kinds
    assert client.get_event(about[0].id) == about[0]


def test_errors(client: CardVault) -> None:
    def code_of(raised: pytest.ExceptionInfo[CardVaultError]) -> ErrorCode | None:
        assert raised.value.request_id
        assert raised.value.rate_limit
        return raised.value.code

    with pytest.raises(CardVaultError) as raised:
        client.get_card("card_" + TAIL)
    assert code_of(raised) == ErrorCode.CARD_NOT_FOUND
    (card,) = client.create_cards(cards=[CardInput(identification=IdentificationInput(title="Ember Fox"))]).data
    with pytest.raises(CardVaultError) as raised:
        client.update_card(card.id, notes="mine", if_match='"99"')
    assert code_of(raised) == ErrorCode.VERSION_MISMATCH
    with pytest.raises(CardVaultError) as raised:
        client.update_card(card.id, identification=IdentificationPatch(title="x" * 201))
    assert code_of(raised) == ErrorCode.INVALID_REQUEST
    assert [detail.field for detail in raised.value.details] == ["identification.title"]
    with pytest.raises(NotModified):
        client.get_card(card.id, if_none_match=f'"{card.version}"')
    with CardVault(API, TOKEN[:-1] + "!") as stranger, pytest.raises(CardVaultError) as raised:
        stranger.list_cards()
    assert code_of(raised) == ErrorCode.INVALID_TOKEN


def test_a_key_holds_for_one_request(client: CardVault) -> None:
    key = f"python-{datetime.now(timezone.utc).isoformat()}"
    first = client.create_batch(name="Keyed", idempotency_key=key)
    assert client.create_batch(name="Keyed", idempotency_key=key) == first
    with pytest.raises(CardVaultError) as raised:
        client.create_batch(name="Other", idempotency_key=key)
    assert raised.value.code == ErrorCode.IDEMPOTENCY_KEY_REUSED


def test_filters_reach_the_service(client: CardVault) -> None:
    wanted = {WorkflowStatus.PRICED, WorkflowStatus.PHOTOGRAPHED}
    cards = list(client.iter_cards(status=list(wanted), set_="Lantern Tides", min_price=1, limit=3))
    assert len(cards) > 3
    assert {card.workflow_status for card in cards} <= wanted
    assert len({card.id for card in cards}) == len(cards)


def test_asyncio_at_once() -> None:
    async def run() -> None:
        async with AsyncCardVault(API, TOKEN) as client:
            cards = [card async for card in client.iter_cards(limit=5)]
            again = await asyncio.gather(*(client.get_card(card.id) for card in cards))
            assert [card.id for card in again] == [card.id for card in cards]

    asyncio.run(run())


class Writers:
    """Threads that create and change cards concurrently. `made` has the last version of each card."""

    def __init__(self) -> None:
        self.made: dict[str, int] = {}
        self._threads = [threading.Thread(target=self._write) for _ in range(4)]

    def _write(self) -> None:
        with CardVault(API, TOKEN) as client:
            for _ in range(3):
                for card in client.create_cards(cards=[CardInput(sku="writer")] * 3).data:
                    self.made[card.id] = client.update_card(card.id, notes=f"after {card.version}").version

    def __enter__(self) -> Writers:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        for thread in self._threads:
            thread.join()


def test_changes_miss_nothing(client: CardVault) -> None:
    since = client.create_batch(name="Changes").created_at
    seen: list[tuple[str, int]] = []

    def follow(feed: Iterator[Card]) -> None:
        for card in feed:
            seen.append((card.id, card.version))

    feed = client.changes(since, once=True)
    with Writers() as writers:
        while any(thread.is_alive() for thread in writers._threads):
            follow(iter(feed))
    follow(iter(feed))
    assert len(writers.made) == 36
    assert set(writers.made.items()) <= set(seen)
    assert len(set(seen)) == len(seen)


def import_cards(client: CardVault, number: int) -> list[Card]:
    return client.create_cards(cards=[{"identification": {"title": "Ember Fox"}}] * number).data


def test_updates_of_many_cards(client: CardVault) -> None:
    cards = import_cards(client, 3)
    cards.append(cards[0])  # in a request of its own
    updates: list[dict[str, object]] = [{"id": card.id, "location": "Room B"} for card in cards]
    updates[1]["version"] = 7
    results = list(client.bulk_update(updates))
    assert [result.id for result in results] == [card.id for card in cards]
    assert [i for i, result in enumerate(results) if result.error] == [1]
    assert results[1].error
    assert results[1].error.code == ErrorCode.VERSION_MISMATCH


def test_publishing_and_ending_many(client: CardVault) -> None:
    (card,) = import_cards(client, 1)
    (unpriced,) = client.bulk_publish([card.id])
    assert unpriced.error
    assert unpriced.error.code
    (unknown,) = client.bulk_end(["lst_" + "0" * 26])
    assert unknown.error
    assert unknown.error.code == ErrorCode.LISTING_NOT_FOUND


def test_feeds_yield_nothing_twice(client: CardVault) -> None:
    since = datetime.now(timezone.utc) - timedelta(hours=1)
    (card,) = import_cards(client, 1)
    client.delete_card(card.id)
    deletions = client.deletion_changes(since, once=True)
    assert card.id in [deletion.card_id for deletion in deletions]
    assert card.id not in [deletion.card_id for deletion in deletions]
    listings = client.listing_changes(since, once=True)
    states = [(one.id, one.updated_at) for one in [*listings, *listings]]
    assert len(states) == len(set(states))
    sales = client.sale_changes(since, once=True)
    versions = [(one.id, one.version) for one in [*sales, *sales]]
    assert len(versions) == len(set(versions))
    event_feed = client.event_changes(since, once=True)
    ids = [event.id for event in [*event_feed, *event_feed]]
    assert len(ids) == len(set(ids))
