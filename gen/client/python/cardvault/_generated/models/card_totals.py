from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.currency_total import CurrencyTotal


T = TypeVar("T", bound="CardTotals")


@_attrs_define
class CardTotals:
    count: int
    """ The number of cards. """
    asking_price: list[CurrencyTotal]
    """ The sum of the asking prices in each currency. """
    cost: list[CurrencyTotal]
    """ The sum of the costs in each currency. """
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        count = self.count

        asking_price = []
        for asking_price_item_data in self.asking_price:
            asking_price_item = asking_price_item_data.to_dict()
            asking_price.append(asking_price_item)

        cost = []
        for cost_item_data in self.cost:
            cost_item = cost_item_data.to_dict()
            cost.append(cost_item)

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "count": count,
                "asking_price": asking_price,
                "cost": cost,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.currency_total import CurrencyTotal  # noqa: PLC0415

        d = dict(src_dict)
        count = d.pop("count")

        asking_price = []
        _asking_price = d.pop("asking_price")
        for asking_price_item_data in _asking_price:
            asking_price_item = CurrencyTotal.from_dict(asking_price_item_data)

            asking_price.append(asking_price_item)

        cost = []
        _cost = d.pop("cost")
        for cost_item_data in _cost:
            cost_item = CurrencyTotal.from_dict(cost_item_data)

            cost.append(cost_item)

        card_totals = cls(
            count=count,
            asking_price=asking_price,
            cost=cost,
        )

        card_totals.additional_properties = d
        return card_totals

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
