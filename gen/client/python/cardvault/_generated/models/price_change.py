from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define

from ..models.price_change_of import PriceChangeOf
from ..types import UNSET, Unset

T = TypeVar("T", bound="PriceChange")


@_attrs_define
class PriceChange:
    """A new asking price: the present one, or an estimate, changed by percent and rounded half up to the minor unit. A
    card whose price would be less than one minor unit is refused with `invalid_request`. A card without the price that
    is changed is refused: with `card_not_priced` if it has no asking price, with `card_not_identified` or
    `no_price_found` if it has no estimate.

    """

    percent: float
    """ The change in percent, negative to lower the price. Decimals after the second are rounded. """
    of: PriceChangeOf | Unset = UNSET
    """ The price that is changed: the asking price, or the `price` that `POST /price-lookup` returns for the card.
    """
    round_to_99: bool | Unset = UNSET
    """ Whether to round to the nearest price that ends in .99, or in .990 for a currency with three decimals. It
    does not apply to currencies without decimals, and not where rounding would move the price by more than half a
    unit or by more than the change: a negative `percent` never raises a price, and a positive one never lowers it.
    """

    def to_dict(self) -> dict[str, Any]:
        percent = self.percent

        of: str | Unset = UNSET
        if not isinstance(self.of, Unset):
            of = str(self.of)

        round_to_99 = self.round_to_99

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "percent": percent,
            }
        )
        if of is not UNSET:
            field_dict["of"] = of
        if round_to_99 is not UNSET:
            field_dict["round_to_99"] = round_to_99

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        percent = d.pop("percent")

        _of = d.pop("of", UNSET)
        of: PriceChangeOf | Unset
        if isinstance(_of, Unset):
            of = UNSET
        else:
            of = PriceChangeOf(_of)

        round_to_99 = d.pop("round_to_99", UNSET)

        price_change = cls(
            percent=percent,
            of=of,
            round_to_99=round_to_99,
        )

        return price_change
