from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.request_counts import RequestCounts


T = TypeVar("T", bound="HourUsage")


@_attrs_define
class HourUsage:
    """The requests of an hour, by class."""

    started_at: datetime.datetime
    """ An RFC 3339 time in UTC with six decimals. """
    read: RequestCounts
    """ The requests of one class. """
    write: RequestCounts
    """ The requests of one class. """
    ai: RequestCounts
    """ The requests of one class. """
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        started_at = self.started_at.astimezone(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%fZ")

        read = self.read.to_dict()

        write = self.write.to_dict()

        ai = self.ai.to_dict()

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "started_at": started_at,
                "read": read,
                "write": write,
                "ai": ai,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.request_counts import RequestCounts  # noqa: PLC0415

        d = dict(src_dict)
        started_at = datetime.datetime.fromisoformat(d.pop("started_at").replace("Z", "+00:00"))

        read = RequestCounts.from_dict(d.pop("read"))

        write = RequestCounts.from_dict(d.pop("write"))

        ai = RequestCounts.from_dict(d.pop("ai"))

        hour_usage = cls(
            started_at=started_at,
            read=read,
            write=write,
            ai=ai,
        )

        hour_usage.additional_properties = d
        return hour_usage

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
