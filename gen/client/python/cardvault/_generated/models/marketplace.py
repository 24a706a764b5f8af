from ..types import OpenEnum


class Marketplace(OpenEnum):
    """`sandbox` is the sandbox marketplace that comes with CardVault. Expect other marketplaces in responses. A
    request can name those that the server knows."""

    EBAY = "ebay"
    SANDBOX = "sandbox"
