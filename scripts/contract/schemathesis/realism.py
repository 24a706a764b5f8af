"""Puts in place of what generation makes up what a client would send: identifiers of things that are there, cursors that
were issued, keys used once, the current version, addresses on this machine. Without it most valid requests would end in
the same few refusals.

Requests that are meant to be invalid are left as they are, and so is one in eight of those that fuzzing makes up. Choices
follow from the request itself, so that a seed repeats.
"""

import hashlib
import re
from datetime import datetime, timedelta, timezone
from urllib.parse import urlsplit

import inventory
import schemathesis
from pictures import png
from schemathesis.generation.meta import TestPhase
from schemathesis.transport.serialization import Binary

# Connections to this port are refused at once, and no name is looked up on other machines.
REFUSING = "http://127.0.0.1:9"

issued: dict[str, dict[str, dict]] = {}  # by address and cursor: the query that the cursor was issued for, with it
versions: dict[str, str] = {}  # the ETag of the newest answer, by address


@schemathesis.hook
def after_call(context, case, response) -> None:
    """Learns from what the account under test is answered."""
    ours = response.request.headers.get("Authorization") == inventory.session.headers["Authorization"]
    if ours and response.status_code == 204 and operation_of(case) in ("deleteCard", "deleteWebhook"):
        inventory.forget(case.path_parameters["id"])
    if ours and response.status_code == 409 and operation_of(case) in ("updateListing", "endListing"):
        inventory.live.drop(case.path_parameters["id"])
    # A replayed response may be about what has been deleted since.
    if not ours or response.status_code not in (200, 201, 202) or "idempotent-replayed" in response.headers:
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
    if operation_of(case) == "createJob" and isinstance(case.body, dict):
        own_cards(case.body, chance)
    if "Idempotency-Key" in case.headers:
        case.headers["Idempotency-Key"] = own_key(case.headers["Idempotency-Key"], digest(case))


def operation_of(case) -> str:
    return case.operation.definition.raw["operationId"]


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
    operation = operation_of(case)
    for place in (case.path_parameters, case.query, case.body):
        use_known_identifiers(place, chance)
    if operation in THINGS and case.meta.phase.name != TestPhase.STATEFUL:  # there links say which thing is meant
        THINGS[operation](case, chance)
    if operation in BODIES and isinstance(case.body, dict):
        BODIES[operation](case, chance)
    if operation in QUERIES and case.query:
        QUERIES[operation](case.query, chance)
    if "cursor" in (case.query or {}):
        use_issued_cursor(case, chance)
    if "If-Match" in case.headers:
        # The version of a listing also changes when the marketplace has revised it.
        case.headers["If-Match"] = "*" if operation == "updateListing" else versions.get(case.formatted_path, "*")


def use_issued_cursor(case, chance: Chance) -> None:
    queries = issued.get(case.formatted_path)
    if queries:
        case.query = dict(queries.get(case.query["cursor"]) or chance.of(list(queries.values())))
    else:
        del case.query["cursor"]


def own_cards(job: dict, chance: Chance) -> None:
    """Gives a job cards of its own, because it may delete, archive or list them, and a patch if its kind needs one."""
    new_card = inventory.new_card if job["kind"] in ("identify", "publish") else inventory.new_bare_card
    cards = [new_card(chance.left + nth) for nth in range(1 + chance.left % 3)]
    if "filter" in job:
        job["filter"]["ids"] = cards
        job.pop("card_ids", None)
    else:
        job["card_ids"] = cards
    if job["kind"] != "update":
        job.pop("patch", None)
        job.pop("price_change", None)
    elif "price_change" in job:
        job.pop("patch", None)
    else:
        describe(job.setdefault("patch", {}), chance)
    if job["kind"] != "identify":
        job.pop("hints", None)
    if job["kind"] == "delete":
        for card in cards:
            inventory.forget(card)


# Fields and parameters that hold the identifier of a thing, and those that hold several.
ONE = ("id", "cardId", "card_id", "batch_id", "batch", "card", "delivery")
SEVERAL = ("ids", "card_ids", "listing_ids")


def use_known_identifiers(place, chance: Chance, nth: int = 0) -> None:
    """Replaces identifiers of nothing by ones that are there, in objects and lists of objects too."""
    if isinstance(place, list):
        for nth, item in enumerate(place):
            use_known_identifiers(item, chance, nth)
    if not isinstance(place, dict):
        return
    for name, value in place.items():
        use_known_identifiers(value, chance)
        if isinstance(value, str) and name in ONE:
            place[name] = known(value, chance.left + nth)
        if isinstance(value, list) and name in SEVERAL:
            place[name] = list(dict.fromkeys(known(one, chance.left + i) for i, one in enumerate(value)))


