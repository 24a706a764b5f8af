// Generated from the contract by tools/generate.mjs. Do not edit.

import type { UnknownEvent } from '../events.js'

/** @example card_01k5w0q2m7t9c3r5v8x0z1b4d6 */
export type CardId = string;
/** @example bat_01k5w0q2m7t9c3r5v8x0z1b4d6 */
export type BatchId = string;
/** @example lst_01k5w0q2m7t9c3r5v8x0z1b4d6 */
export type ListingId = string;
/** @example evt_01k5w0q2m7t9c3r5v8x0z1b4d6 */
export type EventId = string;
/** @example pho_01k5w0q2m7t9c3r5v8x0z1b4d6 */
export type PhotoId = string;
/** @example acc_01k5w0q2m7t9c3r5v8x0z1b4d6 */
export type AccountId = string;
/**
 * Format: date-time
 * RFC 3339, UTC, six decimals.
 * @example 2026-05-11T15:32:01.123456Z
 */
export type Timestamp = string;
/**
 * Format: date-time
 * RFC 3339, UTC, six decimals; null until it applies.
 * @example 2026-05-11T15:32:01.123456Z
 */
export type TimestampOrNull = string | null;
/**
 * The name of the card.
 * @example Ember Fox
 */
export type Title = string;
/**
 * The name of the set.
 * @example Dawn of Cinders
 */
export type SetName = string;
/**
 * The collector number in the set, in the form n/m where the set has a printed total.
 * @example 54/167
 */
export type CollectorNumber = string;
/**
 * Where the card lies. A path of 1 to 5 segments joined by `/`, outermost first.
 * @example Room A/Shelf 2/Box 4/Row 1/118
 */
export type CardLocation = string;
/**
 * Follows from the card's facts and moves one edge at a time: `imported` → `identified` → `priced` →
 *     `photographed` → `listed` → `sold`. `photographed` means a photo of role `listing`; publishing takes any photo, so
 *     `priced` → `listed` happens too. `needs_review`: automatic identification failed. `archived`: put away.
 * @example identified
 * @enum {string}
 */
export type WorkflowStatus = "imported" | "needs_review" | "identified" | "priced" | "photographed" | "listed" | "sold" | "archived";
/**
 * `pending` until the card is identified or both providers have failed.
 * @example identified
 * @enum {string}
 */
export type IdentificationStatus = "pending" | "identified" | "failed";
/**
 * The game or kind of card.
 * @example pokemon
 * @enum {string}
 */
export type Game = "pokemon" | "magic" | "yugioh" | "sports" | "other";
/**
 * Near mint, lightly played, moderately played, heavily played, damaged.
 * @example NM
 * @enum {string}
 */
export type Condition = "NM" | "LP" | "MP" | "HP" | "DMG";
/**
 * What the photo shows: the front, the back, or the picture made for the listing.
 * @example front
 * @enum {string}
 */
export type PhotoRole = "front" | "back" | "listing";
/**
 * An ISO 4217 code.
 * @example USD
 * @enum {string}
 */
