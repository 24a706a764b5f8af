"""Tests that run the example programs as processes, each in an account of its own."""

from __future__ import annotations

import csv
import os
import re
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing
from datetime import datetime, timedelta, timezone
from decimal import Decimal
from pathlib import Path

import httpx
import pytest
from product import API, TOKEN
from shop import Shop, gate, new_shop, start

from cardvault import CardVault, decimal_from_money
from cardvault.models import (
    Card,
    CardInput,
    Currency,
    Fee,
    IdentificationInput,
    Money,
    PricingInput,
    ReportGrouping,
    Sale,
    SaleChannel,
    SalesReportRow,
    SignedMoney,
)

PROGRAMS = ("mirror", "accounting", "repricer", "scanner")


@pytest.fixture
def shop() -> Iterator[Shop]:
    with new_shop() as made:
        yield made


def photo_of(sku: str) -> bytes:
    """Return the photo of the front of a card of the demo."""
    with CardVault(API, TOKEN) as client:
        (card,) = client.list_cards(sku=sku).data
    assert card.photos[0].url
    return httpx.get(card.photos[0].url).raise_for_status().content


def usd(amount: int) -> Money:
    return Money(amount=amount, currency=Currency.USD)


def add_card(shop: Shop, title: str, price: Money | None = None, cost: Money | None = None, copies: int = 1) -> Card:
    pricing = PricingInput()
    if price:
        pricing.asking_price = price
    if cost:
        pricing.cost = cost
    card = CardInput(identification=IdentificationInput(title=title), pricing=pricing, copies=copies)
    return shop.client.create_cards(cards=[card]).data[0]


@pytest.mark.parametrize("name", PROGRAMS)
def test_usage(name: str) -> None:
    shop = Shop(CardVault(API, TOKEN), TOKEN)
    (first, *_) = shop.run(name, "--help", api="")
    assert first.startswith(f"usage: {name}")
    for arguments in (["--unknown"], ["."]):
        ran = start(shop.command(name, *arguments, api=""))
        assert ran.returncode == 2, ran.stderr
    shop.client.close()


def test_a_wrong_token() -> None:
    with CardVault(API, TOKEN) as client:
        ran = start(Shop(client, "cv_test_wrong").command("accounting"))
    assert (ran.returncode, "invalid_token" in ran.stderr) == (1, True)


def copied(file: Path) -> dict[str, dict[str, str]]:
    """Return the time of the last change of each item in the copy, by feed and identifier."""
    items: dict[str, dict[str, str]] = {"cards": {}, "listings": {}, "sales": {}}
    with closing(sqlite3.connect(file)) as database:
        for feed, item_id, at in database.execute("SELECT feed, id, json_extract(item, '$.updated_at') FROM items"):
            items[feed][item_id] = at
    return items


def inventory(client: CardVault) -> dict[str, dict[str, str]]:
    """Return what a complete copy has."""
    return {
        "cards": {card.id: card.to_dict()["updated_at"] for card in client.iter_cards()},
        "listings": {listing.id: listing.to_dict()["updated_at"] for listing in client.iter_listings()},
        "sales": {sale.id: sale.to_dict()["updated_at"] for sale in client.iter_sales()},
    }


def test_mirror(shop: Shop, tmp_path: Path) -> None:
    """A mirror that is killed after its first page and then continues equals the inventory."""
    client, file = shop.client, tmp_path / "inventory.db"
    add_card(shop, "Ember Fox", copies=248)
    shop.publish(add_card(shop, "Listed", usd(500)), photo=photo_of("DEMO-001"))
    sale = client.sell_card(add_card(shop, "Sold").id, channel=SaleChannel.IN_PERSON, price=usd(500))

    with gate(first=1) as (api, passed):
        with subprocess.Popen(shop.command("mirror", "--file", file, api=api)) as program:
            held = passed.held.wait(60)
            program.kill()
        assert held
        assert program.returncode != 0
    done = sorted(copied(file)["cards"])
    assert len(done) == 200
    client.update_card(done[10], notes="A nick.")
    client.delete_card(done[20])
    assert shop.run("mirror", "--file", file) == [
        "cards: 50 new, 1 changed",
        "cards: 1 deleted",
        "listings: 1 new, 0 changed",
        "sales: 1 new, 0 changed",
        "in all: 249 cards, 1 listings, 1 sales",
    ]
    assert copied(file) == inventory(client)

    client.refund_sale(sale.id, restock=True)
    client.delete_card(done[30])
    assert shop.run("mirror", "--file", file) == [
        "cards: 0 new, 1 changed",
        "cards: 1 deleted",
        "listings: 0 new, 0 changed",
        "sales: 0 new, 1 changed",
        "in all: 248 cards, 1 listings, 1 sales",
    ]
    assert copied(file) == inventory(client)
    assert shop.run("mirror", "--file", file)[:2] == ["cards: 0 new, 0 changed", "cards: 0 deleted"]


def sell(shop: Shop, cost: Money | None, price: Money, at: datetime) -> Sale:
    """Sell a card with fees."""
    fee = Fee(kind="table", amount=Money(amount=25, currency=price.currency))
    card = add_card(shop, 'Ember "Fox", first', cost=cost)
    return shop.client.sell_card(card.id, channel=SaleChannel.IN_PERSON, price=price, sold_at=at, fees=[fee, fee])


