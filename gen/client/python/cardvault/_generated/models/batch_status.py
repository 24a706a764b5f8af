from ..types import OpenEnum


class BatchStatus(OpenEnum):
    """Cards move in and out of an open batch only."""

    OPEN = "open"
    COMPLETE = "complete"
