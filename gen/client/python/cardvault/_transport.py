"""Conversion of the exceptions of HTTP clients."""

from __future__ import annotations

import ssl

import httpx

from .errors import CardVaultConnectionError, CardVaultTimeoutError

CALLERS_FAULT = (httpx.LocalProtocolError, httpx.UnsupportedProtocol)
"""Errors of the caller: nothing was sent, and a retry would fail too."""

FAILED = (httpx.RequestError, TimeoutError)
"""There was no complete response."""

TOO_LATE = (httpx.TimeoutException, TimeoutError)


def failure(cause: Exception, timeout: float) -> CardVaultConnectionError:
    """Convert an exception of FAILED, which ended an attempt after at most `timeout` seconds."""
    error = (
        CardVaultTimeoutError(f"No response from the service within {timeout:g} seconds")
        if isinstance(cause, TOO_LATE)
        else CardVaultConnectionError(f"No response from the service: {str(cause) or type(cause).__name__}")
    )
    error.__cause__ = cause
    return error


def is_distrust(error: BaseException | None) -> bool:
    """Report whether the cause is an untrusted certificate, for which a retry would fail too."""
    while error is not None and not isinstance(error, ssl.SSLCertVerificationError):
        error = error.__cause__ or error.__context__
    return error is not None
