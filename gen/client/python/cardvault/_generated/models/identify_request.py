from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define

from ..types import UNSET, Unset

T = TypeVar("T", bound="IdentifyRequest")


@_attrs_define
class IdentifyRequest:
    """Exactly one of `card_id` and `photo_url`."""

    card_id: str | Unset = UNSET
    photo_url: str | Unset = UNSET
    """ A public HTTPS URL of a JPEG, PNG or WebP image of at most 15 MiB. Nothing is saved and no event fires. """

    def to_dict(self) -> dict[str, Any]:
        card_id = self.card_id

        photo_url = self.photo_url

        field_dict: dict[str, Any] = {}

        field_dict.update({})
        if card_id is not UNSET:
            field_dict["card_id"] = card_id
        if photo_url is not UNSET:
            field_dict["photo_url"] = photo_url

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        card_id = d.pop("card_id", UNSET)

        photo_url = d.pop("photo_url", UNSET)

        identify_request = cls(
            card_id=card_id,
            photo_url=photo_url,
        )

        return identify_request
