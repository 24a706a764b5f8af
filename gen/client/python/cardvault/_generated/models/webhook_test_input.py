from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define

from ..models.event_kind import EventKind
from ..types import UNSET, Unset

T = TypeVar("T", bound="WebhookTestInput")


@_attrs_define
class WebhookTestInput:
    event: EventKind | Unset = UNSET
    """ The kind of the event. Endpoints that name no kinds get the first eight, from `card.identified` to
    `identify.failed`; the others go only to endpoints that name them. `card.updated` and `listing.updated` are
    recorded
    only while an endpoint of the account names them.
     """

    def to_dict(self) -> dict[str, Any]:
        event: str | Unset = UNSET
        if not isinstance(self.event, Unset):
            event = str(self.event)

        field_dict: dict[str, Any] = {}

        field_dict.update({})
        if event is not UNSET:
            field_dict["event"] = event

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        _event = d.pop("event", UNSET)
        event: EventKind | Unset
        if isinstance(_event, Unset):
            event = UNSET
        else:
            event = EventKind(_event)

        webhook_test_input = cls(
            event=event,
        )

        return webhook_test_input
