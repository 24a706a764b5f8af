from ..types import OpenEnum


class ScanCards(OpenEnum):
    """How many cards a photo shows. With `many`, the cards on each photo, such as a page of a binder or a tray, are
    found,
    cut out and straightened, and each becomes a card with its cut as the front. The whole photo is not kept. A
    photo on
    which less than two cards are found becomes one card, with the whole photo. With `many`, send at most 5 photos,
    each
    of at most 30 cards, and no pairs. The default is `one`."""

    ONE = "one"
    MANY = "many"
