from ..types import OpenEnum


class EventKind(OpenEnum):
    """The kind of the event."""

    CARD_IDENTIFIED = "card.identified"
    CARD_PRICED = "card.priced"
    CARD_WORKFLOW_STATUS_CHANGED = "card.workflow_status_changed"
    LISTING_PUBLISHED = "listing.published"
    LISTING_SOLD = "listing.sold"
    LISTING_ENDED = "listing.ended"
    BATCH_COMPLETED = "batch.completed"
    IDENTIFY_FAILED = "identify.failed"
