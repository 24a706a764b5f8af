from ..types import OpenEnum


class IdentifyAttemptOutcome(OpenEnum):
    """What came of it."""

    ACCEPTED = "accepted"
    BELOW_THRESHOLD = "below_threshold"
    NO_MATCH = "no_match"
    ERROR = "error"
    TIMEOUT = "timeout"
