from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.scan_status import ScanStatus

if TYPE_CHECKING:
    from ..models.card import Card
    from ..models.item_error import ItemError


T = TypeVar("T", bound="ScanResult")


@_attrs_define
class ScanResult:
    files: list[str]
    """ The names of the files, the front first. """
    status: ScanStatus
    """ `created` if the card was created, `refused` if one of its photos was refused. """
    card: Card | None
    error: ItemError | None
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        from ..models.card import Card  # noqa: PLC0415
        from ..models.item_error import ItemError  # noqa: PLC0415

        files = self.files

        status = str(self.status)

        card: dict[str, Any] | None
        if isinstance(self.card, Card):
            card = self.card.to_dict()
        else:
            card = self.card

        error: dict[str, Any] | None
        if isinstance(self.error, ItemError):
            error = self.error.to_dict()
        else:
            error = self.error

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "files": files,
                "status": status,
                "card": card,
                "error": error,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.card import Card  # noqa: PLC0415
        from ..models.item_error import ItemError  # noqa: PLC0415

        d = dict(src_dict)
        files = cast(list[str], d.pop("files"))

        status = ScanStatus(d.pop("status"))

        def _parse_card(data: object) -> Card | None:
            if data is None:
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                card_type_0 = Card.from_dict(data)

                return card_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(Card | None, data)

        card = _parse_card(d.pop("card"))

        def _parse_error(data: object) -> ItemError | None:
            if data is None:
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                error_type_0 = ItemError.from_dict(data)

                return error_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(ItemError | None, data)

        error = _parse_error(d.pop("error"))

        scan_result = cls(
            files=files,
            status=status,
            card=card,
            error=error,
        )

        scan_result.additional_properties = d
        return scan_result

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
