from ..types import OpenEnum


class WaitReason(OpenEnum):
    """Why something waits: a stable string for programs. After a failed attempt it is the reason of that attempt. New
    codes may be added."""

    BUSY = "busy"
    IDENTIFICATION_UNAVAILABLE = "identification_unavailable"
    IN_PROGRESS = "in_progress"
    INTERRUPTED = "interrupted"
    MARKETPLACE_LIMIT = "marketplace_limit"
    MARKETPLACE_NOT_CONNECTED = "marketplace_not_connected"
    MARKETPLACE_UNAVAILABLE = "marketplace_unavailable"
    PHOTO_PENDING = "photo_pending"
    PHOTO_UNREACHABLE = "photo_unreachable"
    QUEUED = "queued"
    REVISION_LIMIT = "revision_limit"
    SERVICE_PROBLEM = "service_problem"
