from ..types import OpenEnum


class IdentifyOutcomeOutcome(OpenEnum):
    """Whether a provider's best candidate was accepted."""

    IDENTIFIED = "identified"
    FAILED = "failed"
