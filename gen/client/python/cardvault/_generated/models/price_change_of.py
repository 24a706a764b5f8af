from ..types import OpenEnum


class PriceChangeOf(OpenEnum):
    """The price that is changed: the asking price, or the `price` that `POST /price-lookup` returns for the card."""

    ASKING_PRICE = "asking_price"
    ESTIMATE = "estimate"
