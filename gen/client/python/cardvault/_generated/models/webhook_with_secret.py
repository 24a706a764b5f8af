from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.event_kind import EventKind

if TYPE_CHECKING:
    from ..models.previous_secret import PreviousSecret


T = TypeVar("T", bound="WebhookWithSecret")


@_attrs_define
class WebhookWithSecret:
    """A webhook with its secret. Deliveries are signed with its `previous_secrets` too."""

    id: str
    url: str
    """ The URL that receives the events. """
    events: list[EventKind]
    """ The kinds of events that are sent. Empty means the first eight of `EventKind`, from `card.identified` to
    `identify.failed`. """
    enabled: bool
    """ Whether events are sent. While it is false, deliveries wait, for up to 90 days. """
    previous_secret_expires_at: datetime.datetime | None
    """ An RFC 3339 time in UTC with six decimals, or null if it does not apply yet. """
    previous_secrets: list[PreviousSecret]
    """ The secrets that were replaced and still sign deliveries, newest first. """
    created_at: datetime.datetime
    """ An RFC 3339 time in UTC with six decimals. """
    updated_at: datetime.datetime
    """ An RFC 3339 time in UTC with six decimals. """
    secret: None | str
    """ The secret that signs deliveries. It is shown once: null in a replayed response. """
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        url = self.url

        events = []
        for events_item_data in self.events:
            events_item = str(events_item_data)
            events.append(events_item)

        enabled = self.enabled

        previous_secret_expires_at: None | str
        if isinstance(self.previous_secret_expires_at, datetime.datetime):
            previous_secret_expires_at = self.previous_secret_expires_at.astimezone(datetime.timezone.utc).strftime(
                "%Y-%m-%dT%H:%M:%S.%fZ"
            )
        else:
            previous_secret_expires_at = self.previous_secret_expires_at

        previous_secrets = []
        for previous_secrets_item_data in self.previous_secrets:
            previous_secrets_item = previous_secrets_item_data.to_dict()
            previous_secrets.append(previous_secrets_item)

        created_at = self.created_at.astimezone(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%fZ")

        updated_at = self.updated_at.astimezone(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%fZ")

        secret: None | str
        secret = self.secret

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "id": id,
                "url": url,
                "events": events,
                "enabled": enabled,
                "previous_secret_expires_at": previous_secret_expires_at,
                "previous_secrets": previous_secrets,
                "created_at": created_at,
                "updated_at": updated_at,
                "secret": secret,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.previous_secret import PreviousSecret  # noqa: PLC0415

        d = dict(src_dict)
        id = d.pop("id")

        url = d.pop("url")

        events = []
        _events = d.pop("events")
        for events_item_data in _events:
            events_item = EventKind(events_item_data)

            events.append(events_item)

        enabled = d.pop("enabled")

        def _parse_previous_secret_expires_at(data: object) -> datetime.datetime | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                componentsschemas_timestamp_or_null_type_0 = datetime.datetime.fromisoformat(
                    data.replace("Z", "+00:00")
                )

                return componentsschemas_timestamp_or_null_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.datetime | None, data)

        previous_secret_expires_at = _parse_previous_secret_expires_at(d.pop("previous_secret_expires_at"))

        previous_secrets = []
        _previous_secrets = d.pop("previous_secrets")
        for previous_secrets_item_data in _previous_secrets:
            previous_secrets_item = PreviousSecret.from_dict(previous_secrets_item_data)

            previous_secrets.append(previous_secrets_item)

        created_at = datetime.datetime.fromisoformat(d.pop("created_at").replace("Z", "+00:00"))

        updated_at = datetime.datetime.fromisoformat(d.pop("updated_at").replace("Z", "+00:00"))

        def _parse_secret(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        secret = _parse_secret(d.pop("secret"))

        webhook_with_secret = cls(
            id=id,
            url=url,
            events=events,
            enabled=enabled,
            previous_secret_expires_at=previous_secret_expires_at,
            previous_secrets=previous_secrets,
            created_at=created_at,
            updated_at=updated_at,
            secret=secret,
        )

        webhook_with_secret.additional_properties = d
        return webhook_with_secret

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
