from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.currency import Currency
from ..models.token_scope import TokenScope

if TYPE_CHECKING:
    from ..models.identification_settings import IdentificationSettings
    from ..models.money import Money
    from ..models.token_limits import TokenLimits


T = TypeVar("T", bound="Account")


@_attrs_define
class Account:
    id: str
    name: str
    """ The name of the account. """
    sandbox: bool
    """ Whether it is a sandbox account, in which nothing is really sold. """
    currency: Currency
    """ An ISO 4217 currency code. """
    time_zone: str
    """ The time zone of the account, by its name in the IANA database. """
    floor_price: Money | None
    identification: IdentificationSettings
    """ How photos of the account are identified. """
    limits: TokenLimits
    """ The requests per minute that the token may make, by class. """
    scopes: list[TokenScope]
    """ The scopes of the token of the request. """
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        from ..models.money import Money  # noqa: PLC0415

        id = self.id

        name = self.name

        sandbox = self.sandbox

        currency = str(self.currency)

        time_zone = self.time_zone

        floor_price: dict[str, Any] | None
        if isinstance(self.floor_price, Money):
            floor_price = self.floor_price.to_dict()
        else:
            floor_price = self.floor_price

        identification = self.identification.to_dict()

        limits = self.limits.to_dict()

        scopes = []
        for scopes_item_data in self.scopes:
            scopes_item = str(scopes_item_data)
            scopes.append(scopes_item)

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "id": id,
                "name": name,
                "sandbox": sandbox,
                "currency": currency,
                "time_zone": time_zone,
                "floor_price": floor_price,
                "identification": identification,
                "limits": limits,
                "scopes": scopes,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.identification_settings import IdentificationSettings  # noqa: PLC0415
        from ..models.money import Money  # noqa: PLC0415
        from ..models.token_limits import TokenLimits  # noqa: PLC0415

        d = dict(src_dict)
        id = d.pop("id")

        name = d.pop("name")

        sandbox = d.pop("sandbox")

        currency = Currency(d.pop("currency"))

        time_zone = d.pop("time_zone")

        def _parse_floor_price(data: object) -> Money | None:
            if data is None:
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                floor_price_type_0 = Money.from_dict(data)

                return floor_price_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(Money | None, data)

        floor_price = _parse_floor_price(d.pop("floor_price"))

        identification = IdentificationSettings.from_dict(d.pop("identification"))

        limits = TokenLimits.from_dict(d.pop("limits"))

        scopes = []
        _scopes = d.pop("scopes")
        for scopes_item_data in _scopes:
            scopes_item = TokenScope(scopes_item_data)

            scopes.append(scopes_item)

        account = cls(
            id=id,
            name=name,
            sandbox=sandbox,
            currency=currency,
            time_zone=time_zone,
            floor_price=floor_price,
            identification=identification,
            limits=limits,
            scopes=scopes,
        )

        account.additional_properties = d
        return account

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
