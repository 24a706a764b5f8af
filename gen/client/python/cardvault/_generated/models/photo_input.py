from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define

from ..models.photo_role import PhotoRole

T = TypeVar("T", bound="PhotoInput")


@_attrs_define
class PhotoInput:
    url: str
    """ A public HTTPS URL of a JPEG, PNG, WebP, HEIC or AVIF image of at most 15 MiB. The service fetches it soon
    after the import. """
    role: PhotoRole
    """ The role of the photo: the front of the card, the back, or the picture for the listing. """

    def to_dict(self) -> dict[str, Any]:
        url = self.url

        role = str(self.role)

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "url": url,
                "role": role,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        url = d.pop("url")

        role = PhotoRole(d.pop("role"))

        photo_input = cls(
            url=url,
            role=role,
        )

        return photo_input
