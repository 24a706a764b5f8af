from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define

from ..models.currency import Currency
from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.identification_settings_patch import IdentificationSettingsPatch
    from ..models.money import Money


T = TypeVar("T", bound="AccountPatch")


@_attrs_define
class AccountPatch:
    """A JSON merge patch (RFC 7396): absent fields stay unchanged, and null clears a field."""

    name: str | Unset = UNSET
    """ The name of the account. """
    currency: Currency | Unset = UNSET
    """ An ISO 4217 currency code. """
    time_zone: str | Unset = UNSET
    """ The time zone of the account, by its name in the IANA database. """
    floor_price: Money | None | Unset = UNSET
    identification: IdentificationSettingsPatch | Unset = UNSET
    """ Absent fields stay unchanged, and null restores what the operator has set. """

    def to_dict(self) -> dict[str, Any]:
        from ..models.money import Money  # noqa: PLC0415

        name = self.name

        currency: str | Unset = UNSET
        if not isinstance(self.currency, Unset):
            currency = str(self.currency)

        time_zone = self.time_zone

        floor_price: dict[str, Any] | None | Unset
        if isinstance(self.floor_price, Unset):
            floor_price = UNSET
        elif isinstance(self.floor_price, Money):
            floor_price = self.floor_price.to_dict()
        else:
            floor_price = self.floor_price

        identification: dict[str, Any] | Unset = UNSET
        if not isinstance(self.identification, Unset):
            identification = self.identification.to_dict()

        field_dict: dict[str, Any] = {}

        field_dict.update({})
        if name is not UNSET:
            field_dict["name"] = name
        if currency is not UNSET:
            field_dict["currency"] = currency
        if time_zone is not UNSET:
            field_dict["time_zone"] = time_zone
        if floor_price is not UNSET:
            field_dict["floor_price"] = floor_price
        if identification is not UNSET:
            field_dict["identification"] = identification

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.identification_settings_patch import IdentificationSettingsPatch  # noqa: PLC0415
        from ..models.money import Money  # noqa: PLC0415

        d = dict(src_dict)
        name = d.pop("name", UNSET)

        _currency = d.pop("currency", UNSET)
        currency: Currency | Unset
        if isinstance(_currency, Unset):
            currency = UNSET
        else:
            currency = Currency(_currency)

        time_zone = d.pop("time_zone", UNSET)

        def _parse_floor_price(data: object) -> Money | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                floor_price_type_0 = Money.from_dict(data)

                return floor_price_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(Money | None | Unset, data)

        floor_price = _parse_floor_price(d.pop("floor_price", UNSET))

        _identification = d.pop("identification", UNSET)
        identification: IdentificationSettingsPatch | Unset
        if isinstance(_identification, Unset):
            identification = UNSET
        else:
            identification = IdentificationSettingsPatch.from_dict(_identification)

        account_patch = cls(
            name=name,
            currency=currency,
            time_zone=time_zone,
            floor_price=floor_price,
            identification=identification,
        )

        return account_patch
