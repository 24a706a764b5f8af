"""What happened in the account, as webhooks and `list_events` tell it: one class for each kind.

Tell them apart by class: `match event: case events.ListingSoldEvent(): event.data.sold_price`. A kind that is newer
than this package is an `UnknownEvent`, whose `data` is as it came.
"""

from __future__ import annotations

from ._generated.api.events.get_event import Result as Event
from ._generated.api.events.get_event import parse as parse_event
from ._generated.models import (
    BatchCompletedEvent,
    CardDeletedEvent,
    CardIdentifiedEvent,
    CardPricedEvent,
    CardUpdatedEvent,
    CardWorkflowStatusChangedEvent,
    EventKind,
    IdentifyFailedEvent,
    ListingEndedEvent,
    ListingPublishedEvent,
    ListingSoldEvent,
    SaleCreatedEvent,
    SaleRefundedEvent,
    UnknownEvent,
)

__all__ = [
    "BatchCompletedEvent",
    "CardDeletedEvent",
    "CardIdentifiedEvent",
    "CardPricedEvent",
    "CardUpdatedEvent",
    "CardWorkflowStatusChangedEvent",
    "Event",
    "EventKind",
    "IdentifyFailedEvent",
    "ListingEndedEvent",
    "ListingPublishedEvent",
    "ListingSoldEvent",
    "SaleCreatedEvent",
    "SaleRefundedEvent",
    "UnknownEvent",
    "parse_event",
]