def known(identifier, number: int):
    """The identifier if it is there, otherwise another one of its kind, if there is one."""
    pool = inventory.identifiers.get(str(identifier).split("_")[0].lower())
    return identifier if not pool or identifier in pool.values else pool.pick(number) or identifier


def put_photo(case, chance: Chance) -> None:
    """On a card that will not be identified because of it."""
    case.path_parameters["id"] = inventory.titled.pick(chance.left)


def delete_photo(case, chance: Chance) -> None:
    if not inventory.photos.values:
        inventory.new_card(chance.left)
    case.path_parameters["id"], case.path_parameters["photo"] = inventory.photos.take(chance.left)


def identify(case, chance: Chance) -> None:
    """Exactly one of card and photo. One card in four has a picture, and one in forty one with something to read, which
    takes half a second. Before fuzzing each has a picture: those phases make few requests, and one has to succeed.
    """
    if not chance.one_in(8):
        one_of_both(case.body, chance)
    if "card_id" in case.body:
        few = case.meta.phase.name != TestPhase.FUZZING
        cards = inventory.small if few or chance.one_in(4) else inventory.bare
        case.body["card_id"] = inventory.marked if chance.one_in(40) else cards.pick(chance.left)


def one_of_both(body: dict, chance: Chance) -> None:
    """Leaves the request a card or a photo."""
    if "card_id" in body and "photo_url" in body:
        del body[chance.of(["card_id", "photo_url"])]
    elif "card_id" not in body and "photo_url" not in body:
        body["card_id"] = inventory.bare.pick(chance.left)


def publish(case, chance: Chance) -> None:
    if chance.one_in(2):
        case.path_parameters["cardId"] = inventory.new_card(chance.left)


def end_listing(case, chance: Chance) -> None:
    if not inventory.live.values:
        inventory.look_at("listings")  # those that have gone live since they were published
    case.path_parameters["id"] = inventory.live.take(chance.left) or case.path_parameters["id"]


def live_listing(case, chance: Chance) -> None:
    """Seldom one that has ended since."""
    if not inventory.live.values:
        inventory.look_at("listings")
    case.path_parameters["id"] = inventory.live.pick(chance.left) or inventory.new_live_listing(chance.left)


def publish_many(case, chance: Chance) -> None:
    if "filter" in case.body:
        case.body["filter"]["ids"] = [inventory.new_card(chance.left)]
        case.body.pop("card_ids", None)
    elif "card_ids" not in case.body or chance.one_in(2):
        case.body["card_ids"] = [inventory.new_card(chance.left + i) for i in range(1 + chance.left % 3)]


def end_many(case, chance: Chance) -> None:
    if not inventory.live.values:
        inventory.look_at("listings")
    if chance.one_in(2) and inventory.live.values:
        case.body["listing_ids"] = inventory.live.some(chance.left, 3)


def delete_card(case, chance: Chance) -> None:
    """One that nothing else needs."""
    case.path_parameters["id"] = inventory.new_bare_card(chance.left)


def sell(case, chance: Chance) -> None:
    """Seldom one that other operations need."""
    if not chance.one_in(8):
        case.path_parameters["id"] = inventory.new_bare_card(chance.left)


def refund(case, chance: Chance) -> None:
    """Seldom one that was refunded in full."""
    if not left_of(case.path_parameters["id"]) and not chance.one_in(4):
        case.path_parameters["id"] = inventory.new_sale(chance.left)


def catalogue_card(case, chance: Chance) -> None:
    case.path_parameters["id"] = inventory.catalogue.pick(chance.left)


def new_webhook(case, chance: Chance) -> None:
    inventory.drop_webhooks(4)


def webhook(case, chance: Chance) -> None:
    if not inventory.identifiers["whe"].values:
        case.path_parameters["id"] = inventory.new_webhook()


def rotate(case, chance: Chance) -> None:
    """Mostly one that has room for a previous secret."""
    if chance.one_in(2):
        enabled_webhook(case, chance)
    else:
        webhook(case, chance)


def enabled_webhook(case, chance: Chance) -> None:
    if chance.one_in(2):
        inventory.drop_webhooks(4)
        case.path_parameters["id"] = inventory.new_webhook()


def end_secret(case, chance: Chance) -> None:
    """One that still signs; and seldom one that has ended."""
    if not chance.one_in(4):
        case.path_parameters["id"], case.path_parameters["previous"] = inventory.new_previous_secret()


