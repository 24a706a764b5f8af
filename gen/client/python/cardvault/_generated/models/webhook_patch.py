from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define

from ..models.event_kind import EventKind
from ..types import UNSET, Unset

T = TypeVar("T", bound="WebhookPatch")


@_attrs_define
class WebhookPatch:
    """The fields to change. Fields that are left out keep their values."""

    url: str | Unset = UNSET
    """ A public HTTPS URL. An international host name is stored in punycode. """
    events: list[EventKind] | Unset = UNSET
    """ The kinds of events to send. Empty means the first eight of `EventKind`, from `card.identified` to
    `identify.failed`. """
    enabled: bool | Unset = UNSET
    """ false stops deliveries, which then wait; true resumes them. """

    def to_dict(self) -> dict[str, Any]:
        url = self.url

        events: list[str] | Unset = UNSET
        if not isinstance(self.events, Unset):
            events = []
            for events_item_data in self.events:
                events_item = str(events_item_data)
                events.append(events_item)

        enabled = self.enabled

        field_dict: dict[str, Any] = {}

        field_dict.update({})
        if url is not UNSET:
            field_dict["url"] = url
        if events is not UNSET:
            field_dict["events"] = events
        if enabled is not UNSET:
            field_dict["enabled"] = enabled

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        url = d.pop("url", UNSET)

        _events = d.pop("events", UNSET)
        events: list[EventKind] | Unset = UNSET
        if _events is not UNSET:
            events = []
            for events_item_data in _events:
                events_item = EventKind(events_item_data)

                events.append(events_item)

        enabled = d.pop("enabled", UNSET)

        webhook_patch = cls(
            url=url,
            events=events,
            enabled=enabled,
        )

        return webhook_patch
