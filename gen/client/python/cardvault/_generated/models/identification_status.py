from ..types import OpenEnum


class IdentificationStatus(OpenEnum):
    """`pending` while the card is queued for automatic identification, or waits for a photo that the service fetches.
    `identified` and `failed` are the results. `none` means that the card is not identified and nothing is under
    way:
    it has no photo of the front, or automatic identification was not requested."""

    NONE = "none"
    PENDING = "pending"
    IDENTIFIED = "identified"
    FAILED = "failed"
