from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define

from ..types import UNSET, Unset

T = TypeVar("T", bound="PriceChange")


@_attrs_define
class PriceChange:
    """A change of the asking price by percent, rounded half up to the minor unit. A card without an asking price is
    refused with `card_not_priced`.

    """

    percent: float
    """ The change in percent, negative to lower the price. Decimals after the second are rounded. """
    round_to_99: bool | Unset = UNSET
    """ Whether to round to the nearest price that ends in .99. It does not apply to currencies without decimals.
    """

    def to_dict(self) -> dict[str, Any]:
        percent = self.percent

        round_to_99 = self.round_to_99

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "percent": percent,
            }
        )
        if round_to_99 is not UNSET:
            field_dict["round_to_99"] = round_to_99

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        percent = d.pop("percent")

        round_to_99 = d.pop("round_to_99", UNSET)

        price_change = cls(
            percent=percent,
            round_to_99=round_to_99,
        )

        return price_change