def resend(case, chance: Chance) -> None:
    if not inventory.deliveries.values:
        inventory.new_delivery()
    case.path_parameters["id"], case.path_parameters["delivery"] = inventory.deliveries.pick(chance.left)


THINGS = {
    "putCardPhoto": put_photo,
    "deleteCardPhoto": delete_photo,
    "deleteCard": delete_card,
    "getCatalogCard": catalogue_card,
    "identify": identify,
    "publishCard": publish,
    "publishCards": publish_many,
    "updateListing": live_listing,
    "endListing": end_listing,
    "endListings": end_many,
    "sellCard": sell,
    "refundSale": refund,
    "createWebhook": new_webhook,
    "getWebhook": webhook,
    "updateWebhook": webhook,
    "deleteWebhook": webhook,
    "rotateWebhookSecret": rotate,
    "endWebhookSecret": end_secret,
    "testWebhook": enabled_webhook,
    "listWebhookDeliveries": webhook,
    "resendWebhookDelivery": resend,
    "resendDroppedWebhookDeliveries": webhook,
}


def new_cards(case, chance: Chance) -> None:
    """With one photo of each role, and mostly few copies: a response with 500 cards is slow to check."""
    for nth, card in enumerate(case.body.get("cards", [])):
        photos = {photo["role"]: photo for photo in card.get("photos", [])}
        for photo in photos.values():
            photo["url"] = near(photo["url"])
        if photos:
            card["photos"] = list(photos.values())
        if card.get("external_id"):
            card.pop("copies", None)
        if "copies" in card and (len(case.body["cards"]) > 1 or not chance.one_in(8)):
            card["copies"] = 1 + card["copies"] % 2 if len(case.body["cards"]) <= 250 else 1
        describe(card, chance, nth)


def describe(card: dict, chance: Chance, nth: int = 0) -> None:
    """Gives a card values that it can have: an identifier of its own in the owner's system, one of the catalogue, a title
    instead of none, and keys of metadata that are allowed.
    """
    if card.get("external_id"):
        card["external_id"] = f"{chance.left:x}-{nth}-{card['external_id']}"[:100]
    known_as = card.get("identification") or {}
    if known_as.get("catalog_id"):
        known_as["catalog_id"] = inventory.catalogue.pick(chance.left)
    if "title" in known_as and known_as["title"] is None:
        del known_as["title"]
    if card.get("metadata"):
        pairs = list(card["metadata"].items())[:10]
        card["metadata"] = {re.sub(r"[\x00-\x1f\x7f]", "", key)[:40] or "key": value for key, value in pairs}


def scan(case, chance: Chance) -> None:
    """Small photos that no provider tries to read, an even number of them in pairs; one in eight is not a photo."""
    number = len(case.body.get("photos", []))
    if case.body.get("cards") == "many":
        case.body.pop("pairing", None)
    if case.body.get("pairing") == "order":
        number += number % 2
    case.body["photos"] = [
        Binary(b"no photo" if chance.one_in(8) else png(300, 300 + nth, chance.left % 256))
        for nth in range(min(number, 4))
    ]
    # Schemathesis cannot validate bytes, and would take a form that a hook has changed for an invalid one.
    case._record_starting_state()


def preferences(case, chance: Chance) -> None:
    """With a floor price that no other request is refused for, and mostly with a time zone that exists and providers
    that the operator has chosen."""
    if case.body.get("floor_price"):
        case.body["floor_price"]["amount"] = 0
    chosen = case.body.get("identification") or {}
    if chosen.get("providers") and not chance.one_in(8):
        chosen["providers"] = chance.of([["fingerprint", "ocr"], ["ocr", "fingerprint"]])
    if case.body.get("time_zone") and not chance.one_in(8):
        case.body["time_zone"] = chance.of(["UTC", "Europe/Berlin", "America/New_York"])


def changes(case, chance: Chance) -> None:
    describe(case.body, chance)


def many_changes(case, chance: Chance) -> None:
    """One for each card, most for any version of it."""
    updates = {update["id"]: update for update in case.body.get("updates", [])}
    for nth, update in enumerate(updates.values()):
        describe(update, chance, nth)
        if not chance.one_in(4):
            update.pop("version", None)
    if updates:
        case.body["updates"] = list(updates.values())


def photo_address(case, chance: Chance) -> None:
    if "photo_url" in case.body:
        address = case.body["photo_url"]
        case.body["photo_url"] = inventory.addresses.pick(chance.left) if chance.one_in(16) else near(address)


