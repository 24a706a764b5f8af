from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.report_grouping import ReportGrouping

if TYPE_CHECKING:
    from ..models.sales_report_row import SalesReportRow


T = TypeVar("T", bound="SalesReport")


@_attrs_define
class SalesReport:
    group_by: ReportGrouping
    """ The period or the channel by which sales are grouped. Weeks start on Monday. """
    since: datetime.datetime
    """ An RFC 3339 time in UTC with six decimals. """
    before: datetime.datetime
    """ An RFC 3339 time in UTC with six decimals. """
    time_zone: str
    """ The time zone of the periods. """
    data: list[SalesReportRow]
    """ The groups that have sales, in order, and the currencies of each in alphabetical order. """
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        group_by = str(self.group_by)

        since = self.since.astimezone(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%fZ")

        before = self.before.astimezone(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%fZ")

        time_zone = self.time_zone

        data = []
        for data_item_data in self.data:
            data_item = data_item_data.to_dict()
            data.append(data_item)

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "group_by": group_by,
                "since": since,
                "before": before,
                "time_zone": time_zone,
                "data": data,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.sales_report_row import SalesReportRow  # noqa: PLC0415

        d = dict(src_dict)
        group_by = ReportGrouping(d.pop("group_by"))

        since = datetime.datetime.fromisoformat(d.pop("since").replace("Z", "+00:00"))

        before = datetime.datetime.fromisoformat(d.pop("before").replace("Z", "+00:00"))

        time_zone = d.pop("time_zone")

        data = []
        _data = d.pop("data")
        for data_item_data in _data:
            data_item = SalesReportRow.from_dict(data_item_data)

            data.append(data_item)

        sales_report = cls(
            group_by=group_by,
            since=since,
            before=before,
            time_zone=time_zone,
            data=data,
        )

        sales_report.additional_properties = d
        return sales_report

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
