from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.card_update import CardUpdate


T = TypeVar("T", bound="CardUpdates")


@_attrs_define
class CardUpdates:
    updates: list[CardUpdate]
    """ The updates, at most one for each card. """
    atomic: bool | Unset = UNSET
    """ True changes nothing if one of them fails, and returns the first error. False carries out those that can be.
    """

    def to_dict(self) -> dict[str, Any]:
        updates = []
        for updates_item_data in self.updates:
            updates_item = updates_item_data.to_dict()
            updates.append(updates_item)

        atomic = self.atomic

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "updates": updates,
            }
        )
        if atomic is not UNSET:
            field_dict["atomic"] = atomic

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.card_update import CardUpdate  # noqa: PLC0415

        d = dict(src_dict)
        updates = []
        _updates = d.pop("updates")
        for updates_item_data in _updates:
            updates_item = CardUpdate.from_dict(updates_item_data)

            updates.append(updates_item)

        atomic = d.pop("atomic", UNSET)

        card_updates = cls(
            updates=updates,
            atomic=atomic,
        )

        return card_updates
