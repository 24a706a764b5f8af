from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define

from ..models.condition import Condition
from ..models.game import Game
from ..models.scan_cards import ScanCards
from ..models.scan_pairing import ScanPairing
from ..types import UNSET, Unset

T = TypeVar("T", bound="ScanInput")


@_attrs_define
class ScanInput:
    """The photos of a scan, and what all of its cards have in common."""

    photos: list[Any]
    """ The files of the photos: JPEG, PNG, WebP, HEIC or AVIF images of at most 15 MiB, with 300 to 12,000 pixels
    on each side. Each has a file name. """
    pairing: ScanPairing | Unset = UNSET
    """ Which photos show the same card. With `none`, each photo is the front of a card. With `order`, the photos
    are a
    front, its back, the next front and so on, so their number is even. With `name`, two files are the front and the
    back of a card if their names, without the extension, differ only by one of these pairs of endings: `-front` and
    `-back`, `_f` and `_b`, `-1` and `-2`, `(1)` and `(2)`. The case of letters does not matter. A file without a
    partner is the front of a card. The default is `none`.
     """
    cards: ScanCards | Unset = UNSET
    """ How many cards a photo shows. With `many`, the cards on each photo, such as a page of a binder or a tray,
    are found,
    cut out and straightened, and each becomes a card with its cut as the front. The whole photo is not kept. A
    photo on
    which less than two cards are found becomes one card, with the whole photo. With `many`, send at most 5 photos,
    each
    of at most 30 cards, and no pairs. The default is `one`.
     """
    batch_id: str | Unset = UNSET
    location: str | Unset = UNSET
    """ The place where the card is stored. A path of 1 to 5 segments separated by `/`, outermost first. """
    condition: Condition | Unset = UNSET
    """ Near mint, lightly played, moderately played, heavily played, damaged. """
    game: Game | Unset = UNSET
    """ The game or kind of card. """

    def to_dict(self) -> dict[str, Any]:
        photos = self.photos

        pairing: str | Unset = UNSET
        if not isinstance(self.pairing, Unset):
            pairing = str(self.pairing)

        cards: str | Unset = UNSET
        if not isinstance(self.cards, Unset):
            cards = str(self.cards)

        batch_id = self.batch_id

        location = self.location

        condition: str | Unset = UNSET
        if not isinstance(self.condition, Unset):
            condition = str(self.condition)

        game: str | Unset = UNSET
        if not isinstance(self.game, Unset):
            game = str(self.game)

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "photos": photos,
            }
        )
        if pairing is not UNSET:
            field_dict["pairing"] = pairing
        if cards is not UNSET:
            field_dict["cards"] = cards
        if batch_id is not UNSET:
            field_dict["batch_id"] = batch_id
        if location is not UNSET:
            field_dict["location"] = location
        if condition is not UNSET:
            field_dict["condition"] = condition
        if game is not UNSET:
            field_dict["game"] = game

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        photos = cast(list[Any], d.pop("photos"))

        _pairing = d.pop("pairing", UNSET)
        pairing: ScanPairing | Unset
        if isinstance(_pairing, Unset):
            pairing = UNSET
        else:
            pairing = ScanPairing(_pairing)

        _cards = d.pop("cards", UNSET)
        cards: ScanCards | Unset
        if isinstance(_cards, Unset):
            cards = UNSET
        else:
            cards = ScanCards(_cards)

        batch_id = d.pop("batch_id", UNSET)

        location = d.pop("location", UNSET)

        _condition = d.pop("condition", UNSET)
        condition: Condition | Unset
        if isinstance(_condition, Unset):
            condition = UNSET
        else:
            condition = Condition(_condition)

        _game = d.pop("game", UNSET)
        game: Game | Unset
        if isinstance(_game, Unset):
            game = UNSET
        else:
            game = Game(_game)

        scan_input = cls(
            photos=photos,
            pairing=pairing,
            cards=cards,
            batch_id=batch_id,
            location=location,
            condition=condition,
            game=game,
        )

        return scan_input
