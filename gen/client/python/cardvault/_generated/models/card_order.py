from ..types import OpenEnum


class CardOrder(OpenEnum):
    """An order of cards, descending with `-`."""

    CREATED_AT = "created_at"
    CREATED_AT_DESCENDING = "-created_at"
    UPDATED_AT = "updated_at"
    UPDATED_AT_DESCENDING = "-updated_at"
    PRICE = "price"
    PRICE_DESCENDING = "-price"
    TITLE = "title"
    TITLE_DESCENDING = "-title"
    LOCATION = "location"
    LOCATION_DESCENDING = "-location"
