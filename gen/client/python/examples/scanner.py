"""Make cards of a folder of photos, identify, price and publish them.

    API=https://vault.example/api TOKEN=cv_… python scanner.py --publish photos

Each photo shows the front of one card. The service identifies most of them. For the others the program takes the best
candidate if that is clear enough, and otherwise asks or, without a terminal, prints the candidates. It can be run again
with the same folder: a photo makes only one card, and finished cards stay as they are. The file cards.json in the
folder has the cards of the photos. 60 photos take 3 requests, and the changes of their cards take 2 more.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from cardvault import BulkResult, CardVault, CardVaultError, ErrorCode, decimal_from_money, patch_from_candidate
from cardvault.models import (
    Card,
    CardUpdate,
    IdentificationResult,
    IdentificationStatus,
    Listing,
    Marketplace,
    Money,
    PricingPatch,
    WorkflowStatus,
)

EXTENSIONS = (".jpg", ".jpeg", ".png", ".webp", ".heic", ".avif")
MAX_PHOTOS = 20
"""Of one request."""
CARDS_FILE = "cards.json"
"""The name of the file in the folder that has the card of each photo, by the checksum of the photo."""
POLL_INTERVAL = 2.0
LEAD = 0.1
"""By how much the best candidate must be ahead of the second one. Reprints have about the same confidence."""


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="scanner", description="Make cards of the photos in a folder, in the account of API and TOKEN."
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument(
        "--take", type=int, default=0, choices=range(1, 6), help="take this candidate for each card in doubt"
    )
    parser.add_argument(
        "--confidence", type=float, default=0.7, help="take the best candidate from this on (default: %(default)s)"
    )
    parser.add_argument(
        "--timeout", type=int, default=600, help="wait at most so many seconds until cards are identified or published"
    )
    parser.add_argument("--publish", action="store_true", help="publish the cards on the sandbox marketplace")
    arguments = parser.parse_args()
    try:
        client = CardVault(
            os.environ.get("API", ""),
            os.environ.get("TOKEN", ""),
            on_wait=lambda wait: print(
                f"waiting {wait.seconds:.0f} s: the limit for {wait.rate_class} requests is used up", file=sys.stderr
            ),
        )
    except ValueError as error:
        parser.error(f"set API and TOKEN: {error}")
    try:
        with client:
            return run(client, arguments)
    except (CardVaultError, OSError) as error:
        print("scanner:", error, file=sys.stderr)
        return 1


def run(client: CardVault, arguments: argparse.Namespace) -> int:
    """Take the cards of the photos as far as possible, and print how far. Return the exit status."""
    scanner = Scanner(client, arguments.take, arguments.confidence, arguments.timeout)
    scanner.scan(arguments.folder)
    scanner.review()
    scanner.price()
    if arguments.publish:
        scanner.publish()
    scanner.summarize()
    if scanner.failures:
        print(f"scanner: {scanner.failures} changes failed: run it again", file=sys.stderr)
    return 1 if scanner.failures else 0


def read_folder(folder: Path) -> dict[str, Path]:
    """Return the photos in the folder by their checksums."""
    photos = {
        hashlib.sha256(path.read_bytes()).hexdigest(): path
        for path in sorted(folder.iterdir(), reverse=True)  # of the same photos, the first one stays
        if path.suffix.lower() in EXTENSIONS
    }
    if not photos:
        raise FileNotFoundError(f"{folder} has no photos: they end in {', '.join(EXTENSIONS)}")
    return photos


def parts(items: Sequence[str], size: int) -> Iterable[Sequence[str]]:
    """Divide the items into parts."""
    return (items[start : start + size] for start in range(0, len(items), size))


@dataclass
class Scanner:
    """Makes cards of photos, and identifies, prices and publishes them."""

    client: CardVault
    take: int
    """The number of the candidate to take for each card in doubt, or 0 to ask."""
    confidence: float
    """Of a candidate that is taken without asking, from 0 to 1."""
    timeout: int
    """In seconds, for the identification of all cards and for their publication."""
    files: dict[str, str] = field(default_factory=dict)
    """The name of the photo of each card."""
    failures: int = 0
    """The number of changes that failed."""

    def scan(self, folder: Path) -> None:
        """Make a card of each photo in the folder that has none."""
        photos, cards_file = read_folder(folder), folder / CARDS_FILE
        cards: dict[str, str] = json.loads(cards_file.read_text()) if cards_file.exists() else {}
        self.files = {cards[checksum]: path.name for checksum, path in photos.items() if checksum in cards}
        added = sorted(photos.keys() - cards.keys(), key=lambda checksum: photos[checksum].name)
        for part in parts(added, MAX_PHOTOS):
            cards |= self._send({photos[checksum]: checksum for checksum in part})
            cards_file.write_text(json.dumps(cards, indent=2))

    def _send(self, photos: dict[Path, str]) -> dict[str, str]:
        """Make cards of photos, which have checksums. Return the cards by the checksums.

        After a crash, the service recognizes the same photos by the idempotency key and makes no further cards.
        """
        checksums = {path.name: checksum for path, checksum in photos.items()}
        key = hashlib.sha256(json.dumps(checksums).encode()).hexdigest()
        cards = {}
        for result in self.client.scan_cards(photos=list(photos), idempotency_key=f"scan-{key}").data:
            name = result.files[0]
            if result.card:
                self.files[result.card.id] = name
                cards[checksums[name]] = result.card.id
            elif result.error:
                self._fail(name, result.error.message)
        return cards

    def review(self) -> None:
        """Wait until the service has identified the cards, and choose among the candidates of those in doubt."""
        updates = []
        for card in self._await(lambda card: card.identification.status == IdentificationStatus.PENDING):
            if card.workflow_status == WorkflowStatus.NEEDS_REVIEW:
                candidates = self.client.list_card_candidates(card.id).data
                if number := self._choose(card, candidates):
                    best = patch_from_candidate(candidates[number - 1])
                    updates.append(CardUpdate(id=card.id, version=card.version, identification=best))
        self._check(self.client.bulk_update(updates))

    def _choose(self, card: Card, candidates: list[IdentificationResult]) -> int:
        """Return the number of the candidate to take, or 0 for none."""
        best, second = [*(candidate.confidence for candidate in candidates), 0.0, 0.0][:2]
        if candidates and best >= self.confidence and (len(candidates) == 1 or best - second >= LEAD):
            return 1
        print(f"{self.files[card.id]} needs review: {card.id}, {len(candidates)} candidates")
        for number, one in enumerate(candidates, 1):
            print(f"  {number}  {one.title}, {one.set_ or ''} {one.number or ''} ({one.confidence:.2f})")
        number = self.take or (ask() if candidates else 0)
        return number if number <= len(candidates) else 0

    def price(self) -> None:
        """Set the estimated price of each card that is identified and has none."""
        cards = [card for card in self._cards() if card.workflow_status == WorkflowStatus.IDENTIFIED]
        prices = self._look_up(cards)
        updates = [
            CardUpdate(id=card.id, version=card.version, pricing=PricingPatch(asking_price=prices[card.id]))
            for card in cards
            if card.id in prices
        ]
        self._check(self.client.bulk_update(updates))

    def _look_up(self, cards: list[Card]) -> dict[str, Money]:
        """Return the estimated prices of the cards for which there is one, by card."""
        prices = {}
        for result in self.client.bulk_lookup_prices(card.id for card in cards):
            if result.value:
                prices[result.id] = result.value.price
            elif result.error and result.error.code != ErrorCode.NO_PRICE_FOUND:
                raise result.error
        return prices

    def publish(self) -> None:
        """Publish the cards that have a price, and wait until the marketplace shows them."""
        ids = [card.id for card in self._cards() if priced(card) and not card.listing_id]
        self._check(self.client.bulk_publish(ids, marketplace=Marketplace.SANDBOX))
        for card in self._await(lambda card: priced(card) and card.listing_id is not None):
            listings = self.client.list_listings(card=card.id, limit=1).data if priced(card) else []
            if listings and listings[0].failure:
                self._fail(self.files[card.id], listings[0].failure.message)

    def summarize(self) -> None:
        """Print the state of each card."""
        for card in self._cards():
            asking = card.pricing.asking_price
            price = f"{decimal_from_money(asking)} {asking.currency}" if asking else "no price"
            title = card.title or "not identified"
            print(f"{self.files[card.id]}: {card.id}, {title}, {price}, {card.workflow_status}")

    def _await(self, busy: Callable[[Card], bool]) -> list[Card]:
        """Poll the cards until none of them is busy, and return them. The client waits for the rate limit by itself."""
        deadline = time.monotonic() + self.timeout
        while any(map(busy, cards := self._cards())):
            if time.monotonic() > deadline:
                raise TimeoutError(f"the service is busy for {self.timeout} seconds: run it again later")
            time.sleep(POLL_INTERVAL)
        return cards

    def _cards(self) -> list[Card]:
        """Return the cards in the order of the names of their photos."""
        cards = []
        for ids in parts(list(self.files), 100):  # more may exceed the URLs that proxies accept
            cards += self.client.list_cards(ids=list(ids), limit=100).data
        return sorted(cards, key=lambda card: self.files[card.id])

    def _check(self, results: Iterable[BulkResult[Card]] | Iterable[BulkResult[Listing]]) -> None:
        """Print the errors of changes."""
        for result in results:
            if result.error:
                self._fail(self.files[result.id], result.error)

    def _fail(self, file: str, reason: object) -> None:
        """Print why a change of the card of a photo failed."""
        self.failures += 1
        print(f"{file}: {reason}", file=sys.stderr)


def ask() -> int:
    """Ask for the number of a candidate. Without a terminal, explain how to choose. Return 0 for none."""
    if not sys.stdin.isatty():
        print("  choose one with --take N or on a terminal")
        return 0
    print("  number, or Enter for none: ", end="", flush=True)
    answer = sys.stdin.readline().strip()
    return int(answer) if answer.isdecimal() else 0


def priced(card: Card) -> bool:
    """Return whether the card has a price and is not listed."""
    return card.workflow_status in (WorkflowStatus.PRICED, WorkflowStatus.PHOTOGRAPHED)


if __name__ == "__main__":
    sys.exit(main())
