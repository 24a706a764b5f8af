from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

T = TypeVar("T", bound="DeliveryAttempt")


@_attrs_define
class DeliveryAttempt:
    attempt: int
    """ The number of the attempt. It starts at 1 again after a resend. """
    started_at: datetime.datetime
    """ An RFC 3339 time in UTC with six decimals. """
    duration_ms: int
    """ The duration in milliseconds. """
    status: int | None
    """ The HTTP status of the response; null if there was none. """
    error: None | str
    """ Why the attempt failed: `status` for a response that is not 2xx, `dns`, `connect`, `tls`, `timeout`,
    `forbidden` for an address that is not public, or `other`. Null for success. """
    response: None | str
    """ The start of the body of the response, up to 500 characters; null if it was empty. """
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        attempt = self.attempt

        started_at = self.started_at.astimezone(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%fZ")

        duration_ms = self.duration_ms

        status: int | None
        status = self.status

        error: None | str
        error = self.error

        response: None | str
        response = self.response

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "attempt": attempt,
                "started_at": started_at,
                "duration_ms": duration_ms,
                "status": status,
                "error": error,
                "response": response,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        attempt = d.pop("attempt")

        started_at = datetime.datetime.fromisoformat(d.pop("started_at").replace("Z", "+00:00"))

        duration_ms = d.pop("duration_ms")

        def _parse_status(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        status = _parse_status(d.pop("status"))

        def _parse_error(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        error = _parse_error(d.pop("error"))

        def _parse_response(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        response = _parse_response(d.pop("response"))

        delivery_attempt = cls(
            attempt=attempt,
            started_at=started_at,
            duration_ms=duration_ms,
            status=status,
            error=error,
            response=response,
        )

        delivery_attempt.additional_properties = d
        return delivery_attempt

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
