from ..types import OpenEnum


class BatchStatus(OpenEnum):
    """Cards can be added to and removed from open batches only."""

    OPEN = "open"
    COMPLETE = "complete"
