"""Requests that the schema allows and the service refuses, because of a rule that no schema can state.

No check is switched off; a failure of one check is dropped for one of the reasons listed here, and for no other.
"""

import re

import schemathesis
from schemathesis.openapi.checks import RejectedPositiveData

# Codes of refusals that follow from what is there, not from how the request is written.
DEPENDS_ON_STATE = {
    "invalid_cursor": "a cursor is sealed by the service, for the filters it was issued with",
    "version_mismatch": "the version that If-Match names is not the card's",
    "idempotency_key_reused": "the key was used for another request",
    "photo_invalid": "a picture may be well-formed and yet too small",
    "photo_unreachable": "nothing answers at a made-up address",
    "photo_forbidden": "a made-up address may be one that the service will not fetch",
    "no_price_found": "nothing like a made-up card was ever sold",
}

# Of the error, because it has no details.
KEYS = {r"The body is not .*: a string holds a NUL character .*": "OpenAPI 3.0 cannot describe keys of metadata"}
DIFFER = "must differ from the identifiers before it"
METADATA = {
    r"metadata: must have keys of 1 to 40 characters without control characters": "OpenAPI 3.0 cannot describe keys",
    r"metadata: must have at most 50 keys; the card would have \d+": "those that the card has count too",
}
CATALOGUE = {
    r"identification\.catalog_id: is not in the catalogue; .*": "the catalogue decides",
    r"identification\.title: an identified card keeps a title; .*": "null is taken only while there is no title",
}
CONDITION = {r"If-Match: must be the ETag, which is .*": "the pattern of v1.0.0 allows more, which no version matches"}
CURRENCY = "must be [A-Z]{3}, the currency of the sale's price"
PAST = "must be between 1970 and now"
ADDRESSES = {
    rf"url: {reason}": "format: uri allows more addresses than a webhook can have"
    for reason in (
        r"must be a whole URL, such as .*",
        r"must not contain a user name or password",
        r"has a port that does not exist",
        r"must use port 443 or a port from 1024 up",
        r"must have a host name of .*",
        r"must write an IP address in its usual form, .*",
        r"leads to .*",
    )
}


def item(name: str, rules: dict[str, str]) -> dict[str, str]:
    """The rules for the items of a list."""
    return {rf"{name}\.\d+\.{rule}": why for rule, why in rules.items()}


ORDER = {r"sort: must be updated_at with updated_since, .*": "one parameter bounds the other"}

# Details of an error of any operation.
OPEN = {
    r"(\w+\.)*(marketplace|channel): must be one of .*": "the server knows some of the values",
}

