from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define

T = TypeVar("T", bound="Grade")


@_attrs_define
class Grade:
    """The grade that a grading company assigned, or null for an ungraded card."""

    company: str
    """ The grading company. """
    value: str
    """ The grade as printed on the label. """
    cert_number: None | str
    """ The certificate number. """

    def to_dict(self) -> dict[str, Any]:
        company = self.company

        value = self.value

        cert_number: None | str
        cert_number = self.cert_number

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "company": company,
                "value": value,
                "cert_number": cert_number,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        company = d.pop("company")

        value = d.pop("value")

        def _parse_cert_number(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        cert_number = _parse_cert_number(d.pop("cert_number"))

        grade = cls(
            company=company,
            value=value,
            cert_number=cert_number,
        )

        return grade
