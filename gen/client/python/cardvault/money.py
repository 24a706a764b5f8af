"""Conversion between amounts in minor units and decimal numbers."""

from __future__ import annotations

import re
from decimal import Context, Decimal, InvalidOperation

from ._generated.models import Currency, Money, SignedMoney

__all__ = ["decimal_from_money", "exponent", "money_from_decimal"]

_NO_DECIMALS = frozenset(
    ("BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "VND", "VUV", "XAF", "XOF", "XPF")
)
_CODES = (
    "AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CNY COP "
    "CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS "
    "INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN "
    "MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE "
    "SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD UYU UZS VES WST XCD YER ZAR ZMW"
)
_TWO_DECIMALS = frozenset(_CODES.split())
_THREE_DECIMALS = frozenset(("BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"))
_MAX_AMOUNT = 99_999_999_999
"""The largest amount in minor units that the service takes."""
_EXACT = Context(prec=400)


def exponent(currency: str) -> int:
    """Return the number of decimals of a currency, such as 2 for USD, 0 for JPY and 3 for KWD."""
    if currency in _NO_DECIMALS:
        return 0
    return 3 if currency in _THREE_DECIMALS else 2


def _check_currency(currency: str) -> None:
    """Raise ValueError for what is no currency of the service, with the remedy."""
    if currency in _NO_DECIMALS | _TWO_DECIMALS | _THREE_DECIMALS:
        return
    if re.fullmatch("[A-Za-z]{3}", currency) and currency != currency.upper():
        raise ValueError(f"{str(currency)!r} is not a currency code: write it in upper case, {currency.upper()!r}")
    raise ValueError(f"{str(currency)!r} is not a currency of ISO 4217, such as USD")


def money_from_decimal(number: Decimal | int | str, currency: str) -> Money:
    """Convert a decimal number such as "12.50" to an amount of a currency.

    Raise ValueError if it has more decimals than the currency, unless those are zero, if it is too large, and if the
    currency is unknown.
    """
    if isinstance(number, float):
        raise TypeError("a float is not exact: give a Decimal or a string")
    if isinstance(number, bool) or not isinstance(number, (Decimal, int, str)):
        raise TypeError(f"{number!r} is not a number: give a Decimal, an int or a string")
    if not isinstance(currency, str):
        raise TypeError(f"{currency!r} is not a currency code such as USD")
    _check_currency(currency)
    try:
        parsed = Decimal(number)
        if parsed.is_finite() and parsed.adjusted() > len(str(_MAX_AMOUNT)):
            raise ValueError(f"{number} is too large: at most {_MAX_AMOUNT} minor units of {currency}")
        amount = parsed.scaleb(exponent(currency), _EXACT)
    except InvalidOperation as error:
        raise ValueError(f"{number!r} is not a decimal number such as 12.50") from error
    if not amount.is_finite() or amount != amount.to_integral_value():
        raise ValueError(f"{number} is not an amount with the {exponent(currency)} decimals of {currency}")
    if abs(amount) > _MAX_AMOUNT:
        raise ValueError(f"{number} is too large: at most {_MAX_AMOUNT} minor units of {currency}")
    return Money(amount=int(amount), currency=Currency(currency))


def decimal_from_money(money: Money | SignedMoney) -> Decimal:
    """Return the amount as a decimal number with the decimals of the currency, such as Decimal("12.50")."""
    return Decimal(money.amount).scaleb(-exponent(money.currency))
