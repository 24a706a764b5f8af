from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.game import Game

if TYPE_CHECKING:
    from ..models.grade import Grade
    from ..models.identification_signal import IdentificationSignal


T = TypeVar("T", bound="IdentificationResult")


@_attrs_define
class IdentificationResult:
    title: str
    """ The name of the card. """
    set_: None | str
    """ The name of the set. """
    number: None | str
    """ The collector number. """
    game: Game | None
    """ The game. """
    year: int | None
    """ The year of the set. """
    variant: None | str
    """ The variant. """
    language: None | str
    """ A BCP 47 language tag. """
    catalog_id: None | str
    """ The card's identifier in the catalogue. """
    confidence: float
    """ The confidence of the provider, from 0 to 1. """
    provider: str
    """ The provider that found it. """
    signals: list[IdentificationSignal]
    """ What speaks for the card, strongest first. """
    grade: Grade | None
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        from ..models.grade import Grade  # noqa: PLC0415

        title = self.title

        set_: None | str
        set_ = self.set_

        number: None | str
        number = self.number

        game: None | str
        if isinstance(self.game, Game):
            game = str(self.game)
        else:
            game = self.game

        year: int | None
        year = self.year

        variant: None | str
        variant = self.variant

        language: None | str
        language = self.language

        catalog_id: None | str
        catalog_id = self.catalog_id

        confidence = self.confidence

        provider = self.provider

        signals = []
        for signals_item_data in self.signals:
            signals_item = signals_item_data.to_dict()
            signals.append(signals_item)

        grade: dict[str, Any] | None
        if isinstance(self.grade, Grade):
            grade = self.grade.to_dict()
        else:
            grade = self.grade

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "title": title,
                "set": set_,
                "number": number,
                "game": game,
                "year": year,
                "variant": variant,
                "language": language,
                "catalog_id": catalog_id,
                "confidence": confidence,
                "provider": provider,
                "signals": signals,
                "grade": grade,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.grade import Grade  # noqa: PLC0415
        from ..models.identification_signal import IdentificationSignal  # noqa: PLC0415

        d = dict(src_dict)
        title = d.pop("title")

        def _parse_set_(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        set_ = _parse_set_(d.pop("set"))

        def _parse_number(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        number = _parse_number(d.pop("number"))

        def _parse_game(data: object) -> Game | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                game_type_0 = Game(data)

                return game_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(Game | None, data)

        game = _parse_game(d.pop("game"))

        def _parse_year(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        year = _parse_year(d.pop("year"))

        def _parse_variant(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        variant = _parse_variant(d.pop("variant"))

        def _parse_language(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        language = _parse_language(d.pop("language"))

        def _parse_catalog_id(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        catalog_id = _parse_catalog_id(d.pop("catalog_id"))

        confidence = d.pop("confidence")

        provider = d.pop("provider")

        signals = []
        _signals = d.pop("signals")
        for signals_item_data in _signals:
            signals_item = IdentificationSignal.from_dict(signals_item_data)

            signals.append(signals_item)

        def _parse_grade(data: object) -> Grade | None:
            if data is None:
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                grade_type_0 = Grade.from_dict(data)

                return grade_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(Grade | None, data)

        grade = _parse_grade(d.pop("grade"))

        identification_result = cls(
            title=title,
            set_=set_,
            number=number,
            game=game,
            year=year,
            variant=variant,
            language=language,
            catalog_id=catalog_id,
            confidence=confidence,
            provider=provider,
            signals=signals,
            grade=grade,
        )

        identification_result.additional_properties = d
        return identification_result

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
