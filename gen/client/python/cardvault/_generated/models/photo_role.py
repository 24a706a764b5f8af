from ..types import OpenEnum


class PhotoRole(OpenEnum):
    """What the photo shows: the front, the back, or the picture made for the listing."""

    FRONT = "front"
    BACK = "back"
    LISTING = "listing"
