"""What an answer says beside its body."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timezone

__all__ = ["RateLimit", "ResponseInfo"]


@dataclass(frozen=True)
class RateLimit:
    """The limit of the class of requests that one fell into: read, write or AI."""

    limit: int
    """Requests that the token may make in a window."""
    remaining: int
    """How many of them are left."""
    reset: datetime
    """When the window ends."""

    @classmethod
    def of(cls, headers: Mapping[str, str]) -> RateLimit | None:
        """What the headers say of the limit; None where they do not."""
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
    """An answer without its body, to one attempt."""

    method: str
    url: str
    status: int
    headers: Mapping[str, str]
    """The names are found in any case: `headers["ETag"]` is for `if_none_match`."""
    request_id: str | None
    """Names the request in the service's logs."""
    rate_limit: RateLimit | None