export type Currency = "AED" | "AFN" | "ALL" | "AMD" | "AOA" | "ARS" | "AUD" | "AWG" | "AZN" | "BAM" | "BBD" | "BDT" | "BHD" | "BIF" | "BMD" | "BND" | "BOB" | "BRL" | "BSD" | "BTN" | "BWP" | "BYN" | "BZD" | "CAD" | "CDF" | "CHF" | "CLP" | "CNY" | "COP" | "CRC" | "CUP" | "CVE" | "CZK" | "DJF" | "DKK" | "DOP" | "DZD" | "EGP" | "ERN" | "ETB" | "EUR" | "FJD" | "FKP" | "GBP" | "GEL" | "GHS" | "GIP" | "GMD" | "GNF" | "GTQ" | "GYD" | "HKD" | "HNL" | "HTG" | "HUF" | "IDR" | "ILS" | "INR" | "IQD" | "IRR" | "ISK" | "JMD" | "JOD" | "JPY" | "KES" | "KGS" | "KHR" | "KMF" | "KPW" | "KRW" | "KWD" | "KYD" | "KZT" | "LAK" | "LBP" | "LKR" | "LRD" | "LSL" | "LYD" | "MAD" | "MDL" | "MGA" | "MKD" | "MMK" | "MNT" | "MOP" | "MRU" | "MUR" | "MVR" | "MWK" | "MXN" | "MYR" | "MZN" | "NAD" | "NGN" | "NIO" | "NOK" | "NPR" | "NZD" | "OMR" | "PAB" | "PEN" | "PGK" | "PHP" | "PKR" | "PLN" | "PYG" | "QAR" | "RON" | "RSD" | "RUB" | "RWF" | "SAR" | "SBD" | "SCR" | "SDG" | "SEK" | "SGD" | "SHP" | "SLE" | "SOS" | "SRD" | "SSP" | "STN" | "SVC" | "SYP" | "SZL" | "THB" | "TJS" | "TMT" | "TND" | "TOP" | "TRY" | "TTD" | "TWD" | "TZS" | "UAH" | "UGX" | "USD" | "UYU" | "UZS" | "VES" | "VND" | "VUV" | "WST" | "XAF" | "XCD" | "XOF" | "XPF" | "YER" | "ZAR" | "ZMW";
export interface Money {
    /**
     * Format: int64
     * The amount in minor units.
     * @example 1250
     */
    amount: number;
    currency: Currency;
}
export type MoneyOrNull = {
    /**
     * Format: int64
     * The amount in minor units.
     * @example 1250
     */
    amount: number;
    currency: Currency;
} | null;
/** A grading company's verdict, or null for an ungraded card. */
export type Grade = {
    /**
     * The grading company.
     * @example PSA
     */
    company: string;
    /**
     * The grade as printed on the label.
     * @example 9.5
     */
    value: string;
    /**
     * The certificate's number.
     * @example 82137741
     */
    cert_number: string | null;
} | null;
export interface Photo {
    id: PhotoId;
    role: PhotoRole;
    /**
     * `pending` while the service fetches the photo from the address given at import.
     * @example ready
     * @enum {string}
     */
    status: "pending" | "ready" | "failed";
    /**
     * Format: uri
     * An address that shows the photo to whoever has it, for a day or two; null unless ready.
     * @example https://vault.example/photos/acc_01k5w0q2m7t9c3r5v8x0z1b4d6/pho_01k5w0q2m7t9c3r5v8x0z1b4d6.jpg?expires=1778600000&signature=f00d
     */
    url: string | null;
    /**
     * Format: int32
     * Pixels; null unless ready.
     * @example 1200
     */
    width: number | null;
    /**
     * Format: int32
     * Pixels; null unless ready.
     * @example 1680
     */
    height: number | null;
    /**
     * Why the photo could not be fetched, if it could not.
     * @example null
     */
    failure: string | null;
}
/** What the card is, and how that is known. */
export interface Identification {
    /**
     * The name of the card; null until identified.
     * @example Ember Fox
     */
    title: string | null;
    /**
     * The name of the set.
     * @example Dawn of Cinders
     */
    set: string | null;
    /**
     * The collector number.
     * @example 54/167
     */
    number: string | null;
    status: IdentificationStatus;
    /**
     * Who identified the card.
     * @example ai
     * @enum {string|null}
     */
    source: "ai" | "manual" | null;
    /**
     * The provider whose result was accepted.
     * @example ocr
     */
    provider: string | null;
    /**
     * Format: double
     * How sure that provider was.
     * @example 0.97
     */
    confidence: number | null;
    identified_at: TimestampOrNull;
    /**
     * The card's identifier in the catalogue.
     * @example ember-54
     */
    catalog_id: string | null;
    /**
     * The game.
     * @example other
     * @enum {string|null}
     */
    game: "pokemon" | "magic" | "yugioh" | "sports" | "other" | null;
    /**
     * Format: int32
     * The year of the set.
     * @example 2026
     */
    year: number | null;
    /**
     * The variant, such as reverse holo.
     * @example reverse holo
     */
    variant: string | null;
    /**
     * A BCP 47 language tag.
     * @example en
     */
    language: string | null;
    /**
     * The condition.
     * @example NM
     * @enum {string|null}
     */
    condition: "NM" | "LP" | "MP" | "HP" | "DMG" | null;
    grade: Grade;
}
/** What the card cost and what is asked for it. */
export interface Pricing {
    asking_price: MoneyOrNull;
    cost: MoneyOrNull;
    priced_at: TimestampOrNull;
}
export interface Card {
    id: CardId;
    workflow_status: WorkflowStatus;
    /**
     * The same as `identification.title`; it stands here too because events have it here.
     * @example Ember Fox
     */
    title: string | null;
    /**
     * The same as `identification.set`.
     * @example Dawn of Cinders
     */
    set: string | null;
    /**
     * The same as `identification.number`.
     * @example 54/167
     */
    number: string | null;
    identification: Identification;
    pricing: Pricing;
    /**
     * Where the card lies, outermost first.
     * @example Room A/Shelf 2/Box 4/Row 1/118
     */
    location: string | null;
    /**
     * The batch the card is in.
     * @example bat_01k5w0q2m7t9c3r5v8x0z1b4d6
     */
    batch_id: string | null;
    /**
     * The newest listing that is publishing, live, ending or sold.
     * @example lst_01k5w0q2m7t9c3r5v8x0z1b4d6
     */
    listing_id: string | null;
    /** At most one photo a role, in the order front, back, listing. */
    photos: Photo[];
    /**
     * The owner's own article number.
     * @example PAF-054-NM
     */
    sku: string | null;
    /**
     * The owner's own notes.
     * @example Small nick at the top edge.
     */
    notes: string | null;
    /**
     * Format: int64
     * Starts at 1 and rises by 1 with every change; in quotation marks it is the ETag.
     * @example 3
     */
    version: number;
    created_at: Timestamp;
    updated_at: Timestamp;
}
export type CardOrNull = {
    id: CardId;
    workflow_status: WorkflowStatus;
    /**
     * The same as `identification.title`; it stands here too because events have it here.
     * @example Ember Fox
     */
    title: string | null;
    /**
     * The same as `identification.set`.
     * @example Dawn of Cinders
     */
    set: string | null;
    /**
     * The same as `identification.number`.
     * @example 54/167
     */
    number: string | null;
    identification: Identification;
    pricing: Pricing;
    /**
     * Where the card lies, outermost first.
     * @example Room A/Shelf 2/Box 4/Row 1/118
     */
    location: string | null;
    /**
     * The batch the card is in.
     * @example bat_01k5w0q2m7t9c3r5v8x0z1b4d6
     */
    batch_id: string | null;
    /**
     * The newest listing that is publishing, live, ending or sold.
     * @example lst_01k5w0q2m7t9c3r5v8x0z1b4d6
     */
    listing_id: string | null;
    /** At most one photo a role, in the order front, back, listing. */
    photos: Photo[];
    /**
     * The owner's own article number.
     * @example PAF-054-NM
     */
    sku: string | null;
    /**
     * The owner's own notes.
     * @example Small nick at the top edge.
     */
    notes: string | null;
    /**
     * Format: int64
     * Starts at 1 and rises by 1 with every change; in quotation marks it is the ETag.
     * @example 3
     */
    version: number;
    created_at: Timestamp;
    updated_at: Timestamp;
} | null;
export interface CardPage {
    data: Card[];
    /**
     * Whether there is another page.
     * @example true
     */
    has_more: boolean;
    /**
     * Pass it as `cursor` for the next page; null on the last.
     * @example eyJ0IjoiMjAyNi0wNS0xMSJ9
     */
    next_cursor: string | null;
}
export interface CardList {
    data: Card[];
}
/** What you know of the card. Giving a title identifies the card. */
export interface IdentificationInput {
    title?: Title;
    set?: SetName;
    number?: CollectorNumber;
    /**
     * The card's identifier in the catalogue.
     * @example ember-54
     */
    catalog_id?: string;
    game?: Game;
    /**
     * Format: int32
     * The year of the set.
     * @example 2026
     */
    year?: number;
    /**
     * The variant.
     * @example reverse holo
     */
    variant?: string;
    /**
     * A BCP 47 language tag.
     * @example en
     */
    language?: string;
    condition?: Condition;
    grade?: Grade;
}
/** What the card cost and what is asked for it. */
export interface PricingInput {
    asking_price?: Money;
    cost?: Money;
}
export interface PhotoInput {
    /**
     * Format: uri
     * A public https address of a JPEG, PNG or WebP of at most 15 MiB. It is fetched soon after the import.
     * @example https://images.example/ember-fox.jpg
     */
    url: string;
    role: PhotoRole;
}
/** A card to import. Everything is optional. */
export interface CardInput {
    identification?: IdentificationInput;
    pricing?: PricingInput;
    location?: CardLocation;
    /**
     * The owner's own article number.
     * @example PAF-054-NM
     */
    sku?: string;
    /**
     * The owner's own notes.
     * @example Small nick at the top edge.
     */
    notes?: string;
    batch_id?: BatchId;
    /** At most one photo a role. */
    photos?: PhotoInput[];
    /**
     * Whether the card is to be identified automatically once it has a photo. Default: true where no title is given; beside a title it means nothing, as what you say the card is stands.
     * @example true
     */
    identify?: boolean;
}
export interface CardsInput {
    /** The cards; all are imported or none. */
    cards: CardInput[];
}
/**
 * Absent is untouched, null is cleared. Saving a title is a manual identification. An identified card keeps a
 *     title: clearing it is refused.
 */
