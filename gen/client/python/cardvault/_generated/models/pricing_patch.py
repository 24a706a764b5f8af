from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.money import Money


T = TypeVar("T", bound="PricingPatch")


@_attrs_define
class PricingPatch:
    """Absent fields stay unchanged, and null clears a field."""

    asking_price: Money | None | Unset = UNSET
    floor_price: Money | None | Unset = UNSET
    cost: Money | None | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        from ..models.money import Money  # noqa: PLC0415

        asking_price: dict[str, Any] | None | Unset
        if isinstance(self.asking_price, Unset):
            asking_price = UNSET
        elif isinstance(self.asking_price, Money):
            asking_price = self.asking_price.to_dict()
        else:
            asking_price = self.asking_price

        floor_price: dict[str, Any] | None | Unset
        if isinstance(self.floor_price, Unset):
            floor_price = UNSET
        elif isinstance(self.floor_price, Money):
            floor_price = self.floor_price.to_dict()
        else:
            floor_price = self.floor_price

        cost: dict[str, Any] | None | Unset
        if isinstance(self.cost, Unset):
            cost = UNSET
        elif isinstance(self.cost, Money):
            cost = self.cost.to_dict()
        else:
            cost = self.cost

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

        def _parse_asking_price(data: object) -> Money | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                asking_price_type_0 = Money.from_dict(data)

                return asking_price_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(Money | None | Unset, data)

        asking_price = _parse_asking_price(d.pop("asking_price", UNSET))

        def _parse_floor_price(data: object) -> Money | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                floor_price_type_0 = Money.from_dict(data)

                return floor_price_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(Money | None | Unset, data)

        floor_price = _parse_floor_price(d.pop("floor_price", UNSET))

        def _parse_cost(data: object) -> Money | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                cost_type_0 = Money.from_dict(data)

                return cost_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(Money | None | Unset, data)

        cost = _parse_cost(d.pop("cost", UNSET))

        pricing_patch = cls(
            asking_price=asking_price,
            floor_price=floor_price,
            cost=cost,
        )

        return pricing_patch
