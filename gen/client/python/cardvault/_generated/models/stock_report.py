from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.stock_day import StockDay


T = TypeVar("T", bound="StockReport")


@_attrs_define
class StockReport:
    days: int
    """ The number of days that the report covers, today included. """
    time_zone: str
    """ The time zone of the account. """
    data: list[StockDay]
    """ The days that were recorded, in order. The last one is today. """
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        days = self.days

        time_zone = self.time_zone

        data = []
        for data_item_data in self.data:
            data_item = data_item_data.to_dict()
            data.append(data_item)

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "days": days,
                "time_zone": time_zone,
                "data": data,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.stock_day import StockDay  # noqa: PLC0415

        d = dict(src_dict)
        days = d.pop("days")

        time_zone = d.pop("time_zone")

        data = []
        _data = d.pop("data")
        for data_item_data in _data:
            data_item = StockDay.from_dict(data_item_data)

            data.append(data_item)

        stock_report = cls(
            days=days,
            time_zone=time_zone,
            data=data,
        )

        stock_report.additional_properties = d
        return stock_report

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
