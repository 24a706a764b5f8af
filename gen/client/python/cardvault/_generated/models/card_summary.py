from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.card_grouping import CardGrouping

if TYPE_CHECKING:
    from ..models.card_group import CardGroup
    from ..models.card_totals import CardTotals


T = TypeVar("T", bound="CardSummary")


@_attrs_define
class CardSummary:
    group_by: CardGrouping
    """ The field by which cards are grouped. """
    as_of: datetime.datetime
    """ An RFC 3339 time in UTC with six decimals. """
    total: CardTotals
    group_count: int
    """ The number of groups, also of those that `data` leaves out. """
    data: list[CardGroup]
    """ The 1,000 groups with the most cards, in order of their number. """
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        group_by = str(self.group_by)

        as_of = self.as_of.astimezone(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%fZ")

        total = self.total.to_dict()

        group_count = self.group_count

        data = []
        for data_item_data in self.data:
            data_item = data_item_data.to_dict()
            data.append(data_item)

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "group_by": group_by,
                "as_of": as_of,
                "total": total,
                "group_count": group_count,
                "data": data,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.card_group import CardGroup  # noqa: PLC0415
        from ..models.card_totals import CardTotals  # noqa: PLC0415

        d = dict(src_dict)
        group_by = CardGrouping(d.pop("group_by"))

        as_of = datetime.datetime.fromisoformat(d.pop("as_of").replace("Z", "+00:00"))

        total = CardTotals.from_dict(d.pop("total"))

        group_count = d.pop("group_count")

        data = []
        _data = d.pop("data")
        for data_item_data in _data:
            data_item = CardGroup.from_dict(data_item_data)

            data.append(data_item)

        card_summary = cls(
            group_by=group_by,
            as_of=as_of,
            total=total,
            group_count=group_count,
            data=data,
        )

        card_summary.additional_properties = d
        return card_summary

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
