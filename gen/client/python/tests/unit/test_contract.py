"""Tests that the package covers the contract."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

import cardvault
from cardvault import AsyncCardVault, CardVault, ErrorCode, models
from cardvault._window import rate_class

PACKAGE = Path(__file__).parents[2]
CONTRACT = YAML(typ="safe").load((PACKAGE.parents[2] / "openapi/v1.yaml").read_text(encoding="utf-8"))


def operations() -> list[dict[str, Any]]:
    return [operation for path in CONTRACT["paths"].values() for operation in path.values()]


def snake_case(name: str) -> str:
    return re.sub("[A-Z]", lambda letter: "_" + letter.group().lower(), name)


def test_version() -> None:
    assert cardvault.__version__ == CONTRACT["info"]["version"]


@pytest.mark.parametrize("client", [CardVault, AsyncCardVault])
@pytest.mark.parametrize("operation", operations(), ids=lambda operation: str(operation["operationId"]))
def test_every_operation_is_a_method(client: type, operation: dict[str, Any]) -> None:
    name = snake_case(operation["operationId"])
    assert operation["summary"] in getattr(client, name).__doc__
    if {"$ref": "#/components/parameters/Cursor"} in operation.get("parameters", []):
        assert callable(getattr(client, name.replace("list_", "iter_")))


def test_every_error_code() -> None:
    assert [code.value for code in ErrorCode] == CONTRACT["components"]["schemas"]["ErrorCode"]["enum"]


def test_every_kind_of_event() -> None:
    kinds = CONTRACT["components"]["schemas"]["EventKind"]["enum"]
    assert [kind.value for kind in models.EventKind] == kinds
    for kind in kinds:
        name = "".join(word.title() for word in re.split("[._]", kind)) + "Event"
        assert getattr(cardvault.events, name) in cardvault.events.Event.__args__


def test_the_classes_are_those_of_the_contract() -> None:
    for path, operations in CONTRACT["paths"].items():
        for method, operation in operations.items():
            assert rate_class(method.upper(), path) == operation["x-rate-class"], operation["operationId"]
