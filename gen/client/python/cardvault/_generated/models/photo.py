from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.photo_role import PhotoRole
from ..models.photo_status import PhotoStatus

T = TypeVar("T", bound="Photo")


@_attrs_define
class Photo:
    id: str
    role: PhotoRole
    """ The role of the photo: the front of the card, the back, or the picture for the listing. """
    status: PhotoStatus
    """ `pending` while the service fetches the photo from the URL given at import. """
    url: None | str
    """ The URL of the photo. It needs no token and expires after one to two days. Null unless `status` is `ready`.
    """
    width: int | None
    """ The width in pixels; null unless `status` is `ready`. """
    height: int | None
    """ The height in pixels; null unless `status` is `ready`. """
    failure: None | str
    """ Why the photo could not be fetched; null unless `status` is `failed`. """
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        role = str(self.role)

        status = str(self.status)

        url: None | str
        url = self.url

        width: int | None
        width = self.width

        height: int | None
        height = self.height

        failure: None | str
        failure = self.failure

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "id": id,
                "role": role,
                "status": status,
                "url": url,
                "width": width,
                "height": height,
                "failure": failure,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        id = d.pop("id")

        role = PhotoRole(d.pop("role"))

        status = PhotoStatus(d.pop("status"))

        def _parse_url(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        url = _parse_url(d.pop("url"))

        def _parse_width(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        width = _parse_width(d.pop("width"))

        def _parse_height(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        height = _parse_height(d.pop("height"))

        def _parse_failure(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        failure = _parse_failure(d.pop("failure"))

        photo = cls(
            id=id,
            role=role,
            status=status,
            url=url,
            width=width,
            height=height,
            failure=failure,
        )

        photo.additional_properties = d
        return photo

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
