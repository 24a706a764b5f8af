from ..types import OpenEnum


class IdentifyAttemptOutcome(OpenEnum):
    """The outcome of the call."""

    ACCEPTED = "accepted"
    BELOW_THRESHOLD = "below_threshold"
    NO_MATCH = "no_match"
    ERROR = "error"
    TIMEOUT = "timeout"
