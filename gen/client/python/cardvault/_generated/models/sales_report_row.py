from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.currency import Currency

T = TypeVar("T", bound="SalesReportRow")


@_attrs_define
class SalesReportRow:
    """The sales of one group in one currency, in minor units. `profit` is `net` − `refunds` + `tax_refunded` +
    `fees_returned` − `cost`, because tax is not part of `net`.

    """

    group: str
    """ The first day of the period, or the channel. """
    currency: Currency
    """ An ISO 4217 currency code. """
    count: int
    """ The number of sales in this currency. """
    gross: int
    """ The sum of the prices. """
    shipping_charged: int
    """ The sum of what buyers paid for shipping. """
    shipping_cost: int
    """ The sum of what shipping cost you. """
    fees: int
    """ The sum of the fees. """
    tax: int
    """ The sum of the taxes. They are not part of any other amount. """
    net: int
    """ The sum of `net` of the sales. """
    refunds: int
    """ The sum of the refunds of these sales, whenever they were made: what buyers got back of prices, shipping and
    taxes. """
    tax_refunded: int
    """ The part of `refunds` that is of the taxes. """
    fees_returned: int
    """ What marketplaces returned of the fees. """
    cost: int
    """ What the sold cards cost, without those that came back. A cost in another currency than its sale is in the
    row of its own currency. """
    profit: int
    """ `net` − `refunds` + `tax_refunded` + `fees_returned` − `cost`. """
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        group = self.group

        currency = str(self.currency)

        count = self.count

        gross = self.gross

        shipping_charged = self.shipping_charged

        shipping_cost = self.shipping_cost

        fees = self.fees

        tax = self.tax

        net = self.net

        refunds = self.refunds

        tax_refunded = self.tax_refunded

        fees_returned = self.fees_returned

        cost = self.cost

        profit = self.profit

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "group": group,
                "currency": currency,
                "count": count,
                "gross": gross,
                "shipping_charged": shipping_charged,
                "shipping_cost": shipping_cost,
                "fees": fees,
                "tax": tax,
                "net": net,
                "refunds": refunds,
                "tax_refunded": tax_refunded,
                "fees_returned": fees_returned,
                "cost": cost,
                "profit": profit,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        group = d.pop("group")

        currency = Currency(d.pop("currency"))

        count = d.pop("count")

        gross = d.pop("gross")

        shipping_charged = d.pop("shipping_charged")

        shipping_cost = d.pop("shipping_cost")

        fees = d.pop("fees")

        tax = d.pop("tax")

        net = d.pop("net")

        refunds = d.pop("refunds")

        tax_refunded = d.pop("tax_refunded")

        fees_returned = d.pop("fees_returned")

        cost = d.pop("cost")

        profit = d.pop("profit")

        sales_report_row = cls(
            group=group,
            currency=currency,
            count=count,
            gross=gross,
            shipping_charged=shipping_charged,
            shipping_cost=shipping_cost,
            fees=fees,
            tax=tax,
            net=net,
            refunds=refunds,
            tax_refunded=tax_refunded,
            fees_returned=fees_returned,
            cost=cost,
            profit=profit,
        )

        sales_report_row.additional_properties = d
        return sales_report_row

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
