from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.waiting import Waiting


T = TypeVar("T", bound="PhotoWaiting")


@_attrs_define
class PhotoWaiting:
    """A photo that is to be fetched."""

    photo_id: str
    waiting: Waiting
    """ Why something is not done yet. `next_attempt_at` is when the next attempt is due. It is in the past if the
    attempt waits
    for its turn, and null while an attempt is under way or while something else must be done first.
     """
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        photo_id = self.photo_id

        waiting = self.waiting.to_dict()

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "photo_id": photo_id,
                "waiting": waiting,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.waiting import Waiting  # noqa: PLC0415

        d = dict(src_dict)
        photo_id = d.pop("photo_id")

        waiting = Waiting.from_dict(d.pop("waiting"))

        photo_waiting = cls(
            photo_id=photo_id,
            waiting=waiting,
        )

        photo_waiting.additional_properties = d
        return photo_waiting

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
