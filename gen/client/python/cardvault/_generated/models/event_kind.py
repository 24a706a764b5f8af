from ..types import OpenEnum


class EventKind(OpenEnum):
    """The kind of the event. Endpoints that name no kinds get the first eight, from `card.identified` to
    `identify.failed`; the others go only to endpoints that name them. `card.updated` and `listing.updated` are
    recorded
    only while an endpoint of the account names them."""

    CARD_IDENTIFIED = "card.identified"
    CARD_PRICED = "card.priced"
    CARD_WORKFLOW_STATUS_CHANGED = "card.workflow_status_changed"
    LISTING_PUBLISHED = "listing.published"
    LISTING_SOLD = "listing.sold"
    LISTING_ENDED = "listing.ended"
    BATCH_COMPLETED = "batch.completed"
    IDENTIFY_FAILED = "identify.failed"
    CARD_UPDATED = "card.updated"
    CARD_DELETED = "card.deleted"
    CARD_RESTORED = "card.restored"
    SALE_CREATED = "sale.created"
    SALE_REFUNDED = "sale.refunded"
    LISTING_UPDATED = "listing.updated"
    SALE_VOIDED = "sale.voided"