def priced_card(case, chance: Chance) -> None:
    """Half of them are in the catalogue."""
    if "card" in case.body and chance.one_in(2):
        case.body["card"] = chance.of(inventory.priced)


def listing(case, chance: Chance) -> None:
    if "marketplace" in case.body:
        case.body["marketplace"] = "sandbox"


def revision(case, chance: Chance) -> None:
    """In the currency that the listing has."""
    use_currency(case.body, inventory.currencies.get(case.path_parameters["id"]))


def sale(case, chance: Chance) -> None:
    """In one currency, and in the past."""
    use_currency(case.body.get("fees"), (case.body.get("price") or {}).get("currency"))
    if "sold_at" in case.body:
        case.body["sold_at"] = days_ago(chance.left % 700)


def sale_changes(case, chance: Chance) -> None:
    known_sale = inventory.sales.get(case.path_parameters["id"])
    if known_sale:
        use_currency(case.body, known_sale["gross"]["currency"])
    for name in ("sold_at", "shipped_at"):
        if case.body.get(name):
            case.body[name] = days_ago(chance.left % 700)


def refund_amount(case, chance: Chance) -> None:
    """Some of what is left, as an amount or by parts."""
    sale_id = case.path_parameters["id"]
    if "amount" in case.body and "parts" in case.body and not chance.one_in(8):
        del case.body[chance.of(["amount", "parts"])]
    asked, parts, left = case.body.get("amount"), case.body.get("parts"), left_of(sale_id)
    if left:
        currency = inventory.sales[sale_id]["gross"]["currency"]
        use_currency(parts, currency)
    if asked and left:
        case.body["amount"] = {"amount": 1 + asked["amount"] % left, "currency": currency}
    elif asked:
        del case.body["amount"]
    if parts and "item" in parts:
        parts["item"]["amount"] %= left + 1


def left_of(sale_id: str) -> int:
    """What is not refunded yet; 0 of an unknown sale."""
    known_sale = inventory.sales.get(sale_id)
    if not known_sale:
        return 0
    return known_sale["gross"]["amount"] - sum(one["amount"]["amount"] for one in known_sale["refunds"])


def use_currency(place, currency: str | None) -> None:
    """Gives all amounts of money the currency."""
    if isinstance(place, list):
        for item in place:
            use_currency(item, currency)
    elif isinstance(place, dict):
        if currency and "currency" in place:
            place["currency"] = currency
        use_currency(list(place.values()), currency)


def days_ago(days: int) -> str:
    return (datetime.now(timezone.utc) - timedelta(days=days)).strftime("%Y-%m-%dT%H:%M:%SZ")


def receiver(case, chance: Chance) -> None:
    """On this machine. It gets few kinds of events, because a run makes many events."""
    if "url" in case.body:
        case.body["url"] = inventory.RECEIVER + "/" + re.sub(r"[^A-Za-z0-9]", "", case.body["url"])[:100]
    if "events" in case.body:
        case.body["events"] = case.body["events"][:3]


BODIES = {
    "updateAccount": preferences,
    "createCards": new_cards,
    "scanCards": scan,
    "updateCard": changes,
    "updateCards": many_changes,
    "identify": photo_address,
    "lookupPrice": priced_card,
    "publishCard": listing,
    "publishCards": listing,
    "updateListing": revision,
    "sellCard": sale,
    "updateSale": sale_changes,
    "refundSale": refund_amount,
    "createWebhook": receiver,
    "updateWebhook": receiver,
}

ZONES = ["UTC", "Europe/Berlin", "America/New_York", "Asia/Kathmandu", "America/Sao_Paulo", "Pacific/Apia", "Etc/GMT+12"]


def period(query: dict, chance: Chance) -> None:
    """Of at most a year, in a time zone that there is."""
    if "time_zone" in query:
        query["time_zone"] = chance.of(ZONES)
    if "before" in query:
        query["before"] = days_ago(chance.left % 20)
    if "since" in query:
        query["since"] = days_ago(30 + chance.left % 300)


def order(query: dict, chance: Chance) -> None:
    """One that the list can have."""
    if "updated_since" in query and "sort" in query and not chance.one_in(8):
        del query[chance.of(["updated_since", "sort"])]


QUERIES = {"listCards": order, "listBatchCards": order, "reportSales": period}


def near(address: str) -> str:
    """The address, but for its host where that could be looked up."""
    try:
        host = urlsplit(address).hostname or ""
    except ValueError:
        return address
    return REFUSING + "/" + address.split("//", 1)[1] if re.fullmatch(r"[A-Za-z0-9._-]+", host) else address
