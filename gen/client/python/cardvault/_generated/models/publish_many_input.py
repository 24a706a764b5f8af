from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define

from ..models.marketplace import Marketplace
from ..types import UNSET, Unset

T = TypeVar("T", bound="PublishManyInput")


@_attrs_define
class PublishManyInput:
    card_ids: list[str]
    """ The cards. They must differ. """
    marketplace: Marketplace | Unset = UNSET
    """ `sandbox` is the sandbox marketplace that comes with CardVault. """
    atomic: bool | Unset = UNSET
    """ True changes nothing if one of them fails, and returns the first error. False carries out those that can be.
    """

    def to_dict(self) -> dict[str, Any]:
        card_ids = self.card_ids

        marketplace: str | Unset = UNSET
        if not isinstance(self.marketplace, Unset):
            marketplace = str(self.marketplace)

        atomic = self.atomic

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "card_ids": card_ids,
            }
        )
        if marketplace is not UNSET:
            field_dict["marketplace"] = marketplace
        if atomic is not UNSET:
            field_dict["atomic"] = atomic

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        card_ids = cast(list[str], d.pop("card_ids"))

        _marketplace = d.pop("marketplace", UNSET)
        marketplace: Marketplace | Unset
        if isinstance(_marketplace, Unset):
            marketplace = UNSET
        else:
            marketplace = Marketplace(_marketplace)

        atomic = d.pop("atomic", UNSET)

        publish_many_input = cls(
            card_ids=card_ids,
            marketplace=marketplace,
            atomic=atomic,
        )

        return publish_many_input
