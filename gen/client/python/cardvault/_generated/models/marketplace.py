from ..types import OpenEnum


class Marketplace(OpenEnum):
    """`sandbox` is the sandbox marketplace that comes with CardVault."""

    EBAY = "ebay"
    SANDBOX = "sandbox"
