"""What HTTP clients raise, told apart by whose fault it is."""

from __future__ import annotations

import ssl

import httpx

from .errors import CardVaultConnectionError, CardVaultTimeoutError

CALLERS_FAULT = (httpx.LocalProtocolError, httpx.UnsupportedProtocol)
"""Nothing was sent, and nothing would be another time."""

FAILED = (httpx.RequestError, TimeoutError)
"""No whole answer came."""

TOO_LATE = (httpx.TimeoutException, TimeoutError)


def failure(cause: Exception, timeout: float) -> CardVaultConnectionError:
    """The error for an attempt that was given up after at most `timeout` seconds, by one of FAILED."""
    error = (
        CardVaultTimeoutError(f"No answer from the service within {timeout:g} seconds")
        if isinstance(cause, TOO_LATE)
        else CardVaultConnectionError(f"No answer from the service: {str(cause) or type(cause).__name__}")
    )
    error.__cause__ = cause
    return error


def is_distrust(error: BaseException | None) -> bool:
    """Whether the cause is a certificate that is not trusted: it will not be the next time either."""
    while error is not None and not isinstance(error, ssl.SSLCertVerificationError):
        error = error.__cause__ or error.__context__
    return error is not None