export interface IdentificationPatch {
    /**
     * The name of the card.
     * @example Ember Fox
     */
    title?: string | null;
    /**
     * The name of the set.
     * @example Dawn of Cinders
     */
    set?: string | null;
    /**
     * The collector number.
     * @example 54/167
     */
    number?: string | null;
    /**
     * The card's identifier in the catalogue.
     * @example ember-54
     */
    catalog_id?: string | null;
    /**
     * The game.
     * @example other
     * @enum {string|null}
     */
    game?: "pokemon" | "magic" | "yugioh" | "sports" | "other" | null;
    /**
     * Format: int32
     * The year of the set.
     * @example 2026
     */
    year?: number | null;
    /**
     * The variant.
     * @example reverse holo
     */
    variant?: string | null;
    /**
     * A BCP 47 language tag.
     * @example en
     */
    language?: string | null;
    /**
     * The condition.
     * @example NM
     * @enum {string|null}
     */
    condition?: "NM" | "LP" | "MP" | "HP" | "DMG" | null;
    grade?: Grade;
}
/** Absent is untouched, null is cleared. */
export interface PricingPatch {
    asking_price?: MoneyOrNull;
    cost?: MoneyOrNull;
}
/** A JSON merge patch (RFC 7396): absent is untouched, null is cleared. */
export interface CardPatch {
    identification?: IdentificationPatch;
    pricing?: PricingPatch;
    /**
     * Where the card lies, 1 to 5 segments joined by `/`.
     * @example Room A/Shelf 2
     */
    location?: string | null;
    /**
     * The owner's own article number.
     * @example PAF-054-NM
     */
    sku?: string | null;
    /**
     * The owner's own notes.
     * @example Small nick at the top edge.
     */
    notes?: string | null;
    /**
     * The batch to put the card into, or null to take it out.
     * @example bat_01k5w0q2m7t9c3r5v8x0z1b4d6
     */
    batch_id?: string | null;
    /**
     * True puts the card away, false brings it back to where its facts put it.
     * @example true
     */
    archived?: boolean;
}
export interface Batch {
    id: BatchId;
    /**
     * The batch's name.
     * @example Spring fair
     */
    name: string;
    /**
     * What the batch is about.
     * @example Bought at the spring fair.
     */
    description: string | null;
    status: BatchStatus;
    /**
     * Format: int32
     * How many cards are in the batch.
     * @example 118
     */
    card_count: number;
    completed_at: TimestampOrNull;
    created_at: Timestamp;
    updated_at: Timestamp;
}
/**
 * Cards move in and out of an open batch only.
 * @example open
 * @enum {string}
 */
