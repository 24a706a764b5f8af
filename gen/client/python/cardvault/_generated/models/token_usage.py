from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.request_counts import RequestCounts


T = TypeVar("T", bound="TokenUsage")


@_attrs_define
class TokenUsage:
    """The requests of a token, by class."""

    id: str
    name: str
    """ The name of the token. """
    read: RequestCounts
    """ The requests of one class. """
    write: RequestCounts
    """ The requests of one class. """
    ai: RequestCounts
    """ The requests of one class. """
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        name = self.name

        read = self.read.to_dict()

        write = self.write.to_dict()

        ai = self.ai.to_dict()

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "id": id,
                "name": name,
                "read": read,
                "write": write,
                "ai": ai,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.request_counts import RequestCounts  # noqa: PLC0415

        d = dict(src_dict)
        id = d.pop("id")

        name = d.pop("name")

        read = RequestCounts.from_dict(d.pop("read"))

        write = RequestCounts.from_dict(d.pop("write"))

        ai = RequestCounts.from_dict(d.pop("ai"))

        token_usage = cls(
            id=id,
            name=name,
            read=read,
            write=write,
            ai=ai,
        )

        token_usage.additional_properties = d
        return token_usage

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
