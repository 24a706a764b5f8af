from ..types import OpenEnum


class IdentifyOutcomeOutcome(OpenEnum):
    """`identified` if the best candidate of a provider was accepted, otherwise `failed`."""

    IDENTIFIED = "identified"
    FAILED = "failed"
