from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.game import Game

if TYPE_CHECKING:
    from ..models.money import Money


T = TypeVar("T", bound="CatalogCard")


@_attrs_define
class CatalogCard:
    id: str
    title: str
    """ The name of the card. """
    set_: None | str
    """ The name of the set. """
    set_code: None | str
    """ The short code of the set. """
    number: None | str
    """ The collector number, with the printed total if there is one. """
    game: Game
    """ The game or kind of card. """
    year: int | None
    """ The year of the set. """
    language: None | str
    """ A BCP 47 language tag. """
    variant: None | str
    """ The variant. """
    rarity: None | str
    """ The rarity. """
    price: Money | None
    price_as_of: datetime.datetime | None
    """ An RFC 3339 time in UTC with six decimals, or null if it does not apply yet. """
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        from ..models.money import Money  # noqa: PLC0415

        id = self.id

        title = self.title

        set_: None | str
        set_ = self.set_

        set_code: None | str
        set_code = self.set_code

        number: None | str
        number = self.number

        game = str(self.game)

        year: int | None
        year = self.year

        language: None | str
        language = self.language

        variant: None | str
        variant = self.variant

        rarity: None | str
        rarity = self.rarity

        price: dict[str, Any] | None
        if isinstance(self.price, Money):
            price = self.price.to_dict()
        else:
            price = self.price

        price_as_of: None | str
        if isinstance(self.price_as_of, datetime.datetime):
            price_as_of = self.price_as_of.astimezone(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
        else:
            price_as_of = self.price_as_of

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "id": id,
                "title": title,
                "set": set_,
                "set_code": set_code,
                "number": number,
                "game": game,
                "year": year,
                "language": language,
                "variant": variant,
                "rarity": rarity,
                "price": price,
                "price_as_of": price_as_of,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.money import Money  # noqa: PLC0415

        d = dict(src_dict)
        id = d.pop("id")

        title = d.pop("title")

        def _parse_set_(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        set_ = _parse_set_(d.pop("set"))

        def _parse_set_code(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        set_code = _parse_set_code(d.pop("set_code"))

        def _parse_number(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        number = _parse_number(d.pop("number"))

        game = Game(d.pop("game"))

        def _parse_year(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        year = _parse_year(d.pop("year"))

        def _parse_language(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        language = _parse_language(d.pop("language"))

        def _parse_variant(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        variant = _parse_variant(d.pop("variant"))

        def _parse_rarity(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        rarity = _parse_rarity(d.pop("rarity"))

        def _parse_price(data: object) -> Money | None:
            if data is None:
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                price_type_0 = Money.from_dict(data)

                return price_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(Money | None, data)

        price = _parse_price(d.pop("price"))

        def _parse_price_as_of(data: object) -> datetime.datetime | None:
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

        price_as_of = _parse_price_as_of(d.pop("price_as_of"))

        catalog_card = cls(
            id=id,
            title=title,
            set_=set_,
            set_code=set_code,
            number=number,
            game=game,
            year=year,
            language=language,
            variant=variant,
            rarity=rarity,
            price=price,
            price_as_of=price_as_of,
        )

        catalog_card.additional_properties = d
        return catalog_card

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