# Details of an error ("field: message"), by operation, where one value rules out another, or the account, the
# time or another thing decides.
DEPENDS_ON_MORE = {
    "updateAccount": {
        r"identification\.providers: must have .*, in any order": "the operator has chosen the providers",
        r"identification\.threshold: must be from .* to 1": "the threshold of the operator is the lowest",
        r"time_zone: must be a name of the IANA database .*": "the database changes several times a year",
    },
    "listCards": ORDER,
    "listBatchCards": ORDER,
    "createCards": {
        r"cards\.\d+\.photos: must contain at most one photo of role \w+": "OpenAPI 3.0 cannot compare items",
        r"cards\.\d+\.copies: must be 1 for a card with an external_id, .*": "one field bounds the other",
        r"cards: must be at most 500 cards with their copies; they are \d+": "a sum is bounded",
        r"cards\.\d+\.external_id: must not be the same as that of .*": "OpenAPI 3.0 cannot compare items",
        **item("cards", METADATA | CATALOGUE),
        **KEYS,
    },
    "scanCards": {
        r"photos: must be an even number with the pairing order, .*": "one field bounds the other",
        r"photos: must be at most 5 for photos of many cards; they are \d+": "one field bounds the other",
        r"pairing: must be none for photos of many cards": "one field bounds the other",
    },
    "updateCard": METADATA | CATALOGUE | CONDITION | KEYS,
    "updateCards": {
        rf"updates\.\d+\.id: {DIFFER}": "OpenAPI 3.0 cannot compare items by one field",
        **item("updates", METADATA | CATALOGUE),
        **KEYS,
    },
    "deleteCard": CONDITION,
    "publishCard": {
        r"marketplace: must be sandbox: .*": "a sandbox account publishes on the sandbox alone",
        r"price\.amount: must be more than zero": "Money may be 0, the price of a listing may not",
    },
    "publishCards": {
        r"card_ids: is required without filter, and not allowed with it": "one field rules out another",
        r"filter: matches more than 500 cards; .*": "the number of cards decides",
        r"marketplace: must be sandbox: .*": "a sandbox account publishes on the sandbox alone",
        rf"card_ids\.\d+: {DIFFER}": "uniqueItems compares case, and its error would not name the item",
        r"card_ids\.\d+\.price\.amount: must be more than zero": "the asking price of a card may be 0",
    },
    "updateListing": {
        r"price\.amount: must be more than zero": "Money may be 0, the price of a listing may not",
        r"price\.currency: must be \w+, the currency of the listing; .*": "the listing has the currency",
        **CONDITION,
    },
    "endListings": {rf"listing_ids\.\d+: {DIFFER}": "uniqueItems compares case, and its error would not name the item"},
    "sellCard": {
        rf"fees\.\d+\.amount\.currency: {CURRENCY}": "one field rules out values of another",
        rf"sold_at: {PAST}": "time passes",
    },
    "updateSale": {
        rf"(fees\.\d+\.amount|gross|shipping_charged|shipping_cost|tax)\.currency: {CURRENCY}": "the sale has the currency",
        r"(gross|shipping_charged|tax|fees): must be at least .*, which was returned": "earlier refunds count",
        rf"(sold_at|shipped_at): {PAST}": "time passes",
        **CONDITION,
    },
    "refundSale": {
        rf"(amount|parts\.\w+)\.currency: {CURRENCY}": "the sale has the currency",
        r"(amount|parts\.\w+): must be at most .*, which is what is not refunded yet": "earlier refunds count",
        r"amount\.amount: must be more than zero": "0 is allowed for a card that comes back",
        r"parts: must have an amount of more than zero": "0 is allowed for a card that comes back",
        r"parts: cannot be combined with amount, .*": "one field rules out another",
    },
    "createJob": {
        r"kind: cannot be restore; .*": "the enumeration also has the kind that only an undo makes",
        **{rf"patch\.{rule}": why for rule, why in (METADATA | CATALOGUE).items()},
        **KEYS,
    },
    "identify": {r"body: must have exactly one of card_id, photo_url": "hints may be left out, the others may not"},
    "lookupPrice": {rf"card_ids\.\d+: {DIFFER}": "uniqueItems compares case, and its error would not name the item"},
    "reportSales": {
        r"time_zone: must be an IANA time zone such as .*": "the database of time zones decides",
        r"since: must be before the end of the report": "one parameter bounds the other",
        r"since: must be at most 366 days before the end of the report": "one parameter bounds the other",
    },
    "createWebhook": ADDRESSES,
    "updateWebhook": ADDRESSES,
}


@schemathesis.hook
def filter_failure(context, failure, case, response) -> bool:
    """Keeps a failure unless it is a refusal that a rule above explains."""
    if not isinstance(failure, RejectedPositiveData) or response.status_code >= 500:
        return True
    error = response.json()["error"]
    if error["code"] in DEPENDS_ON_STATE:
        return False
    rules = OPEN | DEPENDS_ON_MORE.get(case.operation.definition.raw["operationId"], {})
    details = [f"{detail['field']}: {detail['message']}" for detail in error.get("details", [])] or [error["message"]]
    explained = all(any(re.fullmatch(rule, detail) for rule in rules) for detail in details)
    return not explained
