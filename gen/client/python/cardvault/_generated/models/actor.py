from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.actor_type import ActorType

T = TypeVar("T", bound="Actor")


@_attrs_define
class Actor:
    type_: ActorType
    """ Who made a change: a request with a token, a user of the dashboard, the import of a file, or background
    work. """
    id: str
    """ The identifier of the token, the user or the import, or the name of the background work. """
    name: str
    """ The name of the token or the e-mail address of the user; otherwise the same as `id`. """
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        type_ = str(self.type_)

        id = self.id

        name = self.name

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "type": type_,
                "id": id,
                "name": name,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        type_ = ActorType(d.pop("type"))

        id = d.pop("id")

        name = d.pop("name")

        actor = cls(
            type_=type_,
            id=id,
            name=name,
        )

        actor.additional_properties = d
        return actor

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
