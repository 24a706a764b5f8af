from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.card_field_value_type_2 import CardFieldValueType2


T = TypeVar("T", bound="CardChange")


@_attrs_define
class CardChange:
    field: str
    """ The path of the field in the card. A photo has the path `photos.` and its role, a value of the metadata
    `metadata.` and its key. """
    from_: CardFieldValueType2 | float | None | str
    """ The value of the field before or after the change, as in the card; null if there was none. A photo is its
    `id` and `status`. """
    to: CardFieldValueType2 | float | None | str
    """ The value of the field before or after the change, as in the card; null if there was none. A photo is its
    `id` and `status`. """
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        from ..models.card_field_value_type_2 import CardFieldValueType2  # noqa: PLC0415

        field = self.field

        from_: dict[str, Any] | float | None | str
        if isinstance(self.from_, CardFieldValueType2):
            from_ = self.from_.to_dict()
        else:
            from_ = self.from_

        to: dict[str, Any] | float | None | str
        if isinstance(self.to, CardFieldValueType2):
            to = self.to.to_dict()
        else:
            to = self.to

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "field": field,
                "from": from_,
                "to": to,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.card_field_value_type_2 import CardFieldValueType2  # noqa: PLC0415

        d = dict(src_dict)
        field = d.pop("field")

        def _parse_from_(data: object) -> CardFieldValueType2 | float | None | str:
            if data is None:
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                componentsschemas_card_field_value_type_2 = CardFieldValueType2.from_dict(data)

                return componentsschemas_card_field_value_type_2
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(CardFieldValueType2 | float | None | str, data)

        from_ = _parse_from_(d.pop("from"))

        def _parse_to(data: object) -> CardFieldValueType2 | float | None | str:
            if data is None:
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                componentsschemas_card_field_value_type_2 = CardFieldValueType2.from_dict(data)

                return componentsschemas_card_field_value_type_2
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(CardFieldValueType2 | float | None | str, data)

        to = _parse_to(d.pop("to"))

        card_change = cls(
            field=field,
            from_=from_,
            to=to,
        )

        card_change.additional_properties = d
        return card_change

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
