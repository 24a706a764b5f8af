from ..types import OpenEnum


class PriceEstimateBasis(OpenEnum):
    """Where the price comes from."""

    SOLD_LISTINGS = "sold_listings"
    CATALOG = "catalog"
    PROVIDER = "provider"
