"""Puts in place of what generation makes up what a client would send: identifiers of things that are there, cursors that
were issued, keys used once, the current version, addresses on this machine. Without it most valid requests would end in
the same few refusals.

Requests that are meant to be invalid are left as they are, and so is one in eight of those that fuzzing makes up. Choices
follow from the request itself, so that a seed repeats.
"""

import hashlib
import re
from urllib.parse import urlsplit

import inventory
import schemathesis
from schemathesis.generation.meta import TestPhase

# Nobody listens there: the address is refused at once, and no name is looked up outside.
NOBODY = "http://127.0.0.1:9"

issued: dict[str, dict[str, dict]] = {}  # by address and cursor: the query that the cursor was issued for, with it
versions: dict[str, str] = {}  # the ETag of the newest answer, by address


@schemathesis.hook
def after_call(context, case, response) -> None:
    """Learns from what the account under test is answered."""
    ours = response.request.headers.get("Authorization") == inventory.session.headers["Authorization"]
    if not ours or response.status_code not in (200, 201, 202):
        return
    body = response.json()
    inventory.gather(body)
    if "etag" in response.headers:
        versions[case.formatted_path] = response.headers["etag"][0]
    cursor = body.get("next_cursor")
    if cursor:
        issued.setdefault(case.formatted_path, {})[cursor] = {**(case.query or {}), "cursor": cursor}


@schemathesis.hook
def before_call(context, case, kwargs) -> None:
    """Makes a valid request one that can succeed."""
    if case.meta is None or not case.meta.generation.mode.is_positive:
        return
    chance = Chance(case)
    if case.meta.phase.name != TestPhase.FUZZING or not chance.one_in(8):
        improve(case, chance)
    if "Idempotency-Key" in case.headers:
        case.headers["Idempotency-Key"] = own_key(case.headers["Idempotency-Key"], digest(case))


def digest(case) -> str:
    """16 hexadecimal digits that are the same for the same request."""
    said = repr((case.method, case.formatted_path, sorted((case.query or {}).items(), key=repr), case.body))
    return hashlib.sha256(said.encode(errors="backslashreplace")).hexdigest()[:16]


class Chance:
    """Decisions that are the same for the same request."""

    def __init__(self, case):
        self.left = int(digest(case), 16)

    def one_in(self, n: int) -> bool:
        self.left, drawn = divmod(self.left, n)
        return drawn == 0

    def of(self, values: list):
        return values[self.left % len(values)]


def own_key(key: str, mark: str) -> str:
    """The key with a mark of the request it is for, in the form it had: bare or a quoted string."""
    if key.startswith('"'):
        return f'"{mark}{key[1:]}' if len(key) <= 200 else f'"{mark}"'
    return mark + key[:200].rstrip()


def improve(case, chance: Chance) -> None:
    operation = case.operation.definition.raw["operationId"]
    for place in (case.path_parameters, case.query, case.body):
        use_known_identifiers(place, chance)
    if operation in THINGS and case.meta.phase.name != TestPhase.STATEFUL:  # there links say which thing is meant
        THINGS[operation](case, chance)
    if operation in BODIES and isinstance(case.body, dict):
        BODIES[operation](case.body, chance)
    if "cursor" in (case.query or {}):
        use_issued_cursor(case, chance)
    if "If-Match" in case.headers:
        case.headers["If-Match"] = versions.get(case.formatted_path, "*")


def use_issued_cursor(case, chance: Chance) -> None:
    queries = issued.get(case.formatted_path)
    if queries:
        case.query = dict(queries.get(case.query["cursor"]) or chance.of(list(queries.values())))
    else:
        del case.query["cursor"]


def use_known_identifiers(place, chance: Chance) -> None:
    """Replaces identifiers of nothing by ones that are there, in objects and lists of objects too."""
    if isinstance(place, list):
        for item in place:
            use_known_identifiers(item, chance)
    if not isinstance(place, dict):
        return
    for name, value in place.items():
        use_known_identifiers(value, chance)
        if isinstance(value, str) and name in ("id", "cardId", "card_id", "batch_id", "batch", "card"):
            pool = inventory.identifiers.get(value.split("_")[0].lower())
            if pool and value not in pool.values:
                place[name] = pool.pick(chance.left) or value


def put_photo(case, chance: Chance) -> None:
    """On a card that will not be identified because of it."""
    case.path_parameters["id"] = inventory.titled.pick(chance.left)


def delete_photo(case, chance: Chance) -> None:
    if not inventory.photos.values:
        inventory.new_card(chance.left)
    case.path_parameters["id"], case.path_parameters["photo"] = inventory.photos.take(chance.left)


def identify(case, chance: Chance) -> None:
    """One card in six has a picture, and one in forty one with something to read, which takes half a second."""
    if "card_id" in case.body:
        cards = inventory.small if chance.one_in(6) else inventory.bare
        case.body["card_id"] = inventory.marked if chance.one_in(40) else cards.pick(chance.left)


def publish(case, chance: Chance) -> None:
    if chance.one_in(2):
        case.path_parameters["cardId"] = inventory.new_card(chance.left)


def end_listing(case, chance: Chance) -> None:
    if not inventory.live.values:
        inventory.look_at("listings")  # those that have gone live since they were published
    case.path_parameters["id"] = inventory.live.take(chance.left) or case.path_parameters["id"]


THINGS = {
    "putCardPhoto": put_photo,
    "deleteCardPhoto": delete_photo,
    "identify": identify,
    "publishCard": publish,
    "endListing": end_listing,
}


def new_cards(body: dict, chance: Chance) -> None:
    for card in body.get("cards", []):
        photos = {photo["role"]: photo for photo in card.get("photos", [])}
        for photo in photos.values():
            photo["url"] = near(photo["url"])
        if photos:
            card["photos"] = list(photos.values())


def changes(body: dict, chance: Chance) -> None:
    known = body.get("identification") or {}
    if "title" in known and known["title"] is None:
        del known["title"]


def photo_address(body: dict, chance: Chance) -> None:
    if "photo_url" in body:
        body["photo_url"] = inventory.addresses.pick(chance.left) if chance.one_in(16) else near(body["photo_url"])


def priced_card(body: dict, chance: Chance) -> None:
    """Half of them are in the catalogue."""
    if "card" in body and chance.one_in(2):
        body["card"] = chance.of(inventory.priced)


def listing(body: dict, chance: Chance) -> None:
    if "marketplace" in body:
        body["marketplace"] = "sandbox"


BODIES = {
    "createCards": new_cards,
    "updateCard": changes,
    "identify": photo_address,
    "lookupPrice": priced_card,
    "publishCard": listing,
}


def near(address: str) -> str:
    """The address, but for its host where that could be looked up."""
    try:
        host = urlsplit(address).hostname or ""
    except ValueError:
        return address
    return NOBODY + "/" + address.split("//", 1)[1] if re.fullmatch(r"[A-Za-z0-9._-]+", host) else address
