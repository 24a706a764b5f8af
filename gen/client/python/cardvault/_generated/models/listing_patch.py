from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.money import Money


T = TypeVar("T", bound="ListingPatch")


@_attrs_define
class ListingPatch:
    """A JSON merge patch (RFC 7396): absent fields stay unchanged."""

    price: Money | Unset = UNSET
    title: str | Unset = UNSET
    """ The title that the marketplace shows. """

    def to_dict(self) -> dict[str, Any]:
        price: dict[str, Any] | Unset = UNSET
        if not isinstance(self.price, Unset):
            price = self.price.to_dict()

        title = self.title

        field_dict: dict[str, Any] = {}

        field_dict.update({})
        if price is not UNSET:
            field_dict["price"] = price
        if title is not UNSET:
            field_dict["title"] = title

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.money import Money  # noqa: PLC0415

        d = dict(src_dict)
        _price = d.pop("price", UNSET)
        price: Money | Unset
        if isinstance(_price, Unset):
            price = UNSET
        else:
            price = Money.from_dict(_price)

        title = d.pop("title", UNSET)

        listing_patch = cls(
            price=price,
            title=title,
        )

        return listing_patch