def test_accounting(shop: Shop, tmp_path: Path) -> None:
    """The files have the sales of the month with the sums of the report, and take few requests."""
    before = datetime.now(timezone.utc).replace(day=1, hour=0, minute=0, second=0, microsecond=0)
    since = (before - timedelta(days=1)).replace(day=1)
    sell(shop, usd(300), usd(1000), since)
    sell(shop, Money(amount=150, currency=Currency.JPY), usd(2000), since + timedelta(days=10))
    sell(shop, None, Money(amount=700, currency=Currency.CHF), before - timedelta(seconds=1))
    sell(shop, usd(400), usd(900), before)
    returned = sell(shop, usd(500), usd(3000), since + timedelta(days=20))
    shop.client.update_sale(returned.id, shipping_charged=usd(350), shipping_cost=usd(410), tax=usd(190))
    shop.client.refund_sale(returned.id, restock=True)

    with gate(first=1000) as (api, passed):
        lines = shop.run("accounting", "--folder", tmp_path, api=api)
    assert passed.count <= 10
    report = shop.client.report_sales(group_by=ReportGrouping.MONTH, since=since, before=before).data
    assert [row.currency for row in report] == ["CHF", "JPY", "USD"]
    for row, line in zip(report, lines, strict=False):
        path = tmp_path / f"sales-{since:%Y-%m}-{row.currency}.csv"
        assert line.startswith(f"{path}: {row.count} sales, gross ")
        check_sums(path, row)
    assert len(list(tmp_path.iterdir())) == 3
    assert shop.run("accounting", "--month", "2019-02", "--folder", tmp_path) == ["2019-02: 0 currencies"]


def check_sums(path: Path, report: SalesReportRow) -> None:
    """Compare the sums of the columns of a file with a row of the report."""
    with path.open(encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    for column, name in enumerate(header[5:], 5):
        amount = SignedMoney(amount=getattr(report, name), currency=report.currency)
        assert sum(Decimal(row[column]) for row in rows) == decimal_from_money(amount), name


def test_repricer(shop: Shop) -> None:
    """A dry run prints the changes, and --apply makes them. No price falls below cost and 10 %."""
    cards = [
        add_card(shop, "Cheap", usd(2010), usd(500)),
        add_card(shop, "Floor", usd(1000), usd(900)),
        add_card(shop, "Dear", usd(1000), usd(950)),
        add_card(shop, "Gift", usd(1000)),
    ]
    shop.publish(*cards, photo=photo_of("DEMO-001"))

    def prices() -> list[int]:
        now = [shop.client.get_card(card.id).pricing.asking_price for card in cards]
        return [price.amount for price in now if price]

    assert shop.run("repricer", "--apply") == ["0 prices changed"]
    changes = [
        f"{cards[3].id} Gift: keeps 10.00 USD, has no cost in USD",
        f"{cards[1].id} Floor: 10.00 to 9.90 USD",
        f"{cards[0].id} Cheap: 20.10 to 19.10 USD",
    ]
    dry = [*changes, "2 prices to change: run it again with --apply"]
    assert shop.run("repricer", "--days", "0") == dry
    assert prices() == [2010, 1000, 1000, 1000]
    assert shop.run("repricer", "--days", "0", "--apply") == [*changes, "2 prices changed"]
    assert prices() == [1910, 990, 1000, 1000]


def test_scanner(shop: Shop, tmp_path: Path) -> None:
    """Two photos become listings. The card of the third is not in the catalogue, and needs a choice.

    Another run with the same folder makes no further cards.
    """
    for name, sku in (("1.jpg", "DEMO-001"), ("2.JPG", "DEMO-011"), ("3.jpeg", "DEMO-023")):
        (tmp_path / name).write_bytes(photo_of(sku))
    (tmp_path / "notes.txt").write_text("not a photo")
    printed = "\n".join(shop.run("scanner", "--publish", tmp_path))
    assert ", Lanternfin Otter, 0.25 USD, listed" in printed
    assert ", Ashquill Scribe, 0.15 USD, listed" in printed
    assert "3.jpeg needs review: card_" in printed
    assert ", not identified, no price, needs_review" in printed
    assert "choose one with --take N" in printed

    (second,) = re.findall(r"^  2  (.+?), ", printed, re.MULTILINE)
    lines = answer(shop.command("scanner", "--publish", tmp_path), "2\n").splitlines()
    assert re.fullmatch(rf"3\.jpeg: card_\w+, {second}, .+, listed", lines[-1])
    assert len(shop.client.list_cards().data) == 3

    (tmp_path / "cards.json").unlink()  # as a crash before it is written does
    assert len(shop.run("scanner", tmp_path)) == 3
    assert len(shop.client.list_cards().data) == 3

    (tmp_path / "4.png").write_bytes(b"not a photo")
    ran = start(shop.command("scanner", tmp_path))
    assert (ran.returncode, "4.png: " in ran.stderr) == (1, True)


def answer(command: list[str], text: str) -> str:
    """Run a command with a terminal, on which the text is typed. Return what it prints."""
    keyboard, terminal = os.openpty()
    os.write(keyboard, text.encode())
    try:
        ran = subprocess.run(command, stdin=terminal, capture_output=True, text=True, timeout=120, check=True)
    finally:
        os.close(keyboard)
        os.close(terminal)
    return ran.stdout


def test_scanner_without_photos(shop: Shop, tmp_path: Path) -> None:
    ran = start(shop.command("scanner", tmp_path))
    assert (ran.returncode, "has no photos" in ran.stderr) == (1, True)
