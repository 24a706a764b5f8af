from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.money import Money


T = TypeVar("T", bound="Comparable")


@_attrs_define
class Comparable:
    title: str
    """ The title of the card that was sold. """
    price: Money
    sold_at: datetime.datetime | None
    """ An RFC 3339 time in UTC with six decimals, or null if it does not apply yet. """
    source: str
    """ The marketplace or other source of the price. """
    age_days: int
    """ The age of the price in days: since the sale, or since the import of the price into the catalogue. """
    weight: float
    """ How much the price counts: 1 for an equal card that was sold in the last 30 days. """
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        title = self.title

        price = self.price.to_dict()

        sold_at: None | str
        if isinstance(self.sold_at, datetime.datetime):
            sold_at = self.sold_at.astimezone(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
        else:
            sold_at = self.sold_at

        source = self.source

        age_days = self.age_days

        weight = self.weight

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "title": title,
                "price": price,
                "sold_at": sold_at,
                "source": source,
                "age_days": age_days,
                "weight": weight,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.money import Money  # noqa: PLC0415

        d = dict(src_dict)
        title = d.pop("title")

        price = Money.from_dict(d.pop("price"))

        def _parse_sold_at(data: object) -> datetime.datetime | None:
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

        sold_at = _parse_sold_at(d.pop("sold_at"))

        source = d.pop("source")

        age_days = d.pop("age_days")

        weight = d.pop("weight")

        comparable = cls(
            title=title,
            price=price,
            sold_at=sold_at,
            source=source,
            age_days=age_days,
            weight=weight,
        )

        comparable.additional_properties = d
        return comparable

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
