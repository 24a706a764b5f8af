from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.revision_status import RevisionStatus

if TYPE_CHECKING:
    from ..models.revision_failure import RevisionFailure


T = TypeVar("T", bound="ListingRevision")


@_attrs_define
class ListingRevision:
    """The last change of the title or the price of a live listing."""

    status: RevisionStatus
    """ `pending` until the marketplace confirms the title and the price of the listing, then `done`, or `failed` if
    it refuses
    them. `none` if the listing was not revised, or ended before the marketplace confirmed.
     """
    failure: None | RevisionFailure
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        from ..models.revision_failure import RevisionFailure  # noqa: PLC0415

        status = str(self.status)

        failure: dict[str, Any] | None
        if isinstance(self.failure, RevisionFailure):
            failure = self.failure.to_dict()
        else:
            failure = self.failure

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "status": status,
                "failure": failure,
            }
        )

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

        listing_revision = cls(
            status=status,
            failure=failure,
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
