"""Every operation of the contract as a method, once for callers that wait and once for asyncio."""

from __future__ import annotations

import datetime
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from typing import Any, Literal, Protocol, TypeVar

from .api.batches import complete_batch as _complete_batch
from .api.batches import create_batch as _create_batch
from .api.batches import get_batch as _get_batch
from .api.batches import list_batch_cards as _list_batch_cards
from .api.batches import list_batches as _list_batches
from .api.batches import reopen_batch as _reopen_batch
from .api.cards import create_cards as _create_cards
from .api.cards import delete_card_photo as _delete_card_photo
from .api.cards import get_card as _get_card
from .api.cards import list_cards as _list_cards
from .api.cards import put_card_photo as _put_card_photo
from .api.cards import update_card as _update_card
from .api.events import get_event as _get_event
from .api.events import list_events as _list_events
from .api.identification import identify as _identify
from .api.listings import end_listing as _end_listing
from .api.listings import get_listing as _get_listing
from .api.listings import list_listings as _list_listings
from .api.listings import publish_card as _publish_card
from .api.pricing import lookup_price as _lookup_price
from .models.batch import Batch
from .models.batch_completed_event import BatchCompletedEvent
from .models.batch_page import BatchPage
from .models.batch_status import BatchStatus
from .models.card import Card
from .models.card_identified_event import CardIdentifiedEvent
from .models.card_input import CardInput
from .models.card_list import CardList
from .models.card_page import CardPage
from .models.card_priced_event import CardPricedEvent
from .models.card_workflow_status_changed_event import CardWorkflowStatusChangedEvent
from .models.condition import Condition
from .models.event_kind import EventKind
from .models.event_page import EventPage
from .models.game import Game
from .models.identification_patch import IdentificationPatch
from .models.identification_status import IdentificationStatus
from .models.identify_failed_event import IdentifyFailedEvent
from .models.identify_outcome import IdentifyOutcome
from .models.listing import Listing
from .models.listing_ended_event import ListingEndedEvent
from .models.listing_page import ListingPage
from .models.listing_published_event import ListingPublishedEvent
from .models.listing_sold_event import ListingSoldEvent
from .models.listing_status import ListingStatus
from .models.marketplace import Marketplace
from .models.money import Money
from .models.photo_role import PhotoRole
from .models.price_estimate import PriceEstimate
from .models.price_lookup_card import PriceLookupCard
from .models.pricing_patch import PricingPatch
from .models.unknown_event import UnknownEvent
from .models.workflow_status import WorkflowStatus
from .types import UNSET, Request, Unset

T = TypeVar("T")
Item = TypeVar("Item", covariant=True)


class Page(Protocol[Item]):
    """What all lists answer with."""

    @property
    def data(self) -> Sequence[Item]: ...
    @property
    def has_more(self) -> bool: ...
    @property
    def next_cursor(self) -> str | None: ...