export type BatchStatus = "open" | "complete";
export interface BatchInput {
    /**
     * The batch's name.
     * @example Spring fair
     */
    name: string;
    /**
     * What the batch is about.
     * @example Bought at the spring fair.
     */
    description?: string;
}
export interface BatchPage {
    data: Batch[];
    /**
     * Whether there is another page.
     * @example true
     */
    has_more: boolean;
    /**
     * Pass it as `cursor` for the next page; null on the last.
     * @example eyJ0IjoiMjAyNi0wNS0xMSJ9
     */
    next_cursor: string | null;
}
/** Exactly one of the two. */
export interface IdentifyRequest {
    card_id?: CardId;
    /**
     * Format: uri
     * A public https address of a JPEG, PNG or WebP of at most 15 MiB. Nothing is saved and nothing fires.
     * @example https://images.example/ember-fox.jpg
     */
    photo_url?: string;
}
export interface IdentificationResult {
    /**
     * The name of the card.
     * @example Ember Fox
     */
    title: string;
    /**
     * The name of the set.
     * @example Dawn of Cinders
     */
    set: string | null;
    /**
     * The collector number.
     * @example 54/167
     */
    number: string | null;
    /**
     * The game.
     * @example other
     * @enum {string|null}
     */
    game: "pokemon" | "magic" | "yugioh" | "sports" | "other" | null;
    /**
     * Format: int32
     * The year of the set.
     * @example 2026
     */
    year: number | null;
    /**
     * The variant.
     * @example reverse holo
     */
    variant: string | null;
    /**
     * A BCP 47 language tag.
     * @example en
     */
    language: string | null;
    /**
     * The card's identifier in the catalogue.
     * @example ember-54
     */
    catalog_id: string | null;
    /**
     * Format: double
     * How sure the provider is.
     * @example 0.97
     */
    confidence: number;
    /**
     * Who found it.
     * @example ocr
     */
    provider: string;
}
export type IdentificationResultOrNull = {
    /**
     * The name of the card.
     * @example Ember Fox
     */
    title: string;
    /**
     * The name of the set.
     * @example Dawn of Cinders
     */
    set: string | null;
    /**
     * The collector number.
     * @example 54/167
     */
    number: string | null;
    /**
     * The game.
     * @example other
     * @enum {string|null}
     */
    game: "pokemon" | "magic" | "yugioh" | "sports" | "other" | null;
    /**
     * Format: int32
     * The year of the set.
     * @example 2026
     */
    year: number | null;
    /**
     * The variant.
     * @example reverse holo
     */
    variant: string | null;
    /**
     * A BCP 47 language tag.
     * @example en
     */
    language: string | null;
    /**
     * The card's identifier in the catalogue.
     * @example ember-54
     */
    catalog_id: string | null;
    /**
     * Format: double
     * How sure the provider is.
     * @example 0.97
     */
    confidence: number;
    /**
     * Who found it.
     * @example ocr
     */
    provider: string;
} | null;
export interface IdentifyAttempt {
    /**
     * The provider that was asked.
     * @example ocr
     */
    provider: string;
    /**
     * What came of it.
     * @example accepted
     * @enum {string}
     */
    outcome: "accepted" | "below_threshold" | "no_match" | "error" | "timeout";
    /**
     * Format: double
     * The confidence of its best candidate, if it had one.
     * @example 0.97
     */
    confidence: number | null;
    /**
     * Format: int64
     * How long it took.
     * @example 1830
     */
    duration_ms: number;
    /**
     * More for people.
     * @example null
     */
    message: string | null;
}
export interface IdentifyOutcome {
    /**
     * Whether a provider's best candidate was accepted.
     * @example identified
     * @enum {string}
     */
    outcome: "identified" | "failed";
    card: CardOrNull;
    result: IdentificationResultOrNull;
    /** What the card might be, best first. */
    candidates: IdentificationResult[];
    /** The providers that were asked. */
    attempts: IdentifyAttempt[];
}
/** Exactly one of the two. */
export interface PriceLookupRequest {
    card_id?: CardId;
    card?: PriceLookupCard;
}
export interface PriceLookupCard {
    title: Title;
    set?: SetName;
    number?: CollectorNumber;
    game?: Game;
    condition?: Condition;
    grade?: Grade;
}
export interface PriceEstimate {
    price: Money;
    low: Money;
    high: Money;
    /**
     * Where the price comes from.
     * @example sold_listings
     * @enum {string}
     */
    basis: "sold_listings" | "catalog" | "provider";
    /**
     * Format: int32
     * How many prices it rests on.
     * @example 7
     */
    sample_size: number;
    /** Some of them, newest first. */
    comparables: Comparable[];
    as_of: Timestamp;
}
export interface Comparable {
    /**
     * What was sold.
     * @example Ember Fox 54/167 NM
     */
    title: string;
    price: Money;
    sold_at: TimestampOrNull;
    /**
     * Where.
     * @example sandbox
     */
    source: string;
}
/**
 * `sandbox` is the stand-in marketplace that ships with the product.
 * @example sandbox
 * @enum {string}
 */
