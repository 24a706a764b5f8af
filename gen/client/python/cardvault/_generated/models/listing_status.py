from ..types import OpenEnum


class ListingStatus(OpenEnum):
    """`publishing` → `live` → `sold` or `ended`; `publishing` → `failed`; `live` → `ending` → `ended`, or `sold` where
    a buyer was faster."""

    PUBLISHING = "publishing"
    LIVE = "live"
    ENDING = "ending"
    SOLD = "sold"
    ENDED = "ended"
    FAILED = "failed"
