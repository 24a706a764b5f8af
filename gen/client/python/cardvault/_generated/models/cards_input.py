from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define

from ..models.cards_input_on_conflict import CardsInputOnConflict
from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.card_input import CardInput
    from ..models.hints import Hints


T = TypeVar("T", bound="CardsInput")


@_attrs_define
class CardsInput:
    cards: list[CardInput]
    """ The cards. Either all of them are imported or none. """
    on_conflict: CardsInputOnConflict | Unset = UNSET
    """ What to do if a card with the same `external_id` exists. `error` refuses the request with
    `409 external_id_taken`, `skip` leaves the card unchanged, and `update` changes the given fields of the card as
    `PATCH /cards/{id}` does. `photos`, `identify` and `hints` have an effect on new cards only.
     """
    hints: Hints | Unset = UNSET
    """ What you know about the cards on photos. With `game`, only cards of this game are considered. Cards of the
    `set` and
    in the `language` come before others that match a photo equally well; if no card of the catalogue has them,
    these
    two have no effect.
     """

    def to_dict(self) -> dict[str, Any]:
        cards = []
        for cards_item_data in self.cards:
            cards_item = cards_item_data.to_dict()
            cards.append(cards_item)

        on_conflict: str | Unset = UNSET
        if not isinstance(self.on_conflict, Unset):
            on_conflict = str(self.on_conflict)

        hints: dict[str, Any] | Unset = UNSET
        if not isinstance(self.hints, Unset):
            hints = self.hints.to_dict()

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "cards": cards,
            }
        )
        if on_conflict is not UNSET:
            field_dict["on_conflict"] = on_conflict
        if hints is not UNSET:
            field_dict["hints"] = hints

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.card_input import CardInput  # noqa: PLC0415
        from ..models.hints import Hints  # noqa: PLC0415

        d = dict(src_dict)
        cards = []
        _cards = d.pop("cards")
        for cards_item_data in _cards:
            cards_item = CardInput.from_dict(cards_item_data)

            cards.append(cards_item)

        _on_conflict = d.pop("on_conflict", UNSET)
        on_conflict: CardsInputOnConflict | Unset
        if isinstance(_on_conflict, Unset):
            on_conflict = UNSET
        else:
            on_conflict = CardsInputOnConflict(_on_conflict)

        _hints = d.pop("hints", UNSET)
        hints: Hints | Unset
        if isinstance(_hints, Unset):
            hints = UNSET
        else:
            hints = Hints.from_dict(_hints)

        cards_input = cls(
            cards=cards,
            on_conflict=on_conflict,
            hints=hints,
        )

        return cards_input
