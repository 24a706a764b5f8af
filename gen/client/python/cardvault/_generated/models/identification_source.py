from ..types import OpenEnum


class IdentificationSource(OpenEnum):
    AI = "ai"
    MANUAL = "manual"
