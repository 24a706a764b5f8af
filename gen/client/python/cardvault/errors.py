"""The errors of requests.

An invalid argument raises a ValueError or a TypeError before anything is sent.
"""

from __future__ import annotations

from collections.abc import Sequence

from ._generated.models import ErrorCode, ErrorDetail
from .responses import RateLimit

__all__ = [
    "CardVaultConnectionError",
    "CardVaultError",
    "CardVaultTimeoutError",
    "ErrorCode",
    "ErrorDetail",
    "NotModified",
]


class CardVaultError(Exception):
    """A request that failed. Use `code` to distinguish errors: `if error.code == ErrorCode.CARD_NOT_FOUND`."""

    def __init__(
        self,
        message: str,
        *,
        status: int | None = None,
        code: ErrorCode | None = None,
        details: Sequence[ErrorDetail] = (),
        request_id: str | None = None,
        retry_after: float | None = None,
        rate_limit: RateLimit | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        """For people and logs."""
        self.status = status
        """The HTTP status; None if there was no response."""
        self.code = code
        """The code; None if the response is not from the API. The service may add codes."""
        self.details = list(details)
        """The invalid fields of the request."""
        self.request_id = request_id
        """Identifies the request in the logs of the service."""
        self.retry_after = retry_after
        """The seconds to wait before a retry; None if the response has no Retry-After."""
        self.rate_limit = rate_limit

    def __str__(self) -> str:
        notes = [
            str(self.code) if self.code else "",
            f"status {self.status}" if self.status else "",
            f"request {self.request_id}" if self.request_id else "",
        ]
        faults = "".join(f"\n  {detail.field}: {detail.message}" for detail in self.details)
        known = ", ".join(note for note in notes if note)
        return f"{self.message} ({known}){faults}" if known else self.message


class CardVaultConnectionError(CardVaultError):
    """There was no complete response. The service may have executed the request. See `__cause__`."""


class CardVaultTimeoutError(CardVaultConnectionError):
    """The attempt timed out."""


class NotModified(CardVaultError):  # noqa: N818 - not a failure: the caller passed `if_none_match`
    """The resource still has the ETag in `if_none_match`."""
