from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.price_estimate_basis import PriceEstimateBasis

if TYPE_CHECKING:
    from ..models.comparable import Comparable
    from ..models.excluded_comparable import ExcludedComparable
    from ..models.money import Money


T = TypeVar("T", bound="PriceEstimate")


@_attrs_define
class PriceEstimate:
    price: Money
    low: Money
    high: Money
    basis: PriceEstimateBasis
    """ The source of the prices. """
    sample_size: int
    """ The number of prices that the estimate is based on. """
    newest_age_days: int
    """ The age of the newest of these prices in days. """
    comparables: list[Comparable]
    """ Up to 20 of these prices, newest first. """
    excluded: list[ExcludedComparable]
    """ Up to 20 prices that were found but are not used, newest first. """
    as_of: datetime.datetime
    """ An RFC 3339 time in UTC with six decimals. """
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        price = self.price.to_dict()

        low = self.low.to_dict()

        high = self.high.to_dict()

        basis = str(self.basis)

        sample_size = self.sample_size

        newest_age_days = self.newest_age_days

        comparables = []
        for comparables_item_data in self.comparables:
            comparables_item = comparables_item_data.to_dict()
            comparables.append(comparables_item)

        excluded = []
        for excluded_item_data in self.excluded:
            excluded_item = excluded_item_data.to_dict()
            excluded.append(excluded_item)

        as_of = self.as_of.astimezone(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%fZ")

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "price": price,
                "low": low,
                "high": high,
                "basis": basis,
                "sample_size": sample_size,
                "newest_age_days": newest_age_days,
                "comparables": comparables,
                "excluded": excluded,
                "as_of": as_of,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.comparable import Comparable  # noqa: PLC0415
        from ..models.excluded_comparable import ExcludedComparable  # noqa: PLC0415
        from ..models.money import Money  # noqa: PLC0415

        d = dict(src_dict)
        price = Money.from_dict(d.pop("price"))

        low = Money.from_dict(d.pop("low"))

        high = Money.from_dict(d.pop("high"))

        basis = PriceEstimateBasis(d.pop("basis"))

        sample_size = d.pop("sample_size")

        newest_age_days = d.pop("newest_age_days")

        comparables = []
        _comparables = d.pop("comparables")
        for comparables_item_data in _comparables:
            comparables_item = Comparable.from_dict(comparables_item_data)

            comparables.append(comparables_item)

        excluded = []
        _excluded = d.pop("excluded")
        for excluded_item_data in _excluded:
            excluded_item = ExcludedComparable.from_dict(excluded_item_data)

            excluded.append(excluded_item)

        as_of = datetime.datetime.fromisoformat(d.pop("as_of").replace("Z", "+00:00"))

        price_estimate = cls(
            price=price,
            low=low,
            high=high,
            basis=basis,
            sample_size=sample_size,
            newest_age_days=newest_age_days,
            comparables=comparables,
            excluded=excluded,
            as_of=as_of,
        )

        price_estimate.additional_properties = d
        return price_estimate

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
