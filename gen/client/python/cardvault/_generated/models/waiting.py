from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.wait_reason import WaitReason

T = TypeVar("T", bound="Waiting")


@_attrs_define
class Waiting:
    """Why something is not done yet. `next_attempt_at` is when the next attempt is due. It is in the past if the attempt
    waits
    for its turn, and null while an attempt is under way or while something else must be done first.

    """

    since: datetime.datetime
    """ An RFC 3339 time in UTC with six decimals. """
    reason: WaitReason
    """ Why something waits: a stable string for programs. After a failed attempt it is the reason of that attempt.
    New codes may be added. """
    message: str
    """ A sentence for people. Its words may change. """
    next_attempt_at: datetime.datetime | None
    """ An RFC 3339 time in UTC with six decimals, or null if it does not apply yet. """
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        since = self.since.astimezone(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%fZ")

        reason = str(self.reason)

        message = self.message

        next_attempt_at: None | str
        if isinstance(self.next_attempt_at, datetime.datetime):
            next_attempt_at = self.next_attempt_at.astimezone(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
        else:
            next_attempt_at = self.next_attempt_at

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "since": since,
                "reason": reason,
                "message": message,
                "next_attempt_at": next_attempt_at,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        since = datetime.datetime.fromisoformat(d.pop("since").replace("Z", "+00:00"))

        reason = WaitReason(d.pop("reason"))

        message = d.pop("message")

        def _parse_next_attempt_at(data: object) -> datetime.datetime | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                componentsschemas_timestamp_or_null_type_0 = datetime.datetime.fromisoformat(
                    data.replace("Z", "+00:00")
                )

                return componentsschemas_timestamp_or_null_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.datetime | None, data)

        next_attempt_at = _parse_next_attempt_at(d.pop("next_attempt_at"))

        waiting = cls(
            since=since,
            reason=reason,
            message=message,
            next_attempt_at=next_attempt_at,
        )

        waiting.additional_properties = d
        return waiting

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