export type Marketplace = "ebay" | "sandbox";
/**
 * `publishing` → `live` → `sold` or `ended`; `publishing` → `failed`; `live` → `ending` → `ended`, or `sold` where a buyer was faster.
 * @example live
 * @enum {string}
 */
export type ListingStatus = "publishing" | "live" | "ending" | "sold" | "ended" | "failed";
/** Why the marketplace refused the listing; null unless it did. */
export type ListingFailure = {
    /**
     * A stable string: the marketplace's own, or `marketplace_unreachable` after a day of trying.
     * @example marketplace_unreachable
     */
    code: string;
    /**
     * What to do about it.
     * @example The title is longer than the marketplace allows.
     */
    message: string;
} | null;
export interface Listing {
    id: ListingId;
    card_id: CardId;
    marketplace: Marketplace;
    status: ListingStatus;
    /**
     * The title the marketplace shows.
     * @example Ember Fox 54/167 Dawn of Cinders NM
     */
    title: string;
    price: Money;
    /**
     * The listing's number at the marketplace.
     * @example 110551234567
     */
    external_id: string | null;
    /**
     * Format: uri
     * Its page there.
     * @example https://market.example/itm/110551234567
     */
    url: string | null;
    failure: ListingFailure;
    sold_price: MoneyOrNull;
    /**
     * The order's number at the marketplace.
     * @example 12-04567-89012
     */
    buyer_reference: string | null;
    /**
     * Why it ended without a sale: `ended_by_seller`, `ended_at_marketplace`, `not_at_marketplace`. More may be added.
     * @example ended_by_seller
     */
    end_reason: string | null;
    published_at: TimestampOrNull;
    sold_at: TimestampOrNull;
    ended_at: TimestampOrNull;
    created_at: Timestamp;
    updated_at: Timestamp;
}
export interface ListingPage {
    data: Listing[];
    /**
     * Whether there is another page.
     * @example true
     */
    has_more: boolean;
    /**
     * Pass it as `cursor` for the next page; null on the last.
     * @example eyJ0IjoiMjAyNi0wNS0xMSJ9
     */
    next_cursor: string | null;
}
/** What is left out comes from the card and the account. */
export interface PublishInput {
    marketplace?: Marketplace;
    price?: Money;
    /**
     * The title the marketplace shows.
     * @example Ember Fox 54/167 Dawn of Cinders NM
     */
    title?: string;
}
/**
 * What happened.
 * @example card.identified
 * @enum {string}
 */
