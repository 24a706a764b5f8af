from ..types import OpenEnum


class RevisionStatus(OpenEnum):
    """`pending` until the marketplace confirms the title and the price of the listing, then `done`, or `failed` if it
    refuses
    them. `none` if the listing was not revised, or ended before the marketplace confirmed."""

    NONE = "none"
    PENDING = "pending"
    DONE = "done"
    FAILED = "failed"
