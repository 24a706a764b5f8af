from ..types import OpenEnum


class PhotoRole(OpenEnum):
    """The role of the photo: the front of the card, the back, or the picture for the listing."""

    FRONT = "front"
    BACK = "back"
    LISTING = "listing"
