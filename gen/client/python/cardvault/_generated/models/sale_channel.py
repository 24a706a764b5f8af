from ..types import OpenEnum


class SaleChannel(OpenEnum):
    """Where the card was sold: a marketplace, the own shop, face to face, or elsewhere."""

    EBAY = "ebay"
    SANDBOX = "sandbox"
    OWN_STORE = "own_store"
    IN_PERSON = "in_person"
    OTHER = "other"
