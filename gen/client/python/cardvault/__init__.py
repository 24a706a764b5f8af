"""Client for CardVault, an inventory service for trading cards.

`CardVault` is the synchronous client and `AsyncCardVault` the client for asyncio. Both have a method for each operation
of the contract. `cardvault.models` contains the types of arguments and results, `cardvault.events` the kinds of events,
and `cardvault.webhooks` the functions for receivers of webhooks.
"""

from . import events, models, webhooks
from ._bulk import BulkResult
from ._generated import __version__
from ._generated.types import UNSET, OpenEnum, ScanPhoto, Unset
from ._window import RateClass, Wait
from .aio import AsyncCardVault
from .candidates import patch_from_candidate
from .changes import AsyncChanges, AsyncFeed, Changes, Feed
from .client import CardVault
from .errors import (
    CardVaultConnectionError,
    CardVaultError,
    CardVaultTimeoutError,
    ErrorCode,
    ErrorDetail,
    NotModified,
)
from .money import decimal_from_money, money_from_decimal
from .responses import RateLimit, ResponseInfo

__all__ = [
    "UNSET",
    "AsyncCardVault",
    "AsyncChanges",
    "AsyncFeed",
    "BulkResult",
    "CardVault",
    "CardVaultConnectionError",
    "CardVaultError",
    "CardVaultTimeoutError",
    "Changes",
    "ErrorCode",
    "ErrorDetail",
    "Feed",
    "NotModified",
    "OpenEnum",
    "RateClass",
    "RateLimit",
    "ResponseInfo",
    "ScanPhoto",
    "Unset",
    "Wait",
    "__version__",
    "decimal_from_money",
    "events",
    "models",
    "money_from_decimal",
    "patch_from_candidate",
    "webhooks",
]
