"""Conversion between amounts in minor units and decimal numbers."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation

from ._generated.models import Currency, Money, SignedMoney

__all__ = ["decimal_from_money", "exponent", "money_from_decimal"]

_NO_DECIMALS = frozenset(
    ("BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "VND", "VUV", "XAF", "XOF", "XPF")
)
_THREE_DECIMALS = frozenset(("BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"))


def exponent(currency: str) -> int:
    """Return the number of decimals of a currency, such as 2 for USD, 0 for JPY and 3 for KWD."""
    if currency in _NO_DECIMALS:
        return 0
    return 3 if currency in _THREE_DECIMALS else 2


def money_from_decimal(number: Decimal | int | str, currency: str) -> Money:
    """Convert a decimal number such as "12.50" to an amount of a currency.

    Raise ValueError if it has more decimals than the currency, unless those are zero.
    """
    if isinstance(number, float):
        raise TypeError("a float is not exact: give a Decimal or a string")
    try:
        amount = Decimal(number).scaleb(exponent(currency))
    except InvalidOperation as error:
        raise ValueError(f"{number!r} is not a decimal number such as 12.50") from error
    if not amount.is_finite() or amount != amount.to_integral_value():
        raise ValueError(f"{number} is not an amount with the {exponent(currency)} decimals of {currency}")
    return Money(amount=int(amount), currency=Currency(currency))


def decimal_from_money(money: Money | SignedMoney) -> Decimal:
    """Return the amount as a decimal number with the decimals of the currency, such as Decimal("12.50")."""
    return Decimal(money.amount).scaleb(-exponent(money.currency))
