"""A method for each operation of the contract, in a synchronous class and in one for asyncio."""

from __future__ import annotations

import datetime
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from typing import Any, Literal, Protocol, TypeVar

from .api.account import get_account as _get_account
from .api.account import get_account_usage as _get_account_usage
from .api.account import get_account_waiting as _get_account_waiting
from .api.account import update_account as _update_account
from .api.batches import complete_batch as _complete_batch
from .api.batches import create_batch as _create_batch
from .api.batches import get_batch as _get_batch
from .api.batches import list_batch_cards as _list_batch_cards
from .api.batches import list_batches as _list_batches
from .api.batches import reopen_batch as _reopen_batch
from .api.batches import update_batch as _update_batch
from .api.cards import create_cards as _create_cards
from .api.cards import delete_card as _delete_card
from .api.cards import delete_card_photo as _delete_card_photo
from .api.cards import get_card as _get_card
from .api.cards import get_card_waiting as _get_card_waiting
from .api.cards import list_card_history as _list_card_history
from .api.cards import list_cards as _list_cards
from .api.cards import list_deletions as _list_deletions
from .api.cards import put_card_photo as _put_card_photo
from .api.cards import report_stock as _report_stock
from .api.cards import scan_cards as _scan_cards
from .api.cards import summarize_cards as _summarize_cards
from .api.cards import update_card as _update_card
from .api.cards import update_cards as _update_cards
from .api.catalogue import get_catalog_card as _get_catalog_card
from .api.catalogue import search_catalog as _search_catalog
from .api.events import get_event as _get_event
from .api.events import list_events as _list_events
from .api.identification import identify as _identify
from .api.identification import list_card_candidates as _list_card_candidates
from .api.jobs import cancel_job as _cancel_job
from .api.jobs import create_job as _create_job
from .api.jobs import get_job as _get_job
from .api.jobs import get_job_waiting as _get_job_waiting
from .api.jobs import list_job_refusals as _list_job_refusals
from .api.jobs import list_jobs as _list_jobs
from .api.jobs import undo_job as _undo_job
from .api.listings import end_listing as _end_listing
from .api.listings import end_listings as _end_listings
from .api.listings import get_listing as _get_listing
from .api.listings import get_listing_waiting as _get_listing_waiting
from .api.listings import list_listings as _list_listings
from .api.listings import publish_card as _publish_card
from .api.listings import publish_cards as _publish_cards
from .api.listings import update_listing as _update_listing
from .api.pricing import lookup_price as _lookup_price
from .api.sales import get_sale as _get_sale
from .api.sales import list_sales as _list_sales
from .api.sales import refund_sale as _refund_sale
from .api.sales import report_sales as _report_sales
from .api.sales import sell_card as _sell_card
from .api.sales import update_sale as _update_sale
from .api.sales import void_sale as _void_sale
from .api.webhooks import create_webhook as _create_webhook
from .api.webhooks import delete_webhook as _delete_webhook
from .api.webhooks import end_webhook_secret as _end_webhook_secret
from .api.webhooks import get_webhook as _get_webhook
from .api.webhooks import list_webhook_deliveries as _list_webhook_deliveries
from .api.webhooks import list_webhooks as _list_webhooks
from .api.webhooks import (
    resend_dropped_webhook_deliveries as _resend_dropped_webhook_deliveries,
)
from .api.webhooks import resend_webhook_delivery as _resend_webhook_delivery
from .api.webhooks import rotate_webhook_secret as _rotate_webhook_secret
from .api.webhooks import test_webhook as _test_webhook
from .api.webhooks import update_webhook as _update_webhook
from .models.account import Account
from .models.account_usage import AccountUsage
from .models.account_waiting import AccountWaiting
from .models.batch import Batch
from .models.batch_completed_event import BatchCompletedEvent
from .models.batch_page import BatchPage
from .models.batch_status import BatchStatus
from .models.candidate_list import CandidateList
from .models.card import Card
from .models.card_deleted_event import CardDeletedEvent
from .models.card_grouping import CardGrouping
from .models.card_history_entry import CardHistoryEntry
from .models.card_history_page import CardHistoryPage
from .models.card_identified_event import CardIdentifiedEvent
from .models.card_input import CardInput
from .models.card_list import CardList
from .models.card_order import CardOrder
from .models.card_page import CardPage
from .models.card_patch import CardPatch
from .models.card_priced_event import CardPricedEvent
from .models.card_restored_event import CardRestoredEvent
from .models.card_summary import CardSummary
from .models.card_update import CardUpdate
from .models.card_update_results import CardUpdateResults
from .models.card_updated_event import CardUpdatedEvent
from .models.card_waiting import CardWaiting
from .models.card_workflow_status_changed_event import CardWorkflowStatusChangedEvent
from .models.cards_input_on_conflict import CardsInputOnConflict
from .models.catalog_card import CatalogCard
from .models.catalog_card_list import CatalogCardList
from .models.condition import Condition
from .models.currency import Currency
from .models.deletion import Deletion
from .models.deletion_page import DeletionPage
from .models.delivery_state import DeliveryState
from .models.end_results import EndResults
from .models.event_kind import EventKind
from .models.event_page import EventPage
from .models.fee import Fee
from .models.game import Game
from .models.hints import Hints
from .models.identification_patch import IdentificationPatch
from .models.identification_settings_patch import IdentificationSettingsPatch
from .models.identification_status import IdentificationStatus
from .models.identify_failed_event import IdentifyFailedEvent
from .models.identify_outcome import IdentifyOutcome
from .models.job import Job
from .models.job_filter import JobFilter
from .models.job_kind import JobKind
from .models.job_page import JobPage
from .models.job_refusal import JobRefusal
from .models.job_refusal_page import JobRefusalPage
from .models.job_waiting import JobWaiting
from .models.listing import Listing
from .models.listing_ended_event import ListingEndedEvent
from .models.listing_page import ListingPage
from .models.listing_published_event import ListingPublishedEvent
from .models.listing_sold_event import ListingSoldEvent
from .models.listing_status import ListingStatus
from .models.listing_updated_event import ListingUpdatedEvent
from .models.listing_waiting import ListingWaiting
from .models.marketplace import Marketplace
from .models.metadata_patch import MetadataPatch
from .models.money import Money
from .models.photo_role import PhotoRole
from .models.price_change import PriceChange
from .models.price_estimate import PriceEstimate
from .models.price_lookup_card import PriceLookupCard
from .models.pricing_patch import PricingPatch
from .models.publish_results import PublishResults
from .models.refund_parts_input import RefundPartsInput
from .models.report_grouping import ReportGrouping
from .models.resent_deliveries import ResentDeliveries
from .models.sale import Sale
from .models.sale_channel import SaleChannel
from .models.sale_created_event import SaleCreatedEvent
from .models.sale_page import SalePage
from .models.sale_refunded_event import SaleRefundedEvent
from .models.sale_status import SaleStatus
from .models.sale_tracking import SaleTracking
from .models.sale_voided_event import SaleVoidedEvent
from .models.sales_report import SalesReport
from .models.scan_cards import ScanCards
from .models.scan_pairing import ScanPairing
from .models.scan_results import ScanResults
from .models.stock_report import StockReport
from .models.unknown_event import UnknownEvent
from .models.webhook import Webhook
from .models.webhook_delivery import WebhookDelivery
from .models.webhook_delivery_page import WebhookDeliveryPage
from .models.webhook_page import WebhookPage
from .models.webhook_with_secret import WebhookWithSecret
from .models.workflow_status import WorkflowStatus
from .types import UNSET, Request, ScanPhoto, Unset

T = TypeVar("T")
Item = TypeVar("Item", covariant=True)


class Page(Protocol[Item]):
    """A page of a list."""

    @property
    def data(self) -> Sequence[Item]: ...
    @property
    def has_more(self) -> bool: ...
    @property
    def next_cursor(self) -> str | None: ...


