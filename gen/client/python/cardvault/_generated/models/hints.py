from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define

from ..models.game import Game
from ..types import UNSET, Unset

T = TypeVar("T", bound="Hints")


@_attrs_define
class Hints:
    """What you know about the cards on photos. With `game`, only cards of this game are considered. Cards of the `set` and
    in the `language` come before others that match a photo equally well; if no card of the catalogue has them, these
    two have no effect.

    """

    game: Game | Unset = UNSET
    """ The game or kind of card. """
    set_: str | Unset = UNSET
    """ The name or the code of the set. """
    language: str | Unset = UNSET
    """ A BCP 47 language tag. """

    def to_dict(self) -> dict[str, Any]:
        game: str | Unset = UNSET
        if not isinstance(self.game, Unset):
            game = str(self.game)

        set_ = self.set_

        language = self.language

        field_dict: dict[str, Any] = {}

        field_dict.update({})
        if game is not UNSET:
            field_dict["game"] = game
        if set_ is not UNSET:
            field_dict["set"] = set_
        if language is not UNSET:
            field_dict["language"] = language

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        _game = d.pop("game", UNSET)
        game: Game | Unset
        if isinstance(_game, Unset):
            game = UNSET
        else:
            game = Game(_game)

        set_ = d.pop("set", UNSET)

        language = d.pop("language", UNSET)

        hints = cls(
            game=game,
            set_=set_,
            language=language,
        )

        return hints