class Operations(ABC):
    """Needs to be told how to send a request and how to walk pages."""

    @abstractmethod
    def _call(self, request: Request[T]) -> T: ...

    @abstractmethod
    def _iterate(self, page: Callable[[str | None], Request[Any]]) -> Iterator[Any]: ...

    def list_cards(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        status: list[WorkflowStatus] | None = None,
        batch: str | None = None,
        location: str | None = None,
        set_: str | None = None,
        game: Game | None = None,
        number: str | None = None,
        condition: Condition | None = None,
        identification: IdentificationStatus | None = None,
        min_price: int | None = None,
        max_price: int | None = None,
        sku: str | None = None,
        q: str | None = None,
        updated_since: datetime.datetime | None = None,
        if_none_match: str | None = None,
    ) -> CardPage:
        """List cards.

        Newest first; with `updated_since`, in the order of change (see "Following changes by polling").

        Args:
            limit: How many items a page holds at most.
            cursor: The `next_cursor` of the page before. It holds for the filters it was issued for; with
                others it is `400 invalid_cursor`.
            status: Cards with one of these workflow statuses. Repeat the parameter or separate them by
                commas.
            batch: Cards in this batch.
            location: Cards at this location or anywhere below it.
            set_: Cards of the set with exactly this name.
            game: The game or kind of card.
            number: Cards with exactly this number.
            condition: Near mint, lightly played, moderately played, heavily played, damaged.
            identification: `pending` until the card is identified or both providers have failed.
            min_price: Cards whose asking price is at least this many minor units.
            max_price: Cards whose asking price is at most this many minor units.
            sku: Cards with exactly this SKU.
            q: Words or a part of the title; a card matches when its title holds every one of them, in any
                case.
            updated_since: Only what changed at or after this time, in the order of change. RFC 3339 with a
                time zone.
            if_none_match: ETags you have; if one is current, the answer is 304 without a body.
        """
        return self._call(
            _list_cards.request(
                limit=limit,
                cursor=cursor,
                status=status,
                batch=batch,
                location=location,
                set_=set_,
                game=game,
                number=number,
                condition=condition,
                identification=identification,
                min_price=min_price,
                max_price=max_price,
                sku=sku,
                q=q,
                updated_since=updated_since,
                if_none_match=if_none_match,
            )
        )

    def iter_cards(
        self,
        *,
        limit: int | None = None,
        status: list[WorkflowStatus] | None = None,
        batch: str | None = None,
        location: str | None = None,
        set_: str | None = None,
        game: Game | None = None,
        number: str | None = None,
        condition: Condition | None = None,
        identification: IdentificationStatus | None = None,
        min_price: int | None = None,
        max_price: int | None = None,
        sku: str | None = None,
        q: str | None = None,
        updated_since: datetime.datetime | None = None,
    ) -> Iterator[Card]:
        """As `list_cards`, page by page to the end; a page is fetched when its first item is asked for.

        List cards.

        Newest first; with `updated_since`, in the order of change (see "Following changes by polling").

        Args:
            limit: How many items a page holds at most.
            status: Cards with one of these workflow statuses. Repeat the parameter or separate them by
                commas.
            batch: Cards in this batch.
            location: Cards at this location or anywhere below it.
            set_: Cards of the set with exactly this name.
            game: The game or kind of card.
            number: Cards with exactly this number.
            condition: Near mint, lightly played, moderately played, heavily played, damaged.
            identification: `pending` until the card is identified or both providers have failed.
            min_price: Cards whose asking price is at least this many minor units.
            max_price: Cards whose asking price is at most this many minor units.
            sku: Cards with exactly this SKU.
            q: Words or a part of the title; a card matches when its title holds every one of them, in any
                case.
            updated_since: Only what changed at or after this time, in the order of change. RFC 3339 with a
                time zone.
        """

        def page(cursor: str | None) -> Request[CardPage]:
            return _list_cards.request(
                limit=limit,
                status=status,
                batch=batch,
                location=location,
                set_=set_,
                game=game,
                number=number,
                condition=condition,
                identification=identification,
                min_price=min_price,
                max_price=max_price,
                sku=sku,
                q=q,
                updated_since=updated_since,
                cursor=cursor,
            )

        return self._iterate(page)

    def create_cards(
        self,
        *,
        cards: list[CardInput],
        idempotency_key: str | None = None,
    ) -> CardList:
        """Import cards.

        Imports 1 to 500 cards, all or none. Photos are fetched soon after, an address out of reach up to
        four times within two minutes; a card that has one and no title is then identified automatically.

        Args:
            cards: The cards; all are imported or none.
            idempotency_key: A key of your choice that makes repeating this request safe: 1 to 255 printable
                ASCII characters, bare or as a quoted string. The first answer is kept for 24 hours for your
                token and replayed.
        """
        return self._call(
            _create_cards.request(
                cards=cards,
                idempotency_key=idempotency_key,
            )
        )

    def get_card(
        self,
        id: str,
        *,
        if_none_match: str | None = None,
    ) -> Card:
        """Fetch one card.

        The whole card.

        Args:
            if_none_match: ETags you have; if one is current, the answer is 304 without a body.
        """
        return self._call(
            _get_card.request(
                id,
                if_none_match=if_none_match,
            )
        )

    def update_card(
        self,
        id: str,
        *,
        identification: IdentificationPatch | Unset = UNSET,
        pricing: PricingPatch | Unset = UNSET,
        location: None | str | Unset = UNSET,
        sku: None | str | Unset = UNSET,
        notes: None | str | Unset = UNSET,
        batch_id: None | str | Unset = UNSET,
        archived: bool | Unset = UNSET,
        if_match: str | None = None,
    ) -> Card:
        """Update a card.

        A JSON merge patch of the card's identification, pricing, location and the owner's own fields. A
        change that makes the workflow status follow takes it there edge by edge, with one event each. A
        patch that changes nothing leaves the version as it is.

        Args:
            identification: Absent is untouched, null is cleared. Saving a title is a manual identification.
                An identified card keeps a title: clearing it is refused.
            pricing: Absent is untouched, null is cleared.
            location: Where the card lies, 1 to 5 segments joined by `/`.
            sku: The owner's own article number.
            notes: The owner's own notes.
            batch_id: The batch to put the card into, or null to take it out.
            archived: True puts the card away, false brings it back to where its facts put it.
            if_match: The ETag of the version you have seen. If the card has changed since, the answer is
                `412 version_mismatch` and nothing changes.
        """
        return self._call(
            _update_card.request(
                id,
                identification=identification,
                pricing=pricing,
                location=location,
                sku=sku,
                notes=notes,
                batch_id=batch_id,
                archived=archived,
                if_match=if_match,
            )
        )

    def put_card_photo(
        self,
        id: str,
        photo: PhotoRole,
        content: bytes,
        *,
        content_type: Literal["image/jpeg", "image/png", "image/webp"],
    ) -> Card:
        """Put a photo.

        Puts the card's photo of this role, in place of the one before. A card that is waiting to be
        identified is identified automatically once it has a photo.
        """
        return self._call(
            _put_card_photo.request(
                id,
                photo,
                content,
                content_type=content_type,
            )
        )

    def delete_card_photo(
        self,
        id: str,
        photo: str,
    ) -> None:
        """Delete a photo.

        Takes a photo off the card. A card with a listing under way keeps its photos.
        """
        return self._call(
            _delete_card_photo.request(
                id,
                photo,
            )
        )

    def list_batches(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        status: BatchStatus | None = None,
        updated_since: datetime.datetime | None = None,
        if_none_match: str | None = None,
    ) -> BatchPage:
        """List batches.

        Newest first; with `updated_since`, in the order of change.

        Args:
            limit: How many items a page holds at most.
            cursor: The `next_cursor` of the page before. It holds for the filters it was issued for; with
                others it is `400 invalid_cursor`.
            status: Cards move in and out of an open batch only.
            updated_since: Only what changed at or after this time, in the order of change. RFC 3339 with a
                time zone.
            if_none_match: ETags you have; if one is current, the answer is 304 without a body.
        """
        return self._call(
            _list_batches.request(
                limit=limit,
                cursor=cursor,
                status=status,
                updated_since=updated_since,
                if_none_match=if_none_match,
            )
        )

    def iter_batches(
        self,
        *,
        limit: int | None = None,
        status: BatchStatus | None = None,
        updated_since: datetime.datetime | None = None,
    ) -> Iterator[Batch]:
        """As `list_batches`, page by page to the end; a page is fetched when its first item is asked for.

        List batches.

        Newest first; with `updated_since`, in the order of change.

        Args:
            limit: How many items a page holds at most.
            status: Cards move in and out of an open batch only.
            updated_since: Only what changed at or after this time, in the order of change. RFC 3339 with a
                time zone.
        """

        def page(cursor: str | None) -> Request[BatchPage]:
            return _list_batches.request(
                limit=limit,
                status=status,
                updated_since=updated_since,
                cursor=cursor,
            )

        return self._iterate(page)

    def create_batch(
        self,
        *,
        name: str,
        description: str | Unset = UNSET,
        idempotency_key: str | None = None,
    ) -> Batch:
        """Create a batch.

        Makes an open, empty batch. Cards are put into it by `batch_id`.

        Args:
            name: The batch's name.
            description: What the batch is about.
            idempotency_key: A key of your choice that makes repeating this request safe: 1 to 255 printable
                ASCII characters, bare or as a quoted string. The first answer is kept for 24 hours for your
                token and replayed.
        """
        return self._call(
            _create_batch.request(
                name=name,
                description=description,
                idempotency_key=idempotency_key,
            )
        )

    def get_batch(
        self,
        id: str,
        *,
        if_none_match: str | None = None,
    ) -> Batch:
        """Fetch one batch.

        The batch with its number of cards.

        Args:
            if_none_match: ETags you have; if one is current, the answer is 304 without a body.
        """
        return self._call(
            _get_batch.request(
                id,
                if_none_match=if_none_match,
            )
        )

    def complete_batch(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
    ) -> Batch:
        """Mark a batch complete.

        Cards no longer move in or out. Fires `batch.completed`; on a complete batch it changes and fires
        nothing.

        Args:
            idempotency_key: A key of your choice that makes repeating this request safe: 1 to 255 printable
                ASCII characters, bare or as a quoted string. The first answer is kept for 24 hours for your
                token and replayed.
        """
        return self._call(
            _complete_batch.request(
                id,
                idempotency_key=idempotency_key,
            )
        )

    def reopen_batch(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
    ) -> Batch:
        """Reopen a batch.

        Lets cards move in and out again; on an open batch it changes nothing.

        Args:
            idempotency_key: A key of your choice that makes repeating this request safe: 1 to 255 printable
                ASCII characters, bare or as a quoted string. The first answer is kept for 24 hours for your
                token and replayed.
        """
        return self._call(
            _reopen_batch.request(
                id,
                idempotency_key=idempotency_key,
            )
        )

    def list_batch_cards(
        self,
        id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        status: list[WorkflowStatus] | None = None,
        location: str | None = None,
        set_: str | None = None,
        game: Game | None = None,
        number: str | None = None,
        condition: Condition | None = None,
        identification: IdentificationStatus | None = None,
        min_price: int | None = None,
        max_price: int | None = None,
        sku: str | None = None,
        q: str | None = None,
        updated_since: datetime.datetime | None = None,
        if_none_match: str | None = None,
    ) -> CardPage:
        """List the cards in a batch.

        As `GET /cards`, with the same filters but `batch`.

        Args:
            limit: How many items a page holds at most.
            cursor: The `next_cursor` of the page before. It holds for the filters it was issued for; with
                others it is `400 invalid_cursor`.
            status: Cards with one of these workflow statuses. Repeat the parameter or separate them by
                commas.
            location: Cards at this location or anywhere below it.
            set_: Cards of the set with exactly this name.
            game: The game or kind of card.
            number: Cards with exactly this number.
            condition: Near mint, lightly played, moderately played, heavily played, damaged.
            identification: `pending` until the card is identified or both providers have failed.
            min_price: Cards whose asking price is at least this many minor units.
            max_price: Cards whose asking price is at most this many minor units.
            sku: Cards with exactly this SKU.
            q: Words or a part of the title; a card matches when its title holds every one of them, in any
                case.
            updated_since: Only what changed at or after this time, in the order of change. RFC 3339 with a
                time zone.
            if_none_match: ETags you have; if one is current, the answer is 304 without a body.
        """
        return self._call(
            _list_batch_cards.request(
                id,
                limit=limit,
                cursor=cursor,
                status=status,
                location=location,
                set_=set_,
                game=game,
                number=number,
                condition=condition,
                identification=identification,
                min_price=min_price,
                max_price=max_price,
                sku=sku,
                q=q,
                updated_since=updated_since,
                if_none_match=if_none_match,
            )
        )

    def iter_batch_cards(
        self,
        id: str,
        *,
        limit: int | None = None,
        status: list[WorkflowStatus] | None = None,
        location: str | None = None,
        set_: str | None = None,
        game: Game | None = None,
        number: str | None = None,
        condition: Condition | None = None,
        identification: IdentificationStatus | None = None,
        min_price: int | None = None,
        max_price: int | None = None,
        sku: str | None = None,
        q: str | None = None,
        updated_since: datetime.datetime | None = None,
    ) -> Iterator[Card]:
        """As `list_batch_cards`, page by page to the end; a page is fetched when its first item is asked for.

        List the cards in a batch.

        As `GET /cards`, with the same filters but `batch`.

        Args:
            limit: How many items a page holds at most.
            status: Cards with one of these workflow statuses. Repeat the parameter or separate them by
                commas.
            location: Cards at this location or anywhere below it.
            set_: Cards of the set with exactly this name.
            game: The game or kind of card.
            number: Cards with exactly this number.
            condition: Near mint, lightly played, moderately played, heavily played, damaged.
            identification: `pending` until the card is identified or both providers have failed.
            min_price: Cards whose asking price is at least this many minor units.
            max_price: Cards whose asking price is at most this many minor units.
            sku: Cards with exactly this SKU.
            q: Words or a part of the title; a card matches when its title holds every one of them, in any
                case.
            updated_since: Only what changed at or after this time, in the order of change. RFC 3339 with a
                time zone.
        """

        def page(cursor: str | None) -> Request[CardPage]:
            return _list_batch_cards.request(
                id,
                limit=limit,
                status=status,
                location=location,
                set_=set_,
                game=game,
                number=number,
                condition=condition,
                identification=identification,
                min_price=min_price,
                max_price=max_price,
                sku=sku,
                q=q,
                updated_since=updated_since,
                cursor=cursor,
            )

        return self._iterate(page)

    def identify(
        self,
        *,
        card_id: str | Unset = UNSET,
        photo_url: str | Unset = UNSET,
        idempotency_key: str | None = None,
    ) -> IdentifyOutcome:
        """Identify a card or a photo.

        Asks the identification providers in order until one is sure enough. For a card, the result is saved
        as a PATCH would save it, or the failure is; for a photo address nothing is saved and nothing fires.
        When no provider could answer at all, that is a card's failure too, and `502 upstream_error` for a
        photo address, or `422 photo_invalid` where the photo is at fault. While too many photos are being
        identified, it is `503 unavailable` and nothing is saved.

        Args:
            photo_url: A public https address of a JPEG, PNG or WebP of at most 15 MiB. Nothing is saved and
                nothing fires.
            idempotency_key: A key of your choice that makes repeating this request safe: 1 to 255 printable
                ASCII characters, bare or as a quoted string. The first answer is kept for 24 hours for your
                token and replayed.
        """
        return self._call(
            _identify.request(
                card_id=card_id,
                photo_url=photo_url,
                idempotency_key=idempotency_key,
            )
        )

    def lookup_price(
        self,
        *,
        card_id: str | Unset = UNSET,
        card: PriceLookupCard | Unset = UNSET,
        idempotency_key: str | None = None,
    ) -> PriceEstimate:
        """Look up a price.

        What the card sells for: from your own sold listings of the last 365 days, else from the catalogue.
        `price` is the median, `low` and `high` the quartiles (the extremes where there are fewer than four
        prices), all in the currency that most of them have. Without `grade` an ungraded card is meant; the
        catalogue prices those only. It changes nothing.

        Args:
            idempotency_key: A key of your choice that makes repeating this request safe: 1 to 255 printable
                ASCII characters, bare or as a quoted string. The first answer is kept for 24 hours for your
                token and replayed.
        """
        return self._call(
            _lookup_price.request(
                card_id=card_id,
                card=card,
                idempotency_key=idempotency_key,
            )
        )

    def list_listings(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        status: list[ListingStatus] | None = None,
        card: str | None = None,
        marketplace: Marketplace | None = None,
        updated_since: datetime.datetime | None = None,
        if_none_match: str | None = None,
    ) -> ListingPage:
        """List listings.

        Newest first; with `updated_since`, in the order of change.

        Args:
            limit: How many items a page holds at most.
            cursor: The `next_cursor` of the page before. It holds for the filters it was issued for; with
                others it is `400 invalid_cursor`.
            status: Listings with one of these statuses. Repeat the parameter or separate them by commas.
            card: Listings of this card.
            marketplace: `sandbox` is the stand-in marketplace that ships with the product.
            updated_since: Only what changed at or after this time, in the order of change. RFC 3339 with a
                time zone.
            if_none_match: ETags you have; if one is current, the answer is 304 without a body.
        """
        return self._call(
            _list_listings.request(
                limit=limit,
                cursor=cursor,
                status=status,
                card=card,
                marketplace=marketplace,
                updated_since=updated_since,
                if_none_match=if_none_match,
            )
        )

    def iter_listings(
        self,
        *,
        limit: int | None = None,
        status: list[ListingStatus] | None = None,
        card: str | None = None,
        marketplace: Marketplace | None = None,
        updated_since: datetime.datetime | None = None,
    ) -> Iterator[Listing]:
        """As `list_listings`, page by page to the end; a page is fetched when its first item is asked for.

        List listings.

        Newest first; with `updated_since`, in the order of change.

        Args:
            limit: How many items a page holds at most.
            status: Listings with one of these statuses. Repeat the parameter or separate them by commas.
            card: Listings of this card.
            marketplace: `sandbox` is the stand-in marketplace that ships with the product.
            updated_since: Only what changed at or after this time, in the order of change. RFC 3339 with a
                time zone.
        """

        def page(cursor: str | None) -> Request[ListingPage]:
            return _list_listings.request(
                limit=limit,
                status=status,
                card=card,
                marketplace=marketplace,
                updated_since=updated_since,
                cursor=cursor,
            )

        return self._iterate(page)

    def get_listing(
        self,
        id: str,
        *,
        if_none_match: str | None = None,
    ) -> Listing:
        """Fetch one listing.

        The whole listing.

        Args:
            if_none_match: ETags you have; if one is current, the answer is 304 without a body.
        """
        return self._call(
            _get_listing.request(
                id,
                if_none_match=if_none_match,
            )
        )

    def end_listing(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
    ) -> Listing:
        """End a listing.

        Takes a live listing off the marketplace. The answer comes at once; the listing is `ending` until
        the marketplace has confirmed.

        Args:
            idempotency_key: A key of your choice that makes repeating this request safe: 1 to 255 printable
                ASCII characters, bare or as a quoted string. The first answer is kept for 24 hours for your
                token and replayed.
        """
        return self._call(
            _end_listing.request(
                id,
                idempotency_key=idempotency_key,
            )
        )

    def publish_card(
        self,
        card_id: str,
        *,
        marketplace: Marketplace | Unset = UNSET,
        price: Money | Unset = UNSET,
        title: str | Unset = UNSET,
        idempotency_key: str | None = None,
    ) -> Listing:
        """Publish a card.

        Publishes a card on the marketplace. The answer comes at once; the listing is `publishing` until the
        marketplace has confirmed. However often this is repeated, a card never has two listings under way.

        Args:
            marketplace: `sandbox` is the stand-in marketplace that ships with the product.
            title: The title the marketplace shows.
            idempotency_key: A key of your choice that makes repeating this request safe: 1 to 255 printable
                ASCII characters, bare or as a quoted string. The first answer is kept for 24 hours for your
                token and replayed.
        """
        return self._call(
            _publish_card.request(
                card_id,
                marketplace=marketplace,
                price=price,
                title=title,
                idempotency_key=idempotency_key,
            )
        )

    def list_events(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        event: list[EventKind] | None = None,
        created_since: datetime.datetime | None = None,
        if_none_match: str | None = None,
    ) -> EventPage:
        """List events.

        The account's events of the last 30 days, byte for byte as webhooks carry them. Newest first; with
        `created_since`, oldest first.

        Args:
            limit: How many items a page holds at most.
            cursor: The `next_cursor` of the page before. It holds for the filters it was issued for; with
                others it is `400 invalid_cursor`.
            event: Events of these kinds. Repeat the parameter or separate them by commas.
            created_since: Only events at or after this time, oldest first. RFC 3339 with a time zone.
            if_none_match: ETags you have; if one is current, the answer is 304 without a body.
        """
        return self._call(
            _list_events.request(
                limit=limit,
                cursor=cursor,
                event=event,
                created_since=created_since,
                if_none_match=if_none_match,
            )
        )

    def iter_events(
        self,
        *,
        limit: int | None = None,
        event: list[EventKind] | None = None,
        created_since: datetime.datetime | None = None,
    ) -> Iterator[
        BatchCompletedEvent
        | CardIdentifiedEvent
        | CardPricedEvent
        | CardWorkflowStatusChangedEvent
        | IdentifyFailedEvent
        | ListingEndedEvent
        | ListingPublishedEvent
        | ListingSoldEvent
        | UnknownEvent
    ]:
        """As `list_events`, page by page to the end; a page is fetched when its first item is asked for.

        List events.

        The account's events of the last 30 days, byte for byte as webhooks carry them. Newest first; with
        `created_since`, oldest first.

        Args:
            limit: How many items a page holds at most.
            event: Events of these kinds. Repeat the parameter or separate them by commas.
            created_since: Only events at or after this time, oldest first. RFC 3339 with a time zone.
        """

        def page(cursor: str | None) -> Request[EventPage]:
            return _list_events.request(
                limit=limit,
                event=event,
                created_since=created_since,
                cursor=cursor,
            )

        return self._iterate(page)

    def get_event(
        self,
        id: str,
        *,
        if_none_match: str | None = None,
    ) -> (
        BatchCompletedEvent
        | CardIdentifiedEvent
        | CardPricedEvent
        | CardWorkflowStatusChangedEvent
        | IdentifyFailedEvent
        | ListingEndedEvent
        | ListingPublishedEvent
        | ListingSoldEvent
        | UnknownEvent
    ):
        """Fetch one event.

        The event, as webhooks carry it.

        Args:
            if_none_match: ETags you have; if one is current, the answer is 304 without a body.
        """
        return self._call(
            _get_event.request(
                id,
                if_none_match=if_none_match,
            )
        )


