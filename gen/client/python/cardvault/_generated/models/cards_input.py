from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.card_input import CardInput


T = TypeVar("T", bound="CardsInput")


@_attrs_define
class CardsInput:
    cards: list[CardInput]
    """ The cards. Either all of them are imported or none. """

    def to_dict(self) -> dict[str, Any]:
        cards = []
        for cards_item_data in self.cards:
            cards_item = cards_item_data.to_dict()
            cards.append(cards_item)

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "cards": cards,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.card_input import CardInput  # noqa: PLC0415

        d = dict(src_dict)
        cards = []
        _cards = d.pop("cards")
        for cards_item_data in _cards:
            cards_item = CardInput.from_dict(cards_item_data)

            cards.append(cards_item)

        cards_input = cls(
            cards=cards,
        )

        return cards_input
