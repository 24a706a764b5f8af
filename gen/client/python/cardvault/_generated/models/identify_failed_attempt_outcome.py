from ..types import OpenEnum


class IdentifyFailedAttemptOutcome(OpenEnum):
    """How it failed."""

    BELOW_THRESHOLD = "below_threshold"
    NO_MATCH = "no_match"
    ERROR = "error"
    TIMEOUT = "timeout"
