from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.money import Money


T = TypeVar("T", bound="Pricing")


@_attrs_define
class Pricing:
    """The asking price, the floor price and the cost of the card. The asking price is the price of the card's listing
    too: a change while the listing is `live` revises the listing. `floor_price` is the lowest asking price that the
    card may have, in the currency of the asking price; a card without one has that of the account.

    """

    asking_price: Money | None
    floor_price: Money | None
    cost: Money | None
    priced_at: datetime.datetime | None
    """ An RFC 3339 time in UTC with six decimals, or null if it does not apply yet. """
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        from ..models.money import Money  # noqa: PLC0415

        asking_price: dict[str, Any] | None
        if isinstance(self.asking_price, Money):
            asking_price = self.asking_price.to_dict()
        else:
            asking_price = self.asking_price

        floor_price: dict[str, Any] | None
        if isinstance(self.floor_price, Money):
            floor_price = self.floor_price.to_dict()
        else:
            floor_price = self.floor_price

        cost: dict[str, Any] | None
        if isinstance(self.cost, Money):
            cost = self.cost.to_dict()
        else:
            cost = self.cost

        priced_at: None | str
        if isinstance(self.priced_at, datetime.datetime):
            priced_at = self.priced_at.astimezone(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
        else:
            priced_at = self.priced_at

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "asking_price": asking_price,
                "floor_price": floor_price,
                "cost": cost,
                "priced_at": priced_at,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.money import Money  # noqa: PLC0415

        d = dict(src_dict)

        def _parse_asking_price(data: object) -> Money | None:
            if data is None:
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                asking_price_type_0 = Money.from_dict(data)

                return asking_price_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(Money | None, data)

        asking_price = _parse_asking_price(d.pop("asking_price"))

        def _parse_floor_price(data: object) -> Money | None:
            if data is None:
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                floor_price_type_0 = Money.from_dict(data)

                return floor_price_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(Money | None, data)

        floor_price = _parse_floor_price(d.pop("floor_price"))

        def _parse_cost(data: object) -> Money | None:
            if data is None:
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                cost_type_0 = Money.from_dict(data)

                return cost_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(Money | None, data)

        cost = _parse_cost(d.pop("cost"))

        def _parse_priced_at(data: object) -> datetime.datetime | None:
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

        priced_at = _parse_priced_at(d.pop("priced_at"))

        pricing = cls(
            asking_price=asking_price,
            floor_price=floor_price,
            cost=cost,
            priced_at=priced_at,
        )

        pricing.additional_properties = d
        return pricing

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
