from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.item_error import ItemError
    from ..models.listing import Listing


T = TypeVar("T", bound="EndResult")


@_attrs_define
class EndResult:
    id: str
    status: int
    """ The HTTP status that the request for this item alone has. """
    listing: Listing | None
    error: ItemError | None
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        from ..models.item_error import ItemError  # noqa: PLC0415
        from ..models.listing import Listing  # noqa: PLC0415

        id = self.id

        status = self.status

        listing: dict[str, Any] | None
        if isinstance(self.listing, Listing):
            listing = self.listing.to_dict()
        else:
            listing = self.listing

        error: dict[str, Any] | None
        if isinstance(self.error, ItemError):
            error = self.error.to_dict()
        else:
            error = self.error

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "id": id,
                "status": status,
                "listing": listing,
                "error": error,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.item_error import ItemError  # noqa: PLC0415
        from ..models.listing import Listing  # noqa: PLC0415

        d = dict(src_dict)
        id = d.pop("id")

        status = d.pop("status")

        def _parse_listing(data: object) -> Listing | None:
            if data is None:
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                listing_type_0 = Listing.from_dict(data)

                return listing_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(Listing | None, data)

        listing = _parse_listing(d.pop("listing"))

        def _parse_error(data: object) -> ItemError | None:
            if data is None:
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                error_type_0 = ItemError.from_dict(data)

                return error_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(ItemError | None, data)

        error = _parse_error(d.pop("error"))

        end_result = cls(
            id=id,
            status=status,
            listing=listing,
            error=error,
        )

        end_result.additional_properties = d
        return end_result

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
