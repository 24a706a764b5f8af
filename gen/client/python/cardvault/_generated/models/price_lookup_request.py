from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.price_lookup_card import PriceLookupCard


T = TypeVar("T", bound="PriceLookupRequest")


@_attrs_define
class PriceLookupRequest:
    """Exactly one of `card_id` and `card`."""

    card_id: str | Unset = UNSET
    card: PriceLookupCard | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        card_id = self.card_id

        card: dict[str, Any] | Unset = UNSET
        if not isinstance(self.card, Unset):
            card = self.card.to_dict()

        field_dict: dict[str, Any] = {}

        field_dict.update({})
        if card_id is not UNSET:
            field_dict["card_id"] = card_id
        if card is not UNSET:
            field_dict["card"] = card

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.price_lookup_card import PriceLookupCard  # noqa: PLC0415

        d = dict(src_dict)
        card_id = d.pop("card_id", UNSET)

        _card = d.pop("card", UNSET)
        card: PriceLookupCard | Unset
        if isinstance(_card, Unset):
            card = UNSET
        else:
            card = PriceLookupCard.from_dict(_card)

        price_lookup_request = cls(
            card_id=card_id,
            card=card,
        )

        return price_lookup_request
