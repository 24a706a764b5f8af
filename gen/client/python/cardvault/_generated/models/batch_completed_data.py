from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

T = TypeVar("T", bound="BatchCompletedData")


@_attrs_define
class BatchCompletedData:
    """A batch was marked complete."""

    batch_id: str
    name: str
    """ The name of the batch. """
    card_count: int
    """ The number of cards in the batch. """
    completed_at: datetime.datetime
    """ An RFC 3339 time in UTC with six decimals. """
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        batch_id = self.batch_id

        name = self.name

        card_count = self.card_count

        completed_at = self.completed_at.astimezone(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%fZ")

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "batch_id": batch_id,
                "name": name,
                "card_count": card_count,
                "completed_at": completed_at,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        batch_id = d.pop("batch_id")

        name = d.pop("name")

        card_count = d.pop("card_count")

        completed_at = datetime.datetime.fromisoformat(d.pop("completed_at").replace("Z", "+00:00"))

        batch_completed_data = cls(
            batch_id=batch_id,
            name=name,
            card_count=card_count,
            completed_at=completed_at,
        )

        batch_completed_data.additional_properties = d
        return batch_completed_data

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
