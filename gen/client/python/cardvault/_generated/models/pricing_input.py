from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.money import Money


T = TypeVar("T", bound="PricingInput")


@_attrs_define
class PricingInput:
    """The asking price, the lowest asking price that the card may have, and the cost of the card."""

    asking_price: Money | Unset = UNSET
    floor_price: Money | Unset = UNSET
    cost: Money | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        asking_price: dict[str, Any] | Unset = UNSET
        if not isinstance(self.asking_price, Unset):
            asking_price = self.asking_price.to_dict()

        floor_price: dict[str, Any] | Unset = UNSET
        if not isinstance(self.floor_price, Unset):
            floor_price = self.floor_price.to_dict()

        cost: dict[str, Any] | Unset = UNSET
        if not isinstance(self.cost, Unset):
            cost = self.cost.to_dict()

        field_dict: dict[str, Any] = {}

        field_dict.update({})
        if asking_price is not UNSET:
            field_dict["asking_price"] = asking_price
        if floor_price is not UNSET:
            field_dict["floor_price"] = floor_price
        if cost is not UNSET:
            field_dict["cost"] = cost

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.money import Money  # noqa: PLC0415

        d = dict(src_dict)
        _asking_price = d.pop("asking_price", UNSET)
        asking_price: Money | Unset
        if isinstance(_asking_price, Unset):
            asking_price = UNSET
        else:
            asking_price = Money.from_dict(_asking_price)

        _floor_price = d.pop("floor_price", UNSET)
        floor_price: Money | Unset
        if isinstance(_floor_price, Unset):
            floor_price = UNSET
        else:
            floor_price = Money.from_dict(_floor_price)

        _cost = d.pop("cost", UNSET)
        cost: Money | Unset
        if isinstance(_cost, Unset):
            cost = UNSET
        else:
            cost = Money.from_dict(_cost)

        pricing_input = cls(
            asking_price=asking_price,
            floor_price=floor_price,
            cost=cost,
        )

        return pricing_input
