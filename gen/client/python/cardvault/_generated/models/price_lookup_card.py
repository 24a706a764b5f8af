from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define

from ..models.condition import Condition
from ..models.game import Game
from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.grade import Grade


T = TypeVar("T", bound="PriceLookupCard")


@_attrs_define
class PriceLookupCard:
    title: str
    """ The name of the card. """
    set_: str | Unset = UNSET
    """ The name of the set. """
    number: str | Unset = UNSET
    """ The collector number in the set, in the form n/m if the set has a printed total. """
    game: Game | Unset = UNSET
    """ The game or kind of card. """
    condition: Condition | Unset = UNSET
    """ Near mint, lightly played, moderately played, heavily played, damaged. """
    grade: Grade | None | Unset = UNSET
    variant: str | Unset = UNSET
    """ The variant. """
    language: str | Unset = UNSET
    """ A BCP 47 language tag. """

    def to_dict(self) -> dict[str, Any]:
        from ..models.grade import Grade  # noqa: PLC0415

        title = self.title

        set_ = self.set_

        number = self.number

        game: str | Unset = UNSET
        if not isinstance(self.game, Unset):
            game = str(self.game)

        condition: str | Unset = UNSET
        if not isinstance(self.condition, Unset):
            condition = str(self.condition)

        grade: dict[str, Any] | None | Unset
        if isinstance(self.grade, Unset):
            grade = UNSET
        elif isinstance(self.grade, Grade):
            grade = self.grade.to_dict()
        else:
            grade = self.grade

        variant = self.variant

        language = self.language

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "title": title,
            }
        )
        if set_ is not UNSET:
            field_dict["set"] = set_
        if number is not UNSET:
            field_dict["number"] = number
        if game is not UNSET:
            field_dict["game"] = game
        if condition is not UNSET:
            field_dict["condition"] = condition
        if grade is not UNSET:
            field_dict["grade"] = grade
        if variant is not UNSET:
            field_dict["variant"] = variant
        if language is not UNSET:
            field_dict["language"] = language

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.grade import Grade  # noqa: PLC0415

        d = dict(src_dict)
        title = d.pop("title")

        set_ = d.pop("set", UNSET)

        number = d.pop("number", UNSET)

        _game = d.pop("game", UNSET)
        game: Game | Unset
        if isinstance(_game, Unset):
            game = UNSET
        else:
            game = Game(_game)

        _condition = d.pop("condition", UNSET)
        condition: Condition | Unset
        if isinstance(_condition, Unset):
            condition = UNSET
        else:
            condition = Condition(_condition)

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

        variant = d.pop("variant", UNSET)

        language = d.pop("language", UNSET)

        price_lookup_card = cls(
            title=title,
            set_=set_,
            number=number,
            game=game,
            condition=condition,
            grade=grade,
            variant=variant,
            language=language,
        )

        return price_lookup_card
