"""What is in the account under test: gathered from the service's answers, and added to where a test uses it up."""

import os
import time

import requests

from pictures import png

# No program listens on this port, and it is above those that outgoing connections get.
RECEIVER = "http://127.0.0.1:65535"

API = os.environ["API"]
session = requests.Session()
session.headers["Authorization"] = f"Bearer {os.environ['TOKEN']}"


class Pool:
    """Distinct values in the order in which they came."""

    def __init__(self):
        self.values: dict = {}

    def add(self, value) -> None:
        self.values[value] = None

    def drop(self, value) -> None:
        self.values.pop(value, None)

    def pick(self, number: int):
        """One of the newest hundred; None if there is none."""
        newest = list(self.values)[-100:]
        return newest[number % len(newest)] if newest else None

    def some(self, number: int, count: int) -> list:
        """Up to count different ones of the newest hundred."""
        newest = list(self.values)[-100:]
        start = number % len(newest) if newest else 0
        return (newest[start:] + newest[:start])[:count]

    def take(self, number: int):
        """As pick, and not again."""
        value = self.pick(number)
        self.drop(value)
        return value


KINDS = ("card", "bat", "lst", "evt", "pho", "sale", "job", "whe", "dlv")
identifiers: dict[str, Pool] = {kind: Pool() for kind in KINDS}
photos = Pool()  # (card, photo)
small = Pool()  # cards with a small picture, which is read in a moment
addresses = Pool()  # where such pictures are
bare = Pool()  # cards without a picture
titled = Pool()  # cards that need no identification
live = Pool()  # listings that can be changed and ended
currencies: dict[str, str] = {}  # of the prices of listings, by identifier
catalogue = Pool()  # identifiers of cards in the catalogue
deliveries = Pool()  # (webhook, delivery)
sales: dict[str, dict] = {}  # by identifier, as they were answered last


def gather(value) -> None:
    """Notes everything in an answer that has an identifier of a known kind. An item with an error may not exist."""
    if isinstance(value, list):
        for item in value:
            gather(item)
    elif isinstance(value, dict) and not (value.get("error") and "id" in value):
        note(value)
        gather(list(value.values()))


def note(thing: dict) -> None:
    identifier = thing.get("id")
    kind = str(identifier).split("_")[0]
    if "set_code" in thing:
        catalogue.add(identifier)
    if kind not in identifiers:
        return
    identifiers[kind].add(identifier)
    if kind == "sale" and "gross" in thing:
        sales[identifier] = thing
        small.drop(thing["card_id"])
    if kind == "dlv":
        deliveries.add((thing["webhook_id"], identifier))
    if kind == "lst" and "status" in thing:
        live.add(identifier) if thing["status"] == "live" else live.drop(identifier)
    if kind == "lst" and thing.get("price"):
        currencies[identifier] = thing["price"]["currency"]
    if kind == "card" and "photos" in thing:
        note_card(thing)


def note_card(card: dict) -> None:
    if card["title"]:
        titled.add(card["id"])
    bare.drop(card["id"]) if card["photos"] else bare.add(card["id"])
    usable = card["workflow_status"] not in ("archived", "sold")
    if not usable:
        small.drop(card["id"])
    for photo in card["photos"]:
        photos.add((card["id"], photo["id"]))
        if (photo["width"] or 9999) < 500 and usable:
            small.add(card["id"])
            addresses.add(photo["url"])


def forget(identifier: str) -> None:
    """Leaves out a card or a webhook that was deleted, with what it had."""
    for pool in (*identifiers.values(), small, bare, titled):
        pool.drop(identifier)
    for pool in (photos, deliveries):
        for pair in [pair for pair in pool.values if pair[0] == identifier]:
            pool.drop(pair)


def new_bare_card(number: int) -> str:
    """Makes a card with a price and without a picture, and returns its identifier."""
    draft = {
        "identification": {"title": f"Paper Comet {number % 1000}"},
        "pricing": {"asking_price": {"amount": 1 + number % 5000, "currency": "USD"}},
    }
    return answer(session.post(f"{API}/cards", json={"cards": [draft]}, timeout=60))["data"][0]["id"]


def new_card(number: int, marked: bool = False) -> str:
    """Makes a card that can be published, with a picture that is marked or not, and returns its identifier."""
    made = new_bare_card(number)
    picture = png(300, 300 + number % 100, number % 256, marked)
    answer(session.put(f"{API}/cards/{made}/photos/front", picture, headers={"Content-Type": "image/png"}, timeout=60))
    return made


def new_sale(number: int) -> str:
    """Sells a card of its own and returns the sale's identifier."""
    sale = {"channel": "in_person", "price": {"amount": 1 + number % 5000, "currency": "USD"}}
    return answer(session.post(f"{API}/cards/{new_bare_card(number)}/sell", json=sale, timeout=60))["id"]


def new_live_listing(number: int) -> str:
    """Publishes a card of its own, waits until the marketplace shows it, and returns the listing's identifier."""
    made = answer(session.post(f"{API}/listings/{new_card(number)}/publish", json={"marketplace": "sandbox"}, timeout=60))
    for _ in range(100):
        if answer(session.get(f"{API}/listings/{made['id']}", timeout=60))["status"] == "live":
            return made["id"]
        time.sleep(0.1)
    raise TimeoutError(f"{made['id']} is not live after 10 s")


def new_webhook() -> str:
    """Makes a webhook that gets a kind of events that is rare, and returns its identifier."""
    draft = {"url": RECEIVER, "events": ["identify.failed"]}
    return answer(session.post(f"{API}/webhooks", json=draft, timeout=60))["id"]


def new_delivery() -> tuple[str, str]:
    """Makes a webhook with a delivery, and returns both identifiers."""
    webhook = new_webhook()
    return webhook, answer(session.post(f"{API}/webhooks/{webhook}/test", timeout=60))["id"]


def new_previous_secret() -> tuple[str, str]:
    """Makes a webhook with a previous secret, and returns both identifiers."""
    drop_webhooks(4)
    webhook = new_webhook()
    rotated = answer(session.post(f"{API}/webhooks/{webhook}/rotate-secret", timeout=60))
    return webhook, rotated["previous_secrets"][0]["id"]


def drop_webhooks(most: int) -> None:
    """Deletes the oldest webhooks: each gets every event, and an account has only so many."""
    webhooks = list(identifiers["whe"].values)
    for webhook in webhooks[: max(len(webhooks) - most, 0)]:
        session.delete(f"{API}/webhooks/{webhook}", timeout=60)
        forget(webhook)


def look_at(kind: str) -> list[dict]:
    """Reads the newest things of a kind, such as cards, batches, listings or events."""
    return answer(session.get(f"{API}/{kind}", params={"limit": 200}, timeout=60))["data"]


def answer(response: requests.Response):
    response.raise_for_status()
    body = response.json()
    gather(body)
    return body


cards = look_at("cards")
answer(session.post(f"{API}/cards", json={"cards": [{}] * 5}, timeout=60))  # bare ones; the demo has none
new_card(1)
marked = new_card(2, marked=True)
new_sale(3)
new_delivery()
for kind in ("batches", "listings", "events", "catalog/cards"):
    look_at(kind)

# Descriptions of cards that the catalogue prices: the demo's, as they were before anything was tested.
priced = [{key: card[key] for key in ("title", "set", "number")} for card in cards if card["identification"]["catalog_id"]]
