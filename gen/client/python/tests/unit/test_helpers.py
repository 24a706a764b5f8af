"""Tests of the conversions of money and candidates."""

from __future__ import annotations

import json
import re
from decimal import Decimal
from pathlib import Path

import pytest

from cardvault import UNSET, decimal_from_money, money_from_decimal, patch_from_candidate
from cardvault._call import _refuse
from cardvault.models import Currency, Game, IdentificationResult, Money, SignedMoney
from cardvault.money import exponent

SERVICE = Path(__file__).parents[5] / "internal/money/currency.go"


@pytest.mark.parametrize(
    ("number", "currency", "amount", "decimal"),
    [
        ("12.50", "USD", 1250, "12.50"),
        (Decimal("12.5"), "USD", 1250, "12.50"),
        (12, "USD", 1200, "12.00"),
        ("-0.05", "USD", -5, "-0.05"),
        ("12.5000", Currency.USD, 1250, "12.50"),
        ("1250.00", Currency.JPY, 1250, "1250"),
        ("1.25", "KWD", 1250, "1.250"),
        (0, "KWD", 0, "0.000"),
    ],
)
def test_money(number: Decimal | int | str, currency: str, amount: int, decimal: str) -> None:
    money = money_from_decimal(number, currency)
    assert money == Money(amount=amount, currency=Currency(currency))
    assert str(decimal_from_money(money)) == decimal
    assert str(decimal_from_money(SignedMoney(amount=amount, currency=Currency(currency)))) == decimal


@pytest.mark.parametrize("number", ["", "1,250", "$5", "12.505", "NaN", "Infinity"])
def test_what_is_no_amount(number: str) -> None:
    with pytest.raises(ValueError, match="is not a"):
        money_from_decimal(number, "USD")


def test_a_float_is_not_exact() -> None:
    with pytest.raises(TypeError, match="Decimal or a string"):
        money_from_decimal(12.5, "USD")  # type: ignore[arg-type] # callers without a type checker


@pytest.mark.parametrize("number", [True, False, None, b"1", [1]])
def test_what_is_no_number(number: object) -> None:
    with pytest.raises(TypeError, match="give a Decimal, an int or a string"):
        money_from_decimal(number, "USD")  # type: ignore[arg-type] # callers without a type checker


@pytest.mark.parametrize(
    ("currency", "words"), [("usd", "upper case, 'USD'"), ("XXX", "ISO 4217"), ("", "ISO 4217"), ("$", "ISO 4217")]
)
def test_what_is_no_currency(currency: str, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        money_from_decimal("1", currency)


@pytest.mark.parametrize("number", ["9" * 40, "1000000000.00", 10**12, Decimal("1e400"), "-" + "9" * 30])
def test_what_is_too_large(number: Decimal | int | str) -> None:
    with pytest.raises(ValueError, match="too large"):
        money_from_decimal(number, "USD")


def test_a_decimal_is_not_sent() -> None:
    with pytest.raises(TypeError, match="minor units as an int, or use money_from_decimal"):
        json.dumps({"amount": Decimal("12.50")}, default=_refuse)


def test_the_currencies_are_those_of_the_service() -> None:
    codes = re.findall(r"\b[A-Z]{3}\b", "".join(re.findall(r"\t\d: (\"[^:]*),\n", SERVICE.read_text(encoding="utf-8"))))
    assert len(codes) > 140
    for code in codes:
        assert money_from_decimal(1, code).currency == code


def test_no_digit_is_lost() -> None:
    assert money_from_decimal("1.50" + "0" * 60, "USD").amount == 150
    with pytest.raises(ValueError, match="decimals of USD"):
        money_from_decimal("1.50" + "0" * 60 + "1", "USD")


def test_the_exponents_are_those_of_the_service() -> None:
    lists = re.findall(r"\t(\d): (\"[^:]*),\n", SERVICE.read_text(encoding="utf-8"))
    codes = {code: int(digits) for digits, text in lists for code in re.findall("[A-Z]{3}", text)}
    assert len(codes) > 150
    assert {code: exponent(code) for code in codes} == codes


def candidate(catalog_id: str | None) -> IdentificationResult:
    return IdentificationResult(
        title="Ember Fox",
        set_=None,
        number="3/18",
        game=Game.OTHER,
        year=None,
        variant=None,
        language=None,
        catalog_id=catalog_id,
        confidence=0.9,
        provider="visual",
        signals=[],
        grade=None,
    )


def test_a_candidate_of_the_catalogue() -> None:
    patch = patch_from_candidate(candidate("cat_1"))
    assert patch.to_dict() == {"catalog_id": "cat_1"}
    assert patch.condition is UNSET


def test_another_candidate() -> None:
    assert patch_from_candidate(candidate(None)).to_dict() == {
        "catalog_id": None,
        "title": "Ember Fox",
        "set": None,
        "number": "3/18",
        "game": "other",
        "year": None,
        "language": None,
        "variant": None,
    }
