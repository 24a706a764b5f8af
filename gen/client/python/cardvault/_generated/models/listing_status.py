from ..types import OpenEnum


class ListingStatus(OpenEnum):
    """`publishing` → `live` → `sold` or `ended`; `publishing` → `failed`; `live` → `ending` → `ended`, or `sold` if
    the card is bought first. If an order becomes visible after the listing had ended, `ended` → `sold`."""

    PUBLISHING = "publishing"
    LIVE = "live"
    ENDING = "ending"
    SOLD = "sold"
    ENDED = "ended"
    FAILED = "failed"
