"""Fixtures of the unit tests."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from callers import Awaiting, Blocking, Caller
from fake_service import FakeService

MakeCaller = Callable[..., Caller]


@pytest.fixture
def service() -> Iterator[FakeService]:
    with FakeService().running() as running:
        yield running


@pytest.fixture(params=[Blocking, Awaiting])
def make_caller(request: pytest.FixtureRequest, service: FakeService) -> MakeCaller:
    """Return a function that creates callers of the service with options."""

    def make(**options: Any) -> Caller:
        made: Caller = request.param(service.url, **options)
        return made

    return make


@pytest.fixture
def caller(make_caller: MakeCaller) -> Caller:
    return make_caller()
