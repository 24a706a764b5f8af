from ..types import OpenEnum


class WorkflowStatus(OpenEnum):
    """The service derives the status from the card's data. It changes by one transition at a time: `imported` →
    `identified` → `priced` → `photographed` → `listed` → `sold`. `photographed` means that the card has a photo
    with
    the role `listing`. Publishing accepts a photo of any role, so `priced` → `listed` is possible too.
    `needs_review`
    means that automatic identification failed, `archived` that the card was archived. A card goes back from
    `identified` to `needs_review` if a review of it in the dashboard is undone."""

    IMPORTED = "imported"
    NEEDS_REVIEW = "needs_review"
    IDENTIFIED = "identified"
    PRICED = "priced"
    PHOTOGRAPHED = "photographed"
    LISTED = "listed"
    SOLD = "sold"
    ARCHIVED = "archived"
