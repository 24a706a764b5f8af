from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.item_error import ItemError
    from ..models.price_estimate import PriceEstimate


T = TypeVar("T", bound="PriceLookupResult")


@_attrs_define
class PriceLookupResult:
    id: str
    status: int
    """ The HTTP status that the request for this item alone has. """
    estimate: None | PriceEstimate
    error: ItemError | None
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        from ..models.item_error import ItemError  # noqa: PLC0415
        from ..models.price_estimate import PriceEstimate  # noqa: PLC0415

        id = self.id

        status = self.status

        estimate: dict[str, Any] | None
        if isinstance(self.estimate, PriceEstimate):
            estimate = self.estimate.to_dict()
        else:
            estimate = self.estimate

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
                "estimate": estimate,
                "error": error,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.item_error import ItemError  # noqa: PLC0415
        from ..models.price_estimate import PriceEstimate  # noqa: PLC0415

        d = dict(src_dict)
        id = d.pop("id")

        status = d.pop("status")

        def _parse_estimate(data: object) -> None | PriceEstimate:
            if data is None:
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                estimate_type_0 = PriceEstimate.from_dict(data)

                return estimate_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(None | PriceEstimate, data)

        estimate = _parse_estimate(d.pop("estimate"))

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

        price_lookup_result = cls(
            id=id,
            status=status,
            estimate=estimate,
            error=error,
        )

        price_lookup_result.additional_properties = d
        return price_lookup_result

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
