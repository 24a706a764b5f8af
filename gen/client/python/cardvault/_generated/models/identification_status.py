from ..types import OpenEnum


class IdentificationStatus(OpenEnum):
    """`pending` until the card is identified or both providers have failed."""

    PENDING = "pending"
    IDENTIFIED = "identified"
    FAILED = "failed"
