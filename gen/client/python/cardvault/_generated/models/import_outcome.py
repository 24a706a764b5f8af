from ..types import OpenEnum


class ImportOutcome(OpenEnum):
    """`created` is a new card, `updated` a card that existed and was changed, `skipped` a card that existed and was
    not changed."""

    CREATED = "created"
    UPDATED = "updated"
    SKIPPED = "skipped"
