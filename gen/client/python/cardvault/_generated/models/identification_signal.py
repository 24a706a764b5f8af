from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.identification_signal_kind import IdentificationSignalKind

T = TypeVar("T", bound="IdentificationSignal")


@_attrs_define
class IdentificationSignal:
    kind: IdentificationSignalKind
    """ What agrees with the photo: the picture, the printed name, the collector number or the body text. """
    score: float
    """ How well it agrees, from 0 to 1. """
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        kind = str(self.kind)

        score = self.score

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "kind": kind,
                "score": score,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        kind = IdentificationSignalKind(d.pop("kind"))

        score = d.pop("score")

        identification_signal = cls(
            kind=kind,
            score=score,
        )

        identification_signal.additional_properties = d
        return identification_signal

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
