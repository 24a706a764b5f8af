from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.batch_status import BatchStatus

T = TypeVar("T", bound="Batch")


@_attrs_define
class Batch:
    id: str
    name: str
    """ The name of the batch. """
    description: None | str
    """ The description of the batch. """
    status: BatchStatus
    """ Cards can be added to and removed from open batches only. """
    card_count: int
    """ The number of cards in the batch. """
    completed_at: datetime.datetime | None
    """ An RFC 3339 time in UTC with six decimals, or null if it does not apply yet. """
    created_at: datetime.datetime
    """ An RFC 3339 time in UTC with six decimals. """
    updated_at: datetime.datetime
    """ An RFC 3339 time in UTC with six decimals. """
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        name = self.name

        description: None | str
        description = self.description

        status = str(self.status)

        card_count = self.card_count

        completed_at: None | str
        if isinstance(self.completed_at, datetime.datetime):
            completed_at = self.completed_at.astimezone(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
        else:
            completed_at = self.completed_at

        created_at = self.created_at.astimezone(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%fZ")

        updated_at = self.updated_at.astimezone(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%fZ")

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "id": id,
                "name": name,
                "description": description,
                "status": status,
                "card_count": card_count,
                "completed_at": completed_at,
                "created_at": created_at,
                "updated_at": updated_at,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        id = d.pop("id")

        name = d.pop("name")

        def _parse_description(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        description = _parse_description(d.pop("description"))

        status = BatchStatus(d.pop("status"))

        card_count = d.pop("card_count")

        def _parse_completed_at(data: object) -> datetime.datetime | None:
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

        completed_at = _parse_completed_at(d.pop("completed_at"))

        created_at = datetime.datetime.fromisoformat(d.pop("created_at").replace("Z", "+00:00"))

        updated_at = datetime.datetime.fromisoformat(d.pop("updated_at").replace("Z", "+00:00"))

        batch = cls(
            id=id,
            name=name,
            description=description,
            status=status,
            card_count=card_count,
            completed_at=completed_at,
            created_at=created_at,
            updated_at=updated_at,
        )

        batch.additional_properties = d
        return batch

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
