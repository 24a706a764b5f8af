"""Write the sales of a month to CSV files for the accountant, one for each currency.

    API=https://vault.example/api TOKEN=cv_… python accounting.py --month 2026-10 --folder books

The month is one of the account's time zone. The sums of the files are compared with the report of the service. A month
with 1,600 sales takes 10 requests.
"""

from __future__ import annotations

import argparse
import csv
import os
import sys
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

from cardvault import CardVault, CardVaultError, decimal_from_money
from cardvault.models import Currency, ReportGrouping, Sale, SalesReportRow, SaleStatus, SignedMoney

SOLD = ("gross", "shipping_charged", "shipping_cost", "fees", "tax", "net")
AMOUNTS = (*SOLD, "refunds", "tax_refunded", "fees_returned", "cost", "profit")
HEADER = ("sold_at", "sale", "order", "channel", "title", *AMOUNTS)


class ChangedError(Exception):
    """A sale was recorded or changed between two requests."""

    def __init__(self) -> None:
        super().__init__("the sales differ from the report, because one has just changed: run it again")


@dataclass(frozen=True)
class Entry:
    """A row of a file: a sale and its amounts in the currency of the file, in minor units such as cents."""

    sale: Sale
    amounts: dict[str, int]


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="accounting",
        description="Write the sales of a month of the account of API and TOKEN to CSV files, one for each currency.",
    )
    parser.add_argument("--month", type=month, help="the month, such as 2026-10 (default: last month)")
    parser.add_argument("--folder", type=Path, default=Path(), help="the folder for the files (default: %(default)s)")
    arguments = parser.parse_args()
    try:
        client = CardVault(os.environ.get("API", ""), os.environ.get("TOKEN", ""))
    except ValueError as error:
        parser.error(f"set API and TOKEN: {error}")
    try:
        with client:
            account(client, arguments.month, arguments.folder)
            return 0
    except (CardVaultError, ChangedError, OSError) as error:
        print("accounting:", error, file=sys.stderr)
        return 1


def month(text: str) -> datetime:
    """Parse a month such as 2026-10."""
    return datetime.strptime(text, "%Y-%m")  # without a time zone, which is that of the account


def account(client: CardVault, wanted: datetime | None, folder: Path) -> None:
    """Write the files of a month and print their sums."""
    zone = ZoneInfo(client.get_account().time_zone)
    last_month = datetime.now(zone).replace(day=1) - timedelta(days=1)
    since = (wanted or last_month).replace(day=1, hour=0, minute=0, second=0, microsecond=0, tzinfo=zone)
    before = (since + timedelta(days=31)).replace(day=1)
    report = client.report_sales(group_by=ReportGrouping.MONTH, since=since, before=before, time_zone=zone.key)
    books = read_books(client, since, before)
    if books.keys() != {sums.currency for sums in report.data}:
        raise ChangedError
    for sums in report.data:
        write(folder / f"sales-{since:%Y-%m}-{sums.currency}.csv", books[sums.currency], sums, zone)
    print(f"{since:%Y-%m}:", len(report.data), "currencies")


def read_books(client: CardVault, since: datetime, before: datetime) -> dict[Currency, list[Entry]]:
    """Return the entries of each currency, oldest first. A voided sale has none."""
    books = defaultdict[Currency, list[Entry]](list)
    sales = list(client.iter_sales(sold_since=since, sold_before=before, limit=200))
    for sale in reversed([sale for sale in sales if sale.status != SaleStatus.VOIDED]):
        for currency, amounts in amounts_of(sale):
            books[currency].append(Entry(sale, amounts))
    return books


def amounts_of(sale: Sale) -> Iterator[tuple[Currency, dict[str, int]]]:
    """Yield the amounts of a sale in its currency.

    If the card was bought in another currency, its cost is in a second row, in that currency. The cost of a card that
    came back does not count.
    """
    currency, cost = sale.gross.currency, sale.cost_at_sale
    amounts = {
        "gross": sale.gross.amount,
        "shipping_charged": sale.shipping_charged.amount,
        "shipping_cost": sale.shipping_cost.amount,
        "fees": sum(fee.amount.amount for fee in sale.fees),
        "tax": sale.tax.amount,
        "net": sale.net.amount,
        "refunds": sum(refund.amount.amount for refund in sale.refunds),
        "tax_refunded": sum(refund.parts.tax.amount for refund in sale.refunds),
        "fees_returned": sum(refund.parts.fees.amount for refund in sale.refunds),
        "cost": 0,
    }
    if cost and not sale.restocked_at:
        if cost.currency == currency:
            amounts["cost"] = cost.amount
        else:
            yield cost.currency, {**dict.fromkeys(AMOUNTS, 0), "cost": cost.amount, "profit": -cost.amount}
    returned = amounts["refunds"] - amounts["tax_refunded"] - amounts["fees_returned"]
    yield currency, {**amounts, "profit": amounts["net"] - returned - amounts["cost"]}


def write(path: Path, entries: list[Entry], report: SalesReportRow, zone: ZoneInfo) -> None:
    """Write the file of a currency and print its sums, which must be those of the report."""
    sums = {name: sum(entry.amounts[name] for entry in entries) for name in AMOUNTS}
    if sums != {name: getattr(report, name) for name in AMOUNTS}:
        raise ChangedError
    with path.open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(HEADER)
        for entry in entries:
            sale, sold_at = entry.sale, entry.sale.sold_at.astimezone(zone)
            about = (f"{sold_at:%Y-%m-%d %H:%M}", sale.id, sale.order_reference, sale.channel, sale.card.title)
            rows.writerow([*about, *decimals(entry.amounts, report.currency).values()])
    texts = (f"{name} {decimal}" for name, decimal in decimals(sums, report.currency).items())
    print(f"{path}: {report.count} sales", *texts, sep=", ")


def decimals(amounts: dict[str, int], currency: Currency) -> dict[str, str]:
    """Return the amounts as decimal numbers, in the order of the columns."""
    return {name: str(decimal_from_money(SignedMoney(amount=amounts[name], currency=currency))) for name in AMOUNTS}


if __name__ == "__main__":
    sys.exit(main())
