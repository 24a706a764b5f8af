"""What is in the account under test: gathered from the service's answers, and added to where a test uses it up."""

import os

import requests

from pictures import png

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

    def take(self, number: int):
        """As pick, and not again."""
        value = self.pick(number)
        self.drop(value)
        return value


identifiers: dict[str, Pool] = {kind: Pool() for kind in ("card", "bat", "lst", "evt", "pho")}
photos = Pool()  # (card, photo)
small = Pool()  # cards with a small picture, which is read in a moment
addresses = Pool()  # where such pictures are
bare = Pool()  # cards without a picture
titled = Pool()  # cards that need no identification
live = Pool()  # listings that can be ended


def gather(value) -> None:
    """Notes everything in an answer that has an identifier of a known kind."""
    if isinstance(value, list):
        for item in value:
            gather(item)
    elif isinstance(value, dict):
        note(value)
        gather(list(value.values()))


def note(thing: dict) -> None:
    identifier = thing.get("id")
    kind = str(identifier).split("_")[0]
    if kind not in identifiers:
        return
    identifiers[kind].add(identifier)
    if kind == "lst" and thing.get("status") == "live":
        live.add(identifier)
    if kind == "card" and "photos" in thing:
        note_card(thing)


def note_card(card: dict) -> None:
    if card["title"]:
        titled.add(card["id"])
    bare.drop(card["id"]) if card["photos"] else bare.add(card["id"])
    for photo in card["photos"]:
        photos.add((card["id"], photo["id"]))
        if (photo["width"] or 9999) < 500 and card["workflow_status"] not in ("archived", "sold"):
            small.add(card["id"])
            addresses.add(photo["url"])


def new_card(number: int, marked: bool = False) -> str:
    """Makes a card that can be published, with a picture that is marked or not, and returns its identifier."""
    draft = {
        "identification": {"title": f"Paper Comet {number % 1000}"},
        "pricing": {"asking_price": {"amount": 1 + number % 5000, "currency": "USD"}},
    }
    made = answer(session.post(f"{API}/cards", json={"cards": [draft]}, timeout=60))["data"][0]["id"]
    picture = png(300, 300 + number % 100, number % 256, marked)
    answer(session.put(f"{API}/cards/{made}/photos/front", picture, headers={"Content-Type": "image/png"}, timeout=60))
    return made


def look_at(kind: str) -> list[dict]:
    """Reads the newest things of a kind: cards, batches, listings or events."""
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
for kind in ("batches", "listings", "events"):
    look_at(kind)

# Descriptions of cards that the catalogue prices: the demo's, as they were before anything was tested.
priced = [{key: card[key] for key in ("title", "set", "number")} for card in cards if card["identification"]["catalog_id"]]
