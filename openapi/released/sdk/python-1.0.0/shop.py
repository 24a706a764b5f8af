"""A program that a customer has built with version 1.0.0 of the Python client, kept as it was, like the wheel beside it.

It does the same as go-1.0.0 and prints the same, half of it by the client that waits and half by the one for asyncio:

    API=http://127.0.0.1:8080/api TOKEN=cv_test_… python shop.py card.jpg
    SECRET=whsec_… python shop.py receive <deliveries.json
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Protocol

import httpx

sys.path.insert(0, str(Path(__file__).with_name("cardvault-1.0.0-py3-none-any.whl")))

from cardvault import AsyncCardVault, CardVault, CardVaultError, ErrorCode, NotModified, webhooks  # noqa: E402
from cardvault.events import ListingSoldEvent, UnknownEvent  # noqa: E402
from cardvault.models import CardInput, Currency, Game, IdentificationInput, Listing, Money, PhotoRole, PricingPatch  # noqa: E402

PATIENCE = 60.0
"""How long the shop waits for what happens in the background, in seconds."""

Report = dict[str, Any]


class Identified(Protocol):
    """What has an identifier."""

    id: str


def expect(holds: object, what: object) -> None:
    """Fail where something is not as it should be."""
    if not holds:
        raise AssertionError(f"not as it should be: {what!r}")


def found(items: Iterable[Identified], identifier: str) -> bool:
    """Whether a list holds what has this identifier."""
    return any(item.id == identifier for item in items)


def trade(photo: Path) -> Report:
    """Do what a shop does, from buying a card to taking it from the market."""
    report: Report = {}
    with CardVault(os.environ["API"], os.environ["TOKEN"]) as api:
        batch = buy(api, report)
        card = stock(api, report, batch)
        describe(api, report, card, photo.read_bytes())
        listing = sell(api, report, card)
        asyncio.run(follow(report, card))
        mistake(api, report, listing)
    return report


def buy(api: CardVault, report: Report) -> str:
    """Make a batch; send it twice, as after a connection that broke."""
    answers: list[httpx.Response] = []
    with httpx.Client(event_hooks={"response": [answers.append]}) as watched:
        twice = CardVault(os.environ["API"], os.environ["TOKEN"], http_client=watched)
        batch, again = (
            twice.create_batch(name="Spring fair", description="Bought at the spring fair.", idempotency_key="spring-fair")
            for _ in range(2)
        )
    report["replayed"] = answers[-1].headers.get("Idempotent-Replayed") == "true" and again.id == batch.id
    return batch.id


def stock(api: CardVault, report: Report, batch_id: str) -> str:
    """Import two cards and find them in all lists, page by page."""
    made = api.create_cards(
        cards=[
            CardInput(batch_id=batch_id, location="Room A/Shelf 2", identify=False),
            CardInput(batch_id=batch_id, sku="PAF-054", identification=IdentificationInput(title="Ember Fox", game=Game.OTHER)),
        ]
    )
    card = made.data[0].id
    complete = api.complete_batch(batch_id)
    report["batch"] = str(complete.status)
    api.reopen_batch(batch_id)
    batch = api.get_batch(batch_id)
    expect(batch.card_count == 2 and complete.completed_at is not None and batch.completed_at is None, batch)
    expect(found(api.iter_batches(limit=1), batch_id), "batches")
    expect(found(api.iter_batch_cards(batch_id, limit=1), card), "the batch's cards")
    expect(found(api.iter_cards(limit=1, location="Room A"), card), "cards")
    return card


def describe(api: CardVault, report: Report, card: str, picture: bytes) -> None:
    """Photograph the card, have it identified, price it, and read it twice."""
    api.put_card_photo(card, PhotoRole.FRONT, picture, content_type="image/jpeg")
    outcome = api.identify(card_id=card)
    expect(outcome.result and outcome.card and outcome.attempts, outcome)
    report["outcome"] = str(outcome.outcome)
    estimate = api.lookup_price(card_id=card)
    report["basis"] = str(estimate.basis)
    price = Money(amount=estimate.price.amount + 100, currency=Currency.USD)
    version = outcome.card.version
    changed = api.update_card(card, notes="Small nick.", pricing=PricingPatch(asking_price=price), if_match=f'"{version}"')
    expect(changed.version > version and changed.pricing.asking_price.amount == price.amount and changed.notes == "Small nick.", changed)
    read = api.get_card(card)
    expect(len(read.photos) == 1 and read.photos[0].url is not None, read)
    report["title"] = read.title
    try:
        api.get_card(card, if_none_match=f'"{read.version}"')
    except NotModified:
        report["unmodified"] = True


def sell(api: CardVault, report: Report, card: str) -> str:
    """Publish the card, take it from the market again, and throw its photo away."""
    listing = api.publish_card(card, title="A fine card").id
    live = awaited(api, listing, lambda got: got.published_at is not None)
    expect(live.title == "A fine card" and live.external_id and live.url and live.card_id == card, live)
    report["market"] = str(live.marketplace)
    expect(found(api.iter_listings(limit=1, card=card), listing), "listings")
    api.end_listing(listing)
    awaited(api, listing, lambda got: got.ended_at is not None)
    api.delete_card_photo(card, api.get_card(card).photos[0].id)
    return listing


def awaited(api: CardVault, identifier: str, happened: Callable[[Listing], bool]) -> Listing:
    """Read the listing until what is awaited has happened."""
    until = time.monotonic() + PATIENCE
    while not happened(listing := api.get_listing(identifier)):
        expect(time.monotonic() < until, listing)
        time.sleep(0.05)
    return listing


async def follow(report: Report, card: str) -> None:
    """Poll for what has changed and for what has happened."""
    report |= {"changed": 0, "unknown": 0, "events": {}}
    async with AsyncCardVault(os.environ["API"], os.environ["TOKEN"]) as api:
        async for changed in api.changes(once=True):
            report["changed"] += 1
            if changed.id == card:
                report["status"] = str(changed.workflow_status)
        first = None
        async for event in api.iter_events(limit=2):
            if isinstance(event, UnknownEvent):
                report["unknown"] += 1
                continue
            report["events"][event.event] = report["events"].get(event.event, 0) + 1
            first = first or event.id
        expect(first, report)
        expect((await api.get_event(first)).id == first, first)


def mistake(api: CardVault, report: Report, listing: str) -> None:
    """Do what is refused, and note how."""
    report["refusals"] = []
    for call in (
        lambda: api.get_card("card_01k5w0q2m7t9c3r5v8x0z1b4d6"),
        lambda: api.create_cards(cards=[]),
        lambda: api.end_listing(listing),
    ):
        try:
            call()
        except CardVaultError as error:
            expect(error.message and error.request_id and error.rate_limit and error.rate_limit.limit > 0, error)
            expect(error.code != ErrorCode.INVALID_REQUEST or error.details, error)
            report["refusals"].append(f"{error.status} {error.code}")


def receive() -> None:
    """Read deliveries to the shop's webhook, one JSON object a line, and print what it made of each."""
    for line in sys.stdin:
        delivery = json.loads(line)
        event = webhooks.unwrap(os.environ["SECRET"], delivery["signature"], delivery["body"].encode())
        title = event.data.title if isinstance(event, ListingSoldEvent) else ""
        print(json.dumps({"kind": str(event.event), "unknown": isinstance(event, UnknownEvent), "title": title}))


if sys.argv[1] == "receive":
    receive()
else:
    print(json.dumps(trade(Path(sys.argv[1]))))
