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

# Fields of invalid_request, by operation, where one value rules out another or the account decides.
DEPENDS_ON_MORE = {
    "createCards": {r"cards\.\d+\.photos": "a card has one photo of a role; OpenAPI 3.0 cannot say so"},
    "updateCard": {r"identification\.title": "null is taken only while there is no title"},
    "publishCard": {
        r"marketplace": "a sandbox account publishes on the sandbox alone",
        r"price\.amount": "Money may be 0, the price of a listing may not",
    },
}


@schemathesis.hook
def filter_failure(context, failure, case, response) -> bool:
    """Keeps a failure unless it is a refusal that a rule above explains."""
    if not isinstance(failure, RejectedPositiveData) or response.status_code >= 500:
        return True
    error = response.json()["error"]
    if error["code"] in DEPENDS_ON_STATE:
        return False
    rules = DEPENDS_ON_MORE.get(case.operation.definition.raw["operationId"], {})
    fields = [detail["field"] for detail in error.get("details", [])]
    explained = fields and all(any(re.fullmatch(rule, field) for rule in rules) for field in fields)
    return not explained
