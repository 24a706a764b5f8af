from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.batch_completed_event import BatchCompletedEvent
    from ..models.card_deleted_event import CardDeletedEvent
    from ..models.card_identified_event import CardIdentifiedEvent
    from ..models.card_priced_event import CardPricedEvent
    from ..models.card_restored_event import CardRestoredEvent
    from ..models.card_updated_event import CardUpdatedEvent
    from ..models.card_workflow_status_changed_event import CardWorkflowStatusChangedEvent
    from ..models.identify_failed_event import IdentifyFailedEvent
    from ..models.listing_ended_event import ListingEndedEvent
    from ..models.listing_published_event import ListingPublishedEvent
    from ..models.listing_sold_event import ListingSoldEvent
    from ..models.listing_updated_event import ListingUpdatedEvent
    from ..models.sale_created_event import SaleCreatedEvent
    from ..models.sale_refunded_event import SaleRefundedEvent
    from ..models.sale_voided_event import SaleVoidedEvent
    from ..models.unknown_event import UnknownEvent


T = TypeVar("T", bound="EventPage")


@_attrs_define
class EventPage:
    data: list[
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
    ]
    has_more: bool
    """ Whether there is another page. """
    next_cursor: None | str
    """ Pass it as `cursor` to get the next page. Null on the last page. """
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        from ..models.batch_completed_event import BatchCompletedEvent  # noqa: PLC0415
        from ..models.card_deleted_event import CardDeletedEvent  # noqa: PLC0415
        from ..models.card_identified_event import CardIdentifiedEvent  # noqa: PLC0415
        from ..models.card_priced_event import CardPricedEvent  # noqa: PLC0415
        from ..models.card_restored_event import CardRestoredEvent  # noqa: PLC0415
        from ..models.card_updated_event import CardUpdatedEvent  # noqa: PLC0415
        from ..models.card_workflow_status_changed_event import (
            CardWorkflowStatusChangedEvent,  # noqa: PLC0415
        )
        from ..models.identify_failed_event import IdentifyFailedEvent  # noqa: PLC0415
        from ..models.listing_ended_event import ListingEndedEvent  # noqa: PLC0415
        from ..models.listing_published_event import ListingPublishedEvent  # noqa: PLC0415
        from ..models.listing_sold_event import ListingSoldEvent  # noqa: PLC0415
        from ..models.listing_updated_event import ListingUpdatedEvent  # noqa: PLC0415
        from ..models.sale_created_event import SaleCreatedEvent  # noqa: PLC0415
        from ..models.sale_refunded_event import SaleRefundedEvent  # noqa: PLC0415
        from ..models.sale_voided_event import SaleVoidedEvent  # noqa: PLC0415

        data = []
        for data_item_data in self.data:
            data_item: dict[str, Any]
            if isinstance(data_item_data, CardIdentifiedEvent):
                data_item = data_item_data.to_dict()
            elif isinstance(data_item_data, CardPricedEvent):
                data_item = data_item_data.to_dict()
            elif isinstance(data_item_data, CardWorkflowStatusChangedEvent):
                data_item = data_item_data.to_dict()
            elif isinstance(data_item_data, ListingPublishedEvent):
                data_item = data_item_data.to_dict()
            elif isinstance(data_item_data, ListingSoldEvent):
                data_item = data_item_data.to_dict()
            elif isinstance(data_item_data, ListingEndedEvent):
                data_item = data_item_data.to_dict()
            elif isinstance(data_item_data, BatchCompletedEvent):
                data_item = data_item_data.to_dict()
            elif isinstance(data_item_data, IdentifyFailedEvent):
                data_item = data_item_data.to_dict()
            elif isinstance(data_item_data, CardUpdatedEvent):
                data_item = data_item_data.to_dict()
            elif isinstance(data_item_data, CardDeletedEvent):
                data_item = data_item_data.to_dict()
            elif isinstance(data_item_data, CardRestoredEvent):
                data_item = data_item_data.to_dict()
            elif isinstance(data_item_data, SaleCreatedEvent):
                data_item = data_item_data.to_dict()
            elif isinstance(data_item_data, SaleRefundedEvent):
                data_item = data_item_data.to_dict()
            elif isinstance(data_item_data, ListingUpdatedEvent):
                data_item = data_item_data.to_dict()
            elif isinstance(data_item_data, SaleVoidedEvent):
                data_item = data_item_data.to_dict()
            else:
                data_item = data_item_data.to_dict()

            data.append(data_item)

        has_more = self.has_more

        next_cursor: None | str
        next_cursor = self.next_cursor

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "data": data,
                "has_more": has_more,
                "next_cursor": next_cursor,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.batch_completed_event import BatchCompletedEvent  # noqa: PLC0415
        from ..models.card_deleted_event import CardDeletedEvent  # noqa: PLC0415
        from ..models.card_identified_event import CardIdentifiedEvent  # noqa: PLC0415
        from ..models.card_priced_event import CardPricedEvent  # noqa: PLC0415
        from ..models.card_restored_event import CardRestoredEvent  # noqa: PLC0415
        from ..models.card_updated_event import CardUpdatedEvent  # noqa: PLC0415
        from ..models.card_workflow_status_changed_event import (
            CardWorkflowStatusChangedEvent,  # noqa: PLC0415
        )
        from ..models.identify_failed_event import IdentifyFailedEvent  # noqa: PLC0415
        from ..models.listing_ended_event import ListingEndedEvent  # noqa: PLC0415
        from ..models.listing_published_event import ListingPublishedEvent  # noqa: PLC0415
        from ..models.listing_sold_event import ListingSoldEvent  # noqa: PLC0415
        from ..models.listing_updated_event import ListingUpdatedEvent  # noqa: PLC0415
        from ..models.sale_created_event import SaleCreatedEvent  # noqa: PLC0415
        from ..models.sale_refunded_event import SaleRefundedEvent  # noqa: PLC0415
        from ..models.sale_voided_event import SaleVoidedEvent  # noqa: PLC0415
        from ..models.unknown_event import UnknownEvent  # noqa: PLC0415

        d = dict(src_dict)
        data = []
        _data = d.pop("data")
        for data_item_data in _data:

            def _parse_data_item(
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

            data_item = _parse_data_item(data_item_data)

            data.append(data_item)

        has_more = d.pop("has_more")

        def _parse_next_cursor(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        next_cursor = _parse_next_cursor(d.pop("next_cursor"))

        event_page = cls(
            data=data,
            has_more=has_more,
            next_cursor=next_cursor,
        )

        event_page.additional_properties = d
        return event_page

    @property
    def additional_keys(self) -> list[str]:
        return list(self.additional_properties.keys())

    def __getitem__(self, key: str) -> Any:
        return self.additional_properties[key]

    def __setitem__(self, key: str, value: Any) -> None:
        self.additional_properties[key] = value

    def __delitem__(self, key: str) -> None:
        del self.additional_properties[key]

    def __contains__(self, key: str) -> bool:
        return key in self.additional_properties