class Operations(ABC):
    """The operations. A subclass sends the requests and iterates over pages."""

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
        currency: Currency | None = None,
        sku: str | None = None,
        external_id: str | None = None,
        ids: list[str] | None = None,
        catalog_id: str | None = None,
        language: str | None = None,
        grade: str | None = None,
        has_photo: bool | None = None,
        q: str | None = None,
        sort: CardOrder | None = None,
        updated_since: datetime.datetime | None = None,
        if_none_match: int | str | None = None,
    ) -> CardPage:
        """List cards.

        Returns cards, newest first unless `sort` sets another order. With `updated_since`, returns them by
        time of change, oldest first (see "Following changes by polling").

        Args:
            limit: The maximum number of items in a page.
            cursor: The `next_cursor` of the previous page. A cursor is valid only with the filters that it
                was issued for; with others the response is `400 invalid_cursor`.
            status: Return only cards with one of these workflow statuses. Repeat the parameter, or separate
                the values by commas.
            batch: Return only cards in this batch.
            location: Return only cards at this location or below it, in any normal form of Unicode.
            set_: Return only cards of the set with exactly this name, in any normal form of Unicode.
            game: The game or kind of card.
            number: Return only cards with exactly this collector number.
            condition: Near mint, lightly played, moderately played, heavily played, damaged.
            identification: `pending` while the card is queued for automatic identification, or waits for a
                photo that the service fetches. `identified` and `failed` are the results. `none` means that the
                card is not identified and nothing is under way: it has no photo of the front, or automatic
                identification was not requested.
            min_price: Return only cards with an asking price of at least this amount, in minor units of
                `currency` or, without it, of the account's currency.
            max_price: Return only cards with an asking price of at most this amount, in minor units of
                `currency` or, without it, of the account's currency.
            currency: An ISO 4217 currency code.
            sku: Return only cards with exactly this SKU.
            external_id: Return only the card with exactly this `external_id`.
            ids: Return only these cards. Repeat the parameter, or separate the values by commas.
                Identifiers that do not exist are ignored.
            catalog_id: Return only cards with exactly this identifier in the catalogue.
            language: Return only cards with exactly this language.
            grade: Return only cards with this grade: a grading company (`PSA`), a company and a value (`PSA
                9.5`), or `none` for cards that are not graded.
            has_photo: Return only cards with a photo whose status is `ready` or, if false, only cards
                without one.
            q: Return only cards whose title, number, set, SKU and external id together contain all of these
                words or parts of words. Case, accents and width are ignored, hiragana and katakana are the
                same, and so are `’` and the plain apostrophe, `ß` and `ss`, `æ` and `ae`.
            sort: An order of cards, descending with `-`.
            updated_since: Return only items that changed at or after this time, ordered by time of change,
                oldest first. RFC 3339 with a time zone.
            if_none_match: The ETags that you have. If one of them is current, the response is 304 without a
                body. An integer stands for a `version`.
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
                currency=currency,
                sku=sku,
                external_id=external_id,
                ids=ids,
                catalog_id=catalog_id,
                language=language,
                grade=grade,
                has_photo=has_photo,
                q=q,
                sort=sort,
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
        currency: Currency | None = None,
        sku: str | None = None,
        external_id: str | None = None,
        ids: list[str] | None = None,
        catalog_id: str | None = None,
        language: str | None = None,
        grade: str | None = None,
        has_photo: bool | None = None,
        q: str | None = None,
        sort: CardOrder | None = None,
        updated_since: datetime.datetime | None = None,
    ) -> Iterator[Card]:
        """Iterate over all items that `list_cards` lists. It fetches each page when you need its first item.

        List cards.

        Returns cards, newest first unless `sort` sets another order. With `updated_since`, returns them by
        time of change, oldest first (see "Following changes by polling").

        Args:
            limit: The maximum number of items in a page.
            status: Return only cards with one of these workflow statuses. Repeat the parameter, or separate
                the values by commas.
            batch: Return only cards in this batch.
            location: Return only cards at this location or below it, in any normal form of Unicode.
            set_: Return only cards of the set with exactly this name, in any normal form of Unicode.
            game: The game or kind of card.
            number: Return only cards with exactly this collector number.
            condition: Near mint, lightly played, moderately played, heavily played, damaged.
            identification: `pending` while the card is queued for automatic identification, or waits for a
                photo that the service fetches. `identified` and `failed` are the results. `none` means that the
                card is not identified and nothing is under way: it has no photo of the front, or automatic
                identification was not requested.
            min_price: Return only cards with an asking price of at least this amount, in minor units of
                `currency` or, without it, of the account's currency.
            max_price: Return only cards with an asking price of at most this amount, in minor units of
                `currency` or, without it, of the account's currency.
            currency: An ISO 4217 currency code.
            sku: Return only cards with exactly this SKU.
            external_id: Return only the card with exactly this `external_id`.
            ids: Return only these cards. Repeat the parameter, or separate the values by commas.
                Identifiers that do not exist are ignored.
            catalog_id: Return only cards with exactly this identifier in the catalogue.
            language: Return only cards with exactly this language.
            grade: Return only cards with this grade: a grading company (`PSA`), a company and a value (`PSA
                9.5`), or `none` for cards that are not graded.
            has_photo: Return only cards with a photo whose status is `ready` or, if false, only cards
                without one.
            q: Return only cards whose title, number, set, SKU and external id together contain all of these
                words or parts of words. Case, accents and width are ignored, hiragana and katakana are the
                same, and so are `’` and the plain apostrophe, `ß` and `ss`, `æ` and `ae`.
            sort: An order of cards, descending with `-`.
            updated_since: Return only items that changed at or after this time, ordered by time of change,
                oldest first. RFC 3339 with a time zone.
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
                currency=currency,
                sku=sku,
                external_id=external_id,
                ids=ids,
                catalog_id=catalog_id,
                language=language,
                grade=grade,
                has_photo=has_photo,
                q=q,
                sort=sort,
                updated_since=updated_since,
                cursor=cursor,
            )

        return self._iterate(page)

    def create_cards(
        self,
        *,
        cards: Sequence[CardInput | Mapping[str, Any]],
        on_conflict: CardsInputOnConflict | Unset = UNSET,
        hints: Hints | Mapping[str, Any] | Unset = UNSET,
        idempotency_key: str | None = None,
    ) -> CardList:
        """Import cards.

        Imports 1 to 500 cards, either all or none. The service fetches photos soon after the import. If a
        URL cannot be reached, the service tries it up to four times within two minutes. A card without a
        title is identified automatically once it has a photo. A card whose `external_id` exists is handled
        as `on_conflict` says, so that the same import can be sent again.  `hints` of a card, or else those
        of the request, are kept with the new card. Each identification of the card that gives no hints uses
        them.

        Args:
            cards: The cards. Either all of them are imported or none.
            on_conflict: What to do if a card with the same `external_id` exists. `error` refuses the
                request with `409 external_id_taken`, `skip` leaves the card unchanged, and `update` changes the
                given fields of the card as `PATCH /cards/{id}` does. `photos`, `identify` and `hints` have an
                effect on new cards only.
            hints: What you know about the cards on photos. With `game`, only cards of this game are
                considered. Cards of the `set` and in the `language` come before others that match a photo
                equally well; if no card of the catalogue has them, these two have no effect.
            idempotency_key: A key of your choice that makes it safe to repeat this request: 1 to 255
                printable ASCII characters, plain or as a quoted string. The first response is stored for your
                token for 24 hours and replayed.
        """
        return self._call(
            _create_cards.request(
                cards=cards,
                on_conflict=on_conflict,
                hints=hints,
                idempotency_key=idempotency_key,
            )
        )

    def update_cards(
        self,
        *,
        updates: Sequence[CardUpdate | Mapping[str, Any]],
        atomic: bool | Unset = UNSET,
    ) -> CardUpdateResults:
        """Update many cards.

        Updates 1 to 500 cards in one request, which counts once against the rate limit. Each update is a
        patch of one card, as `PATCH /cards/{id}` takes it. The response has the result of each update in
        the order of the request. An update that fails changes nothing; the others are carried out. With
        `atomic`, the first error is the response to the request and nothing changes. A request with two
        updates of one card is invalid.

        Args:
            updates: The updates, at most one for each card.
            atomic: True changes nothing if one of them fails, and returns the first error. False carries
                out those that can be.
        """
        return self._call(
            _update_cards.request(
                updates=updates,
                atomic=atomic,
            )
        )

    def summarize_cards(
        self,
        *,
        group_by: CardGrouping,
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
        currency: Currency | None = None,
        sku: str | None = None,
        external_id: str | None = None,
        ids: list[str] | None = None,
        catalog_id: str | None = None,
        language: str | None = None,
        grade: str | None = None,
        has_photo: bool | None = None,
        q: str | None = None,
        if_none_match: int | str | None = None,
    ) -> CardSummary:
        """Sum up cards.

        Returns the number of cards that match the filters, and the sums of their asking prices and costs in
        each currency, in total and for each group. A summary that took long to compute can be a few seconds
        old: `as_of` is the time of the last change to the account that it includes.

        Args:
            group_by: The field by which cards are grouped.
            status: Return only cards with one of these workflow statuses. Repeat the parameter, or separate
                the values by commas.
            batch: Return only cards in this batch.
            location: Return only cards at this location or below it, in any normal form of Unicode.
            set_: Return only cards of the set with exactly this name, in any normal form of Unicode.
            game: The game or kind of card.
            number: Return only cards with exactly this collector number.
            condition: Near mint, lightly played, moderately played, heavily played, damaged.
            identification: `pending` while the card is queued for automatic identification, or waits for a
                photo that the service fetches. `identified` and `failed` are the results. `none` means that the
                card is not identified and nothing is under way: it has no photo of the front, or automatic
                identification was not requested.
            min_price: Return only cards with an asking price of at least this amount, in minor units of
                `currency` or, without it, of the account's currency.
            max_price: Return only cards with an asking price of at most this amount, in minor units of
                `currency` or, without it, of the account's currency.
            currency: An ISO 4217 currency code.
            sku: Return only cards with exactly this SKU.
            external_id: Return only the card with exactly this `external_id`.
            ids: Return only these cards. Repeat the parameter, or separate the values by commas.
                Identifiers that do not exist are ignored.
            catalog_id: Return only cards with exactly this identifier in the catalogue.
            language: Return only cards with exactly this language.
            grade: Return only cards with this grade: a grading company (`PSA`), a company and a value (`PSA
                9.5`), or `none` for cards that are not graded.
            has_photo: Return only cards with a photo whose status is `ready` or, if false, only cards
                without one.
            q: Return only cards whose title, number, set, SKU and external id together contain all of these
                words or parts of words. Case, accents and width are ignored, hiragana and katakana are the
                same, and so are `’` and the plain apostrophe, `ß` and `ss`, `æ` and `ae`.
            if_none_match: The ETags that you have. If one of them is current, the response is 304 without a
                body. An integer stands for a `version`.
        """
        return self._call(
            _summarize_cards.request(
                group_by=group_by,
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
                currency=currency,
                sku=sku,
                external_id=external_id,
                ids=ids,
                catalog_id=catalog_id,
                language=language,
                grade=grade,
                has_photo=has_photo,
                q=q,
                if_none_match=if_none_match,
            )
        )

    def scan_cards(
        self,
        *,
        photos: Sequence[ScanPhoto],
        pairing: ScanPairing | Unset = UNSET,
        cards: ScanCards | Unset = UNSET,
        batch_id: str | Unset = UNSET,
        location: str | Unset = UNSET,
        condition: Condition | Unset = UNSET,
        game: Game | Unset = UNSET,
        idempotency_key: str | None = None,
    ) -> ScanResults:
        """Create cards from photos.

        Creates a card for each photo, or for each front and back, of up to 20 photos in one form. The cards
        are identified automatically. They have the form's `batch_id`, `location`, `condition` and `game`. A
        photo that is not valid refuses its card only: its result has the error `photo_invalid`, and the
        other cards are created. The request counts once against the rate limit. With `cards` as `many`,
        each photo may show several cards, which are cut out of it. A request is the same as an earlier one
        with its `Idempotency-Key` if it has the same fields, file names and files in the same order.

        Args:
            photos: The files of the photos: JPEG, PNG, WebP, HEIC or AVIF images of at most 15 MiB, with
                300 to 12,000 pixels on each side. Each has a file name.
            pairing: Which photos show the same card. With `none`, each photo is the front of a card. With
                `order`, the photos are a front, its back, the next front and so on, so their number is even.
                With `name`, two files are the front and the back of a card if their names, without the
                extension, differ only by one of these pairs of endings: `-front` and `-back`, `_f` and `_b`,
                `-1` and `-2`, `(1)` and `(2)`. The case of letters does not matter. A file without a partner is
                the front of a card. The default is `none`.
            cards: How many cards a photo shows. With `many`, the cards on each photo, such as a page of a
                binder or a tray, are found, cut out and straightened, and each becomes a card with its cut as
                the front. The whole photo is not kept. A photo on which less than two cards are found becomes
                one card, with the whole photo. With `many`, send at most 5 photos, each of at most 30 cards,
                and no pairs. The default is `one`.
            location: The place where the card is stored. A path of 1 to 5 segments separated by `/`,
                outermost first.
            condition: Near mint, lightly played, moderately played, heavily played, damaged.
            game: The game or kind of card.
            idempotency_key: A key of your choice that makes it safe to repeat this request: 1 to 255
                printable ASCII characters, plain or as a quoted string. The first response is stored for your
                token for 24 hours and replayed.
        """
        return self._call(
            _scan_cards.request(
                photos=photos,
                pairing=pairing,
                cards=cards,
                batch_id=batch_id,
                location=location,
                condition=condition,
                game=game,
                idempotency_key=idempotency_key,
            )
        )

    def get_card(
        self,
        id: str,
        *,
        if_none_match: int | str | None = None,
    ) -> Card:
        """Get a card.

        Returns the card with all of its fields.

        Args:
            if_none_match: The ETags that you have. If one of them is current, the response is 304 without a
                body. An integer stands for a `version`.
        """
        return self._call(
            _get_card.request(
                id,
                if_none_match=if_none_match,
            )
        )

    def delete_card(
        self,
        id: str,
        *,
        if_match: int | str | None = None,
    ) -> None:
        """Delete a card.

        Deletes the card with its photos and its history, at once and for good. Its listings and sales stay.
        A card cannot be deleted while a listing is publishing, live or ending, or while its batch is
        complete. `GET /deletions` lists deleted cards. To keep a card, archive it. A job of the kind
        `delete` can be undone for 24 hours.

        Args:
            if_match: The ETag of the version that you have. If the card, the listing or the sale has
                changed since, the response is `412 version_mismatch` and the request changes nothing. An
                integer stands for a `version`.
        """
        return self._call(
            _delete_card.request(
                id,
                if_match=if_match,
            )
        )

    def update_card(
        self,
        id: str,
        *,
        identification: IdentificationPatch | Mapping[str, Any] | Unset = UNSET,
        pricing: PricingPatch | Mapping[str, Any] | Unset = UNSET,
        location: None | str | Unset = UNSET,
        sku: None | str | Unset = UNSET,
        notes: None | str | Unset = UNSET,
        batch_id: None | str | Unset = UNSET,
        external_id: None | str | Unset = UNSET,
        metadata: MetadataPatch | Mapping[str, Any] | None | Unset = UNSET,
        archived: bool | Unset = UNSET,
        if_match: int | str | None = None,
    ) -> Card:
        """Update a card.

        Applies a JSON merge patch to the card's identification, pricing, location and the owner's fields.
        If the change affects the workflow status, the status changes by one transition at a time, and each
        transition fires one event. A patch that changes nothing does not change the version. A new asking
        price of a card with a `live` listing revises the listing, whose `revision` shows the progress. It
        must be above zero and in the currency of the listing.

        Args:
            identification: Absent fields stay unchanged, and null clears a field. Setting a title
                identifies the card manually. The title of an identified card cannot be cleared. A `catalog_id`
                without `title`, `set`, `number`, `game`, `year`, `language` and `variant` identifies the card
                manually too: these fields get the values of the catalogue.
            pricing: Absent fields stay unchanged, and null clears a field.
            location: The place where the card is stored, 1 to 5 segments separated by `/`, outermost first.
            sku: The owner's article number.
            notes: The owner's notes.
            batch_id: The batch to move the card into, or null to remove it from its batch.
            external_id: The identifier of the card in a system of yours. No two cards of an account can
                have the same one.
            metadata: Keys that are absent stay unchanged, and null removes a key; null instead of the
                object removes all. A card has at most 50 keys of 1 to 40 characters without control characters.
            archived: True archives the card. False restores the status that follows from its data.
            if_match: The ETag of the version that you have. If the card, the listing or the sale has
                changed since, the response is `412 version_mismatch` and the request changes nothing. An
                integer stands for a `version`.
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
                external_id=external_id,
                metadata=metadata,
                archived=archived,
                if_match=if_match,
            )
        )

    def list_card_history(
        self,
        id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        if_none_match: int | str | None = None,
    ) -> CardHistoryPage:
        """List the changes of a card.

        Returns the versions of the card, newest first: when each was made, by whom, and which fields
        changed. Versions are kept for 2 years.

        Args:
            limit: The maximum number of items in a page.
            cursor: The `next_cursor` of the previous page. A cursor is valid only with the filters that it
                was issued for; with others the response is `400 invalid_cursor`.
            if_none_match: The ETags that you have. If one of them is current, the response is 304 without a
                body. An integer stands for a `version`.
        """
        return self._call(
            _list_card_history.request(
                id,
                limit=limit,
                cursor=cursor,
                if_none_match=if_none_match,
            )
        )

    def iter_card_history(
        self,
        id: str,
        *,
        limit: int | None = None,
    ) -> Iterator[CardHistoryEntry]:
        """Iterate over all items that `list_card_history` lists. It fetches each page when you need its first item.

        List the changes of a card.

        Returns the versions of the card, newest first: when each was made, by whom, and which fields
        changed. Versions are kept for 2 years.

        Args:
            limit: The maximum number of items in a page.
        """

        def page(cursor: str | None) -> Request[CardHistoryPage]:
            return _list_card_history.request(
                id,
                limit=limit,
                cursor=cursor,
            )

        return self._iterate(page)

    def get_card_waiting(
        self,
        id: str,
        *,
        if_none_match: int | str | None = None,
    ) -> CardWaiting:
        """Get why a card waits.

        Returns why the identification of the card and the photos that are to be fetched from a URL are not
        done yet, and when the next attempts are. Attempts change neither the card nor its `version`, and
        send no event.

        Args:
            if_none_match: The ETags that you have. If one of them is current, the response is 304 without a
                body. An integer stands for a `version`.
        """
        return self._call(
            _get_card_waiting.request(
                id,
                if_none_match=if_none_match,
            )
        )

    def put_card_photo(
        self,
        id: str,
        photo: PhotoRole,
        content: bytes,
        *,
        content_type: Literal["image/jpeg", "image/png", "image/webp", "image/heic", "image/heif", "image/avif"]
        | None = None,
    ) -> Card:
        """Upload a photo.

        Uploads the card's photo of this role, and replaces the previous one. A card that waits for
        identification is identified automatically once it has a photo.  JPEG, PNG and WebP images are
        stored unchanged except for their metadata, which is removed. HEIC and AVIF images are converted to
        JPEG, upright and in sRGB.
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

        Deletes a photo of the card. This is not possible while a listing of the card is `publishing`,
        `live` or `ending`.
        """
        return self._call(
            _delete_card_photo.request(
                id,
                photo,
            )
        )

    def list_deletions(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        updated_since: datetime.datetime | None = None,
        if_none_match: int | str | None = None,
    ) -> DeletionPage:
        """List deleted cards.

        Returns the cards that were deleted in the last 90 days, newest first. With `updated_since`, returns
        those deleted at or after this time, oldest first, with the same promise as for cards: a client that
        pages to the end and comes back with the last `deleted_at` that it saw misses no deletion. A card
        that the undo of a job brings back is not in the list any more.

        Args:
            limit: The maximum number of items in a page.
            cursor: The `next_cursor` of the previous page. A cursor is valid only with the filters that it
                was issued for; with others the response is `400 invalid_cursor`.
            updated_since: Return only items that changed at or after this time, ordered by time of change,
                oldest first. RFC 3339 with a time zone.
            if_none_match: The ETags that you have. If one of them is current, the response is 304 without a
                body. An integer stands for a `version`.
        """
        return self._call(
            _list_deletions.request(
                limit=limit,
                cursor=cursor,
                updated_since=updated_since,
                if_none_match=if_none_match,
            )
        )

    def iter_deletions(
        self,
        *,
        limit: int | None = None,
        updated_since: datetime.datetime | None = None,
    ) -> Iterator[Deletion]:
        """Iterate over all items that `list_deletions` lists. It fetches each page when you need its first item.

        List deleted cards.

        Returns the cards that were deleted in the last 90 days, newest first. With `updated_since`, returns
        those deleted at or after this time, oldest first, with the same promise as for cards: a client that
        pages to the end and comes back with the last `deleted_at` that it saw misses no deletion. A card
        that the undo of a job brings back is not in the list any more.

        Args:
            limit: The maximum number of items in a page.
            updated_since: Return only items that changed at or after this time, ordered by time of change,
                oldest first. RFC 3339 with a time zone.
        """

        def page(cursor: str | None) -> Request[DeletionPage]:
            return _list_deletions.request(
                limit=limit,
                updated_since=updated_since,
                cursor=cursor,
            )

        return self._iterate(page)

    def report_stock(
        self,
        *,
        days: int | None = None,
        if_none_match: int | str | None = None,
    ) -> StockReport:
        """Get the value of the stock by day.

        Returns how many cards were in stock on each of the last days, and the sums of their asking prices
        and costs in each currency, without conversion. Sold and archived cards do not count.  The figures
        of a day are those of its end, or of the last hour before it; those of today are those of now. A day
        on which the service did not run is missing, and so are the days before the account had its first
        record. Days are kept for two years.

        Args:
            days: The number of days, today included.
            if_none_match: The ETags that you have. If one of them is current, the response is 304 without a
                body. An integer stands for a `version`.
        """
        return self._call(
            _report_stock.request(
                days=days,
                if_none_match=if_none_match,
            )
        )

    def list_card_candidates(
        self,
        id: str,
        *,
        if_none_match: int | str | None = None,
    ) -> CandidateList:
        """List the candidates of a card.

        Returns what the last automatic identification of the card considered, whether it succeeded or
        failed, best first. Save the right one with PATCH and its `catalog_id`. The list is empty if no
        identification was attempted.

        Args:
            if_none_match: The ETags that you have. If one of them is current, the response is 304 without a
                body. An integer stands for a `version`.
        """
        return self._call(
            _list_card_candidates.request(
                id,
                if_none_match=if_none_match,
            )
        )

    def identify(
        self,
        *,
        card_id: str | Unset = UNSET,
        photo_url: str | Unset = UNSET,
        hints: Hints | Mapping[str, Any] | Unset = UNSET,
        idempotency_key: str | None = None,
    ) -> IdentifyOutcome:
        """Identify a card or a photo.

        Calls the identification providers in order until one is confident enough.  With `card_id`, the
        outcome is saved: a result in the same way as by PATCH, or a failure. It is also a failure if no
        provider responds.  With `photo_url`, nothing is saved and no event fires. If no provider responds,
        the response is `502 upstream_error`, or `422 photo_invalid` if the photo is the cause.  `hints` are
        for this request only and replace those that are kept with the card. Without a `game` in them, the
        game that you have given the card is a hint, unless it is `other`. A game that a provider has found
        is not a hint.  If the card is in the slab of a grading company, `grade` is what its label says: the
        company, the grade and the certificate number. It is null if no label was read. A card without a
        grade gets it with the result; a grade that the card has already is kept.  While too many photos are
        being identified, the response is `503 unavailable` and nothing is saved.

        Args:
            photo_url: A public HTTPS URL of a JPEG, PNG, WebP, HEIC or AVIF image of at most 15 MiB.
                Nothing is saved and no event fires.
            hints: What you know about the cards on photos. With `game`, only cards of this game are
                considered. Cards of the `set` and in the `language` come before others that match a photo
                equally well; if no card of the catalogue has them, these two have no effect.
            idempotency_key: A key of your choice that makes it safe to repeat this request: 1 to 255
                printable ASCII characters, plain or as a quoted string. The first response is stored for your
                token for 24 hours and replayed.
        """
        return self._call(
            _identify.request(
                card_id=card_id,
                photo_url=photo_url,
                hints=hints,
                idempotency_key=idempotency_key,
            )
        )

    def search_catalog(
        self,
        *,
        q: str | None = None,
        game: Game | None = None,
        set_: str | None = None,
        number: str | None = None,
        limit: int | None = None,
        if_none_match: int | str | None = None,
    ) -> CatalogCardList:
        """Search the catalogue.

        Returns the cards of the catalogue that match all parameters. With `q`, the same name comes first
        and then similar names; without it, cards are in the order of their numbers. At most 200 cards can
        be returned.

        Args:
            q: Words of the card's name, or its set code, such as LOB-EN045. Each word may be a part of a
                word, and each of 5 or more letters may have a typo, in Chinese and Japanese each of 3 or more.
            game: The game or kind of card.
            set_: Return only cards of the set with this name or code. Case and accents are ignored.
            number: Return only cards with this collector number, with or without the printed total, or with
                this set code, such as OP01-001. Leading zeros are ignored.
            limit: The maximum number of items in a page.
            if_none_match: The ETags that you have. If one of them is current, the response is 304 without a
                body. An integer stands for a `version`.
        """
        return self._call(
            _search_catalog.request(
                q=q,
                game=game,
                set_=set_,
                number=number,
                limit=limit,
                if_none_match=if_none_match,
            )
        )

    def get_catalog_card(
        self,
        id: str,
        *,
        if_none_match: int | str | None = None,
    ) -> CatalogCard:
        """Get a card of the catalogue.

        Returns the card with this identifier, which is the `catalog_id` of identified cards.

        Args:
            if_none_match: The ETags that you have. If one of them is current, the response is 304 without a
                body. An integer stands for a `version`.
        """
        return self._call(
            _get_catalog_card.request(
                id,
                if_none_match=if_none_match,
            )
        )

    def sell_card(
        self,
        id: str,
        *,
        channel: SaleChannel,
        price: Money | Mapping[str, Any],
        sold_at: datetime.datetime | Unset = UNSET,
        fees: Sequence[Fee | Mapping[str, Any]] | Unset = UNSET,
        order_reference: str | Unset = UNSET,
        idempotency_key: str | None = None,
    ) -> Sale:
        """Record a sale.

        Records that the card was sold elsewhere than through its listing, and marks it sold. The card must
        be identified. A listing that is publishing or live is taken down, with the `end_reason`
        `sold_elsewhere`. If a buyer on the marketplace is faster, that purchase is a second sale of the
        card, and you refund one of the two.

        Args:
            channel: Where the card was sold: a marketplace, the own shop, face to face, or elsewhere.
                Expect other marketplaces in responses. A request can name those that the server knows.
            sold_at: When the card was sold, at most a day in the future. The default is now.
            fees: The fees that you paid.
            order_reference: The number of the order.
            idempotency_key: A key of your choice that makes it safe to repeat this request: 1 to 255
                printable ASCII characters, plain or as a quoted string. The first response is stored for your
                token for 24 hours and replayed.
        """
        return self._call(
            _sell_card.request(
                id,
                channel=channel,
                price=price,
                sold_at=sold_at,
                fees=fees,
                order_reference=order_reference,
                idempotency_key=idempotency_key,
            )
        )

    def list_sales(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        sold_since: datetime.datetime | None = None,
        sold_before: datetime.datetime | None = None,
        channel: SaleChannel | None = None,
        status: SaleStatus | None = None,
        card: str | None = None,
        currency: Currency | None = None,
        to_ship: bool | None = None,
        updated_since: datetime.datetime | None = None,
        if_none_match: int | str | None = None,
    ) -> SalePage:
        """List sales.

        Returns sales by `sold_at`, newest first. With `updated_since`, returns them by time of change,
        oldest first.

        Args:
            limit: The maximum number of items in a page.
            cursor: The `next_cursor` of the previous page. A cursor is valid only with the filters that it
                was issued for; with others the response is `400 invalid_cursor`.
            sold_since: Return only sales at or after this time. RFC 3339 with a time zone.
            sold_before: Return only sales before this time. RFC 3339 with a time zone.
            channel: Where the card was sold: a marketplace, the own shop, face to face, or elsewhere.
                Expect other marketplaces in responses. A request can name those that the server knows.
            status: `refunded` if the price was returned in full, otherwise `completed`. `voided` for a sale
                that was recorded by mistake. `cancelled` is for orders that a marketplace cancels; nothing sets
                it yet.
            card: Return only sales of this card.
            currency: An ISO 4217 currency code.
            to_ship: true returns only the sales whose card is still to be sent, that is, not those that are
                shipped, returned, refunded in full, voided, or sold in person.
            updated_since: Return only items that changed at or after this time, ordered by time of change,
                oldest first. RFC 3339 with a time zone.
            if_none_match: The ETags that you have. If one of them is current, the response is 304 without a
                body. An integer stands for a `version`.
        """
        return self._call(
            _list_sales.request(
                limit=limit,
                cursor=cursor,
                sold_since=sold_since,
                sold_before=sold_before,
                channel=channel,
                status=status,
                card=card,
                currency=currency,
                to_ship=to_ship,
                updated_since=updated_since,
                if_none_match=if_none_match,
            )
        )

    def iter_sales(
        self,
        *,
        limit: int | None = None,
        sold_since: datetime.datetime | None = None,
        sold_before: datetime.datetime | None = None,
        channel: SaleChannel | None = None,
        status: SaleStatus | None = None,
        card: str | None = None,
        currency: Currency | None = None,
        to_ship: bool | None = None,
        updated_since: datetime.datetime | None = None,
    ) -> Iterator[Sale]:
        """Iterate over all items that `list_sales` lists. It fetches each page when you need its first item.

        List sales.

        Returns sales by `sold_at`, newest first. With `updated_since`, returns them by time of change,
        oldest first.

        Args:
            limit: The maximum number of items in a page.
            sold_since: Return only sales at or after this time. RFC 3339 with a time zone.
            sold_before: Return only sales before this time. RFC 3339 with a time zone.
            channel: Where the card was sold: a marketplace, the own shop, face to face, or elsewhere.
                Expect other marketplaces in responses. A request can name those that the server knows.
            status: `refunded` if the price was returned in full, otherwise `completed`. `voided` for a sale
                that was recorded by mistake. `cancelled` is for orders that a marketplace cancels; nothing sets
                it yet.
            card: Return only sales of this card.
            currency: An ISO 4217 currency code.
            to_ship: true returns only the sales whose card is still to be sent, that is, not those that are
                shipped, returned, refunded in full, voided, or sold in person.
            updated_since: Return only items that changed at or after this time, ordered by time of change,
                oldest first. RFC 3339 with a time zone.
        """

        def page(cursor: str | None) -> Request[SalePage]:
            return _list_sales.request(
                limit=limit,
                sold_since=sold_since,
                sold_before=sold_before,
                channel=channel,
                status=status,
                card=card,
                currency=currency,
                to_ship=to_ship,
                updated_since=updated_since,
                cursor=cursor,
            )

        return self._iterate(page)

    def get_sale(
        self,
        id: str,
        *,
        if_none_match: int | str | None = None,
    ) -> Sale:
        """Get a sale.

        Returns the sale with all of its fields.

        Args:
            if_none_match: The ETags that you have. If one of them is current, the response is 304 without a
                body. An integer stands for a `version`.
        """
        return self._call(
            _get_sale.request(
                id,
                if_none_match=if_none_match,
            )
        )

    def update_sale(
        self,
        id: str,
        *,
        gross: Money | Mapping[str, Any] | Unset = UNSET,
        sold_at: datetime.datetime | Unset = UNSET,
        fees: Sequence[Fee | Mapping[str, Any]] | Unset = UNSET,
        shipping_charged: Money | Mapping[str, Any] | Unset = UNSET,
        shipping_cost: Money | Mapping[str, Any] | Unset = UNSET,
        tax: Money | Mapping[str, Any] | Unset = UNSET,
        tracking: None | SaleTracking | Mapping[str, Any] | Unset = UNSET,
        shipped_at: datetime.datetime | None | Unset = UNSET,
        buyer_reference: None | str | Unset = UNSET,
        if_match: int | str | None = None,
    ) -> Sale:
        """Update a sale.

        Applies a JSON merge patch to the sale's price, time, fees, shipping, tax, tracking and buyer
        reference. Amounts must have the currency of the sale. The price and the time of a sale that a
        marketplace reported cannot change, and neither can a voided sale. A patch that changes nothing does
        not change the version.

        Args:
            sold_at: When the card was sold, at most a day in the future.
            fees: The fees that you paid.
            shipped_at: When the card was sent.
            buyer_reference: Your reference to the buyer.
            if_match: The ETag of the version that you have. If the card, the listing or the sale has
                changed since, the response is `412 version_mismatch` and the request changes nothing. An
                integer stands for a `version`.
        """
        return self._call(
            _update_sale.request(
                id,
                gross=gross,
                sold_at=sold_at,
                fees=fees,
                shipping_charged=shipping_charged,
                shipping_cost=shipping_cost,
                tax=tax,
                tracking=tracking,
                shipped_at=shipped_at,
                buyer_reference=buyer_reference,
                if_match=if_match,
            )
        )

    def refund_sale(
        self,
        id: str,
        *,
        restock: bool,
        amount: Money | Mapping[str, Any] | Unset = UNSET,
        reason: str | Unset = UNSET,
        parts: RefundPartsInput | Mapping[str, Any] | Unset = UNSET,
        idempotency_key: str | None = None,
    ) -> Sale:
        """Refund a sale.

        Records a refund: of `amount`, of `parts`, or, without both, of all that is not refunded yet.
        Refunds never exceed what the buyer paid in total: `gross`, `shipping_charged` and `tax`. With
        `restock`, the card is no longer sold and has the status that follows from its data, unless another
        sale of the card remains; `restock` works after a full refund too. This records the refund only: pay
        the buyer back yourself.

        Args:
            restock: Whether the card came back and can be sold again.
            reason: Why the amount is refunded.
            parts: What the refund returns. The buyer gets `item` of the price, `shipping` of
                `shipping_charged` and `tax` of `tax`, each at most what is not refunded yet. `fees` is what the
                marketplace returns to you of `fees`. An absent part is 0.
            idempotency_key: A key of your choice that makes it safe to repeat this request: 1 to 255
                printable ASCII characters, plain or as a quoted string. The first response is stored for your
                token for 24 hours and replayed.
        """
        return self._call(
            _refund_sale.request(
                id,
                restock=restock,
                amount=amount,
                reason=reason,
                parts=parts,
                idempotency_key=idempotency_key,
            )
        )

    def void_sale(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
    ) -> Sale:
        """Void a sale.

        Marks a sale as recorded by mistake. Its status becomes `voided`: it stays readable, counts in no
        report, and cannot be changed any more. The card returns as with `restock` of a refund. Voiding a
        voided sale changes nothing. A sale that a marketplace reported cannot be voided: refund or cancel
        the order there.

        Args:
            idempotency_key: A key of your choice that makes it safe to repeat this request: 1 to 255
                printable ASCII characters, plain or as a quoted string. The first response is stored for your
                token for 24 hours and replayed.
        """
        return self._call(
            _void_sale.request(
                id,
                idempotency_key=idempotency_key,
            )
        )

    def report_sales(
        self,
        *,
        group_by: ReportGrouping,
        since: datetime.datetime | None = None,
        before: datetime.datetime | None = None,
        time_zone: str | None = None,
        if_none_match: int | str | None = None,
    ) -> SalesReport:
        """Sum up sales.

        Returns the sums of the sales from `since` until before `before`, per group and currency, without
        conversion. A report covers at most 366 days and 200,000 sales.

        Args:
            group_by: The period or the channel by which sales are grouped. Weeks start on Monday.
            since: The first time of the report. RFC 3339 with a time zone. The default is a year before
                `before`.
            before: The end of the report, which is not part of it. RFC 3339 with a time zone. The default
                is the end of today.
            time_zone: The IANA time zone in which days, weeks and months begin.
            if_none_match: The ETags that you have. If one of them is current, the response is 304 without a
                body. An integer stands for a `version`.
        """
        return self._call(
            _report_sales.request(
                group_by=group_by,
                since=since,
                before=before,
                time_zone=time_zone,
                if_none_match=if_none_match,
            )
        )

    def list_batches(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        status: BatchStatus | None = None,
        updated_since: datetime.datetime | None = None,
        if_none_match: int | str | None = None,
    ) -> BatchPage:
        """List batches.

        Returns batches, newest first. With `updated_since`, returns them by time of change, oldest first.

        Args:
            limit: The maximum number of items in a page.
            cursor: The `next_cursor` of the previous page. A cursor is valid only with the filters that it
                was issued for; with others the response is `400 invalid_cursor`.
            status: Cards can be added to and removed from open batches only.
            updated_since: Return only items that changed at or after this time, ordered by time of change,
                oldest first. RFC 3339 with a time zone.
            if_none_match: The ETags that you have. If one of them is current, the response is 304 without a
                body. An integer stands for a `version`.
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
        """Iterate over all items that `list_batches` lists. It fetches each page when you need its first item.

        List batches.

        Returns batches, newest first. With `updated_since`, returns them by time of change, oldest first.

        Args:
            limit: The maximum number of items in a page.
            status: Cards can be added to and removed from open batches only.
            updated_since: Return only items that changed at or after this time, ordered by time of change,
                oldest first. RFC 3339 with a time zone.
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

        Creates an open, empty batch. To add a card, set its `batch_id`.

        Args:
            name: The name of the batch.
            description: The description of the batch.
            idempotency_key: A key of your choice that makes it safe to repeat this request: 1 to 255
                printable ASCII characters, plain or as a quoted string. The first response is stored for your
                token for 24 hours and replayed.
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
        if_none_match: int | str | None = None,
    ) -> Batch:
        """Get a batch.

        Returns the batch with its number of cards.

        Args:
            if_none_match: The ETags that you have. If one of them is current, the response is 304 without a
                body. An integer stands for a `version`.
        """
        return self._call(
            _get_batch.request(
                id,
                if_none_match=if_none_match,
            )
        )

    def update_batch(
        self,
        id: str,
        *,
        name: str | Unset = UNSET,
        description: None | str | Unset = UNSET,
    ) -> Batch:
        """Update a batch.

        Changes the name and the description of the batch, whatever its status. Values that the batch has
        already change nothing.

        Args:
            name: The name of the batch.
            description: The description of the batch; null removes it.
        """
        return self._call(
            _update_batch.request(
                id,
                name=name,
                description=description,
            )
        )

    def complete_batch(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
    ) -> Batch:
        """Mark a batch complete.

        Marks the batch complete, so that cards can no longer be added or removed. Fires `batch.completed`.
        If the batch is complete already, the request changes nothing and fires no event.

        Args:
            idempotency_key: A key of your choice that makes it safe to repeat this request: 1 to 255
                printable ASCII characters, plain or as a quoted string. The first response is stored for your
                token for 24 hours and replayed.
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

        Reopens the batch, so that cards can be added and removed again. If the batch is open already, the
        request changes nothing.

        Args:
            idempotency_key: A key of your choice that makes it safe to repeat this request: 1 to 255
                printable ASCII characters, plain or as a quoted string. The first response is stored for your
                token for 24 hours and replayed.
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
        currency: Currency | None = None,
        sku: str | None = None,
        external_id: str | None = None,
        ids: list[str] | None = None,
        catalog_id: str | None = None,
        language: str | None = None,
        grade: str | None = None,
        has_photo: bool | None = None,
        q: str | None = None,
        sort: CardOrder | None = None,
        updated_since: datetime.datetime | None = None,
        if_none_match: int | str | None = None,
    ) -> CardPage:
        """List the cards in a batch.

        Returns the cards in the batch, in the order and with the filters of `GET /cards`, except `batch`.

        Args:
            limit: The maximum number of items in a page.
            cursor: The `next_cursor` of the previous page. A cursor is valid only with the filters that it
                was issued for; with others the response is `400 invalid_cursor`.
            status: Return only cards with one of these workflow statuses. Repeat the parameter, or separate
                the values by commas.
            location: Return only cards at this location or below it, in any normal form of Unicode.
            set_: Return only cards of the set with exactly this name, in any normal form of Unicode.
            game: The game or kind of card.
            number: Return only cards with exactly this collector number.
            condition: Near mint, lightly played, moderately played, heavily played, damaged.
            identification: `pending` while the card is queued for automatic identification, or waits for a
                photo that the service fetches. `identified` and `failed` are the results. `none` means that the
                card is not identified and nothing is under way: it has no photo of the front, or automatic
                identification was not requested.
            min_price: Return only cards with an asking price of at least this amount, in minor units of
                `currency` or, without it, of the account's currency.
            max_price: Return only cards with an asking price of at most this amount, in minor units of
                `currency` or, without it, of the account's currency.
            currency: An ISO 4217 currency code.
            sku: Return only cards with exactly this SKU.
            external_id: Return only the card with exactly this `external_id`.
            ids: Return only these cards. Repeat the parameter, or separate the values by commas.
                Identifiers that do not exist are ignored.
            catalog_id: Return only cards with exactly this identifier in the catalogue.
            language: Return only cards with exactly this language.
            grade: Return only cards with this grade: a grading company (`PSA`), a company and a value (`PSA
                9.5`), or `none` for cards that are not graded.
            has_photo: Return only cards with a photo whose status is `ready` or, if false, only cards
                without one.
            q: Return only cards whose title, number, set, SKU and external id together contain all of these
                words or parts of words. Case, accents and width are ignored, hiragana and katakana are the
                same, and so are `’` and the plain apostrophe, `ß` and `ss`, `æ` and `ae`.
            sort: An order of cards, descending with `-`.
            updated_since: Return only items that changed at or after this time, ordered by time of change,
                oldest first. RFC 3339 with a time zone.
            if_none_match: The ETags that you have. If one of them is current, the response is 304 without a
                body. An integer stands for a `version`.
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
                currency=currency,
                sku=sku,
                external_id=external_id,
                ids=ids,
                catalog_id=catalog_id,
                language=language,
                grade=grade,
                has_photo=has_photo,
                q=q,
                sort=sort,
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
        currency: Currency | None = None,
        sku: str | None = None,
        external_id: str | None = None,
        ids: list[str] | None = None,
        catalog_id: str | None = None,
        language: str | None = None,
        grade: str | None = None,
        has_photo: bool | None = None,
        q: str | None = None,
        sort: CardOrder | None = None,
        updated_since: datetime.datetime | None = None,
    ) -> Iterator[Card]:
        """Iterate over all items that `list_batch_cards` lists. It fetches each page when you need its first item.

        List the cards in a batch.

        Returns the cards in the batch, in the order and with the filters of `GET /cards`, except `batch`.

        Args:
            limit: The maximum number of items in a page.
            status: Return only cards with one of these workflow statuses. Repeat the parameter, or separate
                the values by commas.
            location: Return only cards at this location or below it, in any normal form of Unicode.
            set_: Return only cards of the set with exactly this name, in any normal form of Unicode.
            game: The game or kind of card.
            number: Return only cards with exactly this collector number.
            condition: Near mint, lightly played, moderately played, heavily played, damaged.
            identification: `pending` while the card is queued for automatic identification, or waits for a
                photo that the service fetches. `identified` and `failed` are the results. `none` means that the
                card is not identified and nothing is under way: it has no photo of the front, or automatic
                identification was not requested.
            min_price: Return only cards with an asking price of at least this amount, in minor units of
                `currency` or, without it, of the account's currency.
            max_price: Return only cards with an asking price of at most this amount, in minor units of
                `currency` or, without it, of the account's currency.
            currency: An ISO 4217 currency code.
            sku: Return only cards with exactly this SKU.
            external_id: Return only the card with exactly this `external_id`.
            ids: Return only these cards. Repeat the parameter, or separate the values by commas.
                Identifiers that do not exist are ignored.
            catalog_id: Return only cards with exactly this identifier in the catalogue.
            language: Return only cards with exactly this language.
            grade: Return only cards with this grade: a grading company (`PSA`), a company and a value (`PSA
                9.5`), or `none` for cards that are not graded.
            has_photo: Return only cards with a photo whose status is `ready` or, if false, only cards
                without one.
            q: Return only cards whose title, number, set, SKU and external id together contain all of these
                words or parts of words. Case, accents and width are ignored, hiragana and katakana are the
                same, and so are `’` and the plain apostrophe, `ß` and `ss`, `æ` and `ae`.
            sort: An order of cards, descending with `-`.
            updated_since: Return only items that changed at or after this time, ordered by time of change,
                oldest first. RFC 3339 with a time zone.
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
                currency=currency,
                sku=sku,
                external_id=external_id,
                ids=ids,
                catalog_id=catalog_id,
                language=language,
                grade=grade,
                has_photo=has_photo,
                q=q,
                sort=sort,
                updated_since=updated_since,
                cursor=cursor,
            )

        return self._iterate(page)

    def lookup_price(
        self,
        *,
        card_id: str | Unset = UNSET,
        card: PriceLookupCard | Mapping[str, Any] | Unset = UNSET,
        idempotency_key: str | None = None,
    ) -> PriceEstimate:
        """Look up a price.

        Estimates the price of a card from your sold listings of the last 365 days or, if there are none,
        from the catalogue. `price` is the median, and `low` and `high` are the quartiles, or the lowest and
        the highest price if there are fewer than four. All three are in the most frequent currency of the
        prices. Without `grade`, the estimate is for an ungraded card; the catalogue has prices of ungraded
        cards only. The request changes nothing.  Prices of cards with another condition, language, variant
        or grade, and older prices, count less in the median and the quartiles: see `weight`. If all sold
        listings have a weight below 0.2, a price of the catalogue is preferred. Outliers and prices in
        other currencies do not count and are listed in `excluded`. The guide "Pricing and listings" has the
        rules.  With `card_ids`, the request looks up the prices of 1 to 50 cards and counts once against
        the rate limit. The response has the result of each card in the order of the request. A card that is
        not found or has no price does not stop the others.

        Args:
            idempotency_key: A key of your choice that makes it safe to repeat this request: 1 to 255
                printable ASCII characters, plain or as a quoted string. The first response is stored for your
                token for 24 hours and replayed.
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
        if_none_match: int | str | None = None,
    ) -> ListingPage:
        """List listings.

        Returns listings, newest first. With `updated_since`, returns them by time of change, oldest first.

        Args:
            limit: The maximum number of items in a page.
            cursor: The `next_cursor` of the previous page. A cursor is valid only with the filters that it
                was issued for; with others the response is `400 invalid_cursor`.
            status: Return only listings with one of these statuses. Repeat the parameter, or separate the
                values by commas.
            card: Return only listings of this card.
            marketplace: `sandbox` is the sandbox marketplace that comes with CardVault. Expect other
                marketplaces in responses. A request can name those that the server knows.
            updated_since: Return only items that changed at or after this time, ordered by time of change,
                oldest first. RFC 3339 with a time zone.
            if_none_match: The ETags that you have. If one of them is current, the response is 304 without a
                body. An integer stands for a `version`.
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
        """Iterate over all items that `list_listings` lists. It fetches each page when you need its first item.

        List listings.

        Returns listings, newest first. With `updated_since`, returns them by time of change, oldest first.

        Args:
            limit: The maximum number of items in a page.
            status: Return only listings with one of these statuses. Repeat the parameter, or separate the
                values by commas.
            card: Return only listings of this card.
            marketplace: `sandbox` is the sandbox marketplace that comes with CardVault. Expect other
                marketplaces in responses. A request can name those that the server knows.
            updated_since: Return only items that changed at or after this time, ordered by time of change,
                oldest first. RFC 3339 with a time zone.
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

    def publish_cards(
        self,
        *,
        card_ids: Sequence[str] | Unset = UNSET,
        filter_: JobFilter | Mapping[str, Any] | Unset = UNSET,
        marketplace: Marketplace | Unset = UNSET,
        atomic: bool | Unset = UNSET,
        expected_count: int | Unset = UNSET,
        idempotency_key: str | None = None,
    ) -> PublishResults:
        """Publish many cards.

        Publishes 1 to 500 cards at their asking prices in one request, which counts once against the rate
        limit: those in `card_ids`, or those that match `filter`. The response has the result of each card
        in the order of the request, or newest first. A card that cannot be published does not stop the
        others. With `atomic`, the first error is the response to the request and nothing changes. A filter
        that matches more than 500 cards is refused: `POST /jobs` with the kind `publish` takes it.

        Args:
            card_ids: The cards. They must differ.
            filter_: Selects the cards that `GET /cards` returns for query parameters with these names and
                values.
            marketplace: `sandbox` is the sandbox marketplace that comes with CardVault. Expect other
                marketplaces in responses. A request can name those that the server knows.
            atomic: True changes nothing if one of them fails, and returns the first error. False carries
                out those that can be.
            expected_count: The number of cards that you expect the request to select. If the real number
                differs by more than 1 %, rounded down, nothing is changed and the response is `409
                unexpected_count`: below 100 cards, the numbers must be equal.
            idempotency_key: A key of your choice that makes it safe to repeat this request: 1 to 255
                printable ASCII characters, plain or as a quoted string. The first response is stored for your
                token for 24 hours and replayed.
        """
        return self._call(
            _publish_cards.request(
                card_ids=card_ids,
                filter_=filter_,
                marketplace=marketplace,
                atomic=atomic,
                expected_count=expected_count,
                idempotency_key=idempotency_key,
            )
        )

    def end_listings(
        self,
        *,
        listing_ids: Sequence[str],
        atomic: bool | Unset = UNSET,
        idempotency_key: str | None = None,
    ) -> EndResults:
        """End many listings.

        Ends 1 to 500 live listings in one request, which counts once against the rate limit. The response
        has the result of each listing in the order of the request. A listing that cannot be ended does not
        stop the others. With `atomic`, the first error is the response to the request and nothing changes.

        Args:
            listing_ids: The listings. They must differ.
            atomic: True changes nothing if one of them fails, and returns the first error. False carries
                out those that can be.
            idempotency_key: A key of your choice that makes it safe to repeat this request: 1 to 255
                printable ASCII characters, plain or as a quoted string. The first response is stored for your
                token for 24 hours and replayed.
        """
        return self._call(
            _end_listings.request(
                listing_ids=listing_ids,
                atomic=atomic,
                idempotency_key=idempotency_key,
            )
        )

    def get_listing(
        self,
        id: str,
        *,
        if_none_match: int | str | None = None,
    ) -> Listing:
        """Get a listing.

        Returns the listing with all of its fields.

        Args:
            if_none_match: The ETags that you have. If one of them is current, the response is 304 without a
                body. An integer stands for a `version`.
        """
        return self._call(
            _get_listing.request(
                id,
                if_none_match=if_none_match,
            )
        )

    def update_listing(
        self,
        id: str,
        *,
        price: Money | Mapping[str, Any] | Unset = UNSET,
        title: str | Unset = UNSET,
        if_match: int | str | None = None,
    ) -> Listing:
        """Update a listing.

        Changes the price or the title of a live listing in place. The response does not wait for the
        marketplace: the `revision` of the listing is `pending` until the marketplace confirms. The latest
        change wins. The price becomes the asking price of the card, and must be above zero and in the
        currency of the listing. Values that the listing has already change nothing, but a `failed` revision
        is tried again.

        Args:
            title: The title that the marketplace shows.
            if_match: The ETag of the version that you have. If the card, the listing or the sale has
                changed since, the response is `412 version_mismatch` and the request changes nothing. An
                integer stands for a `version`.
        """
        return self._call(
            _update_listing.request(
                id,
                price=price,
                title=title,
                if_match=if_match,
            )
        )

    def end_listing(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
    ) -> Listing:
        """End a listing.

        Removes a live listing from the marketplace. The response does not wait for the marketplace: the
        listing is `ending` until the marketplace confirms.

        Args:
            idempotency_key: A key of your choice that makes it safe to repeat this request: 1 to 255
                printable ASCII characters, plain or as a quoted string. The first response is stored for your
                token for 24 hours and replayed.
        """
        return self._call(
            _end_listing.request(
                id,
                idempotency_key=idempotency_key,
            )
        )

    def get_listing_waiting(
        self,
        id: str,
        *,
        if_none_match: int | str | None = None,
    ) -> ListingWaiting:
        """Get why a listing waits.

        Returns why a listing that is being published, revised or ended is not done yet, and when the next
        attempt is. It is null for other listings. Attempts change neither the listing nor its `version`,
        and send no event.

        Args:
            if_none_match: The ETags that you have. If one of them is current, the response is 304 without a
                body. An integer stands for a `version`.
        """
        return self._call(
            _get_listing_waiting.request(
                id,
                if_none_match=if_none_match,
            )
        )

    def publish_card(
        self,
        card_id: str,
        *,
        marketplace: Marketplace | Unset = UNSET,
        price: Money | Mapping[str, Any] | Unset = UNSET,
        title: str | Unset = UNSET,
        idempotency_key: str | None = None,
    ) -> Listing:
        """Publish a card.

        Publishes a card on the marketplace. The response does not wait for the marketplace: the listing is
        `publishing` until the marketplace confirms. A repeated request never creates a second listing while
        one of the card is `publishing`, `live` or `ending`. A `price` becomes the asking price of the card;
        without it, the card is published at its asking price.

        Args:
            marketplace: `sandbox` is the sandbox marketplace that comes with CardVault. Expect other
                marketplaces in responses. A request can name those that the server knows.
            title: The title that the marketplace shows.
            idempotency_key: A key of your choice that makes it safe to repeat this request: 1 to 255
                printable ASCII characters, plain or as a quoted string. The first response is stored for your
                token for 24 hours and replayed.
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

    def list_jobs(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        if_none_match: int | str | None = None,
    ) -> JobPage:
        """List jobs.

        Returns the account's jobs, newest first. A job is kept for 30 days after it has finished.

        Args:
            limit: The maximum number of items in a page.
            cursor: The `next_cursor` of the previous page. A cursor is valid only with the filters that it
                was issued for; with others the response is `400 invalid_cursor`.
            if_none_match: The ETags that you have. If one of them is current, the response is 304 without a
                body. An integer stands for a `version`.
        """
        return self._call(
            _list_jobs.request(
                limit=limit,
                cursor=cursor,
                if_none_match=if_none_match,
            )
        )

    def iter_jobs(
        self,
        *,
        limit: int | None = None,
    ) -> Iterator[Job]:
        """Iterate over all items that `list_jobs` lists. It fetches each page when you need its first item.

        List jobs.

        Returns the account's jobs, newest first. A job is kept for 30 days after it has finished.

        Args:
            limit: The maximum number of items in a page.
        """

        def page(cursor: str | None) -> Request[JobPage]:
            return _list_jobs.request(
                limit=limit,
                cursor=cursor,
            )

        return self._iterate(page)

    def create_job(
        self,
        *,
        kind: JobKind,
        card_ids: Sequence[str] | Unset = UNSET,
        filter_: JobFilter | Mapping[str, Any] | Unset = UNSET,
        patch: CardPatch | Mapping[str, Any] | Unset = UNSET,
        price_change: PriceChange | Mapping[str, Any] | Unset = UNSET,
        hints: Hints | Mapping[str, Any] | Unset = UNSET,
        expected_count: int | Unset = UNSET,
        idempotency_key: str | None = None,
    ) -> Job:
        """Start a job.

        Starts a job that changes many cards in the background: up to 10,000 `card_ids`, or up to 1,000,000
        cards that match `filter`. The service first reads the cards that match, newest first, then changes
        them; cards that are created after the job are left out. It changes each card once, with the same
        rules, events and history as the request for this card alone. A card that cannot be changed is
        refused and does not stop the others. Changes have the request's token as their actor. A job goes on
        after a restart of the service, and other requests can change cards meanwhile. An account can have
        100 unfinished jobs; a further one is `409 job_limit_reached`.  `expected_count` protects you from a
        filter that selects more than you think: state how many cards you expect before you change or delete
        them. A job with a filter never changes more cards than that and 1 %.

        Args:
            kind: What the job does with each card: `update` applies `patch` or `price_change`, as `PATCH
                /cards/{id}`; `identify` queues the card for automatic identification; `publish` publishes it at
                its asking price on the default marketplace; `end` ends its live listing; `archive` archives it,
                and first ends its live listing: the card stays `listed` until it has ended; `delete` deletes
                it; `restore` brings a deleted card back. Only the undo of a job has the kind `restore`: a
                request cannot name it.
            card_ids: The cards. They must differ.
            filter_: Selects the cards that `GET /cards` returns for query parameters with these names and
                values.
            patch: A JSON merge patch (RFC 7396): absent fields stay unchanged, and null clears a field.
            price_change: A new asking price: the present one, or an estimate, changed by percent and
                rounded half up to the minor unit. A card whose price would be less than one minor unit is
                refused with `invalid_request`. A card without the price that is changed is refused: with
                `card_not_priced` if it has no asking price, with `card_not_identified` or `no_price_found` if
                it has no estimate.
            hints: What you know about the cards on photos. With `game`, only cards of this game are
                considered. Cards of the `set` and in the `language` come before others that match a photo
                equally well; if no card of the catalogue has them, these two have no effect.
            expected_count: The number of cards that you expect the request to select. If the real number
                differs by more than 1 %, rounded down, nothing is changed and the response is `409
                unexpected_count`: below 100 cards, the numbers must be equal.
            idempotency_key: A key of your choice that makes it safe to repeat this request: 1 to 255
                printable ASCII characters, plain or as a quoted string. The first response is stored for your
                token for 24 hours and replayed.
        """
        return self._call(
            _create_job.request(
                kind=kind,
                card_ids=card_ids,
                filter_=filter_,
                patch=patch,
                price_change=price_change,
                hints=hints,
                expected_count=expected_count,
                idempotency_key=idempotency_key,
            )
        )

    def get_job(
        self,
        id: str,
        *,
        if_none_match: int | str | None = None,
    ) -> Job:
        """Get a job.

        Returns a job with the numbers of cards that were changed and refused so far.

        Args:
            if_none_match: The ETags that you have. If one of them is current, the response is 304 without a
                body. An integer stands for a `version`.
        """
        return self._call(
            _get_job.request(
                id,
                if_none_match=if_none_match,
            )
        )

    def list_job_refusals(
        self,
        id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        if_none_match: int | str | None = None,
    ) -> JobRefusalPage:
        """List the refused cards of a job.

        Returns the cards that the job could not change, newest first, each with the error that the request
        for this card alone returns.

        Args:
            limit: The maximum number of items in a page.
            cursor: The `next_cursor` of the previous page. A cursor is valid only with the filters that it
                was issued for; with others the response is `400 invalid_cursor`.
            if_none_match: The ETags that you have. If one of them is current, the response is 304 without a
                body. An integer stands for a `version`.
        """
        return self._call(
            _list_job_refusals.request(
                id,
                limit=limit,
                cursor=cursor,
                if_none_match=if_none_match,
            )
        )

    def iter_job_refusals(
        self,
        id: str,
        *,
        limit: int | None = None,
    ) -> Iterator[JobRefusal]:
        """Iterate over all items that `list_job_refusals` lists. It fetches each page when you need its first item.

        List the refused cards of a job.

        Returns the cards that the job could not change, newest first, each with the error that the request
        for this card alone returns.

        Args:
            limit: The maximum number of items in a page.
        """

        def page(cursor: str | None) -> Request[JobRefusalPage]:
            return _list_job_refusals.request(
                id,
                limit=limit,
                cursor=cursor,
            )

        return self._iterate(page)

    def get_job_waiting(
        self,
        id: str,
        *,
        if_none_match: int | str | None = None,
    ) -> JobWaiting:
        """Get why a job waits.

        Returns why a job that is queued or running is not done yet, and when its next turn or attempt is.
        It is null for a job that has finished. Attempts do not change the job.

        Args:
            if_none_match: The ETags that you have. If one of them is current, the response is 304 without a
                body. An integer stands for a `version`.
        """
        return self._call(
            _get_job_waiting.request(
                id,
                if_none_match=if_none_match,
            )
        )

    def cancel_job(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
    ) -> Job:
        """Cancel a job.

        Stops a job. Cards that it has changed stay changed; after the response it changes no further card.
        A finished job stays as it is.

        Args:
            idempotency_key: A key of your choice that makes it safe to repeat this request: 1 to 255
                printable ASCII characters, plain or as a quoted string. The first response is stored for your
                token for 24 hours and replayed.
        """
        return self._call(
            _cancel_job.request(
                id,
                idempotency_key=idempotency_key,
            )
        )

    def undo_job(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
    ) -> Job:
        """Undo a job.

        Starts a job that takes the changes of a finished or cancelled job of the kind `update`, `archive`
        or `delete` back, for 24 hours after it has finished. It has the identifier of the first one in
        `undoes` and progress of its own, goes on after a restart and can be cancelled.  The undo of an
        `update` or an `archive` has the kind `update`, and can be undone itself. A card gets the values
        from before the first job, with the rules, events and history of a change, if it still has those
        that this job has set. Otherwise it is refused with `version_mismatch`. Archived cards come back;
        listings that have ended are not published again. If the job was undone already, the response is the
        job that undoes it. `undoable_until` of a job is null if it cannot be undone now.  The undo of a
        `delete` has the kind `restore`. It brings each card back with its identifier, photos and history,
        the next `version` and a new `updated_at`, and takes its entry out of `GET /deletions`. A card is
        refused with `external_id_taken` or `sku_taken` if another card got one of these since, and with
        `batch_complete` if its batch is complete. Then the job can be undone again. After the 24 hours,
        deleted cards and their photos are erased.

        Args:
            idempotency_key: A key of your choice that makes it safe to repeat this request: 1 to 255
                printable ASCII characters, plain or as a quoted string. The first response is stored for your
                token for 24 hours and replayed.
        """
        return self._call(
            _undo_job.request(
                id,
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
        if_none_match: int | str | None = None,
    ) -> EventPage:
        """List events.

        Returns the account's events of the last 30 days, newest first. With `created_since`, returns them
        oldest first. `created_at` orders them: no two events of an account have the same. Each event is
        byte for byte the body of its webhook deliveries.

        Args:
            limit: The maximum number of items in a page.
            cursor: The `next_cursor` of the previous page. A cursor is valid only with the filters that it
                was issued for; with others the response is `400 invalid_cursor`.
            event: Return only events of these kinds. Repeat the parameter, or separate the values by
                commas.
            created_since: Return only events at or after this time, oldest first. RFC 3339 with a time
                zone.
            if_none_match: The ETags that you have. If one of them is current, the response is 304 without a
                body. An integer stands for a `version`.
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
        | CardDeletedEvent
        | CardIdentifiedEvent
        | CardPricedEvent
        | CardRestoredEvent
        | CardUpdatedEvent
        | CardWorkflowStatusChangedEvent
        | IdentifyFailedEvent
        | ListingEndedEvent
        | ListingPublishedEvent
        | ListingSoldEvent
        | ListingUpdatedEvent
        | SaleCreatedEvent
        | SaleRefundedEvent
        | SaleVoidedEvent
        | UnknownEvent
    ]:
        """Iterate over all items that `list_events` lists. It fetches each page when you need its first item.

        List events.

        Returns the account's events of the last 30 days, newest first. With `created_since`, returns them
        oldest first. `created_at` orders them: no two events of an account have the same. Each event is
        byte for byte the body of its webhook deliveries.

        Args:
            limit: The maximum number of items in a page.
            event: Return only events of these kinds. Repeat the parameter, or separate the values by
                commas.
            created_since: Return only events at or after this time, oldest first. RFC 3339 with a time
                zone.
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
        if_none_match: int | str | None = None,
    ) -> (
        BatchCompletedEvent
        | CardDeletedEvent
        | CardIdentifiedEvent
        | CardPricedEvent
        | CardRestoredEvent
        | CardUpdatedEvent
        | CardWorkflowStatusChangedEvent
        | IdentifyFailedEvent
        | ListingEndedEvent
        | ListingPublishedEvent
        | ListingSoldEvent
        | ListingUpdatedEvent
        | SaleCreatedEvent
        | SaleRefundedEvent
        | SaleVoidedEvent
        | UnknownEvent
    ):
        """Get an event.

        Returns the event, as sent to webhooks.

        Args:
            if_none_match: The ETags that you have. If one of them is current, the response is 304 without a
                body. An integer stands for a `version`.
        """
        return self._call(
            _get_event.request(
                id,
                if_none_match=if_none_match,
            )
        )

    def list_webhooks(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        if_none_match: int | str | None = None,
    ) -> WebhookPage:
        """List webhooks.

        Returns the account's webhooks, newest first.

        Args:
            limit: The maximum number of items in a page.
            cursor: The `next_cursor` of the previous page. A cursor is valid only with the filters that it
                was issued for; with others the response is `400 invalid_cursor`.
            if_none_match: The ETags that you have. If one of them is current, the response is 304 without a
                body. An integer stands for a `version`.
        """
        return self._call(
            _list_webhooks.request(
                limit=limit,
                cursor=cursor,
                if_none_match=if_none_match,
            )
        )

    def iter_webhooks(
        self,
        *,
        limit: int | None = None,
    ) -> Iterator[Webhook]:
        """Iterate over all items that `list_webhooks` lists. It fetches each page when you need its first item.

        List webhooks.

        Returns the account's webhooks, newest first.

        Args:
            limit: The maximum number of items in a page.
        """

        def page(cursor: str | None) -> Request[WebhookPage]:
            return _list_webhooks.request(
                limit=limit,
                cursor=cursor,
            )

        return self._iterate(page)

    def create_webhook(
        self,
        *,
        url: str,
        events: Sequence[EventKind] | Unset = UNSET,
        idempotency_key: str | None = None,
    ) -> WebhookWithSecret:
        """Create a webhook.

        Registers an endpoint that receives the account's events from now on. The URL must use HTTPS and
        lead to a public address. The response has the secret that signs deliveries, which is shown once. An
        account can have up to 200 webhooks.

        Args:
            url: A public HTTPS URL. An international host name is stored in punycode.
            events: The kinds of events to send. Empty means the first eight of `EventKind`, from
                `card.identified` to `identify.failed`.
            idempotency_key: A key of your choice that makes it safe to repeat this request: 1 to 255
                printable ASCII characters, plain or as a quoted string. The first response is stored for your
                token for 24 hours and replayed.
        """
        return self._call(
            _create_webhook.request(
                url=url,
                events=events,
                idempotency_key=idempotency_key,
            )
        )

    def get_webhook(
        self,
        id: str,
        *,
        if_none_match: int | str | None = None,
    ) -> Webhook:
        """Get a webhook.

        Returns the webhook without its secret.

        Args:
            if_none_match: The ETags that you have. If one of them is current, the response is 304 without a
                body. An integer stands for a `version`.
        """
        return self._call(
            _get_webhook.request(
                id,
                if_none_match=if_none_match,
            )
        )

    def delete_webhook(
        self,
        id: str,
    ) -> None:
        """Delete a webhook.

        Deletes the webhook with its secret. Its pending deliveries are dropped.
        """
        return self._call(
            _delete_webhook.request(
                id,
            )
        )

    def update_webhook(
        self,
        id: str,
        *,
        url: str | Unset = UNSET,
        events: Sequence[EventKind] | Unset = UNSET,
        enabled: bool | Unset = UNSET,
    ) -> Webhook:
        """Update a webhook.

        Changes the fields that the request contains. A new URL holds for deliveries that wait, too. When a
        disabled webhook is enabled, its waiting deliveries are sent.

        Args:
            url: A public HTTPS URL. An international host name is stored in punycode.
            events: The kinds of events to send. Empty means the first eight of `EventKind`, from
                `card.identified` to `identify.failed`.
            enabled: false stops deliveries, which then wait; true resumes them.
        """
        return self._call(
            _update_webhook.request(
                id,
                url=url,
                events=events,
                enabled=enabled,
            )
        )

    def rotate_webhook_secret(
        self,
        id: str,
        *,
        grace_seconds: int | Unset = UNSET,
        idempotency_key: str | None = None,
    ) -> WebhookWithSecret:
        """Replace a webhook's secret.

        Creates a new secret and returns it once. Until the grace period ends, deliveries have a signature
        by the replaced secret, too, so that a receiver can change secrets without missing an event. Up to
        four replaced secrets sign. A rotation that would need a fifth is refused with
        `webhook_secret_limit_reached` and the time at which the oldest ends, unless `grace_seconds` is 0.

        Args:
            grace_seconds: How long deliveries are signed with the old secret too.
            idempotency_key: A key of your choice that makes it safe to repeat this request: 1 to 255
                printable ASCII characters, plain or as a quoted string. The first response is stored for your
                token for 24 hours and replayed.
        """
        return self._call(
            _rotate_webhook_secret.request(
                id,
                grace_seconds=grace_seconds,
                idempotency_key=idempotency_key,
            )
        )

    def end_webhook_secret(
        self,
        id: str,
        previous: str,
    ) -> None:
        """End a previous secret early.

        Ends the grace period of a secret that was replaced. Deliveries are no longer signed with it.
        """
        return self._call(
            _end_webhook_secret.request(
                id,
                previous,
            )
        )

    def test_webhook(
        self,
        id: str,
        *,
        event: EventKind | Unset = UNSET,
        idempotency_key: str | None = None,
    ) -> WebhookDelivery:
        """Send a test event.

        Sends an example of an event, which is signed, retried and listed like every delivery. By default it
        is the first kind that the webhook gets. The identifiers in its `data` are all zeros, and `GET
        /events` does not return it.

        Args:
            event: The kind of the event. Endpoints that name no kinds get the first eight, from
                `card.identified` to `identify.failed`; the others go only to endpoints that name them.
                `card.updated` and `listing.updated` are recorded only while an endpoint of the account names
                them.
            idempotency_key: A key of your choice that makes it safe to repeat this request: 1 to 255
                printable ASCII characters, plain or as a quoted string. The first response is stored for your
                token for 24 hours and replayed.
        """
        return self._call(
            _test_webhook.request(
                id,
                event=event,
                idempotency_key=idempotency_key,
            )
        )

    def list_webhook_deliveries(
        self,
        id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        state: DeliveryState | None = None,
        event: EventKind | None = None,
        if_none_match: int | str | None = None,
    ) -> WebhookDeliveryPage:
        """List deliveries.

        Returns the deliveries to the webhook with their attempts, newest event first. Delivered ones are
        kept for 30 days, dropped ones for 90 days.

        Args:
            limit: The maximum number of items in a page.
            cursor: The `next_cursor` of the previous page. A cursor is valid only with the filters that it
                was issued for; with others the response is `400 invalid_cursor`.
            state: `pending` until the endpoint responds with 2xx (`delivered`, kept for 30 days) or the
                last attempt fails (`dropped`, kept for 90 days).
            event: The kind of the event. Endpoints that name no kinds get the first eight, from
                `card.identified` to `identify.failed`; the others go only to endpoints that name them.
                `card.updated` and `listing.updated` are recorded only while an endpoint of the account names
                them.
            if_none_match: The ETags that you have. If one of them is current, the response is 304 without a
                body. An integer stands for a `version`.
        """
        return self._call(
            _list_webhook_deliveries.request(
                id,
                limit=limit,
                cursor=cursor,
                state=state,
                event=event,
                if_none_match=if_none_match,
            )
        )

    def iter_webhook_deliveries(
        self,
        id: str,
        *,
        limit: int | None = None,
        state: DeliveryState | None = None,
        event: EventKind | None = None,
    ) -> Iterator[WebhookDelivery]:
        """Iterate over all items that `list_webhook_deliveries` lists. It fetches each page when you need its first item.

        List deliveries.

        Returns the deliveries to the webhook with their attempts, newest event first. Delivered ones are
        kept for 30 days, dropped ones for 90 days.

        Args:
            limit: The maximum number of items in a page.
            state: `pending` until the endpoint responds with 2xx (`delivered`, kept for 30 days) or the
                last attempt fails (`dropped`, kept for 90 days).
            event: The kind of the event. Endpoints that name no kinds get the first eight, from
                `card.identified` to `identify.failed`; the others go only to endpoints that name them.
                `card.updated` and `listing.updated` are recorded only while an endpoint of the account names
                them.
        """

        def page(cursor: str | None) -> Request[WebhookDeliveryPage]:
            return _list_webhook_deliveries.request(
                id,
                limit=limit,
                state=state,
                event=event,
                cursor=cursor,
            )

        return self._iterate(page)

    def resend_webhook_delivery(
        self,
        id: str,
        delivery: str,
        *,
        idempotency_key: str | None = None,
    ) -> WebhookDelivery:
        """Send a delivery again.

        Sends a delivery in any state again, with the same event and body, and with all retries. A delivery
        that is being sent at the moment is not changed.

        Args:
            idempotency_key: A key of your choice that makes it safe to repeat this request: 1 to 255
                printable ASCII characters, plain or as a quoted string. The first response is stored for your
                token for 24 hours and replayed.
        """
        return self._call(
            _resend_webhook_delivery.request(
                id,
                delivery,
                idempotency_key=idempotency_key,
            )
        )

    def resend_dropped_webhook_deliveries(
        self,
        id: str,
        *,
        since: datetime.datetime | Unset = UNSET,
        idempotency_key: str | None = None,
    ) -> ResentDeliveries:
        """Send dropped deliveries again.

        Sends the dropped deliveries of the webhook again, oldest event first, up to 500 in a request.
        Repeat the request until `has_more` is false.

        Args:
            since: Send only deliveries that were dropped at or after this time. RFC 3339 with a time zone.
                By default, all that are kept.
            idempotency_key: A key of your choice that makes it safe to repeat this request: 1 to 255
                printable ASCII characters, plain or as a quoted string. The first response is stored for your
                token for 24 hours and replayed.
        """
        return self._call(
            _resend_dropped_webhook_deliveries.request(
                id,
                since=since,
                idempotency_key=idempotency_key,
            )
        )

    def get_account(
        self,
        *,
        if_none_match: int | str | None = None,
    ) -> Account:
        """Get the account.

        Returns the account of the token, and the rate limits and scopes of the token. Every token may call
        it.

        Args:
            if_none_match: The ETags that you have. If one of them is current, the response is 304 without a
                body. An integer stands for a `version`.
        """
        return self._call(
            _get_account.request(
                if_none_match=if_none_match,
            )
        )

    def update_account(
        self,
        *,
        name: str | Unset = UNSET,
        currency: Currency | Unset = UNSET,
        time_zone: str | Unset = UNSET,
        floor_price: Money | Mapping[str, Any] | None | Unset = UNSET,
        identification: IdentificationSettingsPatch | Mapping[str, Any] | Unset = UNSET,
    ) -> Account:
        """Update the account.

        Changes the settings that the request contains.  `floor_price` is the lowest asking price of the
        cards without a `pricing.floor_price` of their own; it holds for prices in its currency. It does not
        change prices that are lower already, but such a card cannot be published.
        `identification.threshold` cannot be lower than that of the operator, and `identification.providers`
        has the operator's providers in another order. If `identification.games` has games, identifications
        return no candidates of other games. A hint or a card that names another game has priority.

        Args:
            name: The name of the account.
            currency: An ISO 4217 currency code.
            time_zone: The time zone of the account, by its name in the IANA database.
            identification: Absent fields stay unchanged, and null restores what the operator has set.
        """
        return self._call(
            _update_account.request(
                name=name,
                currency=currency,
                time_zone=time_zone,
                floor_price=floor_price,
                identification=identification,
            )
        )

    def get_account_usage(
        self,
        *,
        hours: int | None = None,
        token: str | None = None,
        if_none_match: int | str | None = None,
    ) -> AccountUsage:
        """Get the account's requests by hour.

        Returns how many requests the tokens of the account sent in each hour, by rate class, and how many
        of them were refused with 429. Hours begin at full hours in UTC. The counts are kept for 7 days. A
        request is counted within about a minute, in the hour in which it is counted.

        Args:
            hours: The number of hours, the current one included.
            token: Count only the requests of this token.
            if_none_match: The ETags that you have. If one of them is current, the response is 304 without a
                body. An integer stands for a `version`.
        """
        return self._call(
            _get_account_usage.request(
                hours=hours,
                token=token,
                if_none_match=if_none_match,
            )
        )

    def get_account_waiting(
        self,
        *,
        if_none_match: int | str | None = None,
    ) -> AccountWaiting:
        """Get why imports and exports wait.

        Returns why the imports of files and the export of the account that were begun in the dashboard or
        by the operator are not done yet, and when their next attempts are. `export` is null if no export is
        under way.

        Args:
            if_none_match: The ETags that you have. If one of them is current, the response is 304 without a
                body. An integer stands for a `version`.
        """
        return self._call(
            _get_account_waiting.request(
                if_none_match=if_none_match,
            )
        )