export type EventKind = "card.identified" | "card.priced" | "card.workflow_status_changed" | "listing.published" | "listing.sold" | "listing.ended" | "batch.completed" | "identify.failed";
/** A card was identified for the first time, by AI or manually. */
export interface CardIdentifiedData {
    card_id: CardId;
    /**
     * The name of the card; "" when not known.
     * @example Ember Fox
     */
    title: string;
    /**
     * The name of the set; "" when not known.
     * @example Dawn of Cinders
     */
    set: string;
    /**
     * The collector number; "" when not known.
     * @example 54/167
     */
    number: string;
}
/** A card got an asking price for the first time. */
export interface CardPricedData {
    card_id: CardId;
    /**
     * The name of the card; "" when not known.
     * @example Ember Fox
     */
    title: string;
    /**
     * The name of the set; "" when not known.
     * @example Dawn of Cinders
     */
    set: string;
    /**
     * The collector number; "" when not known.
     * @example 54/167
     */
    number: string;
    asking_price: Money;
}
/** A card's workflow status took one edge. */
export interface CardWorkflowStatusChangedData {
    card_id: CardId;
    /**
     * The name of the card; "" when not known.
     * @example Ember Fox
     */
    title: string;
    /**
     * The name of the set; "" when not known.
     * @example Dawn of Cinders
     */
    set: string;
    /**
     * The collector number; "" when not known.
     * @example 54/167
     */
    number: string;
    previous_status: WorkflowStatus;
    status: WorkflowStatus;
}
/** A listing went live. */
export interface ListingPublishedData {
    card_id: CardId;
    /**
     * The name of the card; "" when not known.
     * @example Ember Fox
     */
    title: string;
    /**
     * The name of the set; "" when not known.
     * @example Dawn of Cinders
     */
    set: string;
    /**
     * The collector number; "" when not known.
     * @example 54/167
     */
    number: string;
    listing_id: ListingId;
    marketplace: Marketplace;
    /**
     * The listing's number at the marketplace.
     * @example 110551234567
     */
    external_id: string;
    /**
     * Format: uri
     * Its page there.
     * @example https://market.example/itm/110551234567
     */
    url: string;
    price: Money;
}
/** A listing closed with a sale. */
export interface ListingSoldData {
    card_id: CardId;
    /**
     * The name of the card; "" when not known.
     * @example Ember Fox
     */
    title: string;
    /**
     * The name of the set; "" when not known.
     * @example Dawn of Cinders
     */
    set: string;
    /**
     * The collector number; "" when not known.
     * @example 54/167
     */
    number: string;
    listing_id: ListingId;
    marketplace: Marketplace;
    /**
     * The listing's number at the marketplace.
     * @example 110551234567
     */
    external_id: string;
    sold_price: Money;
    sold_at: Timestamp;
}
/** A listing ended without a sale. */
export interface ListingEndedData {
    card_id: CardId;
    /**
     * The name of the card; "" when not known.
     * @example Ember Fox
     */
    title: string;
    /**
     * The name of the set; "" when not known.
     * @example Dawn of Cinders
     */
    set: string;
    /**
     * The collector number; "" when not known.
     * @example 54/167
     */
    number: string;
    listing_id: ListingId;
    marketplace: Marketplace;
    /**
     * The listing's number at the marketplace.
     * @example 110551234567
     */
    external_id: string;
    /**
     * Why: `ended_by_seller`, `ended_at_marketplace`, `not_at_marketplace`. More may be added.
     * @example ended_by_seller
     */
    end_reason: string;
    ended_at: Timestamp;
}
/** A batch was marked complete. */
export interface BatchCompletedData {
    batch_id: BatchId;
    /**
     * The batch's name.
     * @example Spring fair
     */
    name: string;
    /**
     * Format: int32
     * How many cards are in it.
     * @example 118
     */
    card_count: number;
    completed_at: Timestamp;
}
/** Both identification providers failed to identify a card. */
export interface IdentifyFailedData {
    card_id: CardId;
    /**
     * The name of the card; "" when not known.
     * @example Ember Fox
     */
    title: string;
    /**
     * The name of the set; "" when not known.
     * @example Dawn of Cinders
     */
    set: string;
    /**
     * The collector number; "" when not known.
     * @example 54/167
     */
    number: string;
    /** How each provider failed. */
    attempts: IdentifyFailedAttempt[];
}
export interface IdentifyFailedAttempt {
    /**
     * The provider.
     * @example ocr
     */
    provider: string;
    /**
     * How it failed.
     * @example no_match
     * @enum {string}
     */
    outcome: "below_threshold" | "no_match" | "error" | "timeout";
    /**
     * More for people; may be empty.
     * @example
     */
    message: string;
}
/** The envelope of every webhook delivery and of `GET /events`. The same id may be delivered more than once. */
export type CardVaultEvent = CardIdentifiedEvent | CardPricedEvent | CardWorkflowStatusChangedEvent | ListingPublishedEvent | ListingSoldEvent | ListingEndedEvent | BatchCompletedEvent | IdentifyFailedEvent | UnknownEvent;
export interface CardIdentifiedEvent {
    id: EventId;
    /**
     * What happened.
     * @enum {string}
     */
    event: "card.identified";
    created_at: Timestamp;
    account_id: AccountId;
    data: CardIdentifiedData;
}
export interface CardPricedEvent {
    id: EventId;
    /**
     * What happened.
     * @enum {string}
     */
    event: "card.priced";
    created_at: Timestamp;
    account_id: AccountId;
    data: CardPricedData;
}
export interface CardWorkflowStatusChangedEvent {
    id: EventId;
    /**
     * What happened.
     * @enum {string}
     */
    event: "card.workflow_status_changed";
    created_at: Timestamp;
    account_id: AccountId;
    data: CardWorkflowStatusChangedData;
}
export interface ListingPublishedEvent {
    id: EventId;
    /**
     * What happened.
     * @enum {string}
     */
    event: "listing.published";
    created_at: Timestamp;
    account_id: AccountId;
    data: ListingPublishedData;
}
export interface ListingSoldEvent {
    id: EventId;
    /**
     * What happened.
     * @enum {string}
     */
    event: "listing.sold";
    created_at: Timestamp;
    account_id: AccountId;
    data: ListingSoldData;
}
export interface ListingEndedEvent {
    id: EventId;
    /**
     * What happened.
     * @enum {string}
     */
    event: "listing.ended";
    created_at: Timestamp;
    account_id: AccountId;
    data: ListingEndedData;
}
export interface BatchCompletedEvent {
    id: EventId;
    /**
     * What happened.
     * @enum {string}
     */
    event: "batch.completed";
    created_at: Timestamp;
    account_id: AccountId;
    data: BatchCompletedData;
}
export interface IdentifyFailedEvent {
    id: EventId;
    /**
     * What happened.
     * @enum {string}
     */
    event: "identify.failed";
    created_at: Timestamp;
    account_id: AccountId;
    data: IdentifyFailedData;
}
export interface EventPage {
    data: CardVaultEvent[];
    /**
     * Whether there is another page.
     * @example true
     */
    has_more: boolean;
    /**
     * Pass it as `cursor` for the next page; null on the last.
     * @example eyJ0IjoiMjAyNi0wNS0xMSJ9
     */
    next_cursor: string | null;
}
/**
 * A stable string to dispatch on. New codes may be added.
 * @example card_not_found
 * @enum {string}
 */
