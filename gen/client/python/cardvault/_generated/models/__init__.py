"""Contains all the data models used in inputs/outputs"""

from .account import Account
from .account_patch import AccountPatch
from .account_usage import AccountUsage
from .account_waiting import AccountWaiting
from .actor import Actor
from .actor_type import ActorType
from .batch import Batch
from .batch_completed_data import BatchCompletedData
from .batch_completed_event import BatchCompletedEvent
from .batch_input import BatchInput
from .batch_page import BatchPage
from .batch_patch import BatchPatch
from .batch_status import BatchStatus
from .candidate_list import CandidateList
from .card import Card
from .card_change import CardChange
from .card_deleted_data import CardDeletedData
from .card_deleted_event import CardDeletedEvent
from .card_field_value_type_2 import CardFieldValueType2
from .card_group import CardGroup
from .card_grouping import CardGrouping
from .card_history_entry import CardHistoryEntry
from .card_history_page import CardHistoryPage
from .card_identified_data import CardIdentifiedData
from .card_identified_event import CardIdentifiedEvent
from .card_input import CardInput
from .card_list import CardList
from .card_order import CardOrder
from .card_page import CardPage
from .card_patch import CardPatch
from .card_priced_data import CardPricedData
from .card_priced_event import CardPricedEvent
from .card_restored_data import CardRestoredData
from .card_restored_event import CardRestoredEvent
from .card_summary import CardSummary
from .card_totals import CardTotals
from .card_update import CardUpdate
from .card_update_result import CardUpdateResult
from .card_update_results import CardUpdateResults
from .card_updated_data import CardUpdatedData
from .card_updated_event import CardUpdatedEvent
from .card_updates import CardUpdates
from .card_waiting import CardWaiting
from .card_workflow_status_changed_data import CardWorkflowStatusChangedData
from .card_workflow_status_changed_event import CardWorkflowStatusChangedEvent
from .cards_input import CardsInput
from .cards_input_on_conflict import CardsInputOnConflict
from .catalog_card import CatalogCard
from .catalog_card_list import CatalogCardList
from .comparable import Comparable
from .condition import Condition
from .currency import Currency
from .currency_total import CurrencyTotal
from .deletion import Deletion
from .deletion_page import DeletionPage
from .delivery_attempt import DeliveryAttempt
from .delivery_state import DeliveryState
from .end_many_input import EndManyInput
from .end_result import EndResult
from .end_results import EndResults
from .error_code import ErrorCode
from .error_detail import ErrorDetail
from .error_envelope import ErrorEnvelope
from .error_envelope_error import ErrorEnvelopeError
from .event_kind import EventKind
from .event_page import EventPage
from .excluded_comparable import ExcludedComparable
from .excluded_comparable_reason import ExcludedComparableReason
from .fee import Fee
from .game import Game
from .grade import Grade
from .hints import Hints
from .hour_usage import HourUsage
from .identification import Identification
from .identification_input import IdentificationInput
from .identification_patch import IdentificationPatch
from .identification_result import IdentificationResult
from .identification_settings import IdentificationSettings
from .identification_settings_patch import IdentificationSettingsPatch
from .identification_signal import IdentificationSignal
from .identification_signal_kind import IdentificationSignalKind
from .identification_source import IdentificationSource
from .identification_status import IdentificationStatus
from .identify_attempt import IdentifyAttempt
from .identify_attempt_outcome import IdentifyAttemptOutcome
from .identify_failed_attempt import IdentifyFailedAttempt
from .identify_failed_attempt_outcome import IdentifyFailedAttemptOutcome
from .identify_failed_data import IdentifyFailedData
from .identify_failed_event import IdentifyFailedEvent
from .identify_outcome import IdentifyOutcome
from .identify_outcome_outcome import IdentifyOutcomeOutcome
from .identify_request import IdentifyRequest
from .import_outcome import ImportOutcome
from .import_waiting import ImportWaiting
from .item_error import ItemError
from .job import Job
from .job_filter import JobFilter
from .job_input import JobInput
from .job_kind import JobKind
from .job_page import JobPage
from .job_refusal import JobRefusal
from .job_refusal_page import JobRefusalPage
from .job_status import JobStatus
from .job_waiting import JobWaiting
from .listing import Listing
from .listing_ended_data import ListingEndedData
from .listing_ended_event import ListingEndedEvent
from .listing_failure import ListingFailure
from .listing_page import ListingPage
from .listing_patch import ListingPatch
from .listing_published_data import ListingPublishedData
from .listing_published_event import ListingPublishedEvent
from .listing_revision import ListingRevision
from .listing_sold_data import ListingSoldData
from .listing_sold_event import ListingSoldEvent
from .listing_status import ListingStatus
from .listing_updated_data import ListingUpdatedData
from .listing_updated_event import ListingUpdatedEvent
from .listing_waiting import ListingWaiting
from .marketplace import Marketplace
from .metadata import Metadata
from .metadata_patch import MetadataPatch
from .money import Money
from .photo import Photo
from .photo_input import PhotoInput
from .photo_role import PhotoRole
from .photo_status import PhotoStatus
from .photo_waiting import PhotoWaiting
from .previous_secret import PreviousSecret
from .price_change import PriceChange
from .price_change_of import PriceChangeOf
from .price_estimate import PriceEstimate
from .price_estimate_basis import PriceEstimateBasis
from .price_lookup_card import PriceLookupCard
from .price_lookup_request import PriceLookupRequest
from .price_lookup_result import PriceLookupResult
from .price_lookup_results import PriceLookupResults
from .pricing import Pricing
from .pricing_input import PricingInput
from .pricing_patch import PricingPatch
from .publish_input import PublishInput
from .publish_many_input import PublishManyInput
from .publish_result import PublishResult
from .publish_results import PublishResults
from .refund_input import RefundInput
from .refund_parts import RefundParts
from .refund_parts_input import RefundPartsInput
from .report_grouping import ReportGrouping
from .request_counts import RequestCounts
from .resend_dropped_input import ResendDroppedInput
from .resent_deliveries import ResentDeliveries
from .revision_failure import RevisionFailure
from .revision_status import RevisionStatus
from .rotate_secret_input import RotateSecretInput
from .sale import Sale
from .sale_channel import SaleChannel
from .sale_created_data import SaleCreatedData
from .sale_created_event import SaleCreatedEvent
from .sale_page import SalePage
from .sale_patch import SalePatch
from .sale_refund import SaleRefund
from .sale_refunded_data import SaleRefundedData
from .sale_refunded_event import SaleRefundedEvent
from .sale_status import SaleStatus
from .sale_tracking import SaleTracking
from .sale_voided_data import SaleVoidedData
from .sale_voided_event import SaleVoidedEvent
from .sales_report import SalesReport
from .sales_report_row import SalesReportRow
from .scan_cards import ScanCards
from .scan_input import ScanInput
from .scan_pairing import ScanPairing
from .scan_result import ScanResult
from .scan_results import ScanResults
from .scan_status import ScanStatus
from .sell_input import SellInput
from .signed_money import SignedMoney
from .sold_card import SoldCard
from .stock_day import StockDay
from .stock_report import StockReport
from .stock_value import StockValue
from .token_limits import TokenLimits
from .token_scope import TokenScope
from .token_usage import TokenUsage
from .unknown_event import UnknownEvent
from .wait_reason import WaitReason
from .waiting import Waiting
from .webhook import Webhook
from .webhook_delivery import WebhookDelivery
from .webhook_delivery_page import WebhookDeliveryPage
from .webhook_input import WebhookInput
from .webhook_page import WebhookPage
from .webhook_patch import WebhookPatch
from .webhook_test_input import WebhookTestInput
from .webhook_with_secret import WebhookWithSecret
from .workflow_status import WorkflowStatus

