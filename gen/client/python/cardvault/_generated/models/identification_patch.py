from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define

from ..models.condition import Condition
from ..models.game import Game
from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.grade import Grade


T = TypeVar("T", bound="IdentificationPatch")


@_attrs_define
class IdentificationPatch:
    """Absent fields stay unchanged, and null clears a field. Setting a title identifies the card manually. The title of
    an identified card cannot be cleared. A `catalog_id` without `title`, `set`, `number`, `game`, `year`, `language`
    and `variant` identifies the card manually too: these fields get the values of the catalogue.

    """

    title: None | str | Unset = UNSET
    """ The name of the card. """
    set_: None | str | Unset = UNSET
    """ The name of the set. """
    number: None | str | Unset = UNSET
    """ The collector number. """
    catalog_id: None | str | Unset = UNSET
    """ The card's identifier in the catalogue. """
    game: Game | None | Unset = UNSET
    """ The game. """
    year: int | None | Unset = UNSET
    """ The year of the set. """
    variant: None | str | Unset = UNSET
    """ The variant. """
    language: None | str | Unset = UNSET
    """ A BCP 47 language tag. """
    condition: Condition | None | Unset = UNSET
    """ The condition. """
    grade: Grade | None | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        from ..models.grade import Grade  # noqa: PLC0415

        title: None | str | Unset
        if isinstance(self.title, Unset):
            title = UNSET
        else:
            title = self.title

        set_: None | str | Unset
        if isinstance(self.set_, Unset):
            set_ = UNSET
        else:
            set_ = self.set_

        number: None | str | Unset
        if isinstance(self.number, Unset):
            number = UNSET
        else:
            number = self.number

        catalog_id: None | str | Unset
        if isinstance(self.catalog_id, Unset):
            catalog_id = UNSET
        else:
            catalog_id = self.catalog_id

        game: None | str | Unset
        if isinstance(self.game, Unset):
            game = UNSET
        elif isinstance(self.game, Game):
            game = str(self.game)
        else:
            game = self.game

        year: int | None | Unset
        if isinstance(self.year, Unset):
            year = UNSET
        else:
            year = self.year

        variant: None | str | Unset
        if isinstance(self.variant, Unset):
            variant = UNSET
        else:
            variant = self.variant

        language: None | str | Unset
        if isinstance(self.language, Unset):
            language = UNSET
        else:
            language = self.language

        condition: None | str | Unset
        if isinstance(self.condition, Unset):
            condition = UNSET
        elif isinstance(self.condition, Condition):
            condition = str(self.condition)
        else:
            condition = self.condition

        grade: dict[str, Any] | None | Unset
        if isinstance(self.grade, Unset):
            grade = UNSET
        elif isinstance(self.grade, Grade):
            grade = self.grade.to_dict()
        else:
            grade = self.grade

        field_dict: dict[str, Any] = {}

        field_dict.update({})
        if title is not UNSET:
            field_dict["title"] = title
        if set_ is not UNSET:
            field_dict["set"] = set_
        if number is not UNSET:
            field_dict["number"] = number
        if catalog_id is not UNSET:
            field_dict["catalog_id"] = catalog_id
        if game is not UNSET:
            field_dict["game"] = game
        if year is not UNSET:
            field_dict["year"] = year
        if variant is not UNSET:
            field_dict["variant"] = variant
        if language is not UNSET:
            field_dict["language"] = language
        if condition is not UNSET:
            field_dict["condition"] = condition
        if grade is not UNSET:
            field_dict["grade"] = grade

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.grade import Grade  # noqa: PLC0415

        d = dict(src_dict)

        def _parse_title(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        title = _parse_title(d.pop("title", UNSET))

        def _parse_set_(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        set_ = _parse_set_(d.pop("set", UNSET))

        def _parse_number(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        number = _parse_number(d.pop("number", UNSET))

        def _parse_catalog_id(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        catalog_id = _parse_catalog_id(d.pop("catalog_id", UNSET))

        def _parse_game(data: object) -> Game | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                game_type_0 = Game(data)

                return game_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(Game | None | Unset, data)

        game = _parse_game(d.pop("game", UNSET))

        def _parse_year(data: object) -> int | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(int | None | Unset, data)

        year = _parse_year(d.pop("year", UNSET))

        def _parse_variant(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        variant = _parse_variant(d.pop("variant", UNSET))

        def _parse_language(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        language = _parse_language(d.pop("language", UNSET))

        def _parse_condition(data: object) -> Condition | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                condition_type_0 = Condition(data)

                return condition_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(Condition | None | Unset, data)

        condition = _parse_condition(d.pop("condition", UNSET))

        def _parse_grade(data: object) -> Grade | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                grade_type_0 = Grade.from_dict(data)

                return grade_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(Grade | None | Unset, data)

        grade = _parse_grade(d.pop("grade", UNSET))

        identification_patch = cls(
            title=title,
            set_=set_,
            number=number,
            catalog_id=catalog_id,
            game=game,
            year=year,
            variant=variant,
            language=language,
            condition=condition,
            grade=grade,
        )

        return identification_patch
