from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.hour_usage import HourUsage
    from ..models.token_usage import TokenUsage


T = TypeVar("T", bound="AccountUsage")


@_attrs_define
class AccountUsage:
    since: datetime.datetime
    """ An RFC 3339 time in UTC with six decimals. """
    before: datetime.datetime
    """ An RFC 3339 time in UTC with six decimals. """
    hours: list[HourUsage]
    """ Each hour from `since` until `before`, the oldest first. The last one is the current hour. """
    tokens: list[TokenUsage]
    """ The tokens that sent requests, the one with the most requests first. """
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        since = self.since.astimezone(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%fZ")

        before = self.before.astimezone(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%fZ")

        hours = []
        for hours_item_data in self.hours:
            hours_item = hours_item_data.to_dict()
            hours.append(hours_item)

        tokens = []
        for tokens_item_data in self.tokens:
            tokens_item = tokens_item_data.to_dict()
            tokens.append(tokens_item)

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "since": since,
                "before": before,
                "hours": hours,
                "tokens": tokens,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.hour_usage import HourUsage  # noqa: PLC0415
        from ..models.token_usage import TokenUsage  # noqa: PLC0415

        d = dict(src_dict)
        since = datetime.datetime.fromisoformat(d.pop("since").replace("Z", "+00:00"))

        before = datetime.datetime.fromisoformat(d.pop("before").replace("Z", "+00:00"))

        hours = []
        _hours = d.pop("hours")
        for hours_item_data in _hours:
            hours_item = HourUsage.from_dict(hours_item_data)

            hours.append(hours_item)

        tokens = []
        _tokens = d.pop("tokens")
        for tokens_item_data in _tokens:
            tokens_item = TokenUsage.from_dict(tokens_item_data)

            tokens.append(tokens_item)

        account_usage = cls(
            since=since,
            before=before,
            hours=hours,
            tokens=tokens,
        )

        account_usage.additional_properties = d
        return account_usage

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
