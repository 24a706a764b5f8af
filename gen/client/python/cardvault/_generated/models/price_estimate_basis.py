from ..types import OpenEnum


class PriceEstimateBasis(OpenEnum):
    """The source of the prices."""

    SOLD_LISTINGS = "sold_listings"
    CATALOG = "catalog"
    PROVIDER = "provider"
