from ..types import OpenEnum


class IdentifyFailedAttemptOutcome(OpenEnum):
    """How the call failed."""

    BELOW_THRESHOLD = "below_threshold"
    NO_MATCH = "no_match"
    ERROR = "error"
    TIMEOUT = "timeout"
