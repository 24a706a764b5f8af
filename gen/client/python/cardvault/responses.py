"""The metadata of responses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timezone

__all__ = ["RateLimit", "ResponseInfo"]


@dataclass(frozen=True)
class RateLimit:
    """The rate limit of the class of the request: read, write or AI."""

    limit: int
    """The number of requests that the token may send in a window."""
    remaining: int
    """The number of requests left in this window."""
    reset: datetime
    """The time when the window ends."""

    @classmethod
    def of(cls, headers: Mapping[str, str]) -> RateLimit | None:
        """Parse the headers of the rate limit. Return None if they are missing or invalid."""
        try:
            return cls(
                limit=int(headers["X-RateLimit-Limit"]),
                remaining=int(headers["X-RateLimit-Remaining"]),
                reset=datetime.fromtimestamp(int(headers["X-RateLimit-Reset"]), timezone.utc),
            )
        except (KeyError, ValueError, OverflowError, OSError):
            return None


@dataclass(frozen=True)
class ResponseInfo:
    """The metadata of the response to one attempt."""

    method: str
    url: str
    status: int
    headers: Mapping[str, str]
    """The names are case-insensitive. Pass `headers["ETag"]` as `if_none_match`."""
    request_id: str | None
    """Identifies the request in the logs of the service."""
    rate_limit: RateLimit | None
