from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define

from ..types import UNSET, Unset

T = TypeVar("T", bound="EndManyInput")


@_attrs_define
class EndManyInput:
    listing_ids: list[str]
    """ The listings. They must differ. """
    atomic: bool | Unset = UNSET
    """ True changes nothing if one of them fails, and returns the first error. False carries out those that can be.
    """

    def to_dict(self) -> dict[str, Any]:
        listing_ids = self.listing_ids

        atomic = self.atomic

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "listing_ids": listing_ids,
            }
        )
        if atomic is not UNSET:
            field_dict["atomic"] = atomic

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        listing_ids = cast(list[str], d.pop("listing_ids"))

        atomic = d.pop("atomic", UNSET)

        end_many_input = cls(
            listing_ids=listing_ids,
            atomic=atomic,
        )

        return end_many_input
