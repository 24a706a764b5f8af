from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.identify_attempt_outcome import IdentifyAttemptOutcome

T = TypeVar("T", bound="IdentifyAttempt")


@_attrs_define
class IdentifyAttempt:
    provider: str
    """ The provider that was called. """
    outcome: IdentifyAttemptOutcome
    """ The outcome of the call. """
    confidence: float | None
    """ The confidence of the best candidate, from 0 to 1; null if there is no candidate. """
    duration_ms: int
    """ The duration of the call in milliseconds. """
    message: None | str
    """ More information, for people. """
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        provider = self.provider

        outcome = str(self.outcome)

        confidence: float | None
        confidence = self.confidence

        duration_ms = self.duration_ms

        message: None | str
        message = self.message

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "provider": provider,
                "outcome": outcome,
                "confidence": confidence,
                "duration_ms": duration_ms,
                "message": message,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        provider = d.pop("provider")

        outcome = IdentifyAttemptOutcome(d.pop("outcome"))

        def _parse_confidence(data: object) -> float | None:
            if data is None:
                return data
            return cast(float | None, data)

        confidence = _parse_confidence(d.pop("confidence"))

        duration_ms = d.pop("duration_ms")

        def _parse_message(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        message = _parse_message(d.pop("message"))

        identify_attempt = cls(
            provider=provider,
            outcome=outcome,
            confidence=confidence,
            duration_ms=duration_ms,
            message=message,
        )

        identify_attempt.additional_properties = d
        return identify_attempt

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
