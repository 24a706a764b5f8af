"""Lower the prices of cards that have been listed for a while.

    API=https://vault.example/api TOKEN=cv_… python repricer.py --days 30 --percent 5 --margin 10

It lowers the price of a card by 5 % if the card has been listed at this price for 30 days, but not below its cost and
10 %. Without --apply it only prints what it would change. 5,000 prices take 10 write requests.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone

from cardvault import CardVault, CardVaultError, decimal_from_money
from cardvault.models import CardUpdate, ListingStatus, Money, PricingPatch, WorkflowStatus


@dataclass(frozen=True)
class Rule:
    """Says which prices to lower."""

    unchanged_since: datetime
    """For cards that have been listed at their price since then."""
    percent: int
    """By how much."""
    margin: int
    """The minimum profit, in percent of the cost."""

    def lower(self, price: Money, cost: Money) -> Money:
        """Return the lower price. It is calculated with whole minor units, such as cents, and rounded up."""
        amount = max(percent_of(price.amount, 100 - self.percent), percent_of(cost.amount, 100 + self.margin))
        return Money(amount=amount, currency=price.currency)


def percent_of(amount: int, percent: int) -> int:
    """Return a percentage of an amount, rounded up."""
    return (amount * percent + 99) // 100


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="repricer",
        description="Lower the prices of cards of the account of API and TOKEN that have been listed for a while.",
    )
    parser.add_argument("--days", type=int, default=30, help="for cards listed so many days at the same price")
    parser.add_argument("--percent", type=int, default=5, help="by so many percent, from 1 to 99")
    parser.add_argument("--margin", type=int, default=10, help="but not below cost and so many percent, from 0 to 1000")
    parser.add_argument("--apply", action="store_true", help="change the prices instead of only printing the changes")
    arguments = parser.parse_args()
    if arguments.days < 0 or not 1 <= arguments.percent <= 99 or not 0 <= arguments.margin <= 1000:
        parser.error("--days, --percent or --margin is out of range")
    try:
        client = CardVault(os.environ.get("API", ""), os.environ.get("TOKEN", ""))
    except ValueError as error:
        parser.error(f"set API and TOKEN: {error}")
    unchanged_since = datetime.now(timezone.utc) - timedelta(days=arguments.days)
    try:
        with client:
            return reprice(client, Rule(unchanged_since, arguments.percent, arguments.margin), arguments.apply)
    except CardVaultError as error:
        print("repricer:", error, file=sys.stderr)
        return 1


def reprice(client: CardVault, rule: Rule, apply: bool) -> int:
    """Print the new prices and, with `apply`, set them. Return the exit status."""
    updates = list(new_prices(client, rule))
    if not apply:
        print(len(updates), "prices to change: run it again with --apply")
        return 0
    failed = 0
    for result in client.bulk_update(updates):
        if result.error:
            failed += 1
            print(f"{result.id} keeps its price: {result.error}", file=sys.stderr)
    print(len(updates) - failed, "prices changed")
    return 1 if failed else 0


def new_prices(client: CardVault, rule: Rule) -> Iterator[CardUpdate]:
    """Yield the changes of the prices to lower, and print them."""
    live = client.iter_listings(status=[ListingStatus.LIVE], limit=200)
    published = {listing.card_id: listing.published_at for listing in live}
    for card in client.iter_cards(status=[WorkflowStatus.LISTED], limit=200):
        at, price, cost = published.get(card.id), card.pricing.asking_price, card.pricing.cost
        if not price or not at or max(at, card.pricing.priced_at or at) > rule.unchanged_since:
            continue
        if not cost or cost.currency != price.currency:
            now = f"{decimal_from_money(price)} {price.currency}"
            print(f"{card.id} {card.title}: keeps {now}, has no cost in {price.currency}")
            continue
        lower = rule.lower(price, cost)
        if lower.amount >= price.amount:
            continue
        change = f"{decimal_from_money(price)} to {decimal_from_money(lower)} {price.currency}"
        print(f"{card.id} {card.title}: {change}")
        # With the version, a card that is changed in the meantime keeps its price.
        yield CardUpdate(id=card.id, version=card.version, pricing=PricingPatch(asking_price=lower))


if __name__ == "__main__":
    sys.exit(main())
