from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.game import Game
from ..types import UNSET, Unset

T = TypeVar("T", bound="IdentificationSettings")


@_attrs_define
class IdentificationSettings:
    """How photos of the account are identified."""

    providers: list[str]
    """ The identification providers, in the order in which they are asked. """
    threshold: float
    """ The least confidence with which a result is accepted without a person. """
    games: list[Game] | Unset = UNSET
    """ The games of the cards that are identified: candidates of other games are not returned. If there are none,
    all games are, those of the stock first. """
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        providers = self.providers

        threshold = self.threshold

        games: list[str] | Unset = UNSET
        if not isinstance(self.games, Unset):
            games = []
            for games_item_data in self.games:
                games_item = str(games_item_data)
                games.append(games_item)

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "providers": providers,
                "threshold": threshold,
            }
        )
        if games is not UNSET:
            field_dict["games"] = games

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        providers = cast(list[str], d.pop("providers"))

        threshold = d.pop("threshold")

        _games = d.pop("games", UNSET)
        games: list[Game] | Unset = UNSET
        if _games is not UNSET:
            games = []
            for games_item_data in _games:
                games_item = Game(games_item_data)

                games.append(games_item)

        identification_settings = cls(
            providers=providers,
            threshold=threshold,
            games=games,
        )

        identification_settings.additional_properties = d
        return identification_settings

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
