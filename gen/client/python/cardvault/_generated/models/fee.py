from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.money import Money


T = TypeVar("T", bound="Fee")


@_attrs_define
class Fee:
    kind: str
    """ What the fee is for, such as `final_value`, `payment` or `table`. """
    amount: Money

    def to_dict(self) -> dict[str, Any]:
        kind = self.kind

        amount = self.amount.to_dict()

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "kind": kind,
                "amount": amount,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.money import Money  # noqa: PLC0415

        d = dict(src_dict)
        kind = d.pop("kind")

        amount = Money.from_dict(d.pop("amount"))

        fee = cls(
            kind=kind,
            amount=amount,
        )

        return fee
