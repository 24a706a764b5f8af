from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.currency import Currency

T = TypeVar("T", bound="StockValue")


@_attrs_define
class StockValue:
    """The value of the cards in one currency, in minor units."""

    currency: Currency
    """ An ISO 4217 currency code. """
    count: int
    """ The number of cards that have an asking price or a cost in this currency. """
    asking_price: int
    """ The sum of the asking prices. """
    cost: int
    """ The sum of the costs. """
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        currency = str(self.currency)

        count = self.count

        asking_price = self.asking_price

        cost = self.cost

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "currency": currency,
                "count": count,
                "asking_price": asking_price,
                "cost": cost,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        currency = Currency(d.pop("currency"))

        count = d.pop("count")

        asking_price = d.pop("asking_price")

        cost = d.pop("cost")

        stock_value = cls(
            currency=currency,
            count=count,
            asking_price=asking_price,
            cost=cost,
        )

        stock_value.additional_properties = d
        return stock_value

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
