"""The events of webhooks and `list_events`, with a class for each kind.

Match the class: `match event: case events.ListingSoldEvent(): event.data.sold_price`. An event of a kind that this
version does not know is an `UnknownEvent`, whose `data` is the JSON object of the service.
"""

from __future__ import annotations

from ._generated.api.events.get_event import Result as Event
from ._generated.api.events.get_event import parse as parse_event
from ._generated.models import (
    BatchCompletedEvent,
    CardDeletedEvent,
    CardIdentifiedEvent,
    CardPricedEvent,
    CardRestoredEvent,
    CardUpdatedEvent,
    CardWorkflowStatusChangedEvent,
    EventKind,
    IdentifyFailedEvent,
    ListingEndedEvent,
    ListingPublishedEvent,
    ListingSoldEvent,
    ListingUpdatedEvent,
    SaleCreatedEvent,
    SaleRefundedEvent,
    SaleVoidedEvent,
    UnknownEvent,
)

__all__ = [
    "BatchCompletedEvent",
    "CardDeletedEvent",
    "CardIdentifiedEvent",
    "CardPricedEvent",
    "CardRestoredEvent",
    "CardUpdatedEvent",
    "CardWorkflowStatusChangedEvent",
    "Event",
    "EventKind",
    "IdentifyFailedEvent",
    "ListingEndedEvent",
    "ListingPublishedEvent",
    "ListingSoldEvent",
    "ListingUpdatedEvent",
    "SaleCreatedEvent",
    "SaleRefundedEvent",
    "SaleVoidedEvent",
    "UnknownEvent",
    "parse_event",
]
