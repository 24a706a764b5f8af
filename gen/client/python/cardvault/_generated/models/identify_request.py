from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.hints import Hints


T = TypeVar("T", bound="IdentifyRequest")


@_attrs_define
class IdentifyRequest:
    """Exactly one of `card_id` and `photo_url`. `hints` are optional."""

    card_id: str | Unset = UNSET
    photo_url: str | Unset = UNSET
    """ A public HTTPS URL of a JPEG, PNG, WebP, HEIC or AVIF image of at most 15 MiB. Nothing is saved and no event
    fires. """
    hints: Hints | Unset = UNSET
    """ What you know about the cards on photos. With `game`, only cards of this game are considered. Cards of the
    `set` and
    in the `language` come before others that match a photo equally well; if no card of the catalogue has them,
    these
    two have no effect.
     """

    def to_dict(self) -> dict[str, Any]:
        card_id = self.card_id

        photo_url = self.photo_url

        hints: dict[str, Any] | Unset = UNSET
        if not isinstance(self.hints, Unset):
            hints = self.hints.to_dict()

        field_dict: dict[str, Any] = {}

        field_dict.update({})
        if card_id is not UNSET:
            field_dict["card_id"] = card_id
        if photo_url is not UNSET:
            field_dict["photo_url"] = photo_url
        if hints is not UNSET:
            field_dict["hints"] = hints

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.hints import Hints  # noqa: PLC0415

        d = dict(src_dict)
        card_id = d.pop("card_id", UNSET)

        photo_url = d.pop("photo_url", UNSET)

        _hints = d.pop("hints", UNSET)
        hints: Hints | Unset
        if isinstance(_hints, Unset):
            hints = UNSET
        else:
            hints = Hints.from_dict(_hints)

        identify_request = cls(
            card_id=card_id,
            photo_url=photo_url,
            hints=hints,
        )

        return identify_request
