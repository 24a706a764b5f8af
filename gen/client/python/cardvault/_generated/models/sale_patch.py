from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.fee import Fee
    from ..models.money import Money
    from ..models.sale_tracking import SaleTracking


T = TypeVar("T", bound="SalePatch")


@_attrs_define
class SalePatch:
    """A JSON merge patch (RFC 7396): absent fields stay unchanged, and null clears a field. An array replaces the one
    before. No amount can become less than what was returned of it.

    """

    gross: Money | Unset = UNSET
    sold_at: datetime.datetime | Unset = UNSET
    """ When the card was sold, at most a day in the future. """
    fees: list[Fee] | Unset = UNSET
    """ The fees that you paid. """
    shipping_charged: Money | Unset = UNSET
    shipping_cost: Money | Unset = UNSET
    tax: Money | Unset = UNSET
    tracking: None | SaleTracking | Unset = UNSET
    shipped_at: datetime.datetime | None | Unset = UNSET
    """ When the card was sent. """
    buyer_reference: None | str | Unset = UNSET
    """ Your reference to the buyer. """

    def to_dict(self) -> dict[str, Any]:
        from ..models.sale_tracking import SaleTracking  # noqa: PLC0415

        gross: dict[str, Any] | Unset = UNSET
        if not isinstance(self.gross, Unset):
            gross = self.gross.to_dict()

        sold_at: str | Unset = UNSET
        if not isinstance(self.sold_at, Unset):
            sold_at = self.sold_at.astimezone(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%fZ")

        fees: list[dict[str, Any]] | Unset = UNSET
        if not isinstance(self.fees, Unset):
            fees = []
            for fees_item_data in self.fees:
                fees_item = fees_item_data.to_dict()
                fees.append(fees_item)

        shipping_charged: dict[str, Any] | Unset = UNSET
        if not isinstance(self.shipping_charged, Unset):
            shipping_charged = self.shipping_charged.to_dict()

        shipping_cost: dict[str, Any] | Unset = UNSET
        if not isinstance(self.shipping_cost, Unset):
            shipping_cost = self.shipping_cost.to_dict()

        tax: dict[str, Any] | Unset = UNSET
        if not isinstance(self.tax, Unset):
            tax = self.tax.to_dict()

        tracking: dict[str, Any] | None | Unset
        if isinstance(self.tracking, Unset):
            tracking = UNSET
        elif isinstance(self.tracking, SaleTracking):
            tracking = self.tracking.to_dict()
        else:
            tracking = self.tracking

        shipped_at: None | str | Unset
        if isinstance(self.shipped_at, Unset):
            shipped_at = UNSET
        elif isinstance(self.shipped_at, datetime.datetime):
            shipped_at = self.shipped_at.astimezone(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
        else:
            shipped_at = self.shipped_at

        buyer_reference: None | str | Unset
        if isinstance(self.buyer_reference, Unset):
            buyer_reference = UNSET
        else:
            buyer_reference = self.buyer_reference

        field_dict: dict[str, Any] = {}

        field_dict.update({})
        if gross is not UNSET:
            field_dict["gross"] = gross
        if sold_at is not UNSET:
            field_dict["sold_at"] = sold_at
        if fees is not UNSET:
            field_dict["fees"] = fees
        if shipping_charged is not UNSET:
            field_dict["shipping_charged"] = shipping_charged
        if shipping_cost is not UNSET:
            field_dict["shipping_cost"] = shipping_cost
        if tax is not UNSET:
            field_dict["tax"] = tax
        if tracking is not UNSET:
            field_dict["tracking"] = tracking
        if shipped_at is not UNSET:
            field_dict["shipped_at"] = shipped_at
        if buyer_reference is not UNSET:
            field_dict["buyer_reference"] = buyer_reference

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.fee import Fee  # noqa: PLC0415
        from ..models.money import Money  # noqa: PLC0415
        from ..models.sale_tracking import SaleTracking  # noqa: PLC0415

        d = dict(src_dict)
        _gross = d.pop("gross", UNSET)
        gross: Money | Unset
        if isinstance(_gross, Unset):
            gross = UNSET
        else:
            gross = Money.from_dict(_gross)

        _sold_at = d.pop("sold_at", UNSET)
        sold_at: datetime.datetime | Unset
        if isinstance(_sold_at, Unset):
            sold_at = UNSET
        else:
            sold_at = datetime.datetime.fromisoformat(_sold_at.replace("Z", "+00:00"))

        _fees = d.pop("fees", UNSET)
        fees: list[Fee] | Unset = UNSET
        if _fees is not UNSET:
            fees = []
            for fees_item_data in _fees:
                fees_item = Fee.from_dict(fees_item_data)

                fees.append(fees_item)

        _shipping_charged = d.pop("shipping_charged", UNSET)
        shipping_charged: Money | Unset
        if isinstance(_shipping_charged, Unset):
            shipping_charged = UNSET
        else:
            shipping_charged = Money.from_dict(_shipping_charged)

        _shipping_cost = d.pop("shipping_cost", UNSET)
        shipping_cost: Money | Unset
        if isinstance(_shipping_cost, Unset):
            shipping_cost = UNSET
        else:
            shipping_cost = Money.from_dict(_shipping_cost)

        _tax = d.pop("tax", UNSET)
        tax: Money | Unset
        if isinstance(_tax, Unset):
            tax = UNSET
        else:
            tax = Money.from_dict(_tax)

        def _parse_tracking(data: object) -> None | SaleTracking | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                tracking_type_0 = SaleTracking.from_dict(data)

                return tracking_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(None | SaleTracking | Unset, data)

        tracking = _parse_tracking(d.pop("tracking", UNSET))

        def _parse_shipped_at(data: object) -> datetime.datetime | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                shipped_at_type_0 = datetime.datetime.fromisoformat(data.replace("Z", "+00:00"))

                return shipped_at_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.datetime | None | Unset, data)

        shipped_at = _parse_shipped_at(d.pop("shipped_at", UNSET))

        def _parse_buyer_reference(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        buyer_reference = _parse_buyer_reference(d.pop("buyer_reference", UNSET))

        sale_patch = cls(
            gross=gross,
            sold_at=sold_at,
            fees=fees,
            shipping_charged=shipping_charged,
            shipping_cost=shipping_cost,
            tax=tax,
            tracking=tracking,
            shipped_at=shipped_at,
            buyer_reference=buyer_reference,
        )

        return sale_patch
