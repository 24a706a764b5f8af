from ..types import OpenEnum


class PhotoStatus(OpenEnum):
    """`pending` while the service fetches the photo from the URL given at import."""

    PENDING = "pending"
    READY = "ready"
    FAILED = "failed"
