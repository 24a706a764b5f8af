from ..types import OpenEnum


class SaleChannel(OpenEnum):
    """Where the card was sold: a marketplace, the own shop, face to face, or elsewhere. Expect other marketplaces in
    responses. A request can name those that the server knows."""

    EBAY = "ebay"
    SANDBOX = "sandbox"
    OWN_STORE = "own_store"
    IN_PERSON = "in_person"
    OTHER = "other"
