from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define

from ..models.game import Game
from ..types import UNSET, Unset

T = TypeVar("T", bound="IdentificationSettingsPatch")


@_attrs_define
class IdentificationSettingsPatch:
    """Absent fields stay unchanged, and null restores what the operator has set."""

    providers: list[str] | None | Unset = UNSET
    """ The providers of the operator, in the order in which they are asked. """
    threshold: float | None | Unset = UNSET
    """ The least confidence with which a result is accepted, at least that of the operator. """
    games: list[Game] | Unset = UNSET
    """ The games of the cards that are identified. An empty list means all games. """

    def to_dict(self) -> dict[str, Any]:
        providers: list[str] | None | Unset
        if isinstance(self.providers, Unset):
            providers = UNSET
        elif isinstance(self.providers, list):
            providers = self.providers

        else:
            providers = self.providers

        threshold: float | None | Unset
        if isinstance(self.threshold, Unset):
            threshold = UNSET
        else:
            threshold = self.threshold

        games: list[str] | Unset = UNSET
        if not isinstance(self.games, Unset):
            games = []
            for games_item_data in self.games:
                games_item = str(games_item_data)
                games.append(games_item)

        field_dict: dict[str, Any] = {}

        field_dict.update({})
        if providers is not UNSET:
            field_dict["providers"] = providers
        if threshold is not UNSET:
            field_dict["threshold"] = threshold
        if games is not UNSET:
            field_dict["games"] = games

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)

        def _parse_providers(data: object) -> list[str] | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, list):
                    raise TypeError()
                providers_type_0 = cast(list[str], data)

                return providers_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(list[str] | None | Unset, data)

        providers = _parse_providers(d.pop("providers", UNSET))

        def _parse_threshold(data: object) -> float | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(float | None | Unset, data)

        threshold = _parse_threshold(d.pop("threshold", UNSET))

        _games = d.pop("games", UNSET)
        games: list[Game] | Unset = UNSET
        if _games is not UNSET:
            games = []
            for games_item_data in _games:
                games_item = Game(games_item_data)

                games.append(games_item)

        identification_settings_patch = cls(
            providers=providers,
            threshold=threshold,
            games=games,
        )

        return identification_settings_patch
