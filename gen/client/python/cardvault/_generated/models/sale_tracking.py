from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="SaleTracking")


@_attrs_define
class SaleTracking:
    """How the card was sent, or null."""

    carrier: str
    """ The carrier. """
    number: str
    """ The tracking number. """

    def to_dict(self) -> dict[str, Any]:
        carrier = self.carrier

        number = self.number

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "carrier": carrier,
                "number": number,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        carrier = d.pop("carrier")

        number = d.pop("number")

        sale_tracking = cls(
            carrier=carrier,
            number=number,
        )

        return sale_tracking
