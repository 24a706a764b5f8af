from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.money import Money
    from ..models.refund_parts import RefundParts


T = TypeVar("T", bound="SaleRefund")


@_attrs_define
class SaleRefund:
    amount: Money
    at: datetime.datetime
    """ An RFC 3339 time in UTC with six decimals. """
    reason: None | str
    """ Why the amount was refunded. """
    parts: RefundParts
    """ What a refund returned. `amount` of the refund is the sum of `item`, `shipping` and `tax`, which the buyer
    got back; `fees` is what the marketplace returned to you. """
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        amount = self.amount.to_dict()

        at = self.at.astimezone(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%fZ")

        reason: None | str
        reason = self.reason

        parts = self.parts.to_dict()

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "amount": amount,
                "at": at,
                "reason": reason,
                "parts": parts,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.money import Money  # noqa: PLC0415
        from ..models.refund_parts import RefundParts  # noqa: PLC0415

        d = dict(src_dict)
        amount = Money.from_dict(d.pop("amount"))

        at = datetime.datetime.fromisoformat(d.pop("at").replace("Z", "+00:00"))

        def _parse_reason(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        reason = _parse_reason(d.pop("reason"))

        parts = RefundParts.from_dict(d.pop("parts"))

        sale_refund = cls(
            amount=amount,
            at=at,
            reason=reason,
            parts=parts,
        )

        sale_refund.additional_properties = d
        return sale_refund

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
