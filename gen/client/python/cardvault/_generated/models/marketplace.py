from ..types import OpenEnum


class Marketplace(OpenEnum):
    """`sandbox` is the stand-in marketplace that ships with the product."""

    EBAY = "ebay"
    SANDBOX = "sandbox"
