"""Tests of sales, webhooks, bulk changes and deletions, and that the tests use every operation of the contract."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import datetime, timezone
from pathlib import Path
from time import monotonic, sleep
from typing import TypeVar

import httpx
import pytest
from product import ACCOUNT, API, cardvault
from receiver import Delivery, receiver
from ruamel.yaml import YAML

from cardvault import CardVault, CardVaultError, ErrorCode, NotModified, ScanPhoto, webhooks
from cardvault.models import (
    Card,
    CardGrouping,
    CardInput,
    CardOrder,
    CardPatch,
    CardUpdate,
    Currency,
    DeliveryState,
    EventKind,
    Fee,
    Game,
    IdentificationInput,
    JobFilter,
    JobKind,
    JobStatus,
    ListingStatus,
    Metadata,
    MetadataPatch,
    Money,
    PhotoInput,
    PhotoRole,
    PriceChange,
    PricingInput,
    PricingPatch,
    ReportGrouping,
    SaleChannel,
    SalesReportRow,
    SaleStatus,
    SaleTracking,
    ScanPairing,
    ScanStatus,
    TokenScope,
    WorkflowStatus,
)

T = TypeVar("T")
ROOT = Path(__file__).parents[5]
NO_CARD = "card_" + "0" * 26
LIMITS = "read=1000000,write=1000000,ai=1000000"


@pytest.fixture(scope="module")
def client() -> Iterator[CardVault]:
    """Return a client whose token has all scopes."""
    scopes = ",".join(scope.value for scope in TokenScope)
    made = cardvault("token", "create", "--account", ACCOUNT, "--name", "all", "--scopes", scopes, "--limits", LIMITS)
    with CardVault(API, made["token"]) as client:
        yield client


def priced_card(client: CardVault) -> Card:
    fox = CardInput(
        identification=IdentificationInput(title="Ember Fox"),
        pricing=PricingInput(asking_price=Money(amount=1000, currency=Currency.USD)),
        metadata=Metadata.from_dict({"consignor": "Ada", "shelf": "2"}),
    )
    (card,) = client.create_cards(cards=[fox]).data
    return card


def until(read: Callable[[], T], holds: Callable[[T], bool]) -> T:
    """Call `read` until its result meets the condition, for at most 30 seconds. Return the result."""
    deadline = monotonic() + 30
    while not holds(value := read()):
        assert monotonic() < deadline, value
        sleep(0.05)
    return value


def sek(amount: int) -> Money:
    return Money(amount=amount, currency=Currency.SEK)


def test_every_operation_is_used() -> None:
    paths = YAML(typ="safe").load((ROOT / "openapi/v1.yaml").read_text(encoding="utf-8"))["paths"]
    names = [operation["operationId"] for path in paths.values() for operation in path.values()]
    used = "".join(path.read_text(encoding="utf-8") for path in Path(__file__).parent.glob("test_*.py"))
    for name in names:
        method = re.sub("[A-Z]", lambda letter: "_" + letter.group().lower(), name)
        assert re.search(rf"\.{method}\(|\.{method.replace('list_', 'iter_')}\(", used), method


def test_account(client: CardVault) -> None:
    account = client.get_account()
    assert (account.id, account.sandbox, account.limits.read) == (ACCOUNT, True, 1_000_000)
    assert account.scopes == list(TokenScope)
    threshold = account.identification.threshold
    account = client.update_account(
        identification={"threshold": 0.95, "games": ["magic"]}, floor_price={"amount": 1, "currency": "USD"}
    )
    assert (account.identification.threshold, account.floor_price) == (0.95, Money(amount=1, currency=Currency.USD))
    assert account.identification.games == ["magic"]
    account = client.update_account(identification={"threshold": None, "games": []}, floor_price=None)
    assert (account.identification.threshold, account.floor_price) == (threshold, None)
    assert account.identification.games == []
    usage = client.get_account_usage(hours=48)
    assert len(usage.hours) == 48
    assert usage.hours[0].started_at == usage.since
    waiting = client.get_account_waiting()
    assert (waiting.imports, waiting.export) == ([], None)


def test_summary_and_order(client: CardVault) -> None:
    summary = client.summarize_cards(group_by=CardGrouping.STATUS)
    assert summary.total.count == sum(group.count for group in summary.data) > 0
    stock = client.report_stock(days=7)
    assert stock.days == 7
    assert stock.data[-1].count > 0
    titles = [card.identification.title or "" for card in client.iter_cards(sort=CardOrder.TITLE, limit=5)]
    assert titles == sorted(titles, key=str.lower)


def test_catalogue(client: CardVault) -> None:
    found = client.search_catalog(set_="emberfall", game=Game.OTHER, limit=1)
    assert (len(found.data), found.has_more, found.data[0].set_) == (1, True, "Emberfall")
    assert client.get_catalog_card(found.data[0].id) == found.data[0]


def test_candidates(client: CardVault) -> None:
    card = next(card for card in client.iter_cards(q="smoulderpaw", has_photo=True))
    assert client.list_card_candidates(card.id).data[0].title == "Smoulderpaw Kit"
    waiting = client.get_card_waiting(card.id)
    assert (waiting.identification, waiting.photos) == (None, [])


def test_many_updates(client: CardVault) -> None:
    card = priced_card(client)
    patch = MetadataPatch.from_dict({"consignor": "Bo", "shelf": None})
    updated, failed = client.update_cards(
        updates=[CardUpdate(card.id, version=card.version, metadata=patch, notes="A nick."), CardUpdate(NO_CARD)]
    ).data
    assert updated.card
    assert (updated.card.notes, updated.card.metadata.to_dict()) == ("A nick.", {"consignor": "Bo"})
    assert failed.error
    assert failed.error.code == ErrorCode.CARD_NOT_FOUND
    with pytest.raises(CardVaultError) as raised:
        client.update_cards(updates=[CardUpdate(card.id, version=card.version, notes=None)], atomic=True)
    assert raised.value.code == ErrorCode.VERSION_MISMATCH


def test_many_listings(client: CardVault) -> None:
    picture = next(card for card in client.iter_cards(q="smoulderpaw", has_photo=True)).photos[0].url
    assert picture
    fox = CardInput(
        identification=IdentificationInput(title="Ember Fox"),
        pricing=PricingInput(asking_price=Money(amount=1000, currency=Currency.USD)),
        photos=[PhotoInput(role=PhotoRole.FRONT, url=picture)],
    )
    (card,) = client.create_cards(cards=[fox]).data
    until(lambda: client.get_card(card.id).photos[0].url, bool)
    published, failed = client.publish_cards(card_ids=[card.id, NO_CARD]).data
    assert published.listing
    assert failed.error
    assert failed.error.code == ErrorCode.CARD_NOT_FOUND
    listing = published.listing.id
    until(lambda: client.get_listing(listing).status, lambda status: status == ListingStatus.LIVE)
    assert client.get_listing_waiting(listing).waiting is None
    (ended,) = client.end_listings(listing_ids=[listing], atomic=True).data
    assert ended.error is None
    until(lambda: client.get_listing(listing).status, lambda status: status == ListingStatus.ENDED)


def test_scan(client: CardVault) -> None:
    picture = next(card for card in client.iter_cards(q="smoulderpaw", has_photo=True)).photos[0].url
    assert picture
    front = httpx.get(picture).raise_for_status().content
    batch = client.create_batch(name="Scanned")
    photos: list[ScanPhoto] = [("a.jpg", front), ("b.jpg", front), ("c.jpg", b"no photo"), ("d.jpg", front)]
    scanned, refused = client.scan_cards(photos=photos, pairing=ScanPairing.ORDER, batch_id=batch.id).data
    assert (refused.files, refused.status) == (["c.jpg", "d.jpg"], ScanStatus.REFUSED)
    assert refused.error
    assert refused.error.code == ErrorCode.PHOTO_INVALID
    made = scanned.card
    assert made
    assert (made.batch_id, [photo.role for photo in made.photos]) == (batch.id, [PhotoRole.FRONT, PhotoRole.BACK])
    assert until(lambda: client.get_card(made.id).title, bool) == "Smoulderpaw Kit"


def test_sale(client: CardVault) -> None:
    card = priced_card(client)
    fees = [Fee(kind="table", amount=sek(50))]
    sale = client.sell_card(card.id, channel=SaleChannel.IN_PERSON, price=sek(900), fees=fees)
    assert (sale.net.amount, sale.listing_id, sale.card.title) == (850, None, "Ember Fox")
    assert client.get_card(card.id).workflow_status == WorkflowStatus.SOLD

    tracking = SaleTracking(carrier="PostNord", number="370")
    now = datetime.now(timezone.utc)
    first = sale.version
    sale = client.update_sale(sale.id, shipping_cost=sek(120), tracking=tracking, shipped_at=now, if_match=first)
    assert (sale.net.amount, sale.tracking, sale.shipped_at) == (730, tracking, now)
    with pytest.raises(CardVaultError) as raised:
        client.update_sale(sale.id, fees=[], if_match=first)
    assert raised.value.code == ErrorCode.VERSION_MISMATCH
    sale = client.update_sale(sale.id, fees=[], tracking=None, buyer_reference="Table 12")
    assert (sale.net.amount, sale.tracking, sale.shipped_at) == (780, None, now)
    with pytest.raises(NotModified):
        client.get_sale(sale.id, if_none_match=sale.version)
    assert [client.get_sale(sale.id)] == list(client.iter_sales(card=card.id)) == [sale]

    sale = client.refund_sale(sale.id, restock=False, amount=sek(100), reason="A nick.")
    assert (sale.status, sale.refunds[0].reason) == (SaleStatus.COMPLETED, "A nick.")
    sale = client.refund_sale(sale.id, restock=True)
    assert (sale.status, sale.refunds[1].amount) == (SaleStatus.REFUNDED, sek(800))
    assert client.get_card(card.id).sale_id is None

    report = client.report_sales(group_by=ReportGrouping.CHANNEL, since=card.created_at, time_zone="Europe/Stockholm")
    (row,) = [row for row in report.data if row.currency == Currency.SEK]
    assert report.time_zone == "Europe/Stockholm"
    assert row == SalesReportRow(
        group="in_person",
        currency=Currency.SEK,
        count=1,
        gross=900,
        shipping_charged=0,
        shipping_cost=120,
        fees=0,
        tax=0,
        net=780,
        refunds=900,
        tax_refunded=0,
        fees_returned=0,
        cost=0,
        profit=-120,
    )
    sale = client.void_sale(sale.id)
    assert (sale.status, sale.voided_at is None) == (SaleStatus.VOIDED, False)


def test_job(client: CardVault) -> None:
    card = priced_card(client)
    patch = CardPatch(notes="From a job.", pricing=PricingPatch(asking_price=None))
    job = client.create_job(kind=JobKind.UPDATE, card_ids=[card.id, NO_CARD], patch=patch)
    assert job.total == 2
    done = until(lambda: client.get_job(job.id), lambda job: job.status == JobStatus.DONE)
    assert (done.done, done.refused) == (1, 1)
    assert client.get_job_waiting(job.id).waiting is None
    (refusal,) = client.iter_job_refusals(job.id)
    assert refusal.error
    assert (refusal.card_id, refusal.error.code) == (NO_CARD, ErrorCode.CARD_NOT_FOUND)
    card = client.get_card(card.id)
    assert (card.notes, card.pricing.asking_price) == ("From a job.", None)

    change = PriceChange(percent=-12.5, round_to_99=True)
    cheaper = client.create_job(kind=JobKind.UPDATE, filter_=JobFilter(ids=[NO_CARD]), price_change=change)
    assert client.cancel_job(cheaper.id).finished_at
    newest, second = client.list_jobs(limit=2).data
    assert (newest.id, second.id) == (cheaper.id, job.id)

    undo = client.undo_job(job.id)
    assert undo.undoes == job.id
    until(lambda: client.get_job(undo.id), lambda job: job.status == JobStatus.DONE)
    before = client.get_card(card.id)
    assert before.notes is None
    assert before.pricing.asking_price


def test_history_and_deletion(client: CardVault) -> None:
    card = client.update_card(priced_card(client).id, notes="A nick.")
    newest, first = client.iter_card_history(card.id, limit=1)
    assert [(one.field, one.from_, one.to) for one in newest.changes] == [("notes", None, "A nick.")]
    assert (first.version, first.changes, first.actor.name) == (1, [], "all")
    with pytest.raises(CardVaultError) as raised:
        client.delete_card(card.id, if_match=first.version)
    assert raised.value.code == ErrorCode.VERSION_MISMATCH
    client.delete_card(card.id, if_match=card.version)
    with pytest.raises(CardVaultError) as raised:
        client.get_card(card.id)
    assert raised.value.code == ErrorCode.CARD_NOT_FOUND
    assert card.id in [one.card_id for one in client.iter_deletions(updated_since=card.updated_at, limit=1)]


def test_webhook(client: CardVault) -> None:
    with receiver() as (url, arrived):
        webhook = client.create_webhook(url=url, events=[EventKind.BATCH_COMPLETED])
        assert webhook.secret
        assert client.update_webhook(webhook.id, enabled=False).enabled is False
        with pytest.raises(CardVaultError) as raised:
            client.test_webhook(webhook.id)
        assert raised.value.code == ErrorCode.WEBHOOK_DISABLED
        client.update_webhook(webhook.id, enabled=True)
        stored = client.get_webhook(webhook.id)
        assert (stored.url, stored.events, stored.enabled) == (url, [EventKind.BATCH_COMPLETED], True)
        assert stored in list(client.iter_webhooks(limit=1))

        tried = client.test_webhook(webhook.id, event=EventKind.SALE_REFUNDED)
        assert event_id(webhook.secret, arrived.get(timeout=30)) == tried.event_id
        client.complete_batch(client.create_batch(name="Delivered").id)
        event = event_id(webhook.secret, arrived.get(timeout=30))
        (delivery,) = until(
            lambda: list(client.iter_webhook_deliveries(webhook.id, event=EventKind.BATCH_COMPLETED)),
            lambda deliveries: [one.state for one in deliveries] == [DeliveryState.DELIVERED],
        )
        assert (delivery.event_id, [attempt.status for attempt in delivery.attempts]) == (event, [204])

        rotated = client.rotate_webhook_secret(webhook.id, grace_seconds=60)
        assert rotated.secret
        assert rotated.secret != webhook.secret
        assert rotated.previous_secret_expires_at
        client.end_webhook_secret(webhook.id, rotated.previous_secrets[0].id)
        assert not client.get_webhook(webhook.id).previous_secrets
        client.resend_webhook_delivery(webhook.id, delivery.id)
        assert event_id(rotated.secret, arrived.get(timeout=30)) == event
        resent = client.resend_dropped_webhook_deliveries(webhook.id, since=webhook.created_at)
        assert (resent.resent, resent.has_more) == (0, False)
        client.delete_webhook(webhook.id)
    with pytest.raises(CardVaultError) as raised:
        client.get_webhook(webhook.id)
    assert raised.value.code == ErrorCode.WEBHOOK_NOT_FOUND


def event_id(secret: str, delivery: Delivery) -> str:
    """Verify the delivery and return the identifier of its event."""
    return webhooks.unwrap(secret, delivery.headers["X-Vault-Signature"], delivery.body).id
