from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.photo_waiting import PhotoWaiting
    from ..models.waiting import Waiting


T = TypeVar("T", bound="CardWaiting")


@_attrs_define
class CardWaiting:
    identification: None | Waiting
    photos: list[PhotoWaiting]
    """ The photos with the status `pending`, in the order of the card. """
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        from ..models.waiting import Waiting  # noqa: PLC0415

        identification: dict[str, Any] | None
        if isinstance(self.identification, Waiting):
            identification = self.identification.to_dict()
        else:
            identification = self.identification

        photos = []
        for photos_item_data in self.photos:
            photos_item = photos_item_data.to_dict()
            photos.append(photos_item)

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "identification": identification,
                "photos": photos,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.photo_waiting import PhotoWaiting  # noqa: PLC0415
        from ..models.waiting import Waiting  # noqa: PLC0415

        d = dict(src_dict)

        def _parse_identification(data: object) -> None | Waiting:
            if data is None:
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                identification_type_0 = Waiting.from_dict(data)

                return identification_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(None | Waiting, data)

        identification = _parse_identification(d.pop("identification"))

        photos = []
        _photos = d.pop("photos")
        for photos_item_data in _photos:
            photos_item = PhotoWaiting.from_dict(photos_item_data)

            photos.append(photos_item)

        card_waiting = cls(
            identification=identification,
            photos=photos,
        )

        card_waiting.additional_properties = d
        return card_waiting

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
