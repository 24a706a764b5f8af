from ..types import OpenEnum


class IdentificationSignalKind(OpenEnum):
    """What agrees with the photo: the picture, the printed name, the collector number or the body text."""

    PICTURE = "picture"
    NAME = "name"
    NUMBER = "number"
    TEXT = "text"