__all__ = (
    "Account",
    "AccountPatch",
    "AccountUsage",
    "AccountWaiting",
    "Actor",
    "ActorType",
    "Batch",
    "BatchCompletedData",
    "BatchCompletedEvent",
    "BatchInput",
    "BatchPage",
    "BatchPatch",
    "BatchStatus",
    "CandidateList",
    "Card",
    "CardChange",
    "CardDeletedData",
    "CardDeletedEvent",
    "CardFieldValueType2",
    "CardGroup",
    "CardGrouping",
    "CardHistoryEntry",
    "CardHistoryPage",
    "CardIdentifiedData",
    "CardIdentifiedEvent",
    "CardInput",
    "CardList",
    "CardOrder",
    "CardPage",
    "CardPatch",
    "CardPricedData",
    "CardPricedEvent",
    "CardRestoredData",
    "CardRestoredEvent",
    "CardsInput",
    "CardsInputOnConflict",
    "CardSummary",
    "CardTotals",
    "CardUpdate",
    "CardUpdatedData",
    "CardUpdatedEvent",
    "CardUpdateResult",
    "CardUpdateResults",
    "CardUpdates",
    "CardWaiting",
    "CardWorkflowStatusChangedData",
    "CardWorkflowStatusChangedEvent",
    "CatalogCard",
    "CatalogCardList",
    "Comparable",
    "Condition",
    "Currency",
    "CurrencyTotal",
    "Deletion",
    "DeletionPage",
    "DeliveryAttempt",
    "DeliveryState",
    "EndManyInput",
    "EndResult",
    "EndResults",
    "ErrorCode",
    "ErrorDetail",
    "ErrorEnvelope",
    "ErrorEnvelopeError",
    "EventKind",
    "EventPage",
    "ExcludedComparable",
    "ExcludedComparableReason",
    "Fee",
    "Game",
    "Grade",
    "Hints",
    "HourUsage",
    "Identification",
    "IdentificationInput",
    "IdentificationPatch",
    "IdentificationResult",
    "IdentificationSettings",
    "IdentificationSettingsPatch",
    "IdentificationSignal",
    "IdentificationSignalKind",
    "IdentificationSource",
    "IdentificationStatus",
    "IdentifyAttempt",
    "IdentifyAttemptOutcome",
    "IdentifyFailedAttempt",
    "IdentifyFailedAttemptOutcome",
    "IdentifyFailedData",
    "IdentifyFailedEvent",
    "IdentifyOutcome",
    "IdentifyOutcomeOutcome",
    "IdentifyRequest",
    "ImportOutcome",
    "ImportWaiting",
    "ItemError",
    "Job",
    "JobFilter",
    "JobInput",
    "JobKind",
    "JobPage",
    "JobRefusal",
    "JobRefusalPage",
    "JobStatus",
    "JobWaiting",
    "Listing",
    "ListingEndedData",
    "ListingEndedEvent",
    "ListingFailure",
    "ListingPage",
    "ListingPatch",
    "ListingPublishedData",
    "ListingPublishedEvent",
    "ListingRevision",
    "ListingSoldData",
    "ListingSoldEvent",
    "ListingStatus",
    "ListingUpdatedData",
    "ListingUpdatedEvent",
    "ListingWaiting",
    "Marketplace",
    "Metadata",
    "MetadataPatch",
    "Money",
    "Photo",
    "PhotoInput",
    "PhotoRole",
    "PhotoStatus",
    "PhotoWaiting",
    "PreviousSecret",
    "PriceChange",
    "PriceChangeOf",
    "PriceEstimate",
    "PriceEstimateBasis",
    "PriceLookupCard",
    "PriceLookupRequest",
    "PriceLookupResult",
    "PriceLookupResults",
    "Pricing",
    "PricingInput",
    "PricingPatch",
    "PublishInput",
    "PublishManyInput",
    "PublishResult",
    "PublishResults",
    "RefundInput",
    "RefundParts",
    "RefundPartsInput",
    "ReportGrouping",
    "RequestCounts",
    "ResendDroppedInput",
    "ResentDeliveries",
    "RevisionFailure",
    "RevisionStatus",
    "RotateSecretInput",
    "Sale",
    "SaleChannel",
    "SaleCreatedData",
    "SaleCreatedEvent",
    "SalePage",
    "SalePatch",
    "SaleRefund",
    "SaleRefundedData",
    "SaleRefundedEvent",
    "SalesReport",
    "SalesReportRow",
    "SaleStatus",
    "SaleTracking",
    "SaleVoidedData",
    "SaleVoidedEvent",
    "ScanCards",
    "ScanInput",
    "ScanPairing",
    "ScanResult",
    "ScanResults",
    "ScanStatus",
    "SellInput",
    "SignedMoney",
    "SoldCard",
    "StockDay",
    "StockReport",
    "StockValue",
    "TokenLimits",
    "TokenScope",
    "TokenUsage",
    "UnknownEvent",
    "Waiting",
    "WaitReason",
    "Webhook",
    "WebhookDelivery",
    "WebhookDeliveryPage",
    "WebhookInput",
    "WebhookPage",
    "WebhookPatch",
    "WebhookTestInput",
    "WebhookWithSecret",
    "WorkflowStatus",
)