class AsyncOperations(ABC):
    """The operations for asyncio. A subclass sends the requests and iterates over pages."""

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
        currency: Currency | None = None,
        sku: str | None = None,
        external_id: str | None = None,
        ids: list[str] | None = None,
        catalog_id: str | None = None,
        language: str | None = None,
        grade: str | None = None,
        has_photo: bool | None = None,
        q: str | None = None,
        sort: CardOrder | None = None,
        updated_since: datetime.datetime | None = None,
        if_none_match: int | str | None = None,
    ) -> CardPage:
        """List cards.

        Returns cards, newest first unless `sort` sets another order. With `updated_since`, returns them by
        time of change, oldest first (see "Following changes by polling").

        Args:
            limit: The maximum number of items in a page.
            cursor: The `next_cursor` of the previous page. A cursor is valid only with the filters that it
                was issued for; with others the response is `400 invalid_cursor`.
            status: Return only cards with one of these workflow statuses. Repeat the parameter, or separate
                the values by commas.
            batch: Return only cards in this batch.
            location: Return only cards at this location or below it, in any normal form of Unicode.
            set_: Return only cards of the set with exactly this name, in any normal form of Unicode.
            game: The game or kind of card.
            number: Return only cards with exactly this collector number.
            condition: Near mint, lightly played, moderately played, heavily played, damaged.
            identification: `pending` while the card is queued for automatic identification, or waits for a
                photo that the service fetches. `identified` and `failed` are the results. `none` means that the
                card is not identified and nothing is under way: it has no photo of the front, or automatic
                identification was not requested.
            min_price: Return only cards with an asking price of at least this amount, in minor units of
                `currency` or, without it, of the account's currency.
            max_price: Return only cards with an asking price of at most this amount, in minor units of
                `currency` or, without it, of the account's currency.
            currency: An ISO 4217 currency code.
            sku: Return only cards with exactly this SKU.
            external_id: Return only the card with exactly this `external_id`.
            ids: Return only these cards. Repeat the parameter, or separate the values by commas.
                Identifiers that do not exist are ignored.
            catalog_id: Return only cards with exactly this identifier in the catalogue.
            language: Return only cards with exactly this language.
            grade: Return only cards with this grade: a grading company (`PSA`), a company and a value (`PSA
                9.5`), or `none` for cards that are not graded.
            has_photo: Return only cards with a photo whose status is `ready` or, if false, only cards
                without one.
            q: Return only cards whose title, number, set, SKU and external id together contain all of these
                words or parts of words. Case, accents and width are ignored, hiragana and katakana are the
                same, and so are `’` and the plain apostrophe, `ß` and `ss`, `æ` and `ae`.
            sort: An order of cards, descending with `-`.
            updated_since: Return only items that changed at or after this time, ordered by time of change,
                oldest first. RFC 3339 with a time zone.
            if_none_match: The ETags that you have. If one of them is current, the response is 304 without a
                body. An integer stands for a `version`.
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
                currency=currency,
                sku=sku,
                external_id=external_id,
                ids=ids,
                catalog_id=catalog_id,
                language=language,
                grade=grade,
                has_photo=has_photo,
                q=q,
                sort=sort,
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
        currency: Currency | None = None,
        sku: str | None = None,
        external_id: str | None = None,
        ids: list[str] | None = None,
        catalog_id: str | None = None,
        language: str | None = None,
        grade: str | None = None,
        has_photo: bool | None = None,
        q: str | None = None,
        sort: CardOrder | None = None,
        updated_since: datetime.datetime | None = None,
    ) -> AsyncIterator[Card]:
        """Iterate over all items that `list_cards` lists. It fetches each page when you need its first item.

        List cards.

        Returns cards, newest first unless `sort` sets another order. With `updated_since`, returns them by
        time of change, oldest first (see "Following changes by polling").

        Args:
            limit: The maximum number of items in a page.
            status: Return only cards with one of these workflow statuses. Repeat the parameter, or separate
                the values by commas.
            batch: Return only cards in this batch.
            location: Return only cards at this location or below it, in any normal form of Unicode.
            set_: Return only cards of the set with exactly this name, in any normal form of Unicode.
            game: The game or kind of card.
            number: Return only cards with exactly this collector number.
            condition: Near mint, lightly played, moderately played, heavily played, damaged.
            identification: `pending` while the card is queued for automatic identification, or waits for a
                photo that the service fetches. `identified` and `failed` are the results. `none` means that the
                card is not identified and nothing is under way: it has no photo of the front, or automatic
                identification was not requested.
            min_price: Return only cards with an asking price of at least this amount, in minor units of
                `currency` or, without it, of the account's currency.
            max_price: Return only cards with an asking price of at most this amount, in minor units of
                `currency` or, without it, of the account's currency.
            currency: An ISO 4217 currency code.
            sku: Return only cards with exactly this SKU.
            external_id: Return only the card with exactly this `external_id`.
            ids: Return only these cards. Repeat the parameter, or separate the values by commas.
                Identifiers that do not exist are ignored.
            catalog_id: Return only cards with exactly this identifier in the catalogue.
            language: Return only cards with exactly this language.
            grade: Return only cards with this grade: a grading company (`PSA`), a company and a value (`PSA
                9.5`), or `none` for cards that are not graded.
            has_photo: Return only cards with a photo whose status is `ready` or, if false, only cards
                without one.
            q: Return only cards whose title, number, set, SKU and external id together contain all of these
                words or parts of words. Case, accents and width are ignored, hiragana and katakana are the
                same, and so are `’` and the plain apostrophe, `ß` and `ss`, `æ` and `ae`.
            sort: An order of cards, descending with `-`.
            updated_since: Return only items that changed at or after this time, ordered by time of change,
                oldest first. RFC 3339 with a time zone.
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
                currency=currency,
                sku=sku,
                external_id=external_id,
                ids=ids,
                catalog_id=catalog_id,
                language=language,
                grade=grade,
                has_photo=has_photo,
                q=q,
                sort=sort,
                updated_since=updated_since,
                cursor=cursor,
            )

        return self._iterate(page)

    async def create_cards(
        self,
        *,
        cards: Sequence[CardInput | Mapping[str, Any]],
        on_conflict: CardsInputOnConflict | Unset = UNSET,
        hints: Hints | Mapping[str, Any] | Unset = UNSET,
        idempotency_key: str | None = None,
    ) -> CardList:
        """Import cards.

        Imports 1 to 500 cards, either all or none. The service fetches photos soon after the import. If a
        URL cannot be reached, the service tries it up to four times within two minutes. A card without a
        title is identified automatically once it has a photo. A card whose `external_id` exists is handled
        as `on_conflict` says, so that the same import can be sent again.  `hints` of a card, or else those
        of the request, are kept with the new card. Each identification of the card that gives no hints uses
        them.

        Args:
            cards: The cards. Either all of them are imported or none.
            on_conflict: What to do if a card with the same `external_id` exists. `error` refuses the
                request with `409 external_id_taken`, `skip` leaves the card unchanged, and `update` changes the
                given fields of the card as `PATCH /cards/{id}` does. `photos`, `identify` and `hints` have an
                effect on new cards only.
            hints: What you know about the cards on photos. With `game`, only cards of this game are
                considered. Cards of the `set` and in the `language` come before others that match a photo
                equally well; if no card of the catalogue has them, these two have no effect.
            idempotency_key: A key of your choice that makes it safe to repeat this request: 1 to 255
                printable ASCII characters, plain or as a quoted string. The first response is stored for your
                token for 24 hours and replayed.
        """
        return await self._call(
            _create_cards.request(
                cards=cards,
                on_conflict=on_conflict,
                hints=hints,
                idempotency_key=idempotency_key,
            )
        )

    async def update_cards(
        self,
        *,
        updates: Sequence[CardUpdate | Mapping[str, Any]],
        atomic: bool | Unset = UNSET,
    ) -> CardUpdateResults:
        """Update many cards.

        Updates 1 to 500 cards in one request, which counts once against the rate limit. Each update is a
        patch of one card, as `PATCH /cards/{id}` takes it. The response has the result of each update in
        the order of the request. An update that fails changes nothing; the others are carried out. With
        `atomic`, the first error is the response to the request and nothing changes. A request with two
        updates of one card is invalid.

        Args:
            updates: The updates, at most one for each card.
            atomic: True changes nothing if one of them fails, and returns the first error. False carries
                out those that can be.
        """
        return await self._call(
            _update_cards.request(
                updates=updates,
                atomic=atomic,
            )
        )

    async def summarize_cards(
        self,
        *,
        group_by: CardGrouping,
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
        currency: Currency | None = None,
        sku: str | None = None,
        external_id: str | None = None,
        ids: list[str] | None = None,
        catalog_id: str | None = None,
        language: str | None = None,
        grade: str | None = None,
        has_photo: bool | None = None,
        q: str | None = None,
        if_none_match: int | str | None = None,
    ) -> CardSummary:
        """Sum up cards.

        Returns the number of cards that match the filters, and the sums of their asking prices and costs in
        each currency, in total and for each group. A summary that took long to compute can be a few seconds
        old: `as_of` is the time of the last change to the account that it includes.

        Args:
            group_by: The field by which cards are grouped.
            status: Return only cards with one of these workflow statuses. Repeat the parameter, or separate
                the values by commas.
            batch: Return only cards in this batch.
            location: Return only cards at this location or below it, in any normal form of Unicode.
            set_: Return only cards of the set with exactly this name, in any normal form of Unicode.
            game: The game or kind of card.
            number: Return only cards with exactly this collector number.
            condition: Near mint, lightly played, moderately played, heavily played, damaged.
            identification: `pending` while the card is queued for automatic identification, or waits for a
                photo that the service fetches. `identified` and `failed` are the results. `none` means that the
                card is not identified and nothing is under way: it has no photo of the front, or automatic
                identification was not requested.
            min_price: Return only cards with an asking price of at least this amount, in minor units of
                `currency` or, without it, of the account's currency.
            max_price: Return only cards with an asking price of at most this amount, in minor units of
                `currency` or, without it, of the account's currency.
            currency: An ISO 4217 currency code.
            sku: Return only cards with exactly this SKU.
            external_id: Return only the card with exactly this `external_id`.
            ids: Return only these cards. Repeat the parameter, or separate the values by commas.
                Identifiers that do not exist are ignored.
            catalog_id: Return only cards with exactly this identifier in the catalogue.
            language: Return only cards with exactly this language.
            grade: Return only cards with this grade: a grading company (`PSA`), a company and a value (`PSA
                9.5`), or `none` for cards that are not graded.
            has_photo: Return only cards with a photo whose status is `ready` or, if false, only cards
                without one.
            q: Return only cards whose title, number, set, SKU and external id together contain all of these
                words or parts of words. Case, accents and width are ignored, hiragana and katakana are the
                same, and so are `’` and the plain apostrophe, `ß` and `ss`, `æ` and `ae`.
            if_none_match: The ETags that you have. If one of them is current, the response is 304 without a
                body. An integer stands for a `version`.
        """
        return await self._call(
            _summarize_cards.request(
                group_by=group_by,
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
                currency=currency,
                sku=sku,
                external_id=external_id,
                ids=ids,
                catalog_id=catalog_id,
                language=language,
                grade=grade,
                has_photo=has_photo,
                q=q,
                if_none_match=if_none_match,
            )
        )

    async def scan_cards(
        self,
        *,
        photos: Sequence[ScanPhoto],
        pairing: ScanPairing | Unset = UNSET,
        cards: ScanCards | Unset = UNSET,
        batch_id: str | Unset = UNSET,
        location: str | Unset = UNSET,
        condition: Condition | Unset = UNSET,
        game: Game | Unset = UNSET,
        idempotency_key: str | None = None,
    ) -> ScanResults:
        """Create cards from photos.

        Creates a card for each photo, or for each front and back, of up to 20 photos in one form. The cards
        are identified automatically. They have the form's `batch_id`, `location`, `condition` and `game`. A
        photo that is not valid refuses its card only: its result has the error `photo_invalid`, and the
        other cards are created. The request counts once against the rate limit. With `cards` as `many`,
        each photo may show several cards, which are cut out of it. A request is the same as an earlier one
        with its `Idempotency-Key` if it has the same fields, file names and files in the same order.

        Args:
            photos: The files of the photos: JPEG, PNG, WebP, HEIC or AVIF images of at most 15 MiB, with
                300 to 12,000 pixels on each side. Each has a file name.
            pairing: Which photos show the same card. With `none`, each photo is the front of a card. With
                `order`, the photos are a front, its back, the next front and so on, so their number is even.
                With `name`, two files are the front and the back of a card if their names, without the
                extension, differ only by one of these pairs of endings: `-front` and `-back`, `_f` and `_b`,
                `-1` and `-2`, `(1)` and `(2)`. The case of letters does not matter. A file without a partner is
                the front of a card. The default is `none`.
            cards: How many cards a photo shows. With `many`, the cards on each photo, such as a page of a
                binder or a tray, are found, cut out and straightened, and each becomes a card with its cut as
                the front. The whole photo is not kept. A photo on which less than two cards are found becomes
                one card, with the whole photo. With `many`, send at most 5 photos, each of at most 30 cards,
                and no pairs. The default is `one`.
            location: The place where the card is stored. A path of 1 to 5 segments separated by `/`,
                outermost first.
            condition: Near mint, lightly played, moderately played, heavily played, damaged.
            game: The game or kind of card.
            idempotency_key: A key of your choice that makes it safe to repeat this request: 1 to 255
                printable ASCII characters, plain or as a quoted string. The first response is stored for your
                token for 24 hours and replayed.
        """
        return await self._call(
            _scan_cards.request(
                photos=photos,
                pairing=pairing,
                cards=cards,
                batch_id=batch_id,
                location=location,
                condition=condition,
                game=game,
                idempotency_key=idempotency_key,
            )
        )

    async def get_card(
        self,
        id: str,
        *,
        if_none_match: int | str | None = None,
    ) -> Card:
        """Get a card.

        Returns the card with all of its fields.

        Args:
            if_none_match: The ETags that you have. If one of them is current, the response is 304 without a
                body. An integer stands for a `version`.
        """
        return await self._call(
            _get_card.request(
                id,
                if_none_match=if_none_match,
            )
        )

    async def delete_card(
        self,
        id: str,
        *,
        if_match: int | str | None = None,
    ) -> None:
        """Delete a card.

        Deletes the card with its photos and its history, at once and for good. Its listings and sales stay.
        A card cannot be deleted while a listing is publishing, live or ending, or while its batch is
        complete. `GET /deletions` lists deleted cards. To keep a card, archive it. A job of the kind
        `delete` can be undone for 24 hours.

        Args:
            if_match: The ETag of the version that you have. If the card, the listing or the sale has
                changed since, the response is `412 version_mismatch` and the request changes nothing. An
                integer stands for a `version`.
        """
        return await self._call(
            _delete_card.request(
                id,
                if_match=if_match,
            )
        )

    async def update_card(
        self,
        id: str,
        *,
        identification: IdentificationPatch | Mapping[str, Any] | Unset = UNSET,
        pricing: PricingPatch | Mapping[str, Any] | Unset = UNSET,
        location: None | str | Unset = UNSET,
        sku: None | str | Unset = UNSET,
        notes: None | str | Unset = UNSET,
        batch_id: None | str | Unset = UNSET,
        external_id: None | str | Unset = UNSET,
        metadata: MetadataPatch | Mapping[str, Any] | None | Unset = UNSET,
        archived: bool | Unset = UNSET,
        if_match: int | str | None = None,
    ) -> Card:
        """Update a card.

        Applies a JSON merge patch to the card's identification, pricing, location and the owner's fields.
        If the change affects the workflow status, the status changes by one transition at a time, and each
        transition fires one event. A patch that changes nothing does not change the version. A new asking
        price of a card with a `live` listing revises the listing, whose `revision` shows the progress. It
        must be above zero and in the currency of the listing.

        Args:
            identification: Absent fields stay unchanged, and null clears a field. Setting a title
                identifies the card manually. The title of an identified card cannot be cleared. A `catalog_id`
                without `title`, `set`, `number`, `game`, `year`, `language` and `variant` identifies the card
                manually too: these fields get the values of the catalogue.
            pricing: Absent fields stay unchanged, and null clears a field.
            location: The place where the card is stored, 1 to 5 segments separated by `/`, outermost first.
            sku: The owner's article number.
            notes: The owner's notes.
            batch_id: The batch to move the card into, or null to remove it from its batch.
            external_id: The identifier of the card in a system of yours. No two cards of an account can
                have the same one.
            metadata: Keys that are absent stay unchanged, and null removes a key; null instead of the
                object removes all. A card has at most 50 keys of 1 to 40 characters without control characters.
            archived: True archives the card. False restores the status that follows from its data.
            if_match: The ETag of the version that you have. If the card, the listing or the sale has
                changed since, the response is `412 version_mismatch` and the request changes nothing. An
                integer stands for a `version`.
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
                external_id=external_id,
                metadata=metadata,
                archived=archived,
                if_match=if_match,
            )
        )

    async def list_card_history(
        self,
        id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        if_none_match: int | str | None = None,
    ) -> CardHistoryPage:
        """List the changes of a card.

        Returns the versions of the card, newest first: when each was made, by whom, and which fields
        changed. Versions are kept for 2 years.

        Args:
            limit: The maximum number of items in a page.
            cursor: The `next_cursor` of the previous page. A cursor is valid only with the filters that it
                was issued for; with others the response is `400 invalid_cursor`.
            if_none_match: The ETags that you have. If one of them is current, the response is 304 without a
                body. An integer stands for a `version`.
        """
        return await self._call(
            _list_card_history.request(
                id,
                limit=limit,
                cursor=cursor,
                if_none_match=if_none_match,
            )
        )

    def iter_card_history(
        self,
        id: str,
        *,
        limit: int | None = None,
    ) -> AsyncIterator[CardHistoryEntry]:
        """Iterate over all items that `list_card_history` lists. It fetches each page when you need its first item.

        List the changes of a card.

        Returns the versions of the card, newest first: when each was made, by whom, and which fields
        changed. Versions are kept for 2 years.

        Args:
            limit: The maximum number of items in a page.
        """

        def page(cursor: str | None) -> Request[CardHistoryPage]:
            return _list_card_history.request(
                id,
                limit=limit,
                cursor=cursor,
            )

        return self._iterate(page)

    async def get_card_waiting(
        self,
        id: str,
        *,
        if_none_match: int | str | None = None,
    ) -> CardWaiting:
        """Get why a card waits.

        Returns why the identification of the card and the photos that are to be fetched from a URL are not
        done yet, and when the next attempts are. Attempts change neither the card nor its `version`, and
        send no event.

        Args:
            if_none_match: The ETags that you have. If one of them is current, the response is 304 without a
                body. An integer stands for a `version`.
        """
        return await self._call(
            _get_card_waiting.request(
                id,
                if_none_match=if_none_match,
            )
        )

    async def put_card_photo(
        self,
        id: str,
        photo: PhotoRole,
        content: bytes,
        *,
        content_type: Literal["image/jpeg", "image/png", "image/webp", "image/heic", "image/heif", "image/avif"]
        | None = None,
    ) -> Card:
        """Upload a photo.

        Uploads the card's photo of this role, and replaces the previous one. A card that waits for
        identification is identified automatically once it has a photo.  JPEG, PNG and WebP images are
        stored unchanged except for their metadata, which is removed. HEIC and AVIF images are converted to
        JPEG, upright and in sRGB.
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

        Deletes a photo of the card. This is not possible while a listing of the card is `publishing`,
        `live` or `ending`.
        """
        return await self._call(
            _delete_card_photo.request(
                id,
                photo,
            )
        )

    async def list_deletions(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        updated_since: datetime.datetime | None = None,
        if_none_match: int | str | None = None,
    ) -> DeletionPage:
        """List deleted cards.

        Returns the cards that were deleted in the last 90 days, newest first. With `updated_since`, returns
        those deleted at or after this time, oldest first, with the same promise as for cards: a client that
        pages to the end and comes back with the last `deleted_at` that it saw misses no deletion. A card
        that the undo of a job brings back is not in the list any more.

        Args:
            limit: The maximum number of items in a page.
            cursor: The `next_cursor` of the previous page. A cursor is valid only with the filters that it
                was issued for; with others the response is `400 invalid_cursor`.
            updated_since: Return only items that changed at or after this time, ordered by time of change,
                oldest first. RFC 3339 with a time zone.
            if_none_match: The ETags that you have. If one of them is current, the response is 304 without a
                body. An integer stands for a `version`.
        """
        return await self._call(
            _list_deletions.request(
                limit=limit,
                cursor=cursor,
                updated_since=updated_since,
                if_none_match=if_none_match,
            )
        )

    def iter_deletions(
        self,
        *,
        limit: int | None = None,
        updated_since: datetime.datetime | None = None,
    ) -> AsyncIterator[Deletion]:
        """Iterate over all items that `list_deletions` lists. It fetches each page when you need its first item.

        List deleted cards.

        Returns the cards that were deleted in the last 90 days, newest first. With `updated_since`, returns
        those deleted at or after this time, oldest first, with the same promise as for cards: a client that
        pages to the end and comes back with the last `deleted_at` that it saw misses no deletion. A card
        that the undo of a job brings back is not in the list any more.

        Args:
            limit: The maximum number of items in a page.
            updated_since: Return only items that changed at or after this time, ordered by time of change,
                oldest first. RFC 3339 with a time zone.
        """

        def page(cursor: str | None) -> Request[DeletionPage]:
            return _list_deletions.request(
                limit=limit,
                updated_since=updated_since,
                cursor=cursor,
            )

        return self._iterate(page)

    async def report_stock(
        self,
        *,
        days: int | None = None,
        if_none_match: int | str | None = None,
    ) -> StockReport:
        """Get the value of the stock by day.

        Returns how many cards were in stock on each of the last days, and the sums of their asking prices
        and costs in each currency, without conversion. Sold and archived cards do not count.  The figures
        of a day are those of its end, or of the last hour before it; those of today are those of now. A day
        on which the service did not run is missing, and so are the days before the account had its first
        record. Days are kept for two years.

        Args:
            days: The number of days, today included.
            if_none_match: The ETags that you have. If one of them is current, the response is 304 without a
                body. An integer stands for a `version`.
        """
        return await self._call(
            _report_stock.request(
                days=days,
                if_none_match=if_none_match,
            )
        )

    async def list_card_candidates(
        self,
        id: str,
        *,
        if_none_match: int | str | None = None,
    ) -> CandidateList:
        """List the candidates of a card.

        Returns what the last automatic identification of the card considered, whether it succeeded or
        failed, best first. Save the right one with PATCH and its `catalog_id`. The list is empty if no
        identification was attempted.

        Args:
            if_none_match: The ETags that you have. If one of them is current, the response is 304 without a
                body. An integer stands for a `version`.
        """
        return await self._call(
            _list_card_candidates.request(
                id,
                if_none_match=if_none_match,
            )
        )

    async def identify(
        self,
        *,
        card_id: str | Unset = UNSET,
        photo_url: str | Unset = UNSET,
        hints: Hints | Mapping[str, Any] | Unset = UNSET,
        idempotency_key: str | None = None,
    ) -> IdentifyOutcome:
        """Identify a card or a photo.

        Calls the identification providers in order until one is confident enough.  With `card_id`, the
        outcome is saved: a result in the same way as by PATCH, or a failure. It is also a failure if no
        provider responds.  With `photo_url`, nothing is saved and no event fires. If no provider responds,
        the response is `502 upstream_error`, or `422 photo_invalid` if the photo is the cause.  `hints` are
        for this request only and replace those that are kept with the card. Without a `game` in them, the
        game that you have given the card is a hint, unless it is `other`. A game that a provider has found
        is not a hint.  If the card is in the slab of a grading company, `grade` is what its label says: the
        company, the grade and the certificate number. It is null if no label was read. A card without a
        grade gets it with the result; a grade that the card has already is kept.  While too many photos are
        being identified, the response is `503 unavailable` and nothing is saved.

        Args:
            photo_url: A public HTTPS URL of a JPEG, PNG, WebP, HEIC or AVIF image of at most 15 MiB.
                Nothing is saved and no event fires.
            hints: What you know about the cards on photos. With `game`, only cards of this game are
                considered. Cards of the `set` and in the `language` come before others that match a photo
                equally well; if no card of the catalogue has them, these two have no effect.
            idempotency_key: A key of your choice that makes it safe to repeat this request: 1 to 255
                printable ASCII characters, plain or as a quoted string. The first response is stored for your
                token for 24 hours and replayed.
        """
        return await self._call(
            _identify.request(
                card_id=card_id,
                photo_url=photo_url,
                hints=hints,
                idempotency_key=idempotency_key,
            )
        )

    async def search_catalog(
        self,
        *,
        q: str | None = None,
        game: Game | None = None,
        set_: str | None = None,
        number: str | None = None,
        limit: int | None = None,
        if_none_match: int | str | None = None,
    ) -> CatalogCardList:
        """Search the catalogue.

        Returns the cards of the catalogue that match all parameters. With `q`, the same name comes first
        and then similar names; without it, cards are in the order of their numbers. At most 200 cards can
        be returned.

        Args:
            q: Words of the card's name, or its set code, such as LOB-EN045. Each word may be a part of a
                word, and each of 5 or more letters may have a typo, in Chinese and Japanese each of 3 or more.
            game: The game or kind of card.
            set_: Return only cards of the set with this name or code. Case and accents are ignored.
            number: Return only cards with this collector number, with or without the printed total, or with
                this set code, such as OP01-001. Leading zeros are ignored.
            limit: The maximum number of items in a page.
            if_none_match: The ETags that you have. If one of them is current, the response is 304 without a
                body. An integer stands for a `version`.
        """
        return await self._call(
            _search_catalog.request(
                q=q,
                game=game,
                set_=set_,
                number=number,
                limit=limit,
                if_none_match=if_none_match,
            )
        )

    async def get_catalog_card(
        self,
        id: str,
        *,
        if_none_match: int | str | None = None,
    ) -> CatalogCard:
        """Get a card of the catalogue.

        Returns the card with this identifier, which is the `catalog_id` of identified cards.

        Args:
            if_none_match: The ETags that you have. If one of them is current, the response is 304 without a
                body. An integer stands for a `version`.
        """
        return await self._call(
            _get_catalog_card.request(
                id,
                if_none_match=if_none_match,
            )
        )

    async def sell_card(
        self,
        id: str,
        *,
        channel: SaleChannel,
        price: Money | Mapping[str, Any],
        sold_at: datetime.datetime | Unset = UNSET,
        fees: Sequence[Fee | Mapping[str, Any]] | Unset = UNSET,
        order_reference: str | Unset = UNSET,
        idempotency_key: str | None = None,
    ) -> Sale:
        """Record a sale.

        Records that the card was sold elsewhere than through its listing, and marks it sold. The card must
        be identified. A listing that is publishing or live is taken down, with the `end_reason`
        `sold_elsewhere`. If a buyer on the marketplace is faster, that purchase is a second sale of the
        card, and you refund one of the two.

        Args:
            channel: Where the card was sold: a marketplace, the own shop, face to face, or elsewhere.
                Expect other marketplaces in responses. A request can name those that the server knows.
            sold_at: When the card was sold, at most a day in the future. The default is now.
            fees: The fees that you paid.
            order_reference: The number of the order.
            idempotency_key: A key of your choice that makes it safe to repeat this request: 1 to 255
                printable ASCII characters, plain or as a quoted string. The first response is stored for your
                token for 24 hours and replayed.
        """
        return await self._call(
            _sell_card.request(
                id,
                channel=channel,
                price=price,
                sold_at=sold_at,
                fees=fees,
                order_reference=order_reference,
                idempotency_key=idempotency_key,
            )
        )

    async def list_sales(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        sold_since: datetime.datetime | None = None,
        sold_before: datetime.datetime | None = None,
        channel: SaleChannel | None = None,
        status: SaleStatus | None = None,
        card: str | None = None,
        currency: Currency | None = None,
        to_ship: bool | None = None,
        updated_since: datetime.datetime | None = None,
        if_none_match: int | str | None = None,
    ) -> SalePage:
        """List sales.

        Returns sales by `sold_at`, newest first. With `updated_since`, returns them by time of change,
        oldest first.

        Args:
            limit: The maximum number of items in a page.
            cursor: The `next_cursor` of the previous page. A cursor is valid only with the filters that it
                was issued for; with others the response is `400 invalid_cursor`.
            sold_since: Return only sales at or after this time. RFC 3339 with a time zone.
            sold_before: Return only sales before this time. RFC 3339 with a time zone.
            channel: Where the card was sold: a marketplace, the own shop, face to face, or elsewhere.
                Expect other marketplaces in responses. A request can name those that the server knows.
            status: `refunded` if the price was returned in full, otherwise `completed`. `voided` for a sale
                that was recorded by mistake. `cancelled` is for orders that a marketplace cancels; nothing sets
                it yet.
            card: Return only sales of this card.
            currency: An ISO 4217 currency code.
            to_ship: true returns only the sales whose card is still to be sent, that is, not those that are
                shipped, returned, refunded in full, voided, or sold in person.
            updated_since: Return only items that changed at or after this time, ordered by time of change,
                oldest first. RFC 3339 with a time zone.
            if_none_match: The ETags that you have. If one of them is current, the response is 304 without a
                body. An integer stands for a `version`.
        """
        return await self._call(
            _list_sales.request(
                limit=limit,
                cursor=cursor,
                sold_since=sold_since,
                sold_before=sold_before,
                channel=channel,
                status=status,
                card=card,
                currency=currency,
                to_ship=to_ship,
                updated_since=updated_since,
                if_none_match=if_none_match,
            )
        )

    def iter_sales(
        self,
        *,
        limit: int | None = None,
        sold_since: datetime.datetime | None = None,
        sold_before: datetime.datetime | None = None,
        channel: SaleChannel | None = None,
        status: SaleStatus | None = None,
        card: str | None = None,
        currency: Currency | None = None,
        to_ship: bool | None = None,
        updated_since: datetime.datetime | None = None,
    ) -> AsyncIterator[Sale]:
        """Iterate over all items that `list_sales` lists. It fetches each page when you need its first item.

        List sales.

        Returns sales by `sold_at`, newest first. With `updated_since`, returns them by time of change,
        oldest first.

        Args:
            limit: The maximum number of items in a page.
            sold_since: Return only sales at or after this time. RFC 3339 with a time zone.
            sold_before: Return only sales before this time. RFC 3339 with a time zone.
            channel: Where the card was sold: a marketplace, the own shop, face to face, or elsewhere.
                Expect other marketplaces in responses. A request can name those that the server knows.
            status: `refunded` if the price was returned in full, otherwise `completed`. `voided` for a sale
                that was recorded by mistake. `cancelled` is for orders that a marketplace cancels; nothing sets
                it yet.
            card: Return only sales of this card.
            currency: An ISO 4217 currency code.
            to_ship: true returns only the sales whose card is still to be sent, that is, not those that are
                shipped, returned, refunded in full, voided, or sold in person.
            updated_since: Return only items that changed at or after this time, ordered by time of change,
                oldest first. RFC 3339 with a time zone.
        """

        def page(cursor: str | None) -> Request[SalePage]:
            return _list_sales.request(
                limit=limit,
                sold_since=sold_since,
                sold_before=sold_before,
                channel=channel,
                status=status,
                card=card,
                currency=currency,
                to_ship=to_ship,
                updated_since=updated_since,
                cursor=cursor,
            )

        return self._iterate(page)

    async def get_sale(
        self,
        id: str,
        *,
        if_none_match: int | str | None = None,
    ) -> Sale:
        """Get a sale.

        Returns the sale with all of its fields.

        Args:
            if_none_match: The ETags that you have. If one of them is current, the response is 304 without a
                body. An integer stands for a `version`.
        """
        return await self._call(
            _get_sale.request(
                id,
                if_none_match=if_none_match,
            )
        )

    async def update_sale(
        self,
        id: str,
        *,
        gross: Money | Mapping[str, Any] | Unset = UNSET,
        sold_at: datetime.datetime | Unset = UNSET,
        fees: Sequence[Fee | Mapping[str, Any]] | Unset = UNSET,
        shipping_charged: Money | Mapping[str, Any] | Unset = UNSET,
        shipping_cost: Money | Mapping[str, Any] | Unset = UNSET,
        tax: Money | Mapping[str, Any] | Unset = UNSET,
        tracking: None | SaleTracking | Mapping[str, Any] | Unset = UNSET,
        shipped_at: datetime.datetime | None | Unset = UNSET,
        buyer_reference: None | str | Unset = UNSET,
        if_match: int | str | None = None,
    ) -> Sale:
        """Update a sale.

        Applies a JSON merge patch to the sale's price, time, fees, shipping, tax, tracking and buyer
        reference. Amounts must have the currency of the sale. The price and the time of a sale that a
        marketplace reported cannot change, and neither can a voided sale. A patch that changes nothing does
        not change the version.

        Args:
            sold_at: When the card was sold, at most a day in the future.
            fees: The fees that you paid.
            shipped_at: When the card was sent.
            buyer_reference: Your reference to the buyer.
            if_match: The ETag of the version that you have. If the card, the listing or the sale has
                changed since, the response is `412 version_mismatch` and the request changes nothing. An
                integer stands for a `version`.
        """
        return await self._call(
            _update_sale.request(
                id,
                gross=gross,
                sold_at=sold_at,
                fees=fees,
                shipping_charged=shipping_charged,
                shipping_cost=shipping_cost,
                tax=tax,
                tracking=tracking,
                shipped_at=shipped_at,
                buyer_reference=buyer_reference,
                if_match=if_match,
            )
        )

    async def refund_sale(
        self,
        id: str,
        *,
        restock: bool,
        amount: Money | Mapping[str, Any] | Unset = UNSET,
        reason: str | Unset = UNSET,
        parts: RefundPartsInput | Mapping[str, Any] | Unset = UNSET,
        idempotency_key: str | None = None,
    ) -> Sale:
        """Refund a sale.

        Records a refund: of `amount`, of `parts`, or, without both, of all that is not refunded yet.
        Refunds never exceed what the buyer paid in total: `gross`, `shipping_charged` and `tax`. With
        `restock`, the card is no longer sold and has the status that follows from its data, unless another
        sale of the card remains; `restock` works after a full refund too. This records the refund only: pay
        the buyer back yourself.

        Args:
            restock: Whether the card came back and can be sold again.
            reason: Why the amount is refunded.
            parts: What the refund returns. The buyer gets `item` of the price, `shipping` of
                `shipping_charged` and `tax` of `tax`, each at most what is not refunded yet. `fees` is what the
                marketplace returns to you of `fees`. An absent part is 0.
            idempotency_key: A key of your choice that makes it safe to repeat this request: 1 to 255
                printable ASCII characters, plain or as a quoted string. The first response is stored for your
                token for 24 hours and replayed.
        """
        return await self._call(
            _refund_sale.request(
                id,
                restock=restock,
                amount=amount,
                reason=reason,
                parts=parts,
                idempotency_key=idempotency_key,
            )
        )

    async def void_sale(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
    ) -> Sale:
        """Void a sale.

        Marks a sale as recorded by mistake. Its status becomes `voided`: it stays readable, counts in no
        report, and cannot be changed any more. The card returns as with `restock` of a refund. Voiding a
        voided sale changes nothing. A sale that a marketplace reported cannot be voided: refund or cancel
        the order there.

        Args:
            idempotency_key: A key of your choice that makes it safe to repeat this request: 1 to 255
                printable ASCII characters, plain or as a quoted string. The first response is stored for your
                token for 24 hours and replayed.
        """
        return await self._call(
            _void_sale.request(
                id,
                idempotency_key=idempotency_key,
            )
        )

    async def report_sales(
        self,
        *,
        group_by: ReportGrouping,
        since: datetime.datetime | None = None,
        before: datetime.datetime | None = None,
        time_zone: str | None = None,
        if_none_match: int | str | None = None,
    ) -> SalesReport:
        """Sum up sales.

        Returns the sums of the sales from `since` until before `before`, per group and currency, without
        conversion. A report covers at most 366 days and 200,000 sales.

        Args:
            group_by: The period or the channel by which sales are grouped. Weeks start on Monday.
            since: The first time of the report. RFC 3339 with a time zone. The default is a year before
                `before`.
            before: The end of the report, which is not part of it. RFC 3339 with a time zone. The default
                is the end of today.
            time_zone: The IANA time zone in which days, weeks and months begin.
            if_none_match: The ETags that you have. If one of them is current, the response is 304 without a
                body. An integer stands for a `version`.
        """
        return await self._call(
            _report_sales.request(
                group_by=group_by,
                since=since,
                before=before,
                time_zone=time_zone,
                if_none_match=if_none_match,
            )
        )

    async def list_batches(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        status: BatchStatus | None = None,
        updated_since: datetime.datetime | None = None,
        if_none_match: int | str | None = None,
    ) -> BatchPage:
        """List batches.

        Returns batches, newest first. With `updated_since`, returns them by time of change, oldest first.

        Args:
            limit: The maximum number of items in a page.
            cursor: The `next_cursor` of the previous page. A cursor is valid only with the filters that it
                was issued for; with others the response is `400 invalid_cursor`.
            status: Cards can be added to and removed from open batches only.
            updated_since: Return only items that changed at or after this time, ordered by time of change,
                oldest first. RFC 3339 with a time zone.
            if_none_match: The ETags that you have. If one of them is current, the response is 304 without a
                body. An integer stands for a `version`.
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
        """Iterate over all items that `list_batches` lists. It fetches each page when you need its first item.

        List batches.

        Returns batches, newest first. With `updated_since`, returns them by time of change, oldest first.

        Args:
            limit: The maximum number of items in a page.
            status: Cards can be added to and removed from open batches only.
            updated_since: Return only items that changed at or after this time, ordered by time of change,
                oldest first. RFC 3339 with a time zone.
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

        Creates an open, empty batch. To add a card, set its `batch_id`.

        Args:
            name: The name of the batch.
            description: The description of the batch.
            idempotency_key: A key of your choice that makes it safe to repeat this request: 1 to 255
                printable ASCII characters, plain or as a quoted string. The first response is stored for your
                token for 24 hours and replayed.
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
        if_none_match: int | str | None = None,
    ) -> Batch:
        """Get a batch.

        Returns the batch with its number of cards.

        Args:
            if_none_match: The ETags that you have. If one of them is current, the response is 304 without a
                body. An integer stands for a `version`.
        """
        return await self._call(
            _get_batch.request(
                id,
                if_none_match=if_none_match,
            )
        )

    async def update_batch(
        self,
        id: str,
        *,
        name: str | Unset = UNSET,
        description: None | str | Unset = UNSET,
    ) -> Batch:
        """Update a batch.

        Changes the name and the description of the batch, whatever its status. Values that the batch has
        already change nothing.

        Args:
            name: The name of the batch.
            description: The description of the batch; null removes it.
        """
        return await self._call(
            _update_batch.request(
                id,
                name=name,
                description=description,
            )
        )

    async def complete_batch(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
    ) -> Batch:
        """Mark a batch complete.

        Marks the batch complete, so that cards can no longer be added or removed. Fires `batch.completed`.
        If the batch is complete already, the request changes nothing and fires no event.

        Args:
            idempotency_key: A key of your choice that makes it safe to repeat this request: 1 to 255
                printable ASCII characters, plain or as a quoted string. The first response is stored for your
                token for 24 hours and replayed.
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

        Reopens the batch, so that cards can be added and removed again. If the batch is open already, the
        request changes nothing.

        Args:
            idempotency_key: A key of your choice that makes it safe to repeat this request: 1 to 255
                printable ASCII characters, plain or as a quoted string. The first response is stored for your
                token for 24 hours and replayed.
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
        currency: Currency | None = None,
        sku: str | None = None,
        external_id: str | None = None,
        ids: list[str] | None = None,
        catalog_id: str | None = None,
        language: str | None = None,
        grade: str | None = None,
        has_photo: bool | None = None,
        q: str | None = None,
        sort: CardOrder | None = None,
        updated_since: datetime.datetime | None = None,
        if_none_match: int | str | None = None,
    ) -> CardPage:
        """List the cards in a batch.

        Returns the cards in the batch, in the order and with the filters of `GET /cards`, except `batch`.

        Args:
            limit: The maximum number of items in a page.
            cursor: The `next_cursor` of the previous page. A cursor is valid only with the filters that it
                was issued for; with others the response is `400 invalid_cursor`.
            status: Return only cards with one of these workflow statuses. Repeat the parameter, or separate
                the values by commas.
            location: Return only cards at this location or below it, in any normal form of Unicode.
            set_: Return only cards of the set with exactly this name, in any normal form of Unicode.
            game: The game or kind of card.
            number: Return only cards with exactly this collector number.
            condition: Near mint, lightly played, moderately played, heavily played, damaged.
            identification: `pending` while the card is queued for automatic identification, or waits for a
                photo that the service fetches. `identified` and `failed` are the results. `none` means that the
                card is not identified and nothing is under way: it has no photo of the front, or automatic
                identification was not requested.
            min_price: Return only cards with an asking price of at least this amount, in minor units of
                `currency` or, without it, of the account's currency.
            max_price: Return only cards with an asking price of at most this amount, in minor units of
                `currency` or, without it, of the account's currency.
            currency: An ISO 4217 currency code.
            sku: Return only cards with exactly this SKU.
            external_id: Return only the card with exactly this `external_id`.
            ids: Return only these cards. Repeat the parameter, or separate the values by commas.
                Identifiers that do not exist are ignored.
            catalog_id: Return only cards with exactly this identifier in the catalogue.
            language: Return only cards with exactly this language.
            grade: Return only cards with this grade: a grading company (`PSA`), a company and a value (`PSA
                9.5`), or `none` for cards that are not graded.
            has_photo: Return only cards with a photo whose status is `ready` or, if false, only cards
                without one.
            q: Return only cards whose title, number, set, SKU and external id together contain all of these
                words or parts of words. Case, accents and width are ignored, hiragana and katakana are the
                same, and so are `’` and the plain apostrophe, `ß` and `ss`, `æ` and `ae`.
            sort: An order of cards, descending with `-`.
            updated_since: Return only items that changed at or after this time, ordered by time of change,
                oldest first. RFC 3339 with a time zone.
            if_none_match: The ETags that you have. If one of them is current, the response is 304 without a
                body. An integer stands for a `version`.
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
                currency=currency,
                sku=sku,
                external_id=external_id,
                ids=ids,
                catalog_id=catalog_id,
                language=language,
                grade=grade,
                has_photo=has_photo,
                q=q,
                sort=sort,
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
        currency: Currency | None = None,
        sku: str | None = None,
        external_id: str | None = None,
        ids: list[str] | None = None,
        catalog_id: str | None = None,
        language: str | None = None,
        grade: str | None = None,
        has_photo: bool | None = None,
        q: str | None = None,
        sort: CardOrder | None = None,
        updated_since: datetime.datetime | None = None,
    ) -> AsyncIterator[Card]:
        """Iterate over all items that `list_batch_cards` lists. It fetches each page when you need its first item.

        List the cards in a batch.

        Returns the cards in the batch, in the order and with the filters of `GET /cards`, except `batch`.

        Args:
            limit: The maximum number of items in a page.
            status: Return only cards with one of these workflow statuses. Repeat the parameter, or separate
                the values by commas.
            location: Return only cards at this location or below it, in any normal form of Unicode.
            set_: Return only cards of the set with exactly this name, in any normal form of Unicode.
            game: The game or kind of card.
            number: Return only cards with exactly this collector number.
            condition: Near mint, lightly played, moderately played, heavily played, damaged.
            identification: `pending` while the card is queued for automatic identification, or waits for a
                photo that the service fetches. `identified` and `failed` are the results. `none` means that the
                card is not identified and nothing is under way: it has no photo of the front, or automatic
                identification was not requested.
            min_price: Return only cards with an asking price of at least this amount, in minor units of
                `currency` or, without it, of the account's currency.
            max_price: Return only cards with an asking price of at most this amount, in minor units of
                `currency` or, without it, of the account's currency.
            currency: An ISO 4217 currency code.
            sku: Return only cards with exactly this SKU.
            external_id: Return only the card with exactly this `external_id`.
            ids: Return only these cards. Repeat the parameter, or separate the values by commas.
                Identifiers that do not exist are ignored.
            catalog_id: Return only cards with exactly this identifier in the catalogue.
            language: Return only cards with exactly this language.
            grade: Return only cards with this grade: a grading company (`PSA`), a company and a value (`PSA
                9.5`), or `none` for cards that are not graded.
            has_photo: Return only cards with a photo whose status is `ready` or, if false, only cards
                without one.
            q: Return only cards whose title, number, set, SKU and external id together contain all of these
                words or parts of words. Case, accents and width are ignored, hiragana and katakana are the
                same, and so are `’` and the plain apostrophe, `ß` and `ss`, `æ` and `ae`.
            sort: An order of cards, descending with `-`.
            updated_since: Return only items that changed at or after this time, ordered by time of change,
                oldest first. RFC 3339 with a time zone.
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
                currency=currency,
                sku=sku,
                external_id=external_id,
                ids=ids,
                catalog_id=catalog_id,
                language=language,
                grade=grade,
                has_photo=has_photo,
                q=q,
                sort=sort,
                updated_since=updated_since,
                cursor=cursor,
            )

        return self._iterate(page)

    async def lookup_price(
        self,
        *,
        card_id: str | Unset = UNSET,
        card: PriceLookupCard | Mapping[str, Any] | Unset = UNSET,
        idempotency_key: str | None = None,
    ) -> PriceEstimate:
        """Look up a price.

        Estimates the price of a card from your sold listings of the last 365 days or, if there are none,
        from the catalogue. `price` is the median, and `low` and `high` are the quartiles, or the lowest and
        the highest price if there are fewer than four. All three are in the most frequent currency of the
        prices. Without `grade`, the estimate is for an ungraded card; the catalogue has prices of ungraded
        cards only. The request changes nothing.  Prices of cards with another condition, language, variant
        or grade, and older prices, count less in the median and the quartiles: see `weight`. If all sold
        listings have a weight below 0.2, a price of the catalogue is preferred. Outliers and prices in
        other currencies do not count and are listed in `excluded`. The guide "Pricing and listings" has the
        rules.  With `card_ids`, the request looks up the prices of 1 to 50 cards and counts once against
        the rate limit. The response has the result of each card in the order of the request. A card that is
        not found or has no price does not stop the others.

        Args:
            idempotency_key: A key of your choice that makes it safe to repeat this request: 1 to 255
                printable ASCII characters, plain or as a quoted string. The first response is stored for your
                token for 24 hours and replayed.
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
        if_none_match: int | str | None = None,
    ) -> ListingPage:
        """List listings.

        Returns listings, newest first. With `updated_since`, returns them by time of change, oldest first.

        Args:
            limit: The maximum number of items in a page.
            cursor: The `next_cursor` of the previous page. A cursor is valid only with the filters that it
                was issued for; with others the response is `400 invalid_cursor`.
            status: Return only listings with one of these statuses. Repeat the parameter, or separate the
                values by commas.
            card: Return only listings of this card.
            marketplace: `sandbox` is the sandbox marketplace that comes with CardVault. Expect other
                marketplaces in responses. A request can name those that the server knows.
            updated_since: Return only items that changed at or after this time, ordered by time of change,
                oldest first. RFC 3339 with a time zone.
            if_none_match: The ETags that you have. If one of them is current, the response is 304 without a
                body. An integer stands for a `version`.
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
        """Iterate over all items that `list_listings` lists. It fetches each page when you need its first item.

        List listings.

        Returns listings, newest first. With `updated_since`, returns them by time of change, oldest first.

        Args:
            limit: The maximum number of items in a page.
            status: Return only listings with one of these statuses. Repeat the parameter, or separate the
                values by commas.
            card: Return only listings of this card.
            marketplace: `sandbox` is the sandbox marketplace that comes with CardVault. Expect other
                marketplaces in responses. A request can name those that the server knows.
            updated_since: Return only items that changed at or after this time, ordered by time of change,
                oldest first. RFC 3339 with a time zone.
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

    async def publish_cards(
        self,
        *,
        card_ids: Sequence[str] | Unset = UNSET,
        filter_: JobFilter | Mapping[str, Any] | Unset = UNSET,
        marketplace: Marketplace | Unset = UNSET,
        atomic: bool | Unset = UNSET,
        expected_count: int | Unset = UNSET,
        idempotency_key: str | None = None,
    ) -> PublishResults:
        """Publish many cards.

        Publishes 1 to 500 cards at their asking prices in one request, which counts once against the rate
        limit: those in `card_ids`, or those that match `filter`. The response has the result of each card
        in the order of the request, or newest first. A card that cannot be published does not stop the
        others. With `atomic`, the first error is the response to the request and nothing changes. A filter
        that matches more than 500 cards is refused: `POST /jobs` with the kind `publish` takes it.

        Args:
            card_ids: The cards. They must differ.
            filter_: Selects the cards that `GET /cards` returns for query parameters with these names and
                values.
            marketplace: `sandbox` is the sandbox marketplace that comes with CardVault. Expect other
                marketplaces in responses. A request can name those that the server knows.
            atomic: True changes nothing if one of them fails, and returns the first error. False carries
                out those that can be.
            expected_count: The number of cards that you expect the request to select. If the real number
                differs by more than 1 %, rounded down, nothing is changed and the response is `409
                unexpected_count`: below 100 cards, the numbers must be equal.
            idempotency_key: A key of your choice that makes it safe to repeat this request: 1 to 255
                printable ASCII characters, plain or as a quoted string. The first response is stored for your
                token for 24 hours and replayed.
        """
        return await self._call(
            _publish_cards.request(
                card_ids=card_ids,
                filter_=filter_,
                marketplace=marketplace,
                atomic=atomic,
                expected_count=expected_count,
                idempotency_key=idempotency_key,
            )
        )

    async def end_listings(
        self,
        *,
        listing_ids: Sequence[str],
        atomic: bool | Unset = UNSET,
        idempotency_key: str | None = None,
    ) -> EndResults:
        """End many listings.

        Ends 1 to 500 live listings in one request, which counts once against the rate limit. The response
        has the result of each listing in the order of the request. A listing that cannot be ended does not
        stop the others. With `atomic`, the first error is the response to the request and nothing changes.

        Args:
            listing_ids: The listings. They must differ.
            atomic: True changes nothing if one of them fails, and returns the first error. False carries
                out those that can be.
            idempotency_key: A key of your choice that makes it safe to repeat this request: 1 to 255
                printable ASCII characters, plain or as a quoted string. The first response is stored for your
                token for 24 hours and replayed.
        """
        return await self._call(
            _end_listings.request(
                listing_ids=listing_ids,
                atomic=atomic,
                idempotency_key=idempotency_key,
            )
        )

    async def get_listing(
        self,
        id: str,
        *,
        if_none_match: int | str | None = None,
    ) -> Listing:
        """Get a listing.

        Returns the listing with all of its fields.

        Args:
            if_none_match: The ETags that you have. If one of them is current, the response is 304 without a
                body. An integer stands for a `version`.
        """
        return await self._call(
            _get_listing.request(
                id,
                if_none_match=if_none_match,
            )
        )

    async def update_listing(
        self,
        id: str,
        *,
        price: Money | Mapping[str, Any] | Unset = UNSET,
        title: str | Unset = UNSET,
        if_match: int | str | None = None,
    ) -> Listing:
        """Update a listing.

        Changes the price or the title of a live listing in place. The response does not wait for the
        marketplace: the `revision` of the listing is `pending` until the marketplace confirms. The latest
        change wins. The price becomes the asking price of the card, and must be above zero and in the
        currency of the listing. Values that the listing has already change nothing, but a `failed` revision
        is tried again.

        Args:
            title: The title that the marketplace shows.
            if_match: The ETag of the version that you have. If the card, the listing or the sale has
                changed since, the response is `412 version_mismatch` and the request changes nothing. An
                integer stands for a `version`.
        """
        return await self._call(
            _update_listing.request(
                id,
                price=price,
                title=title,
                if_match=if_match,
            )
        )

    async def end_listing(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
    ) -> Listing:
        """End a listing.

        Removes a live listing from the marketplace. The response does not wait for the marketplace: the
        listing is `ending` until the marketplace confirms.

        Args:
            idempotency_key: A key of your choice that makes it safe to repeat this request: 1 to 255
                printable ASCII characters, plain or as a quoted string. The first response is stored for your
                token for 24 hours and replayed.
        """
        return await self._call(
            _end_listing.request(
                id,
                idempotency_key=idempotency_key,
            )
        )

    async def get_listing_waiting(
        self,
        id: str,
        *,
        if_none_match: int | str | None = None,
    ) -> ListingWaiting:
        """Get why a listing waits.

        Returns why a listing that is being published, revised or ended is not done yet, and when the next
        attempt is. It is null for other listings. Attempts change neither the listing nor its `version`,
        and send no event.

        Args:
            if_none_match: The ETags that you have. If one of them is current, the response is 304 without a
                body. An integer stands for a `version`.
        """
        return await self._call(
            _get_listing_waiting.request(
                id,
                if_none_match=if_none_match,
            )
        )

    async def publish_card(
        self,
        card_id: str,
        *,
        marketplace: Marketplace | Unset = UNSET,
        price: Money | Mapping[str, Any] | Unset = UNSET,
        title: str | Unset = UNSET,
        idempotency_key: str | None = None,
    ) -> Listing:
        """Publish a card.

        Publishes a card on the marketplace. The response does not wait for the marketplace: the listing is
        `publishing` until the marketplace confirms. A repeated request never creates a second listing while
        one of the card is `publishing`, `live` or `ending`. A `price` becomes the asking price of the card;
        without it, the card is published at its asking price.

        Args:
            marketplace: `sandbox` is the sandbox marketplace that comes with CardVault. Expect other
                marketplaces in responses. A request can name those that the server knows.
            title: The title that the marketplace shows.
            idempotency_key: A key of your choice that makes it safe to repeat this request: 1 to 255
                printable ASCII characters, plain or as a quoted string. The first response is stored for your
                token for 24 hours and replayed.
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

    async def list_jobs(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        if_none_match: int | str | None = None,
    ) -> JobPage:
        """List jobs.

        Returns the account's jobs, newest first. A job is kept for 30 days after it has finished.

        Args:
            limit: The maximum number of items in a page.
            cursor: The `next_cursor` of the previous page. A cursor is valid only with the filters that it
                was issued for; with others the response is `400 invalid_cursor`.
            if_none_match: The ETags that you have. If one of them is current, the response is 304 without a
                body. An integer stands for a `version`.
        """
        return await self._call(
            _list_jobs.request(
                limit=limit,
                cursor=cursor,
                if_none_match=if_none_match,
            )
        )

    def iter_jobs(
        self,
        *,
        limit: int | None = None,
    ) -> AsyncIterator[Job]:
        """Iterate over all items that `list_jobs` lists. It fetches each page when you need its first item.

        List jobs.

        Returns the account's jobs, newest first. A job is kept for 30 days after it has finished.

        Args:
            limit: The maximum number of items in a page.
        """

        def page(cursor: str | None) -> Request[JobPage]:
            return _list_jobs.request(
                limit=limit,
                cursor=cursor,
            )

        return self._iterate(page)

    async def create_job(
        self,
        *,
        kind: JobKind,
        card_ids: Sequence[str] | Unset = UNSET,
        filter_: JobFilter | Mapping[str, Any] | Unset = UNSET,
        patch: CardPatch | Mapping[str, Any] | Unset = UNSET,
        price_change: PriceChange | Mapping[str, Any] | Unset = UNSET,
        hints: Hints | Mapping[str, Any] | Unset = UNSET,
        expected_count: int | Unset = UNSET,
        idempotency_key: str | None = None,
    ) -> Job:
        """Start a job.

        Starts a job that changes many cards in the background: up to 10,000 `card_ids`, or up to 1,000,000
        cards that match `filter`. The service first reads the cards that match, newest first, then changes
        them; cards that are created after the job are left out. It changes each card once, with the same
        rules, events and history as the request for this card alone. A card that cannot be changed is
        refused and does not stop the others. Changes have the request's token as their actor. A job goes on
        after a restart of the service, and other requests can change cards meanwhile. An account can have
        100 unfinished jobs; a further one is `409 job_limit_reached`.  `expected_count` protects you from a
        filter that selects more than you think: state how many cards you expect before you change or delete
        them. A job with a filter never changes more cards than that and 1 %.

        Args:
            kind: What the job does with each card: `update` applies `patch` or `price_change`, as `PATCH
                /cards/{id}`; `identify` queues the card for automatic identification; `publish` publishes it at
                its asking price on the default marketplace; `end` ends its live listing; `archive` archives it,
                and first ends its live listing: the card stays `listed` until it has ended; `delete` deletes
                it; `restore` brings a deleted card back. Only the undo of a job has the kind `restore`: a
                request cannot name it.
            card_ids: The cards. They must differ.
            filter_: Selects the cards that `GET /cards` returns for query parameters with these names and
                values.
            patch: A JSON merge patch (RFC 7396): absent fields stay unchanged, and null clears a field.
            price_change: A new asking price: the present one, or an estimate, changed by percent and
                rounded half up to the minor unit. A card whose price would be less than one minor unit is
                refused with `invalid_request`. A card without the price that is changed is refused: with
                `card_not_priced` if it has no asking price, with `card_not_identified` or `no_price_found` if
                it has no estimate.
            hints: What you know about the cards on photos. With `game`, only cards of this game are
                considered. Cards of the `set` and in the `language` come before others that match a photo
                equally well; if no card of the catalogue has them, these two have no effect.
            expected_count: The number of cards that you expect the request to select. If the real number
                differs by more than 1 %, rounded down, nothing is changed and the response is `409
                unexpected_count`: below 100 cards, the numbers must be equal.
            idempotency_key: A key of your choice that makes it safe to repeat this request: 1 to 255
                printable ASCII characters, plain or as a quoted string. The first response is stored for your
                token for 24 hours and replayed.
        """
        return await self._call(
            _create_job.request(
                kind=kind,
                card_ids=card_ids,
                filter_=filter_,
                patch=patch,
                price_change=price_change,
                hints=hints,
                expected_count=expected_count,
                idempotency_key=idempotency_key,
            )
        )

    async def get_job(
        self,
        id: str,
        *,
        if_none_match: int | str | None = None,
    ) -> Job:
        """Get a job.

        Returns a job with the numbers of cards that were changed and refused so far.

        Args:
            if_none_match: The ETags that you have. If one of them is current, the response is 304 without a
                body. An integer stands for a `version`.
        """
        return await self._call(
            _get_job.request(
                id,
                if_none_match=if_none_match,
            )
        )

    async def list_job_refusals(
        self,
        id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        if_none_match: int | str | None = None,
    ) -> JobRefusalPage:
        """List the refused cards of a job.

        Returns the cards that the job could not change, newest first, each with the error that the request
        for this card alone returns.

        Args:
            limit: The maximum number of items in a page.
            cursor: The `next_cursor` of the previous page. A cursor is valid only with the filters that it
                was issued for; with others the response is `400 invalid_cursor`.
            if_none_match: The ETags that you have. If one of them is current, the response is 304 without a
                body. An integer stands for a `version`.
        """
        return await self._call(
            _list_job_refusals.request(
                id,
                limit=limit,
                cursor=cursor,
                if_none_match=if_none_match,
            )
        )

    def iter_job_refusals(
        self,
        id: str,
        *,
        limit: int | None = None,
    ) -> AsyncIterator[JobRefusal]:
        """Iterate over all items that `list_job_refusals` lists. It fetches each page when you need its first item.

        List the refused cards of a job.

        Returns the cards that the job could not change, newest first, each with the error that the request
        for this card alone returns.

        Args:
            limit: The maximum number of items in a page.
        """

        def page(cursor: str | None) -> Request[JobRefusalPage]:
            return _list_job_refusals.request(
                id,
                limit=limit,
                cursor=cursor,
            )

        return self._iterate(page)

    async def get_job_waiting(
        self,
        id: str,
        *,
        if_none_match: int | str | None = None,
    ) -> JobWaiting:
        """Get why a job waits.

        Returns why a job that is queued or running is not done yet, and when its next turn or attempt is.
        It is null for a job that has finished. Attempts do not change the job.

        Args:
            if_none_match: The ETags that you have. If one of them is current, the response is 304 without a
                body. An integer stands for a `version`.
        """
        return await self._call(
            _get_job_waiting.request(
                id,
                if_none_match=if_none_match,
            )
        )

    async def cancel_job(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
    ) -> Job:
        """Cancel a job.

        Stops a job. Cards that it has changed stay changed; after the response it changes no further card.
        A finished job stays as it is.

        Args:
            idempotency_key: A key of your choice that makes it safe to repeat this request: 1 to 255
                printable ASCII characters, plain or as a quoted string. The first response is stored for your
                token for 24 hours and replayed.
        """
        return await self._call(
            _cancel_job.request(
                id,
                idempotency_key=idempotency_key,
            )
        )

    async def undo_job(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
    ) -> Job:
        """Undo a job.

        Starts a job that takes the changes of a finished or cancelled job of the kind `update`, `archive`
        or `delete` back, for 24 hours after it has finished. It has the identifier of the first one in
        `undoes` and progress of its own, goes on after a restart and can be cancelled.  The undo of an
        `update` or an `archive` has the kind `update`, and can be undone itself. A card gets the values
        from before the first job, with the rules, events and history of a change, if it still has those
        that this job has set. Otherwise it is refused with `version_mismatch`. Archived cards come back;
        listings that have ended are not published again. If the job was undone already, the response is the
        job that undoes it. `undoable_until` of a job is null if it cannot be undone now.  The undo of a
        `delete` has the kind `restore`. It brings each card back with its identifier, photos and history,
        the next `version` and a new `updated_at`, and takes its entry out of `GET /deletions`. A card is
        refused with `external_id_taken` or `sku_taken` if another card got one of these since, and with
        `batch_complete` if its batch is complete. Then the job can be undone again. After the 24 hours,
        deleted cards and their photos are erased.

        Args:
            idempotency_key: A key of your choice that makes it safe to repeat this request: 1 to 255
                printable ASCII characters, plain or as a quoted string. The first response is stored for your
                token for 24 hours and replayed.
        """
        return await self._call(
            _undo_job.request(
                id,
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
        if_none_match: int | str | None = None,
    ) -> EventPage:
        """List events.

        Returns the account's events of the last 30 days, newest first. With `created_since`, returns them
        oldest first. `created_at` orders them: no two events of an account have the same. Each event is
        byte for byte the body of its webhook deliveries.

        Args:
            limit: The maximum number of items in a page.
            cursor: The `next_cursor` of the previous page. A cursor is valid only with the filters that it
                was issued for; with others the response is `400 invalid_cursor`.
            event: Return only events of these kinds. Repeat the parameter, or separate the values by
                commas.
            created_since: Return only events at or after this time, oldest first. RFC 3339 with a time
                zone.
            if_none_match: The ETags that you have. If one of them is current, the response is 304 without a
                body. An integer stands for a `version`.
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
        | CardDeletedEvent
        | CardIdentifiedEvent
        | CardPricedEvent
        | CardRestoredEvent
        | CardUpdatedEvent
        | CardWorkflowStatusChangedEvent
        | IdentifyFailedEvent
        | ListingEndedEvent
        | ListingPublishedEvent
        | ListingSoldEvent
        | ListingUpdatedEvent
        | SaleCreatedEvent
        | SaleRefundedEvent
        | SaleVoidedEvent
        | UnknownEvent
    ]:
        """Iterate over all items that `list_events` lists. It fetches each page when you need its first item.

        List events.

        Returns the account's events of the last 30 days, newest first. With `created_since`, returns them
        oldest first. `created_at` orders them: no two events of an account have the same. Each event is
        byte for byte the body of its webhook deliveries.

        Args:
            limit: The maximum number of items in a page.
            event: Return only events of these kinds. Repeat the parameter, or separate the values by
                commas.
            created_since: Return only events at or after this time, oldest first. RFC 3339 with a time
                zone.
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
        if_none_match: int | str | None = None,
    ) -> (
        BatchCompletedEvent
        | CardDeletedEvent
        | CardIdentifiedEvent
        | CardPricedEvent
        | CardRestoredEvent
        | CardUpdatedEvent
        | CardWorkflowStatusChangedEvent
        | IdentifyFailedEvent
        | ListingEndedEvent
        | ListingPublishedEvent
        | ListingSoldEvent
        | ListingUpdatedEvent
        | SaleCreatedEvent
        | SaleRefundedEvent
        | SaleVoidedEvent
        | UnknownEvent
    ):
        """Get an event.

        Returns the event, as sent to webhooks.

        Args:
            if_none_match: The ETags that you have. If one of them is current, the response is 304 without a
                body. An integer stands for a `version`.
        """
        return await self._call(
            _get_event.request(
                id,
                if_none_match=if_none_match,
            )
        )

    async def list_webhooks(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        if_none_match: int | str | None = None,
    ) -> WebhookPage:
        """List webhooks.

        Returns the account's webhooks, newest first.

        Args:
            limit: The maximum number of items in a page.
            cursor: The `next_cursor` of the previous page. A cursor is valid only with the filters that it
                was issued for; with others the response is `400 invalid_cursor`.
            if_none_match: The ETags that you have. If one of them is current, the response is 304 without a
                body. An integer stands for a `version`.
        """
        return await self._call(
            _list_webhooks.request(
                limit=limit,
                cursor=cursor,
                if_none_match=if_none_match,
            )
        )

    def iter_webhooks(
        self,
        *,
        limit: int | None = None,
    ) -> AsyncIterator[Webhook]:
        """Iterate over all items that `list_webhooks` lists. It fetches each page when you need its first item.

        List webhooks.

        Returns the account's webhooks, newest first.

        Args:
            limit: The maximum number of items in a page.
        """

        def page(cursor: str | None) -> Request[WebhookPage]:
            return _list_webhooks.request(
                limit=limit,
                cursor=cursor,
            )

        return self._iterate(page)

    async def create_webhook(
        self,
        *,
        url: str,
        events: Sequence[EventKind] | Unset = UNSET,
        idempotency_key: str | None = None,
    ) -> WebhookWithSecret:
        """Create a webhook.

        Registers an endpoint that receives the account's events from now on. The URL must use HTTPS and
        lead to a public address. The response has the secret that signs deliveries, which is shown once. An
        account can have up to 200 webhooks.

        Args:
            url: A public HTTPS URL. An international host name is stored in punycode.
            events: The kinds of events to send. Empty means the first eight of `EventKind`, from
                `card.identified` to `identify.failed`.
            idempotency_key: A key of your choice that makes it safe to repeat this request: 1 to 255
                printable ASCII characters, plain or as a quoted string. The first response is stored for your
                token for 24 hours and replayed.
        """
        return await self._call(
            _create_webhook.request(
                url=url,
                events=events,
                idempotency_key=idempotency_key,
            )
        )

    async def get_webhook(
        self,
        id: str,
        *,
        if_none_match: int | str | None = None,
    ) -> Webhook:
        """Get a webhook.

        Returns the webhook without its secret.

        Args:
            if_none_match: The ETags that you have. If one of them is current, the response is 304 without a
                body. An integer stands for a `version`.
        """
        return await self._call(
            _get_webhook.request(
                id,
                if_none_match=if_none_match,
            )
        )

    async def delete_webhook(
        self,
        id: str,
    ) -> None:
        """Delete a webhook.

        Deletes the webhook with its secret. Its pending deliveries are dropped.
        """
        return await self._call(
            _delete_webhook.request(
                id,
            )
        )

    async def update_webhook(
        self,
        id: str,
        *,
        url: str | Unset = UNSET,
        events: Sequence[EventKind] | Unset = UNSET,
        enabled: bool | Unset = UNSET,
    ) -> Webhook:
        """Update a webhook.

        Changes the fields that the request contains. A new URL holds for deliveries that wait, too. When a
        disabled webhook is enabled, its waiting deliveries are sent.

        Args:
            url: A public HTTPS URL. An international host name is stored in punycode.
            events: The kinds of events to send. Empty means the first eight of `EventKind`, from
                `card.identified` to `identify.failed`.
            enabled: false stops deliveries, which then wait; true resumes them.
        """
        return await self._call(
            _update_webhook.request(
                id,
                url=url,
                events=events,
                enabled=enabled,
            )
        )

    async def rotate_webhook_secret(
        self,
        id: str,
        *,
        grace_seconds: int | Unset = UNSET,
        idempotency_key: str | None = None,
    ) -> WebhookWithSecret:
        """Replace a webhook's secret.

        Creates a new secret and returns it once. Until the grace period ends, deliveries have a signature
        by the replaced secret, too, so that a receiver can change secrets without missing an event. Up to
        four replaced secrets sign. A rotation that would need a fifth is refused with
        `webhook_secret_limit_reached` and the time at which the oldest ends, unless `grace_seconds` is 0.

        Args:
            grace_seconds: How long deliveries are signed with the old secret too.
            idempotency_key: A key of your choice that makes it safe to repeat this request: 1 to 255
                printable ASCII characters, plain or as a quoted string. The first response is stored for your
                token for 24 hours and replayed.
        """
        return await self._call(
            _rotate_webhook_secret.request(
                id,
                grace_seconds=grace_seconds,
                idempotency_key=idempotency_key,
            )
        )

    async def end_webhook_secret(
        self,
        id: str,
        previous: str,
    ) -> None:
        """End a previous secret early.

        Ends the grace period of a secret that was replaced. Deliveries are no longer signed with it.
        """
        return await self._call(
            _end_webhook_secret.request(
                id,
                previous,
            )
        )

    async def test_webhook(
        self,
        id: str,
        *,
        event: EventKind | Unset = UNSET,
        idempotency_key: str | None = None,
    ) -> WebhookDelivery:
        """Send a test event.

        Sends an example of an event, which is signed, retried and listed like every delivery. By default it
        is the first kind that the webhook gets. The identifiers in its `data` are all zeros, and `GET
        /events` does not return it.

        Args:
            event: The kind of the event. Endpoints that name no kinds get the first eight, from
                `card.identified` to `identify.failed`; the others go only to endpoints that name them.
                `card.updated` and `listing.updated` are recorded only while an endpoint of the account names
                them.
            idempotency_key: A key of your choice that makes it safe to repeat this request: 1 to 255
                printable ASCII characters, plain or as a quoted string. The first response is stored for your
                token for 24 hours and replayed.
        """
        return await self._call(
            _test_webhook.request(
                id,
                event=event,
                idempotency_key=idempotency_key,
            )
        )

    async def list_webhook_deliveries(
        self,
        id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        state: DeliveryState | None = None,
        event: EventKind | None = None,
        if_none_match: int | str | None = None,
    ) -> WebhookDeliveryPage:
        """List deliveries.

        Returns the deliveries to the webhook with their attempts, newest event first. Delivered ones are
        kept for 30 days, dropped ones for 90 days.

        Args:
            limit: The maximum number of items in a page.
            cursor: The `next_cursor` of the previous page. A cursor is valid only with the filters that it
                was issued for; with others the response is `400 invalid_cursor`.
            state: `pending` until the endpoint responds with 2xx (`delivered`, kept for 30 days) or the
                last attempt fails (`dropped`, kept for 90 days).
            event: The kind of the event. Endpoints that name no kinds get the first eight, from
                `card.identified` to `identify.failed`; the others go only to endpoints that name them.
                `card.updated` and `listing.updated` are recorded only while an endpoint of the account names
                them.
            if_none_match: The ETags that you have. If one of them is current, the response is 304 without a
                body. An integer stands for a `version`.
        """
        return await self._call(
            _list_webhook_deliveries.request(
                id,
                limit=limit,
                cursor=cursor,
                state=state,
                event=event,
                if_none_match=if_none_match,
            )
        )

    def iter_webhook_deliveries(
        self,
        id: str,
        *,
        limit: int | None = None,
        state: DeliveryState | None = None,
        event: EventKind | None = None,
    ) -> AsyncIterator[WebhookDelivery]:
        """Iterate over all items that `list_webhook_deliveries` lists. It fetches each page when you need its first item.

        List deliveries.

        Returns the deliveries to the webhook with their attempts, newest event first. Delivered ones are
        kept for 30 days, dropped ones for 90 days.

        Args:
            limit: The maximum number of items in a page.
            state: `pending` until the endpoint responds with 2xx (`delivered`, kept for 30 days) or the
                last attempt fails (`dropped`, kept for 90 days).
            event: The kind of the event. Endpoints that name no kinds get the first eight, from
                `card.identified` to `identify.failed`; the others go only to endpoints that name them.
                `card.updated` and `listing.updated` are recorded only while an endpoint of the account names
                them.
        """

        def page(cursor: str | None) -> Request[WebhookDeliveryPage]:
            return _list_webhook_deliveries.request(
                id,
                limit=limit,
                state=state,
                event=event,
                cursor=cursor,
            )

        return self._iterate(page)

    async def resend_webhook_delivery(
        self,
        id: str,
        delivery: str,
        *,
        idempotency_key: str | None = None,
    ) -> WebhookDelivery:
        """Send a delivery again.

        Sends a delivery in any state again, with the same event and body, and with all retries. A delivery
        that is being sent at the moment is not changed.

        Args:
            idempotency_key: A key of your choice that makes it safe to repeat this request: 1 to 255
                printable ASCII characters, plain or as a quoted string. The first response is stored for your
                token for 24 hours and replayed.
        """
        return await self._call(
            _resend_webhook_delivery.request(
                id,
                delivery,
                idempotency_key=idempotency_key,
            )
        )

    async def resend_dropped_webhook_deliveries(
        self,
        id: str,
        *,
        since: datetime.datetime | Unset = UNSET,
        idempotency_key: str | None = None,
    ) -> ResentDeliveries:
        """Send dropped deliveries again.

        Sends the dropped deliveries of the webhook again, oldest event first, up to 500 in a request.
        Repeat the request until `has_more` is false.

        Args:
            since: Send only deliveries that were dropped at or after this time. RFC 3339 with a time zone.
                By default, all that are kept.
            idempotency_key: A key of your choice that makes it safe to repeat this request: 1 to 255
                printable ASCII characters, plain or as a quoted string. The first response is stored for your
                token for 24 hours and replayed.
        """
        return await self._call(
            _resend_dropped_webhook_deliveries.request(
                id,
                since=since,
                idempotency_key=idempotency_key,
            )
        )

    async def get_account(
        self,
        *,
        if_none_match: int | str | None = None,
    ) -> Account:
        """Get the account.

        Returns the account of the token, and the rate limits and scopes of the token. Every token may call
        it.

        Args:
            if_none_match: The ETags that you have. If one of them is current, the response is 304 without a
                body. An integer stands for a `version`.
        """
        return await self._call(
            _get_account.request(
                if_none_match=if_none_match,
            )
        )

    async def update_account(
        self,
        *,
        name: str | Unset = UNSET,
        currency: Currency | Unset = UNSET,
        time_zone: str | Unset = UNSET,
        floor_price: Money | Mapping[str, Any] | None | Unset = UNSET,
        identification: IdentificationSettingsPatch | Mapping[str, Any] | Unset = UNSET,
    ) -> Account:
        """Update the account.

        Changes the settings that the request contains.  `floor_price` is the lowest asking price of the
        cards without a `pricing.floor_price` of their own; it holds for prices in its currency. It does not
        change prices that are lower already, but such a card cannot be published.
        `identification.threshold` cannot be lower than that of the operator, and `identification.providers`
        has the operator's providers in another order. If `identification.games` has games, identifications
        return no candidates of other games. A hint or a card that names another game has priority.

        Args:
            name: The name of the account.
            currency: An ISO 4217 currency code.
            time_zone: The time zone of the account, by its name in the IANA database.
            identification: Absent fields stay unchanged, and null restores what the operator has set.
        """
        return await self._call(
            _update_account.request(
                name=name,
                currency=currency,
                time_zone=time_zone,
                floor_price=floor_price,
                identification=identification,
            )
        )

    async def get_account_usage(
        self,
        *,
        hours: int | None = None,
        token: str | None = None,
        if_none_match: int | str | None = None,
    ) -> AccountUsage:
        """Get the account's requests by hour.

        Returns how many requests the tokens of the account sent in each hour, by rate class, and how many
        of them were refused with 429. Hours begin at full hours in UTC. The counts are kept for 7 days. A
        request is counted within about a minute, in the hour in which it is counted.

        Args:
            hours: The number of hours, the current one included.
            token: Count only the requests of this token.
            if_none_match: The ETags that you have. If one of them is current, the response is 304 without a
                body. An integer stands for a `version`.
        """
        return await self._call(
            _get_account_usage.request(
                hours=hours,
                token=token,
                if_none_match=if_none_match,
            )
        )

    async def get_account_waiting(
        self,
        *,
        if_none_match: int | str | None = None,
    ) -> AccountWaiting:
        """Get why imports and exports wait.

        Returns why the imports of files and the export of the account that were begun in the dashboard or
        by the operator are not done yet, and when their next attempts are. `export` is null if no export is
        under way.

        Args:
            if_none_match: The ETags that you have. If one of them is current, the response is 304 without a
                body. An integer stands for a `version`.
        """
        return await self._call(
            _get_account_waiting.request(
                if_none_match=if_none_match,
            )
        )
