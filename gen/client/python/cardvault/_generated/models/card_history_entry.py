from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.actor import Actor
    from ..models.card_change import CardChange


T = TypeVar("T", bound="CardHistoryEntry")


@_attrs_define
class CardHistoryEntry:
    at: datetime.datetime
    """ An RFC 3339 time in UTC with six decimals. """
    version: int
    """ The version after the change. """
    actor: Actor
    changes: list[CardChange]
    """ The changed fields; empty for version 1, which is the import of the card, and for the version with which a
    deleted card came back. """
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        at = self.at.astimezone(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%fZ")

        version = self.version

        actor = self.actor.to_dict()

        changes = []
        for changes_item_data in self.changes:
            changes_item = changes_item_data.to_dict()
            changes.append(changes_item)

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "at": at,
                "version": version,
                "actor": actor,
                "changes": changes,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.actor import Actor  # noqa: PLC0415
        from ..models.card_change import CardChange  # noqa: PLC0415

        d = dict(src_dict)
        at = datetime.datetime.fromisoformat(d.pop("at").replace("Z", "+00:00"))

        version = d.pop("version")

        actor = Actor.from_dict(d.pop("actor"))

        changes = []
        _changes = d.pop("changes")
        for changes_item_data in _changes:
            changes_item = CardChange.from_dict(changes_item_data)

            changes.append(changes_item)

        card_history_entry = cls(
            at=at,
            version=version,
            actor=actor,
            changes=changes,
        )

        card_history_entry.additional_properties = d
        return card_history_entry

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
