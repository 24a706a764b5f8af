from __future__ import annotations

from typing import Any, TypeAlias

from ...models.batch_completed_event import BatchCompletedEvent
from ...models.card_deleted_event import CardDeletedEvent
from ...models.card_identified_event import CardIdentifiedEvent
from ...models.card_priced_event import CardPricedEvent
from ...models.card_restored_event import CardRestoredEvent
from ...models.card_updated_event import CardUpdatedEvent
from ...models.card_workflow_status_changed_event import CardWorkflowStatusChangedEvent
from ...models.identify_failed_event import IdentifyFailedEvent
from ...models.listing_ended_event import ListingEndedEvent
from ...models.listing_published_event import ListingPublishedEvent
from ...models.listing_sold_event import ListingSoldEvent
from ...models.listing_updated_event import ListingUpdatedEvent
from ...models.sale_created_event import SaleCreatedEvent
from ...models.sale_refunded_event import SaleRefundedEvent
from ...models.sale_voided_event import SaleVoidedEvent
from ...models.unknown_event import UnknownEvent
from ...types import Request, header_values, path_segment

Result: TypeAlias = (
    BatchCompletedEvent
    | CardDeletedEvent
    | CardIdentifiedEvent
    | CardPricedEvent
    | CardRestoredEvent
    | CardUpdatedEvent
    | CardWorkflowStatusChangedEvent
    | IdentifyFailedEvent
    | ListingEndedEvent
    | ListingPublishedEvent
    | ListingSoldEvent
    | ListingUpdatedEvent
    | SaleCreatedEvent
    | SaleRefundedEvent
    | SaleVoidedEvent
    | UnknownEvent
)


def request(
    id: str,
    *,
    if_none_match: int | str | None = None,
) -> Request[Result]:
    return Request(
        "GET",
        f"/events/{path_segment('id', id)}",
        parse,
        headers=header_values(
            {
                "If-None-Match": if_none_match,
            }
        ),
    )


def parse(data: Any) -> Result:
    """Convert the JSON of a response. Raise KeyError, TypeError, ValueError or AttributeError if it is invalid."""

    def _parse_response_200(
        data: object,
    ) -> (
        BatchCompletedEvent
        | CardDeletedEvent
        | CardIdentifiedEvent
        | CardPricedEvent
        | CardRestoredEvent
        | CardUpdatedEvent
        | CardWorkflowStatusChangedEvent
        | IdentifyFailedEvent
        | ListingEndedEvent
        | ListingPublishedEvent
        | ListingSoldEvent
        | ListingUpdatedEvent
        | SaleCreatedEvent
        | SaleRefundedEvent
        | SaleVoidedEvent
        | UnknownEvent
    ):
        try:
            if not isinstance(data, dict):
                raise TypeError()
            componentsschemas_event_type_0 = CardIdentifiedEvent.from_dict(data)

            return componentsschemas_event_type_0
        except (TypeError, ValueError, AttributeError, KeyError):
            pass
        try:
            if not isinstance(data, dict):
                raise TypeError()
            componentsschemas_event_type_1 = CardPricedEvent.from_dict(data)

            return componentsschemas_event_type_1
        except (TypeError, ValueError, AttributeError, KeyError):
            pass
        try:
            if not isinstance(data, dict):
                raise TypeError()
            componentsschemas_event_type_2 = CardWorkflowStatusChangedEvent.from_dict(data)

            return componentsschemas_event_type_2
        except (TypeError, ValueError, AttributeError, KeyError):
            pass
        try:
            if not isinstance(data, dict):
                raise TypeError()
            componentsschemas_event_type_3 = ListingPublishedEvent.from_dict(data)

            return componentsschemas_event_type_3
        except (TypeError, ValueError, AttributeError, KeyError):
            pass
        try:
            if not isinstance(data, dict):
                raise TypeError()
            componentsschemas_event_type_4 = ListingSoldEvent.from_dict(data)

            return componentsschemas_event_type_4
        except (TypeError, ValueError, AttributeError, KeyError):
            pass
        try:
            if not isinstance(data, dict):
                raise TypeError()
            componentsschemas_event_type_5 = ListingEndedEvent.from_dict(data)

            return componentsschemas_event_type_5
        except (TypeError, ValueError, AttributeError, KeyError):
            pass
        try:
            if not isinstance(data, dict):
                raise TypeError()
            componentsschemas_event_type_6 = BatchCompletedEvent.from_dict(data)

            return componentsschemas_event_type_6
        except (TypeError, ValueError, AttributeError, KeyError):
            pass
        try:
            if not isinstance(data, dict):
                raise TypeError()
            componentsschemas_event_type_7 = IdentifyFailedEvent.from_dict(data)

            return componentsschemas_event_type_7
        except (TypeError, ValueError, AttributeError, KeyError):
            pass
        try:
            if not isinstance(data, dict):
                raise TypeError()
            componentsschemas_event_type_8 = CardUpdatedEvent.from_dict(data)

            return componentsschemas_event_type_8
        except (TypeError, ValueError, AttributeError, KeyError):
            pass
        try:
            if not isinstance(data, dict):
                raise TypeError()
            componentsschemas_event_type_9 = CardDeletedEvent.from_dict(data)

            return componentsschemas_event_type_9
        except (TypeError, ValueError, AttributeError, KeyError):
            pass
        try:
            if not isinstance(data, dict):
                raise TypeError()
            componentsschemas_event_type_10 = CardRestoredEvent.from_dict(data)

            return componentsschemas_event_type_10
        except (TypeError, ValueError, AttributeError, KeyError):
            pass
        try:
            if not isinstance(data, dict):
                raise TypeError()
            componentsschemas_event_type_11 = SaleCreatedEvent.from_dict(data)

            return componentsschemas_event_type_11
        except (TypeError, ValueError, AttributeError, KeyError):
            pass
        try:
            if not isinstance(data, dict):
                raise TypeError()
            componentsschemas_event_type_12 = SaleRefundedEvent.from_dict(data)

            return componentsschemas_event_type_12
        except (TypeError, ValueError, AttributeError, KeyError):
            pass
        try:
            if not isinstance(data, dict):
                raise TypeError()
            componentsschemas_event_type_13 = ListingUpdatedEvent.from_dict(data)

            return componentsschemas_event_type_13
        except (TypeError, ValueError, AttributeError, KeyError):
            pass
        try:
            if not isinstance(data, dict):
                raise TypeError()
            componentsschemas_event_type_14 = SaleVoidedEvent.from_dict(data)

            return componentsschemas_event_type_14
        except (TypeError, ValueError, AttributeError, KeyError):
            pass
        if not isinstance(data, dict):
            raise TypeError()
        componentsschemas_event_type_15 = UnknownEvent.from_dict(data)

        return componentsschemas_event_type_15

    response_200 = _parse_response_200(data)

    return response_200
