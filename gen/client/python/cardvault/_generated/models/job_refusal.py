from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.item_error import ItemError


T = TypeVar("T", bound="JobRefusal")


@_attrs_define
class JobRefusal:
    """A card that a job could not change, and why."""

    card_id: str
    error: ItemError | None
    refused_at: datetime.datetime
    """ An RFC 3339 time in UTC with six decimals. """
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        from ..models.item_error import ItemError  # noqa: PLC0415

        card_id = self.card_id

        error: dict[str, Any] | None
        if isinstance(self.error, ItemError):
            error = self.error.to_dict()
        else:
            error = self.error

        refused_at = self.refused_at.astimezone(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%fZ")

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "card_id": card_id,
                "error": error,
                "refused_at": refused_at,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.item_error import ItemError  # noqa: PLC0415

        d = dict(src_dict)
        card_id = d.pop("card_id")

        def _parse_error(data: object) -> ItemError | None:
            if data is None:
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                error_type_0 = ItemError.from_dict(data)

                return error_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(ItemError | None, data)

        error = _parse_error(d.pop("error"))

        refused_at = datetime.datetime.fromisoformat(d.pop("refused_at").replace("Z", "+00:00"))

        job_refusal = cls(
            card_id=card_id,
            error=error,
            refused_at=refused_at,
        )

        job_refusal.additional_properties = d
        return job_refusal

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
