"""Client for CardVault, an inventory service for trading cards.

`CardVault` waits for answers, `AsyncCardVault` is for asyncio; both have a method for each operation of the contract.
What they take and give is in `cardvault.models`, the kinds of events in `cardvault.events`, receiving webhooks in
`cardvault.webhooks`.
"""

from . import events, models, webhooks
from ._generated import __version__
from ._generated.types import UNSET, OpenEnum, Unset
from .aio import AsyncCardVault
from .changes import AsyncChanges, Changes
from .client import CardVault
from .errors import (
    CardVaultConnectionError,
    CardVaultError,
    CardVaultTimeoutError,
    ErrorCode,
    ErrorDetail,
    NotModified,
)
from .responses import RateLimit, ResponseInfo

__all__ = [
    "UNSET",
    "AsyncCardVault",
    "AsyncChanges",
    "CardVault",
    "CardVaultConnectionError",
    "CardVaultError",
    "CardVaultTimeoutError",
    "Changes",
    "ErrorCode",
    "ErrorDetail",
    "NotModified",
    "OpenEnum",
    "RateLimit",
    "ResponseInfo",
    "Unset",
    "__version__",
    "events",
    "models",
    "webhooks",
]
