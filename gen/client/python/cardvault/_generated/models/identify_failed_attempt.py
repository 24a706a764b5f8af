from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.identify_failed_attempt_outcome import IdentifyFailedAttemptOutcome

T = TypeVar("T", bound="IdentifyFailedAttempt")


@_attrs_define
class IdentifyFailedAttempt:
    provider: str
    """ The provider. """
    outcome: IdentifyFailedAttemptOutcome
    """ How the call failed. """
    message: str
    """ More information, for people; may be empty. """
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        provider = self.provider

        outcome = str(self.outcome)

        message = self.message

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "provider": provider,
                "outcome": outcome,
                "message": message,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        provider = d.pop("provider")

        outcome = IdentifyFailedAttemptOutcome(d.pop("outcome"))

        message = d.pop("message")

        identify_failed_attempt = cls(
            provider=provider,
            outcome=outcome,
            message=message,
        )

        identify_failed_attempt.additional_properties = d
        return identify_failed_attempt

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
