from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import (
    TYPE_CHECKING,
    Any,
    Literal,
    TypeVar,
    cast,
)

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.sale_voided_data import SaleVoidedData


T = TypeVar("T", bound="SaleVoidedEvent")


@_attrs_define
class SaleVoidedEvent:
    id: str
    created_at: datetime.datetime
    """ An RFC 3339 time in UTC with six decimals. """
    account_id: str
    data: SaleVoidedData
    """ A sale that was recorded by mistake was voided. """
    event: Literal["sale.voided"] = "sale.voided"
    """ The kind of the event. """
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        event = self.event

        created_at = self.created_at.astimezone(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%fZ")

        account_id = self.account_id

        data = self.data.to_dict()

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "id": id,
                "event": event,
                "created_at": created_at,
                "account_id": account_id,
                "data": data,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.sale_voided_data import SaleVoidedData  # noqa: PLC0415

        d = dict(src_dict)
        id = d.pop("id")

        event = cast(Literal["sale.voided"], d.pop("event"))
        if event != "sale.voided":
            raise ValueError(f"event must match const 'sale.voided', got '{event}'")

        created_at = datetime.datetime.fromisoformat(d.pop("created_at").replace("Z", "+00:00"))

        account_id = d.pop("account_id")

        data = SaleVoidedData.from_dict(d.pop("data"))

        sale_voided_event = cls(
            id=id,
            event=event,
            created_at=created_at,
            account_id=account_id,
            data=data,
        )

        sale_voided_event.additional_properties = d
        return sale_voided_event

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