class AsyncOperations(ABC):
    """The same for asyncio."""

    @abstractmethod
    async def _call(self, request: Request[T]) -> T: ...

    @abstractmethod
    def _iterate(self, page: Callable[[str | None], Request[Any]]) -> AsyncIterator[Any]: ...

    async def list_cards(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        status: list[WorkflowStatus] | None = None,
        batch: str | None = None,
        location: str | None = None,
        set_: str | None = None,
        game: Game | None = None,
        number: str | None = None,
        condition: Condition | None = None,
        identification: IdentificationStatus | None = None,
        min_price: int | None = None,
        max_price: int | None = None,
        sku: str | None = None,
        q: str | None = None,
        updated_since: datetime.datetime | None = None,
        if_none_match: str | None = None,
    ) -> CardPage:
        """List cards.

        Newest first; with `updated_since`, in the order of change (see "Following changes by polling").

        Args:
            limit: How many items a page holds at most.
            cursor: The `next_cursor` of the page before. It holds for the filters it was issued for; with
                others it is `400 invalid_cursor`.
            status: Cards with one of these workflow statuses. Repeat the parameter or separate them by
                commas.
            batch: Cards in this batch.
            location: Cards at this location or anywhere below it.
            set_: Cards of the set with exactly this name.
            game: The game or kind of card.
            number: Cards with exactly this number.
            condition: Near mint, lightly played, moderately played, heavily played, damaged.
            identification: `pending` until the card is identified or both providers have failed.
            min_price: Cards whose asking price is at least this many minor units.
            max_price: Cards whose asking price is at most this many minor units.
            sku: Cards with exactly this SKU.
            q: Words or a part of the title; a card matches when its title holds every one of them, in any
                case.
            updated_since: Only what changed at or after this time, in the order of change. RFC 3339 with a
                time zone.
            if_none_match: ETags you have; if one is current, the answer is 304 without a body.
        """
        return await self._call(
            _list_cards.request(
                limit=limit,
                cursor=cursor,
                status=status,
                batch=batch,
                location=location,
                set_=set_,
                game=game,
                number=number,
                condition=condition,
                identification=identification,
                min_price=min_price,
                max_price=max_price,
                sku=sku,
                q=q,
                updated_since=updated_since,
                if_none_match=if_none_match,
            )
        )

    def iter_cards(
        self,
        *,
        limit: int | None = None,
        status: list[WorkflowStatus] | None = None,
        batch: str | None = None,
        location: str | None = None,
        set_: str | None = None,
        game: Game | None = None,
        number: str | None = None,
        condition: Condition | None = None,
        identification: IdentificationStatus | None = None,
        min_price: int | None = None,
        max_price: int | None = None,
        sku: str | None = None,
        q: str | None = None,
        updated_since: datetime.datetime | None = None,
    ) -> AsyncIterator[Card]:
        """As `list_cards`, page by page to the end; a page is fetched when its first item is asked for.

        List cards.

        Newest first; with `updated_since`, in the order of change (see "Following changes by polling").

        Args:
            limit: How many items a page holds at most.
            status: Cards with one of these workflow statuses. Repeat the parameter or separate them by
                commas.
            batch: Cards in this batch.
            location: Cards at this location or anywhere below it.
            set_: Cards of the set with exactly this name.
            game: The game or kind of card.
            number: Cards with exactly this number.
            condition: Near mint, lightly played, moderately played, heavily played, damaged.
            identification: `pending` until the card is identified or both providers have failed.
            min_price: Cards whose asking price is at least this many minor units.
            max_price: Cards whose asking price is at most this many minor units.
            sku: Cards with exactly this SKU.
            q: Words or a part of the title; a card matches when its title holds every one of them, in any
                case.
            updated_since: Only what changed at or after this time, in the order of change. RFC 3339 with a
                time zone.
        """

        def page(cursor: str | None) -> Request[CardPage]:
            return _list_cards.request(
                limit=limit,
                status=status,
                batch=batch,
                location=location,
                set_=set_,
                game=game,
                number=number,
                condition=condition,
                identification=identification,
                min_price=min_price,
                max_price=max_price,
                sku=sku,
                q=q,
                updated_since=updated_since,
                cursor=cursor,
            )

        return self._iterate(page)

    async def create_cards(
        self,
        *,
        cards: list[CardInput],
        idempotency_key: str | None = None,
    ) -> CardList:
        """Import cards.

        Imports 1 to 500 cards, all or none. Photos are fetched soon after, an address out of reach up to
        four times within two minutes; a card that has one and no title is then identified automatically.

        Args:
            cards: The cards; all are imported or none.
            idempotency_key: A key of your choice that makes repeating this request safe: 1 to 255 printable
                ASCII characters, bare or as a quoted string. The first answer is kept for 24 hours for your
                token and replayed.
        """
        return await self._call(
            _create_cards.request(
                cards=cards,
                idempotency_key=idempotency_key,
            )
        )

    async def get_card(
        self,
        id: str,
        *,
        if_none_match: str | None = None,
    ) -> Card:
        """Fetch one card.

        The whole card.

        Args:
            if_none_match: ETags you have; if one is current, the answer is 304 without a body.
        """
        return await self._call(
            _get_card.request(
                id,
                if_none_match=if_none_match,
            )
        )

    async def update_card(
        self,
        id: str,
        *,
        identification: IdentificationPatch | Unset = UNSET,
        pricing: PricingPatch | Unset = UNSET,
        location: None | str | Unset = UNSET,
        sku: None | str | Unset = UNSET,
        notes: None | str | Unset = UNSET,
        batch_id: None | str | Unset = UNSET,
        archived: bool | Unset = UNSET,
        if_match: str | None = None,
    ) -> Card:
        """Update a card.

        A JSON merge patch of the card's identification, pricing, location and the owner's own fields. A
        change that makes the workflow status follow takes it there edge by edge, with one event each. A
        patch that changes nothing leaves the version as it is.

        Args:
            identification: Absent is untouched, null is cleared. Saving a title is a manual identification.
                An identified card keeps a title: clearing it is refused.
            pricing: Absent is untouched, null is cleared.
            location: Where the card lies, 1 to 5 segments joined by `/`.
            sku: The owner's own article number.
            notes: The owner's own notes.
            batch_id: The batch to put the card into, or null to take it out.
            archived: True puts the card away, false brings it back to where its facts put it.
            if_match: The ETag of the version you have seen. If the card has changed since, the answer is
                `412 version_mismatch` and nothing changes.
        """
        return await self._call(
            _update_card.request(
                id,
                identification=identification,
                pricing=pricing,
                location=location,
                sku=sku,
                notes=notes,
                batch_id=batch_id,
                archived=archived,
                if_match=if_match,
            )
        )

    async def put_card_photo(
        self,
        id: str,
        photo: PhotoRole,
        content: bytes,
        *,
        content_type: Literal["image/jpeg", "image/png", "image/webp"],
    ) -> Card:
        """Put a photo.

        Puts the card's photo of this role, in place of the one before. A card that is waiting to be
        identified is identified automatically once it has a photo.
        """
        return await self._call(
            _put_card_photo.request(
                id,
                photo,
                content,
                content_type=content_type,
            )
        )

    async def delete_card_photo(
        self,
        id: str,
        photo: str,
    ) -> None:
        """Delete a photo.

        Takes a photo off the card. A card with a listing under way keeps its photos.
        """
        return await self._call(
            _delete_card_photo.request(
                id,
                photo,
            )
        )

    async def list_batches(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        status: BatchStatus | None = None,
        updated_since: datetime.datetime | None = None,
        if_none_match: str | None = None,
    ) -> BatchPage:
        """List batches.

        Newest first; with `updated_since`, in the order of change.

        Args:
            limit: How many items a page holds at most.
            cursor: The `next_cursor` of the page before. It holds for the filters it was issued for; with
                others it is `400 invalid_cursor`.
            status: Cards move in and out of an open batch only.
            updated_since: Only what changed at or after this time, in the order of change. RFC 3339 with a
                time zone.
            if_none_match: ETags you have; if one is current, the answer is 304 without a body.
        """
        return await self._call(
            _list_batches.request(
                limit=limit,
                cursor=cursor,
                status=status,
                updated_since=updated_since,
                if_none_match=if_none_match,
            )
        )

    def iter_batches(
        self,
        *,
        limit: int | None = None,
        status: BatchStatus | None = None,
        updated_since: datetime.datetime | None = None,
    ) -> AsyncIterator[Batch]:
        """As `list_batches`, page by page to the end; a page is fetched when its first item is asked for.

        List batches.

        Newest first; with `updated_since`, in the order of change.

        Args:
            limit: How many items a page holds at most.
            status: Cards move in and out of an open batch only.
            updated_since: Only what changed at or after this time, in the order of change. RFC 3339 with a
                time zone.
        """

        def page(cursor: str | None) -> Request[BatchPage]:
            return _list_batches.request(
                limit=limit,
                status=status,
                updated_since=updated_since,
                cursor=cursor,
            )

        return self._iterate(page)

    async def create_batch(
        self,
        *,
        name: str,
        description: str | Unset = UNSET,
        idempotency_key: str | None = None,
    ) -> Batch:
        """Create a batch.

        Makes an open, empty batch. Cards are put into it by `batch_id`.

        Args:
            name: The batch's name.
            description: What the batch is about.
            idempotency_key: A key of your choice that makes repeating this request safe: 1 to 255 printable
                ASCII characters, bare or as a quoted string. The first answer is kept for 24 hours for your
                token and replayed.
        """
        return await self._call(
            _create_batch.request(
                name=name,
                description=description,
                idempotency_key=idempotency_key,
            )
        )

    async def get_batch(
        self,
        id: str,
        *,
        if_none_match: str | None = None,
    ) -> Batch:
        """Fetch one batch.

        The batch with its number of cards.

        Args:
            if_none_match: ETags you have; if one is current, the answer is 304 without a body.
        """
        return await self._call(
            _get_batch.request(
                id,
                if_none_match=if_none_match,
            )
        )

    async def complete_batch(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
    ) -> Batch:
        """Mark a batch complete.

        Cards no longer move in or out. Fires `batch.completed`; on a complete batch it changes and fires
        nothing.

        Args:
            idempotency_key: A key of your choice that makes repeating this request safe: 1 to 255 printable
                ASCII characters, bare or as a quoted string. The first answer is kept for 24 hours for your
                token and replayed.
        """
        return await self._call(
            _complete_batch.request(
                id,
                idempotency_key=idempotency_key,
            )
        )

    async def reopen_batch(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
    ) -> Batch:
        """Reopen a batch.

        Lets cards move in and out again; on an open batch it changes nothing.

        Args:
            idempotency_key: A key of your choice that makes repeating this request safe: 1 to 255 printable
                ASCII characters, bare or as a quoted string. The first answer is kept for 24 hours for your
                token and replayed.
        """
        return await self._call(
            _reopen_batch.request(
                id,
                idempotency_key=idempotency_key,
            )
        )

    async def list_batch_cards(
        self,
        id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        status: list[WorkflowStatus] | None = None,
        location: str | None = None,
        set_: str | None = None,
        game: Game | None = None,
        number: str | None = None,
        condition: Condition | None = None,
        identification: IdentificationStatus | None = None,
        min_price: int | None = None,
        max_price: int | None = None,
        sku: str | None = None,
        q: str | None = None,
        updated_since: datetime.datetime | None = None,
        if_none_match: str | None = None,
    ) -> CardPage:
        """List the cards in a batch.

        As `GET /cards`, with the same filters but `batch`.

        Args:
            limit: How many items a page holds at most.
            cursor: The `next_cursor` of the page before. It holds for the filters it was issued for; with
                others it is `400 invalid_cursor`.
            status: Cards with one of these workflow statuses. Repeat the parameter or separate them by
                commas.
            location: Cards at this location or anywhere below it.
            set_: Cards of the set with exactly this name.
            game: The game or kind of card.
            number: Cards with exactly this number.
            condition: Near mint, lightly played, moderately played, heavily played, damaged.
            identification: `pending` until the card is identified or both providers have failed.
            min_price: Cards whose asking price is at least this many minor units.
            max_price: Cards whose asking price is at most this many minor units.
            sku: Cards with exactly this SKU.
            q: Words or a part of the title; a card matches when its title holds every one of them, in any
                case.
            updated_since: Only what changed at or after this time, in the order of change. RFC 3339 with a
                time zone.
            if_none_match: ETags you have; if one is current, the answer is 304 without a body.
        """
        return await self._call(
            _list_batch_cards.request(
                id,
                limit=limit,
                cursor=cursor,
                status=status,
                location=location,
                set_=set_,
                game=game,
                number=number,
                condition=condition,
                identification=identification,
                min_price=min_price,
                max_price=max_price,
                sku=sku,
                q=q,
                updated_since=updated_since,
                if_none_match=if_none_match,
            )
        )

    def iter_batch_cards(
        self,
        id: str,
        *,
        limit: int | None = None,
        status: list[WorkflowStatus] | None = None,
        location: str | None = None,
        set_: str | None = None,
        game: Game | None = None,
        number: str | None = None,
        condition: Condition | None = None,
        identification: IdentificationStatus | None = None,
        min_price: int | None = None,
        max_price: int | None = None,
        sku: str | None = None,
        q: str | None = None,
        updated_since: datetime.datetime | None = None,
    ) -> AsyncIterator[Card]:
        """As `list_batch_cards`, page by page to the end; a page is fetched when its first item is asked for.

        List the cards in a batch.

        As `GET /cards`, with the same filters but `batch`.

        Args:
            limit: How many items a page holds at most.
            status: Cards with one of these workflow statuses. Repeat the parameter or separate them by
                commas.
            location: Cards at this location or anywhere below it.
            set_: Cards of the set with exactly this name.
            game: The game or kind of card.
            number: Cards with exactly this number.
            condition: Near mint, lightly played, moderately played, heavily played, damaged.
            identification: `pending` until the card is identified or both providers have failed.
            min_price: Cards whose asking price is at least this many minor units.
            max_price: Cards whose asking price is at most this many minor units.
            sku: Cards with exactly this SKU.
            q: Words or a part of the title; a card matches when its title holds every one of them, in any
                case.
            updated_since: Only what changed at or after this time, in the order of change. RFC 3339 with a
                time zone.
        """

        def page(cursor: str | None) -> Request[CardPage]:
            return _list_batch_cards.request(
                id,
                limit=limit,
                status=status,
                location=location,
                set_=set_,
                game=game,
                number=number,
                condition=condition,
                identification=identification,
                min_price=min_price,
                max_price=max_price,
                sku=sku,
                q=q,
                updated_since=updated_since,
                cursor=cursor,
            )

        return self._iterate(page)

    async def identify(
        self,
        *,
        card_id: str | Unset = UNSET,
        photo_url: str | Unset = UNSET,
        idempotency_key: str | None = None,
    ) -> IdentifyOutcome:
        """Identify a card or a photo.

        Asks the identification providers in order until one is sure enough. For a card, the result is saved
        as a PATCH would save it, or the failure is; for a photo address nothing is saved and nothing fires.
        When no provider could answer at all, that is a card's failure too, and `502 upstream_error` for a
        photo address, or `422 photo_invalid` where the photo is at fault. While too many photos are being
        identified, it is `503 unavailable` and nothing is saved.

        Args:
            photo_url: A public https address of a JPEG, PNG or WebP of at most 15 MiB. Nothing is saved and
                nothing fires.
            idempotency_key: A key of your choice that makes repeating this request safe: 1 to 255 printable
                ASCII characters, bare or as a quoted string. The first answer is kept for 24 hours for your
                token and replayed.
        """
        return await self._call(
            _identify.request(
                card_id=card_id,
                photo_url=photo_url,
                idempotency_key=idempotency_key,
            )
        )

    async def lookup_price(
        self,
        *,
        card_id: str | Unset = UNSET,
        card: PriceLookupCard | Unset = UNSET,
        idempotency_key: str | None = None,
    ) -> PriceEstimate:
        """Look up a price.

        What the card sells for: from your own sold listings of the last 365 days, else from the catalogue.
        `price` is the median, `low` and `high` the quartiles (the extremes where there are fewer than four
        prices), all in the currency that most of them have. Without `grade` an ungraded card is meant; the
        catalogue prices those only. It changes nothing.

        Args:
            idempotency_key: A key of your choice that makes repeating this request safe: 1 to 255 printable
                ASCII characters, bare or as a quoted string. The first answer is kept for 24 hours for your
                token and replayed.
        """
        return await self._call(
            _lookup_price.request(
                card_id=card_id,
                card=card,
                idempotency_key=idempotency_key,
            )
        )

    async def list_listings(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        status: list[ListingStatus] | None = None,
        card: str | None = None,
        marketplace: Marketplace | None = None,
        updated_since: datetime.datetime | None = None,
        if_none_match: str | None = None,
    ) -> ListingPage:
        """List listings.

        Newest first; with `updated_since`, in the order of change.

        Args:
            limit: How many items a page holds at most.
            cursor: The `next_cursor` of the page before. It holds for the filters it was issued for; with
                others it is `400 invalid_cursor`.
            status: Listings with one of these statuses. Repeat the parameter or separate them by commas.
            card: Listings of this card.
            marketplace: `sandbox` is the stand-in marketplace that ships with the product.
            updated_since: Only what changed at or after this time, in the order of change. RFC 3339 with a
                time zone.
            if_none_match: ETags you have; if one is current, the answer is 304 without a body.
        """
        return await self._call(
            _list_listings.request(
                limit=limit,
                cursor=cursor,
                status=status,
                card=card,
                marketplace=marketplace,
                updated_since=updated_since,
                if_none_match=if_none_match,
            )
        )

    def iter_listings(
        self,
        *,
        limit: int | None = None,
        status: list[ListingStatus] | None = None,
        card: str | None = None,
        marketplace: Marketplace | None = None,
        updated_since: datetime.datetime | None = None,
    ) -> AsyncIterator[Listing]:
        """As `list_listings`, page by page to the end; a page is fetched when its first item is asked for.

        List listings.

        Newest first; with `updated_since`, in the order of change.

        Args:
            limit: How many items a page holds at most.
            status: Listings with one of these statuses. Repeat the parameter or separate them by commas.
            card: Listings of this card.
            marketplace: `sandbox` is the stand-in marketplace that ships with the product.
            updated_since: Only what changed at or after this time, in the order of change. RFC 3339 with a
                time zone.
        """

        def page(cursor: str | None) -> Request[ListingPage]:
            return _list_listings.request(
                limit=limit,
                status=status,
                card=card,
                marketplace=marketplace,
                updated_since=updated_since,
                cursor=cursor,
            )

        return self._iterate(page)

    async def get_listing(
        self,
        id: str,
        *,
        if_none_match: str | None = None,
    ) -> Listing:
        """Fetch one listing.

        The whole listing.

        Args:
            if_none_match: ETags you have; if one is current, the answer is 304 without a body.
        """
        return await self._call(
            _get_listing.request(
                id,
                if_none_match=if_none_match,
            )
        )

    async def end_listing(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
    ) -> Listing:
        """End a listing.

        Takes a live listing off the marketplace. The answer comes at once; the listing is `ending` until
        the marketplace has confirmed.

        Args:
            idempotency_key: A key of your choice that makes repeating this request safe: 1 to 255 printable
                ASCII characters, bare or as a quoted string. The first answer is kept for 24 hours for your
                token and replayed.
        """
        return await self._call(
            _end_listing.request(
                id,
                idempotency_key=idempotency_key,
            )
        )

    async def publish_card(
        self,
        card_id: str,
        *,
        marketplace: Marketplace | Unset = UNSET,
        price: Money | Unset = UNSET,
        title: str | Unset = UNSET,
        idempotency_key: str | None = None,
    ) -> Listing:
        """Publish a card.

        Publishes a card on the marketplace. The answer comes at once; the listing is `publishing` until the
        marketplace has confirmed. However often this is repeated, a card never has two listings under way.

        Args:
            marketplace: `sandbox` is the stand-in marketplace that ships with the product.
            title: The title the marketplace shows.
            idempotency_key: A key of your choice that makes repeating this request safe: 1 to 255 printable
                ASCII characters, bare or as a quoted string. The first answer is kept for 24 hours for your
                token and replayed.
        """
        return await self._call(
            _publish_card.request(
                card_id,
                marketplace=marketplace,
                price=price,
                title=title,
                idempotency_key=idempotency_key,
            )
        )

    async def list_events(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        event: list[EventKind] | None = None,
        created_since: datetime.datetime | None = None,
        if_none_match: str | None = None,
    ) -> EventPage:
        """List events.

        The account's events of the last 30 days, byte for byte as webhooks carry them. Newest first; with
        `created_since`, oldest first.

        Args:
            limit: How many items a page holds at most.
            cursor: The `next_cursor` of the page before. It holds for the filters it was issued for; with
                others it is `400 invalid_cursor`.
            event: Events of these kinds. Repeat the parameter or separate them by commas.
            created_since: Only events at or after this time, oldest first. RFC 3339 with a time zone.
            if_none_match: ETags you have; if one is current, the answer is 304 without a body.
        """
        return await self._call(
            _list_events.request(
                limit=limit,
                cursor=cursor,
                event=event,
                created_since=created_since,
                if_none_match=if_none_match,
            )
        )

    def iter_events(
        self,
        *,
        limit: int | None = None,
        event: list[EventKind] | None = None,
        created_since: datetime.datetime | None = None,
    ) -> AsyncIterator[
        BatchCompletedEvent
        | CardIdentifiedEvent
        | CardPricedEvent
        | CardWorkflowStatusChangedEvent
        | IdentifyFailedEvent
        | ListingEndedEvent
        | ListingPublishedEvent
        | ListingSoldEvent
        | UnknownEvent
    ]:
        """As `list_events`, page by page to the end; a page is fetched when its first item is asked for.

        List events.

        The account's events of the last 30 days, byte for byte as webhooks carry them. Newest first; with
        `created_since`, oldest first.

        Args:
            limit: How many items a page holds at most.
            event: Events of these kinds. Repeat the parameter or separate them by commas.
            created_since: Only events at or after this time, oldest first. RFC 3339 with a time zone.
        """

        def page(cursor: str | None) -> Request[EventPage]:
            return _list_events.request(
                limit=limit,
                event=event,
                created_since=created_since,
                cursor=cursor,
            )

        return self._iterate(page)

    async def get_event(
        self,
        id: str,
        *,
        if_none_match: str | None = None,
    ) -> (
        BatchCompletedEvent
        | CardIdentifiedEvent
        | CardPricedEvent
        | CardWorkflowStatusChangedEvent
        | IdentifyFailedEvent
        | ListingEndedEvent
        | ListingPublishedEvent
        | ListingSoldEvent
        | UnknownEvent
    ):
        """Fetch one event.

        The event, as webhooks carry it.

        Args:
            if_none_match: ETags you have; if one is current, the answer is 304 without a body.
        """
        return await self._call(
            _get_event.request(
                id,
                if_none_match=if_none_match,
            )
        )
