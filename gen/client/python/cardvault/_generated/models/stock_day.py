from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.stock_value import StockValue


T = TypeVar("T", bound="StockDay")


@_attrs_define
class StockDay:
    """The value of the stock on one day."""

    date: str
    """ The day, in the time zone that the account had on it. """
    count: int
    """ The number of cards in stock, also of those without a price. """
    values: list[StockValue]
    """ The currencies in which a card has an asking price or a cost, in alphabetical order. """
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        date = self.date

        count = self.count

        values = []
        for values_item_data in self.values:
            values_item = values_item_data.to_dict()
            values.append(values_item)

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "date": date,
                "count": count,
                "values": values,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.stock_value import StockValue  # noqa: PLC0415

        d = dict(src_dict)
        date = d.pop("date")

        count = d.pop("count")

        values = []
        _values = d.pop("values")
        for values_item_data in _values:
            values_item = StockValue.from_dict(values_item_data)

            values.append(values_item)

        stock_day = cls(
            date=date,
            count=count,
            values=values,
        )

        stock_day.additional_properties = d
        return stock_day

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