export type ErrorCode = "invalid_request" | "invalid_json" | "invalid_cursor" | "missing_token" | "invalid_token" | "revoked_token" | "card_not_found" | "batch_not_found" | "listing_not_found" | "photo_not_found" | "event_not_found" | "route_not_found" | "method_not_allowed" | "not_acceptable" | "payload_too_large" | "unsupported_media_type" | "card_not_identified" | "card_not_priced" | "card_has_no_photo" | "card_already_listed" | "card_sold" | "card_archived" | "card_listed" | "batch_complete" | "listing_not_live" | "idempotency_conflict" | "version_mismatch" | "photo_unreachable" | "photo_invalid" | "photo_forbidden" | "idempotency_key_reused" | "no_price_found" | "rate_limited" | "internal_error" | "not_implemented" | "upstream_error" | "unavailable";
/** The one shape of every error. */
export interface ErrorBody {
    error: {
        code: ErrorCode;
        /**
         * For logs and people; not to dispatch on.
         * @example There is no card with this identifier in your account.
         */
        message: string;
        /**
         * Format: int32
         * The HTTP status.
         * @example 404
         */
        status: number;
        /** The fields at fault, where a request's fields are. */
        details?: ErrorDetail[];
    };
}
export interface ErrorDetail {
    /**
     * The path of the field or the name of the parameter.
     * @example pricing.asking_price.amount
     */
    field: string;
    /**
     * What is wrong with it.
     * @example must be at least 0
     */
    message: string;
}
export interface ListCardsQuery {
    /** How many items a page holds at most. */
    limit?: number;
    /** The `next_cursor` of the page before. It holds for the filters it was issued for; with others it is `400 invalid_cursor`. */
    cursor?: string;
    /** Cards with one of these workflow statuses. Repeat the parameter or separate them by commas. */
    status?: WorkflowStatus[];
    /** Cards in this batch. */
    batch?: BatchId;
    /** Cards at this location or anywhere below it. */
    location?: CardLocation;
    /** Cards of the set with exactly this name. */
    set?: SetName;
    /** Cards of this game. */
    game?: Game;
    /** Cards with exactly this number. */
    number?: CollectorNumber;
    /** Cards in this condition. */
    condition?: Condition;
    /** Cards whose identification has this status. */
    identification?: IdentificationStatus;
    /** Cards whose asking price is at least this many minor units. */
    min_price?: number;
    /** Cards whose asking price is at most this many minor units. */
    max_price?: number;
    /** Cards with exactly this SKU. */
    sku?: string;
    /** Words or a part of the title; a card matches when its title holds every one of them, in any case. */
    q?: string;
    /** Only what changed at or after this time, in the order of change. RFC 3339 with a time zone. */
    updated_since?: string;
}
export interface ListBatchesQuery {
    /** How many items a page holds at most. */
    limit?: number;
    /** The `next_cursor` of the page before. It holds for the filters it was issued for; with others it is `400 invalid_cursor`. */
    cursor?: string;
    /** Batches with this status. */
    status?: BatchStatus;
    /** Only what changed at or after this time, in the order of change. RFC 3339 with a time zone. */
    updated_since?: string;
}
export interface ListBatchCardsQuery {
    /** How many items a page holds at most. */
    limit?: number;
    /** The `next_cursor` of the page before. It holds for the filters it was issued for; with others it is `400 invalid_cursor`. */
    cursor?: string;
    /** Cards with one of these workflow statuses. Repeat the parameter or separate them by commas. */
    status?: WorkflowStatus[];
    /** Cards at this location or anywhere below it. */
    location?: CardLocation;
    /** Cards of the set with exactly this name. */
    set?: SetName;
    /** Cards of this game. */
    game?: Game;
    /** Cards with exactly this number. */
    number?: CollectorNumber;
    /** Cards in this condition. */
    condition?: Condition;
    /** Cards whose identification has this status. */
    identification?: IdentificationStatus;
    /** Cards whose asking price is at least this many minor units. */
    min_price?: number;
    /** Cards whose asking price is at most this many minor units. */
    max_price?: number;
    /** Cards with exactly this SKU. */
    sku?: string;
    /** Words or a part of the title; a card matches when its title holds every one of them, in any case. */
    q?: string;
    /** Only what changed at or after this time, in the order of change. RFC 3339 with a time zone. */
    updated_since?: string;
}
export interface ListListingsQuery {
    /** How many items a page holds at most. */
    limit?: number;
    /** The `next_cursor` of the page before. It holds for the filters it was issued for; with others it is `400 invalid_cursor`. */
    cursor?: string;
    /** Listings with one of these statuses. Repeat the parameter or separate them by commas. */
    status?: ListingStatus[];
    /** Listings of this card. */
    card?: CardId;
    /** Listings on this marketplace. */
    marketplace?: Marketplace;
    /** Only what changed at or after this time, in the order of change. RFC 3339 with a time zone. */
    updated_since?: string;
}
export interface ListEventsQuery {
    /** How many items a page holds at most. */
    limit?: number;
    /** The `next_cursor` of the page before. It holds for the filters it was issued for; with others it is `400 invalid_cursor`. */
    cursor?: string;
    /** Events of these kinds. Repeat the parameter or separate them by commas. */
    event?: EventKind[];
    /** Only events at or after this time, oldest first. RFC 3339 with a time zone. */
    created_since?: string;
}
