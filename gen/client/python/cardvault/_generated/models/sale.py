from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.sale_channel import SaleChannel
from ..models.sale_status import SaleStatus

if TYPE_CHECKING:
    from ..models.fee import Fee
    from ..models.money import Money
    from ..models.sale_refund import SaleRefund
    from ..models.sale_tracking import SaleTracking
    from ..models.signed_money import SignedMoney
    from ..models.sold_card import SoldCard


T = TypeVar("T", bound="Sale")


@_attrs_define
class Sale:
    """A sale of a card. It does not change when the card is edited or deleted. Its amounts have the currency of `gross`,
    except
    `cost_at_sale`, which has its own.

    """

    id: str
    card_id: str
    listing_id: None | str
    """ The listing that was sold; null for a sale elsewhere. """
    channel: SaleChannel
    """ Where the card was sold: a marketplace, the own shop, face to face, or elsewhere. Expect other marketplaces
    in responses. A request can name those that the server knows. """
    order_reference: None | str
    """ The number of the order. """
    sold_at: datetime.datetime
    """ An RFC 3339 time in UTC with six decimals. """
    gross: Money
    shipping_charged: Money
    shipping_cost: Money
    tax: Money
    fees: list[Fee]
    """ The fees that the seller paid. """
    net: SignedMoney
    """ An amount that can be negative. """
    cost_at_sale: Money | None
    card: SoldCard
    """ The card as it was when it was sold. """
    buyer_reference: None | str
    """ The owner's reference to the buyer. For a sale on a marketplace, the order number there. """
    status: SaleStatus
    """ `refunded` if the price was returned in full, otherwise `completed`. `voided` for a sale that was recorded
    by mistake. `cancelled` is for orders that a marketplace cancels; nothing sets it yet. """
    refunds: list[SaleRefund]
    """ The refunds, oldest first. """
    restocked_at: datetime.datetime | None
    """ An RFC 3339 time in UTC with six decimals, or null if it does not apply yet. """
    voided_at: datetime.datetime | None
    """ An RFC 3339 time in UTC with six decimals, or null if it does not apply yet. """
    shipped_at: datetime.datetime | None
    """ An RFC 3339 time in UTC with six decimals, or null if it does not apply yet. """
    tracking: None | SaleTracking
    version: int
    """ Starts at 1 and increases by 1 with each change. The ETag of the sale is the version in quotation marks. """
    created_at: datetime.datetime
    """ An RFC 3339 time in UTC with six decimals. """
    updated_at: datetime.datetime
    """ An RFC 3339 time in UTC with six decimals. """
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        from ..models.money import Money  # noqa: PLC0415
        from ..models.sale_tracking import SaleTracking  # noqa: PLC0415

        id = self.id

        card_id = self.card_id

        listing_id: None | str
        listing_id = self.listing_id

        channel = str(self.channel)

        order_reference: None | str
        order_reference = self.order_reference

        sold_at = self.sold_at.astimezone(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%fZ")

        gross = self.gross.to_dict()

        shipping_charged = self.shipping_charged.to_dict()

        shipping_cost = self.shipping_cost.to_dict()

        tax = self.tax.to_dict()

        fees = []
        for fees_item_data in self.fees:
            fees_item = fees_item_data.to_dict()
            fees.append(fees_item)

        net = self.net.to_dict()

        cost_at_sale: dict[str, Any] | None
        if isinstance(self.cost_at_sale, Money):
            cost_at_sale = self.cost_at_sale.to_dict()
        else:
            cost_at_sale = self.cost_at_sale

        card = self.card.to_dict()

        buyer_reference: None | str
        buyer_reference = self.buyer_reference

        status = str(self.status)

        refunds = []
        for refunds_item_data in self.refunds:
            refunds_item = refunds_item_data.to_dict()
            refunds.append(refunds_item)

        restocked_at: None | str
        if isinstance(self.restocked_at, datetime.datetime):
            restocked_at = self.restocked_at.astimezone(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
        else:
            restocked_at = self.restocked_at

        voided_at: None | str
        if isinstance(self.voided_at, datetime.datetime):
            voided_at = self.voided_at.astimezone(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
        else:
            voided_at = self.voided_at

        shipped_at: None | str
        if isinstance(self.shipped_at, datetime.datetime):
            shipped_at = self.shipped_at.astimezone(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
        else:
            shipped_at = self.shipped_at

        tracking: dict[str, Any] | None
        if isinstance(self.tracking, SaleTracking):
            tracking = self.tracking.to_dict()
        else:
            tracking = self.tracking

        version = self.version

        created_at = self.created_at.astimezone(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%fZ")

        updated_at = self.updated_at.astimezone(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%fZ")

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "id": id,
                "card_id": card_id,
                "listing_id": listing_id,
                "channel": channel,
                "order_reference": order_reference,
                "sold_at": sold_at,
                "gross": gross,
                "shipping_charged": shipping_charged,
                "shipping_cost": shipping_cost,
                "tax": tax,
                "fees": fees,
                "net": net,
                "cost_at_sale": cost_at_sale,
                "card": card,
                "buyer_reference": buyer_reference,
                "status": status,
                "refunds": refunds,
                "restocked_at": restocked_at,
                "voided_at": voided_at,
                "shipped_at": shipped_at,
                "tracking": tracking,
                "version": version,
                "created_at": created_at,
                "updated_at": updated_at,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.fee import Fee  # noqa: PLC0415
        from ..models.money import Money  # noqa: PLC0415
        from ..models.sale_refund import SaleRefund  # noqa: PLC0415
        from ..models.sale_tracking import SaleTracking  # noqa: PLC0415
        from ..models.signed_money import SignedMoney  # noqa: PLC0415
        from ..models.sold_card import SoldCard  # noqa: PLC0415

        d = dict(src_dict)
        id = d.pop("id")

        card_id = d.pop("card_id")

        def _parse_listing_id(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        listing_id = _parse_listing_id(d.pop("listing_id"))

        channel = SaleChannel(d.pop("channel"))

        def _parse_order_reference(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        order_reference = _parse_order_reference(d.pop("order_reference"))

        sold_at = datetime.datetime.fromisoformat(d.pop("sold_at").replace("Z", "+00:00"))

        gross = Money.from_dict(d.pop("gross"))

        shipping_charged = Money.from_dict(d.pop("shipping_charged"))

        shipping_cost = Money.from_dict(d.pop("shipping_cost"))

        tax = Money.from_dict(d.pop("tax"))

        fees = []
        _fees = d.pop("fees")
        for fees_item_data in _fees:
            fees_item = Fee.from_dict(fees_item_data)

            fees.append(fees_item)

        net = SignedMoney.from_dict(d.pop("net"))

        def _parse_cost_at_sale(data: object) -> Money | None:
            if data is None:
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                cost_at_sale_type_0 = Money.from_dict(data)

                return cost_at_sale_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(Money | None, data)

        cost_at_sale = _parse_cost_at_sale(d.pop("cost_at_sale"))

        card = SoldCard.from_dict(d.pop("card"))

        def _parse_buyer_reference(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        buyer_reference = _parse_buyer_reference(d.pop("buyer_reference"))

        status = SaleStatus(d.pop("status"))

        refunds = []
        _refunds = d.pop("refunds")
        for refunds_item_data in _refunds:
            refunds_item = SaleRefund.from_dict(refunds_item_data)

            refunds.append(refunds_item)

        def _parse_restocked_at(data: object) -> datetime.datetime | None:
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

        restocked_at = _parse_restocked_at(d.pop("restocked_at"))

        def _parse_voided_at(data: object) -> datetime.datetime | None:
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

        voided_at = _parse_voided_at(d.pop("voided_at"))

        def _parse_shipped_at(data: object) -> datetime.datetime | None:
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

        shipped_at = _parse_shipped_at(d.pop("shipped_at"))

        def _parse_tracking(data: object) -> None | SaleTracking:
            if data is None:
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                tracking_type_0 = SaleTracking.from_dict(data)

                return tracking_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(None | SaleTracking, data)

        tracking = _parse_tracking(d.pop("tracking"))

        version = d.pop("version")

        created_at = datetime.datetime.fromisoformat(d.pop("created_at").replace("Z", "+00:00"))

        updated_at = datetime.datetime.fromisoformat(d.pop("updated_at").replace("Z", "+00:00"))

        sale = cls(
            id=id,
            card_id=card_id,
            listing_id=listing_id,
            channel=channel,
            order_reference=order_reference,
            sold_at=sold_at,
            gross=gross,
            shipping_charged=shipping_charged,
            shipping_cost=shipping_cost,
            tax=tax,
            fees=fees,
            net=net,
            cost_at_sale=cost_at_sale,
            card=card,
            buyer_reference=buyer_reference,
            status=status,
            refunds=refunds,
            restocked_at=restocked_at,
            voided_at=voided_at,
            shipped_at=shipped_at,
            tracking=tracking,
            version=version,
            created_at=created_at,
            updated_at=updated_at,
        )

        sale.additional_properties = d
        return sale

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
