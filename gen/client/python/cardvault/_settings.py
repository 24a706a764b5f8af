"""The settings of a client."""

from __future__ import annotations

import platform
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from urllib.parse import urlsplit

from ._generated import __version__
from .responses import ResponseInfo

DEFAULT_TIMEOUT = 60.0
"""Seconds. The service needs less for any request."""
DEFAULT_MAX_RETRIES = 3
USER_AGENT = f"cardvault-python/{__version__} Python/{platform.python_version()}"


@dataclass(frozen=True)
class Settings:
    """The settings, which the constructor validates. A ValueError says what to change."""

    base_url: str
    token: str = field(repr=False)
    timeout: float
    max_retries: int
    on_response: Callable[[ResponseInfo], object] | None = None

    def __post_init__(self) -> None:
        parts = urlsplit(self.base_url)
        if parts.scheme not in ("http", "https") or not parts.netloc or parts.query or parts.fragment:
            raise ValueError(f"base_url is {self.base_url!r}: give an address such as https://vault.example/api")
        if not self.token or not self.token.isascii() or not self.token.isprintable() or " " in self.token:
            raise ValueError("token is not a valid token: give the whole token, cv_live_… or cv_test_…")
        if self.timeout <= 0:
            raise ValueError(f"timeout is {self.timeout}: give seconds above 0")
        if self.max_retries < 0:
            raise ValueError(f"max_retries is {self.max_retries}: give 0 or more")
        object.__setattr__(self, "base_url", self.base_url.rstrip("/"))

    def headers(self) -> dict[str, str]:
        """Return the headers of every request."""
        return {
            "Accept": "application/json",
            "Authorization": f"Bearer {self.token}",
            "User-Agent": USER_AGENT,
        }

    def with_options(self, timeout: float | None, max_retries: int | None) -> Settings:
        """Return a copy of the settings with the options that are not None."""
        return replace(
            self,
            timeout=self.timeout if timeout is None else timeout,
            max_retries=self.max_retries if max_retries is None else max_retries,
        )
