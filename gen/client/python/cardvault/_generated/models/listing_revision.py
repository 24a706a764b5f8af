from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.revision_status import RevisionStatus
from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.revision_failure import RevisionFailure


T = TypeVar("T", bound="ListingRevision")


@_attrs_define
class ListingRevision:
    """The last change of the title or the price of a live listing. `delayed_until` is when a pending change is sent to the
    marketplace, if it has to wait because the listing was changed 250 times today. A later change replaces it. Events
    do not have
    `delayed_until`.

    """

    status: RevisionStatus
    """ `pending` until the marketplace confirms the title and the price of the listing, then `done`, or `failed` if
    it refuses
    them. `none` if the listing was not revised, or ended before the marketplace confirmed.
     """
    failure: None | RevisionFailure
    delayed_until: datetime.datetime | None | Unset = UNSET
    """ An RFC 3339 time in UTC with six decimals, or null if it does not apply yet. """
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        from ..models.revision_failure import RevisionFailure  # noqa: PLC0415

        status = str(self.status)

        failure: dict[str, Any] | None
        if isinstance(self.failure, RevisionFailure):
            failure = self.failure.to_dict()
        else:
            failure = self.failure

        delayed_until: None | str | Unset
        if isinstance(self.delayed_until, Unset):
            delayed_until = UNSET
        elif isinstance(self.delayed_until, datetime.datetime):
            delayed_until = self.delayed_until.astimezone(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
        else:
            delayed_until = self.delayed_until

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "status": status,
                "failure": failure,
            }
        )
        if delayed_until is not UNSET:
            field_dict["delayed_until"] = delayed_until

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.revision_failure import RevisionFailure  # noqa: PLC0415

        d = dict(src_dict)
        status = RevisionStatus(d.pop("status"))

        def _parse_failure(data: object) -> None | RevisionFailure:
            if data is None:
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                failure_type_0 = RevisionFailure.from_dict(data)

                return failure_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(None | RevisionFailure, data)

        failure = _parse_failure(d.pop("failure"))

        def _parse_delayed_until(data: object) -> datetime.datetime | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
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
            return cast(datetime.datetime | None | Unset, data)

        delayed_until = _parse_delayed_until(d.pop("delayed_until", UNSET))

        listing_revision = cls(
            status=status,
            failure=failure,
            delayed_until=delayed_until,
        )

        listing_revision.additional_properties = d
        return listing_revision

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
