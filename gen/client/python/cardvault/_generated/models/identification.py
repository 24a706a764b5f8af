from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.condition import Condition
from ..models.game import Game
from ..models.identification_source import IdentificationSource
from ..models.identification_status import IdentificationStatus

if TYPE_CHECKING:
    from ..models.grade import Grade


T = TypeVar("T", bound="Identification")


@_attrs_define
class Identification:
    """The description of the card and how it was identified."""

    title: None | str
    """ The name of the card; null until identified. """
    set_: None | str
    """ The name of the set. """
    number: None | str
    """ The collector number. """
    status: IdentificationStatus
    """ `pending` while the card is queued for automatic identification, or waits for a photo that the service
    fetches.
    `identified` and `failed` are the results. `none` means that the card is not identified and nothing is under
    way:
    it has no photo of the front, or automatic identification was not requested.
     """
    source: IdentificationSource | None
    """ `ai` if a provider identified the card, `manual` if the title was set by hand; null until identified. """
    provider: None | str
    """ The provider whose result was accepted. """
    confidence: float | None
    """ The confidence of that provider, from 0 to 1. """
    identified_at: datetime.datetime | None
    """ An RFC 3339 time in UTC with six decimals, or null if it does not apply yet. """
    catalog_id: None | str
    """ The card's identifier in the catalogue. """
    game: Game | None
    """ The game. """
    year: int | None
    """ The year of the set. """
    variant: None | str
    """ The variant, such as reverse holo. """
    language: None | str
    """ A BCP 47 language tag. """
    condition: Condition | None
    """ The condition. """
    grade: Grade | None
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        from ..models.grade import Grade  # noqa: PLC0415

        title: None | str
        title = self.title

        set_: None | str
        set_ = self.set_

        number: None | str
        number = self.number

        status = str(self.status)

        source: None | str
        if isinstance(self.source, IdentificationSource):
            source = str(self.source)
        else:
            source = self.source

        provider: None | str
        provider = self.provider

        confidence: float | None
        confidence = self.confidence

        identified_at: None | str
        if isinstance(self.identified_at, datetime.datetime):
            identified_at = self.identified_at.astimezone(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
        else:
            identified_at = self.identified_at

        catalog_id: None | str
        catalog_id = self.catalog_id

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

        condition: None | str
        if isinstance(self.condition, Condition):
            condition = str(self.condition)
        else:
            condition = self.condition

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
                "status": status,
                "source": source,
                "provider": provider,
                "confidence": confidence,
                "identified_at": identified_at,
                "catalog_id": catalog_id,
                "game": game,
                "year": year,
                "variant": variant,
                "language": language,
                "condition": condition,
                "grade": grade,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.grade import Grade  # noqa: PLC0415

        d = dict(src_dict)

        def _parse_title(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        title = _parse_title(d.pop("title"))

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

        status = IdentificationStatus(d.pop("status"))

        def _parse_source(data: object) -> IdentificationSource | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                source_type_0 = IdentificationSource(data)

                return source_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(IdentificationSource | None, data)

        source = _parse_source(d.pop("source"))

        def _parse_provider(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        provider = _parse_provider(d.pop("provider"))

        def _parse_confidence(data: object) -> float | None:
            if data is None:
                return data
            return cast(float | None, data)

        confidence = _parse_confidence(d.pop("confidence"))

        def _parse_identified_at(data: object) -> datetime.datetime | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                componentsschemas_timestamp_or_null_type_0 = datetime.datetime.fromisoformat(
                    data.replace("Z", "+00:00")
                )

                return componentsschemas_timestamp_or_null_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.datetime | None, data)

        identified_at = _parse_identified_at(d.pop("identified_at"))

        def _parse_catalog_id(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        catalog_id = _parse_catalog_id(d.pop("catalog_id"))

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

        def _parse_condition(data: object) -> Condition | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                condition_type_0 = Condition(data)

                return condition_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(Condition | None, data)

        condition = _parse_condition(d.pop("condition"))

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

        identification = cls(
            title=title,
            set_=set_,
            number=number,
            status=status,
            source=source,
            provider=provider,
            confidence=confidence,
            identified_at=identified_at,
            catalog_id=catalog_id,
            game=game,
            year=year,
            variant=variant,
            language=language,
            condition=condition,
            grade=grade,
        )

        identification.additional_properties = d
        return identification

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
