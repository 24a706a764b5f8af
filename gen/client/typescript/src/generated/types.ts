// Generated from the contract by tools/generate.mjs. Do not edit.

import type { UnknownEvent } from '../events.js'
import type { ScanPhoto } from '../form.js'

/** @example card_01k5w0q2m7t9c3r5v8x0z1b4d6 */
export type CardId = string;
/** @example ember-54 */
export type CatalogCardId = string;
/** @example bat_01k5w0q2m7t9c3r5v8x0z1b4d6 */
export type BatchId = string;
/** @example lst_01k5w0q2m7t9c3r5v8x0z1b4d6 */
export type ListingId = string;
/** @example evt_01k5w0q2m7t9c3r5v8x0z1b4d6 */
export type EventId = string;
/** @example whe_01k5w0q2m7t9c3r5v8x0z1b4d6 */
export type WebhookId = string;
/** @example whs_01k5w0q2m7t9c3r5v8x0z1b4d6 */
export type PreviousSecretId = string;
/** @example dlv_01k5w0q2m7t9c3r5v8x0z1b4d6 */
export type DeliveryId = string;
/** @example sale_01k5w0q2m7t9c3r5v8x0z1b4d6 */
export type SaleId = string;
/** @example job_01k5w0q2m7t9c3r5v8x0z1b4d6 */
export type JobId = string;
/** @example imp_01k5w0q2m7t9c3r5v8x0z1b4d6 */
export type ImportId = string;
/** @example pho_01k5w0q2m7t9c3r5v8x0z1b4d6 */
export type PhotoId = string;
/** @example tok_01k5w0q2m7t9c3r5v8x0z1b4d6 */
export type TokenId = string;
/** @example acc_01k5w0q2m7t9c3r5v8x0z1b4d6 */
export type AccountId = string;
/**
 * Format: date-time
 * An RFC 3339 time in UTC with six decimals.
 * @example 2026-05-11T15:32:01.123456Z
 */
export type Timestamp = string;
/**
 * Format: date-time
 * An RFC 3339 time in UTC with six decimals, or null if it does not apply yet.
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
 * The collector number in the set, in the form n/m if the set has a printed total.
 * @example 54/167
 */
export type CollectorNumber = string;
/**
 * The place where the card is stored. A path of 1 to 5 segments separated by `/`, outermost first.
 * @example Room A/Shelf 2/Box 4/Row 1/118
 */
export type CardLocation = string;
/**
 * The service derives the status from the card's data. It changes by one transition at a time: `imported` →
 *     `identified` → `priced` → `photographed` → `listed` → `sold`. `photographed` means that the card has a photo with
 *     the role `listing`. Publishing accepts a photo of any role, so `priced` → `listed` is possible too. `needs_review`
 *     means that automatic identification failed, `archived` that the card was archived. A card goes back from
 *     `identified` to `needs_review` if a review of it in the dashboard is undone.
 * @example identified
 * @enum {string}
 */
export type WorkflowStatus = "imported" | "needs_review" | "identified" | "priced" | "photographed" | "listed" | "sold" | "archived";
/**
 * `pending` while the card is queued for automatic identification, or waits for a photo that the service fetches.
 *     `identified` and `failed` are the results. `none` means that the card is not identified and nothing is under way:
 *     it has no photo of the front, or automatic identification was not requested.
 * @example identified
 * @enum {string}
 */
export type IdentificationStatus = "none" | "pending" | "identified" | "failed";
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
 * The role of the photo: the front of the card, the back, or the picture for the listing.
 * @example front
 * @enum {string}
 */
export type PhotoRole = "front" | "back" | "listing";
/**
 * An ISO 4217 currency code.
 * @example USD
 * @enum {string}
 */
export type Currency = "AED" | "AFN" | "ALL" | "AMD" | "AOA" | "ARS" | "AUD" | "AWG" | "AZN" | "BAM" | "BBD" | "BDT" | "BHD" | "BIF" | "BMD" | "BND" | "BOB" | "BRL" | "BSD" | "BTN" | "BWP" | "BYN" | "BZD" | "CAD" | "CDF" | "CHF" | "CLP" | "CNY" | "COP" | "CRC" | "CUP" | "CVE" | "CZK" | "DJF" | "DKK" | "DOP" | "DZD" | "EGP" | "ERN" | "ETB" | "EUR" | "FJD" | "FKP" | "GBP" | "GEL" | "GHS" | "GIP" | "GMD" | "GNF" | "GTQ" | "GYD" | "HKD" | "HNL" | "HTG" | "HUF" | "IDR" | "ILS" | "INR" | "IQD" | "IRR" | "ISK" | "JMD" | "JOD" | "JPY" | "KES" | "KGS" | "KHR" | "KMF" | "KPW" | "KRW" | "KWD" | "KYD" | "KZT" | "LAK" | "LBP" | "LKR" | "LRD" | "LSL" | "LYD" | "MAD" | "MDL" | "MGA" | "MKD" | "MMK" | "MNT" | "MOP" | "MRU" | "MUR" | "MVR" | "MWK" | "MXN" | "MYR" | "MZN" | "NAD" | "NGN" | "NIO" | "NOK" | "NPR" | "NZD" | "OMR" | "PAB" | "PEN" | "PGK" | "PHP" | "PKR" | "PLN" | "PYG" | "QAR" | "RON" | "RSD" | "RUB" | "RWF" | "SAR" | "SBD" | "SCR" | "SDG" | "SEK" | "SGD" | "SHP" | "SLE" | "SOS" | "SRD" | "SSP" | "STN" | "SVC" | "SYP" | "SZL" | "THB" | "TJS" | "TMT" | "TND" | "TOP" | "TRY" | "TTD" | "TWD" | "TZS" | "UAH" | "UGX" | "USD" | "UYU" | "UZS" | "VES" | "VND" | "VUV" | "WST" | "XAF" | "XCD" | "XOF" | "XPF" | "YER" | "ZAR" | "ZMW";
export interface Money {
    /**
     * Format: int64
     * The amount in minor units of the currency.
     * @example 1250
     */
    amount: number;
    currency: Currency;
}
export type MoneyOrNull = {
    /**
     * Format: int64
     * The amount in minor units of the currency.
     * @example 1250
     */
    amount: number;
    currency: Currency;
} | null;
/** The grade that a grading company assigned, or null for an ungraded card. */
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
     * The certificate number.
     * @example 82137741
     */
    cert_number: string | null;
} | null;
export interface Photo {
    id: PhotoId;
    role: PhotoRole;
    /**
     * `pending` while the service fetches the photo from the URL given at import.
     * @example ready
     * @enum {string}
     */
    status: "pending" | "ready" | "failed";
    /**
     * Format: uri
     * The URL of the photo. It needs no token and expires after one to two days. Null unless `status` is `ready`.
     * @example https://vault.example/photos/acc_01k5w0q2m7t9c3r5v8x0z1b4d6/pho_01k5w0q2m7t9c3r5v8x0z1b4d6.jpg?expires=1778600000&signature=f00d
     */
    url: string | null;
    /**
     * Format: int32
     * The width in pixels; null unless `status` is `ready`.
     * @example 1200
     */
    width: number | null;
    /**
     * Format: int32
     * The height in pixels; null unless `status` is `ready`.
     * @example 1680
     */
    height: number | null;
    /**
     * Why the photo could not be fetched; null unless `status` is `failed`.
     * @example null
     */
    failure: string | null;
}
/** The description of the card and how it was identified. */
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
     * `ai` if a provider identified the card, `manual` if the title was set by hand; null until identified.
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
     * The confidence of that provider, from 0 to 1.
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
/**
 * The asking price, the floor price and the cost of the card. The asking price is the price of the card's listing
 *     too: a change while the listing is `live` revises the listing. `floor_price` is the lowest asking price that the
 *     card may have, in the currency of the asking price; a card without one has that of the account.
 */
export interface Pricing {
    asking_price: MoneyOrNull;
    floor_price: MoneyOrNull;
    cost: MoneyOrNull;
    priced_at: TimestampOrNull;
}
export interface Card {
    id: CardId;
    workflow_status: WorkflowStatus;
    /**
     * The same as `identification.title`. It is repeated here because events have it here.
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
     * The place where the card is stored, outermost segment first.
     * @example Room A/Shelf 2/Box 4/Row 1/118
     */
    location: string | null;
    /**
     * The batch that contains the card.
     * @example bat_01k5w0q2m7t9c3r5v8x0z1b4d6
     */
    batch_id: string | null;
    /**
     * The newest listing with the status `publishing`, `live`, `ending` or `sold`.
     * @example lst_01k5w0q2m7t9c3r5v8x0z1b4d6
     */
    listing_id: string | null;
    /**
     * The sale by which the card is sold. Null for a card that is not sold, also after its return.
     * @example sale_01k5w0q2m7t9c3r5v8x0z1b4d6
     */
    sale_id: string | null;
    /** At most one photo per role, in the order front, back, listing. */
    photos: Photo[];
    /**
     * The owner's article number.
     * @example PAF-054-NM
     */
    sku: string | null;
    /**
     * The identifier of the card in a system of the owner. No two cards of an account have the same one.
     * @example shop-4711
     */
    external_id: string | null;
    /**
     * The owner's notes.
     * @example Small nick at the top edge.
     */
    notes: string | null;
    /**
     * Values of the owner, by keys of the owner. CardVault stores and returns them.
     * @example {
     *       "consignor": "Ada"
     *     }
     */
    metadata: {
        [key: string]: string;
    };
    /**
     * Format: int64
     * Starts at 1 and increases by 1 with each change. The ETag of the card is the version in quotation marks.
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
     * The same as `identification.title`. It is repeated here because events have it here.
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
     * The place where the card is stored, outermost segment first.
     * @example Room A/Shelf 2/Box 4/Row 1/118
     */
    location: string | null;
    /**
     * The batch that contains the card.
     * @example bat_01k5w0q2m7t9c3r5v8x0z1b4d6
     */
    batch_id: string | null;
    /**
     * The newest listing with the status `publishing`, `live`, `ending` or `sold`.
     * @example lst_01k5w0q2m7t9c3r5v8x0z1b4d6
     */
    listing_id: string | null;
    /**
     * The sale by which the card is sold. Null for a card that is not sold, also after its return.
     * @example sale_01k5w0q2m7t9c3r5v8x0z1b4d6
     */
    sale_id: string | null;
    /** At most one photo per role, in the order front, back, listing. */
    photos: Photo[];
    /**
     * The owner's article number.
     * @example PAF-054-NM
     */
    sku: string | null;
    /**
     * The identifier of the card in a system of the owner. No two cards of an account have the same one.
     * @example shop-4711
     */
    external_id: string | null;
    /**
     * The owner's notes.
     * @example Small nick at the top edge.
     */
    notes: string | null;
    /**
     * Values of the owner, by keys of the owner. CardVault stores and returns them.
     * @example {
     *       "consignor": "Ada"
     *     }
     */
    metadata: {
        [key: string]: string;
    };
    /**
     * Format: int64
     * Starts at 1 and increases by 1 with each change. The ETag of the card is the version in quotation marks.
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
     * Pass it as `cursor` to get the next page. Null on the last page.
     * @example eyJ0IjoiMjAyNi0wNS0xMSJ9
     */
    next_cursor: string | null;
}
export interface CardList {
    data: Card[];
    /** What the request did with each card of `data`. */
    outcomes: ImportOutcome[];
}
/**
 * `created` is a new card, `updated` a card that existed and was changed, `skipped` a card that existed and was not changed.
 * @example created
 * @enum {string}
 */
export type ImportOutcome = "created" | "updated" | "skipped";
/**
 * Who made a change: a request with a token, a user of the dashboard, the import of a file, or background work.
 * @example token
 * @enum {string}
 */
export type ActorType = "token" | "user" | "import" | "worker";
export interface Actor {
    type: ActorType;
    /**
     * The identifier of the token, the user or the import, or the name of the background work.
     * @example tok_01k5w0q2m7t9c3r5v8x0z1b4d6
     */
    id: string;
    /**
     * The name of the token or the e-mail address of the user; otherwise the same as `id`.
     * @example repricer
     */
    name: string;
}
/**
 * The value of the field before or after the change, as in the card; null if there was none. A photo is its `id` and `status`.
 * @example {
 *       "amount": 1250,
 *       "currency": "USD"
 *     }
 */
export type CardFieldValue = (string | null) | number | Record<string, never>;
export interface CardChange {
    /**
     * The path of the field in the card. A photo has the path `photos.` and its role, a value of the metadata `metadata.` and its key.
     * @example pricing.asking_price
     */
    field: string;
    from: CardFieldValue;
    to: CardFieldValue;
}
export interface CardHistoryEntry {
    at: Timestamp;
    /**
     * Format: int64
     * The version after the change.
     * @example 3
     */
    version: number;
    actor: Actor;
    /** The changed fields; empty for version 1, which is the import of the card, and for the version with which a deleted card came back. */
    changes: CardChange[];
}
export interface CardHistoryPage {
    data: CardHistoryEntry[];
    /**
     * Whether there is another page.
     * @example true
     */
    has_more: boolean;
    /**
     * Pass it as `cursor` to get the next page. Null on the last page.
     * @example eyJ0IjoiMjAyNi0wNS0xMSJ9
     */
    next_cursor: string | null;
}
export interface Deletion {
    card_id: CardId;
    deleted_at: Timestamp;
}
export interface DeletionPage {
    data: Deletion[];
    /**
     * Whether there is another page.
     * @example true
     */
    has_more: boolean;
    /**
     * Pass it as `cursor` to get the next page. Null on the last page.
     * @example eyJ0IjoiMjAyNi0wNS0xMSJ9
     */
    next_cursor: string | null;
}
/** The known fields of the card. A card that has a title is identified. */
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
/** The asking price, the lowest asking price that the card may have, and the cost of the card. */
export interface PricingInput {
    asking_price?: Money;
    floor_price?: Money;
    cost?: Money;
}
export interface PhotoInput {
    /**
     * Format: uri
     * A public HTTPS URL of a JPEG, PNG, WebP, HEIC or AVIF image of at most 15 MiB. The service fetches it soon after the import.
     * @example https://images.example/ember-fox.jpg
     */
    url: string;
    role: PhotoRole;
}
/**
 * What you know about the cards on photos. With `game`, only cards of this game are considered. Cards of the `set` and
 *     in the `language` come before others that match a photo equally well; if no card of the catalogue has them, these
 *     two have no effect.
 */
export interface Hints {
    game?: Game;
    /**
     * The name or the code of the set.
     * @example Dawn of Cinders
     */
    set?: string;
    /**
     * A BCP 47 language tag.
     * @example en
     */
    language?: string;
}
/** A card to import. All fields are optional. */
export interface CardInput {
    identification?: IdentificationInput;
    pricing?: PricingInput;
    location?: CardLocation;
    /**
     * The owner's article number.
     * @example PAF-054-NM
     */
    sku?: string;
    /**
     * The owner's notes.
     * @example Small nick at the top edge.
     */
    notes?: string;
    /**
     * The identifier of the card in a system of yours. No two cards of an account can have the same one; see `on_conflict`.
     * @example shop-4711
     */
    external_id?: string;
    /**
     * Values of your own, by keys of 1 to 40 characters without control characters.
     * @example {
     *       "consignor": "Ada"
     *     }
     */
    metadata?: {
        [key: string]: string;
    };
    /**
     * Format: int32
     * How many cards to import with these values. Cards with an `external_id` have no copies. A request imports at most 500 cards.
     * @default 1
     * @example 3
     */
    copies?: number;
    batch_id?: BatchId;
    /** At most one photo per role. */
    photos?: PhotoInput[];
    /**
     * Whether to identify the card automatically once it has a photo. The default is true if the card has no title. If the card has a title, this field has no effect, because the given title is kept.
     * @example true
     */
    identify?: boolean;
    hints?: Hints;
}
export interface CardsInput {
    /** The cards. Either all of them are imported or none. */
    cards: CardInput[];
    /**
     * What to do if a card with the same `external_id` exists. `error` refuses the request with
     *     `409 external_id_taken`, `skip` leaves the card unchanged, and `update` changes the given fields of the card as
     *     `PATCH /cards/{id}` does. `photos`, `identify` and `hints` have an effect on new cards only.
     * @default error
     * @example update
     * @enum {string}
     */
    on_conflict?: "error" | "skip" | "update";
    hints?: Hints;
}
/**
 * Absent fields stay unchanged, and null clears a field. Setting a title identifies the card manually. The title of
 *     an identified card cannot be cleared. A `catalog_id` without `title`, `set`, `number`, `game`, `year`, `language`
 *     and `variant` identifies the card manually too: these fields get the values of the catalogue.
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
/** Absent fields stay unchanged, and null clears a field. */
export interface PricingPatch {
    asking_price?: MoneyOrNull;
    floor_price?: MoneyOrNull;
    cost?: MoneyOrNull;
}
/** A JSON merge patch (RFC 7396): absent fields stay unchanged, and null clears a field. */
export interface CardPatch {
    identification?: IdentificationPatch;
    pricing?: PricingPatch;
    /**
     * The place where the card is stored, 1 to 5 segments separated by `/`, outermost first.
     * @example Room A/Shelf 2
     */
    location?: string | null;
    /**
     * The owner's article number.
     * @example PAF-054-NM
     */
    sku?: string | null;
    /**
     * The owner's notes.
     * @example Small nick at the top edge.
     */
    notes?: string | null;
    /**
     * The batch to move the card into, or null to remove it from its batch.
     * @example bat_01k5w0q2m7t9c3r5v8x0z1b4d6
     */
    batch_id?: string | null;
    /**
     * The identifier of the card in a system of yours. No two cards of an account can have the same one.
     * @example shop-4711
     */
    external_id?: string | null;
    /**
     * Keys that are absent stay unchanged, and null removes a key; null instead of the object removes all. A card has at most 50 keys of 1 to 40 characters without control characters.
     * @example {
     *       "consignor": "Ada",
     *       "shelf_tag": null
     *     }
     */
    metadata?: {
        [key: string]: string | null;
    } | null;
    /**
     * True archives the card. False restores the status that follows from its data.
     * @example true
     */
    archived?: boolean;
}
/** The changes of one card, with the fields of a patch: absent fields stay unchanged, and null clears a field. */
export interface CardUpdate {
    id: CardId;
    /**
     * Format: int64
     * The version that the card must have, as `If-Match` does; otherwise the update fails with `version_mismatch`. Absent allows any version.
     * @example 3
     */
    version?: number;
    identification?: IdentificationPatch;
    pricing?: PricingPatch;
    /**
     * The place where the card is stored, 1 to 5 segments separated by `/`, outermost first.
     * @example Room A/Shelf 2
     */
    location?: string | null;
    /**
     * The owner's article number.
     * @example PAF-054-NM
     */
    sku?: string | null;
    /**
     * The owner's notes.
     * @example Small nick at the top edge.
     */
    notes?: string | null;
    /**
     * The batch to move the card into, or null to remove it from its batch.
     * @example bat_01k5w0q2m7t9c3r5v8x0z1b4d6
     */
    batch_id?: string | null;
    /**
     * The identifier of the card in a system of yours. No two cards of an account can have the same one.
     * @example shop-4711
     */
    external_id?: string | null;
    /**
     * Keys that are absent stay unchanged, and null removes a key; null instead of the object removes all. A card has at most 50 keys of 1 to 40 characters without control characters.
     * @example {
     *       "consignor": "Ada",
     *       "shelf_tag": null
     *     }
     */
    metadata?: {
        [key: string]: string | null;
    } | null;
    /**
     * True archives the card. False restores the status that follows from its data.
     * @example true
     */
    archived?: boolean;
}
export interface CardUpdates {
    /** The updates, at most one for each card. */
    updates: CardUpdate[];
    /**
     * True changes nothing if one of them fails, and returns the first error. False carries out those that can be.
     * @default false
     * @example false
     */
    atomic?: boolean;
}
/** The error of this item, as the request for it alone returns it; null if it succeeded. */
export type ItemError = {
    code: ErrorCode;
    /**
     * A message for people and logs. Its words may change.
     * @example There is no card with this identifier in your account.
     */
    message: string;
    /**
     * Format: int32
     * The HTTP status of the error.
     * @example 404
     */
    status: number;
    /** The invalid fields of the item, if any. */
    details?: ErrorDetail[];
} | null;
export interface CardUpdateResult {
    id: CardId;
    /**
     * Format: int32
     * The HTTP status that the request for this item alone has.
     * @example 200
     */
    status: number;
    card: CardOrNull;
    error: ItemError;
}
export interface CardUpdateResults {
    /** The results in the order of the updates. */
    data: CardUpdateResult[];
}
/**
 * Which photos show the same card. With `none`, each photo is the front of a card. With `order`, the photos are a
 *     front, its back, the next front and so on, so their number is even. With `name`, two files are the front and the
 *     back of a card if their names, without the extension, differ only by one of these pairs of endings: `-front` and
 *     `-back`, `_f` and `_b`, `-1` and `-2`, `(1)` and `(2)`. The case of letters does not matter. A file without a
 *     partner is the front of a card. The default is `none`.
 * @example order
 * @enum {string}
 */
export type ScanPairing = "none" | "order" | "name";
/**
 * How many cards a photo shows. With `many`, the cards on each photo, such as a page of a binder or a tray, are found,
 *     cut out and straightened, and each becomes a card with its cut as the front. The whole photo is not kept. A photo on
 *     which less than two cards are found becomes one card, with the whole photo. With `many`, send at most 5 photos, each
 *     of at most 30 cards, and no pairs. The default is `one`.
 * @example one
 * @enum {string}
 */
export type ScanCards = "one" | "many";
/** The photos of a scan, and what all of its cards have in common. */
export interface ScanInput {
    /** The files of the photos: JPEG, PNG, WebP, HEIC or AVIF images of at most 15 MiB, with 300 to 12,000 pixels on each side. Each has a file name. */
    photos: ScanPhoto[];
    pairing?: ScanPairing;
    cards?: ScanCards;
    batch_id?: BatchId;
    location?: CardLocation;
    condition?: Condition;
    game?: Game;
}
/**
 * `created` if the card was created, `refused` if one of its photos was refused.
 * @example created
 * @enum {string}
 */
export type ScanStatus = "created" | "refused";
export interface ScanResult {
    /** The names of the files, the front first. */
    files: string[];
    status: ScanStatus;
    card: CardOrNull;
    error: ItemError;
}
export interface ScanResults {
    /** The cards, in the order of the first file of each; those on one photo from top to bottom and from left to right. */
    data: ScanResult[];
}
export interface Batch {
    id: BatchId;
    /**
     * The name of the batch.
     * @example Spring fair
     */
    name: string;
    /**
     * The description of the batch.
     * @example Bought at the spring fair.
     */
    description: string | null;
    status: BatchStatus;
    /**
     * Format: int32
     * The number of cards in the batch.
     * @example 118
     */
    card_count: number;
    completed_at: TimestampOrNull;
    created_at: Timestamp;
    updated_at: Timestamp;
}
/**
 * Cards can be added to and removed from open batches only.
 * @example open
 * @enum {string}
 */
export type BatchStatus = "open" | "complete";
export interface BatchInput {
    /**
     * The name of the batch.
     * @example Spring fair
     */
    name: string;
    /**
     * The description of the batch.
     * @example Bought at the spring fair.
     */
    description?: string;
}
/** The fields to change. Fields that are left out keep their values. */
export interface BatchPatch {
    /**
     * The name of the batch.
     * @example Summer fair
     */
    name?: string;
    /**
     * The description of the batch; null removes it.
     * @example Bought at the summer fair.
     */
    description?: string | null;
}
export interface BatchPage {
    data: Batch[];
    /**
     * Whether there is another page.
     * @example true
     */
    has_more: boolean;
    /**
     * Pass it as `cursor` to get the next page. Null on the last page.
     * @example eyJ0IjoiMjAyNi0wNS0xMSJ9
     */
    next_cursor: string | null;
}
/** Exactly one of `card_id` and `photo_url`. `hints` are optional. */
export interface IdentifyRequest {
    card_id?: CardId;
    /**
     * Format: uri
     * A public HTTPS URL of a JPEG, PNG, WebP, HEIC or AVIF image of at most 15 MiB. Nothing is saved and no event fires.
     * @example https://images.example/ember-fox.jpg
     */
    photo_url?: string;
    hints?: Hints;
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
     * The confidence of the provider, from 0 to 1.
     * @example 0.97
     */
    confidence: number;
    /**
     * The provider that found it.
     * @example ocr
     */
    provider: string;
    /** What speaks for the card, strongest first. */
    signals: IdentificationSignal[];
    grade: Grade;
}
export interface IdentificationSignal {
    /**
     * What agrees with the photo: the picture, the printed name, the collector number or the body text.
     * @example number
     * @enum {string}
     */
    kind: "picture" | "name" | "number" | "text";
    /**
     * Format: double
     * How well it agrees, from 0 to 1.
     * @example 0.92
     */
    score: number;
}
export interface CandidateList {
    /** The cards that the photo may show, best first. */
    data: IdentificationResult[];
    attempted_at: TimestampOrNull;
}
export interface CatalogCard {
    id: CatalogCardId;
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
     * The short code of the set.
     * @example DOC
     */
    set_code: string | null;
    /**
     * The collector number, with the printed total if there is one.
     * @example 54/167
     */
    number: string | null;
    game: Game;
    /**
     * Format: int32
     * The year of the set.
     * @example 2026
     */
    year: number | null;
    /**
     * A BCP 47 language tag.
     * @example en
     */
    language: string | null;
    /**
     * The variant.
     * @example reverse holo
     */
    variant: string | null;
    /**
     * The rarity.
     * @example rare
     */
    rarity: string | null;
    price: MoneyOrNull;
    price_as_of: TimestampOrNull;
}
export interface CatalogCardList {
    /** The cards, best match first. */
    data: CatalogCard[];
    /**
     * Whether more cards match. Narrow the search to see them.
     * @example false
     */
    has_more: boolean;
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
     * The confidence of the provider, from 0 to 1.
     * @example 0.97
     */
    confidence: number;
    /**
     * The provider that found it.
     * @example ocr
     */
    provider: string;
    /** What speaks for the card, strongest first. */
    signals: IdentificationSignal[];
    grade: Grade;
} | null;
export interface IdentifyAttempt {
    /**
     * The provider that was called.
     * @example ocr
     */
    provider: string;
    /**
     * The outcome of the call.
     * @example accepted
     * @enum {string}
     */
    outcome: "accepted" | "below_threshold" | "no_match" | "error" | "timeout";
    /**
     * Format: double
     * The confidence of the best candidate, from 0 to 1; null if there is no candidate.
     * @example 0.97
     */
    confidence: number | null;
    /**
     * Format: int64
     * The duration of the call in milliseconds.
     * @example 1830
     */
    duration_ms: number;
    /**
     * More information, for people.
     * @example null
     */
    message: string | null;
}
export interface IdentifyOutcome {
    /**
     * `identified` if the best candidate of a provider was accepted, otherwise `failed`.
     * @example identified
     * @enum {string}
     */
    outcome: "identified" | "failed";
    card: CardOrNull;
    result: IdentificationResultOrNull;
    /** The cards that the photo may show, best first. */
    candidates: IdentificationResult[];
    /** The calls of the providers. */
    attempts: IdentifyAttempt[];
}
/** Exactly one of `card_id` and `card`. */
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
}
export interface PriceEstimate {
    price: Money;
    low: Money;
    high: Money;
    /**
     * The source of the prices.
     * @example sold_listings
     * @enum {string}
     */
    basis: "sold_listings" | "catalog" | "provider";
    /**
     * Format: int32
     * The number of prices that the estimate is based on.
     * @example 7
     */
    sample_size: number;
    /**
     * Format: int32
     * The age of the newest of these prices in days.
     * @example 4
     */
    newest_age_days: number;
    /** Up to 20 of these prices, newest first. */
    comparables: Comparable[];
    /** Up to 20 prices that were found but are not used, newest first. */
    excluded: ExcludedComparable[];
    as_of: Timestamp;
}
export type PriceEstimateOrNull = {
    price: Money;
    low: Money;
    high: Money;
    /**
     * The source of the prices.
     * @example sold_listings
     * @enum {string}
     */
    basis: "sold_listings" | "catalog" | "provider";
    /**
     * Format: int32
     * The number of prices that the estimate is based on.
     * @example 7
     */
    sample_size: number;
    /**
     * Format: int32
     * The age of the newest of these prices in days.
     * @example 4
     */
    newest_age_days: number;
    /** Up to 20 of these prices, newest first. */
    comparables: Comparable[];
    /** Up to 20 prices that were found but are not used, newest first. */
    excluded: ExcludedComparable[];
    as_of: Timestamp;
} | null;
export interface PriceLookupResult {
    id: CardId;
    /**
     * Format: int32
     * The HTTP status that the request for this item alone has.
     * @example 200
     */
    status: number;
    estimate: PriceEstimateOrNull;
    error: ItemError;
}
export interface PriceLookupResults {
    /** The results in the order of the cards. */
    data: PriceLookupResult[];
}
export interface Comparable {
    /**
     * The title of the card that was sold.
     * @example Ember Fox 54/167 NM
     */
    title: string;
    price: Money;
    sold_at: TimestampOrNull;
    /**
     * The marketplace or other source of the price.
     * @example sandbox
     */
    source: string;
    /**
     * Format: int32
     * The age of the price in days: since the sale, or since the import of the price into the catalogue.
     * @example 4
     */
    age_days: number;
    /**
     * Format: double
     * How much the price counts: 1 for an equal card that was sold in the last 30 days.
     * @example 0.8
     */
    weight: number;
}
export interface ExcludedComparable {
    /**
     * The title of the card that was sold.
     * @example Ember Fox 54/167 NM
     */
    title: string;
    price: Money;
    sold_at: TimestampOrNull;
    /**
     * The marketplace or other source of the price.
     * @example sandbox
     */
    source: string;
    /**
     * Format: int32
     * The age of the price in days: since the sale, or since the import of the price into the catalogue.
     * @example 4
     */
    age_days: number;
    /**
     * `outlier` if the price is too far from the others, `other_currency` if most prices are in another currency.
     * @example outlier
     * @enum {string}
     */
    reason: "outlier" | "other_currency";
}
/**
 * `sandbox` is the sandbox marketplace that comes with CardVault. Expect other marketplaces in responses. A request can name those that the server knows.
 * @example sandbox
 */
export type Marketplace = "ebay" | "sandbox" | (string & {});
/**
 * `publishing` → `live` → `sold` or `ended`; `publishing` → `failed`; `live` → `ending` → `ended`, or `sold` if the card is bought first. If an order becomes visible after the listing had ended, `ended` → `sold`.
 * @example live
 * @enum {string}
 */
export type ListingStatus = "publishing" | "live" | "ending" | "sold" | "ended" | "failed";
/** Why the listing failed; null unless `status` is `failed`. */
export type ListingFailure = {
    /**
     * A stable string: a code of the marketplace, `marketplace_unreachable` after a day of failed attempts, or `sold_elsewhere` if the card was sold before the listing was live.
     * @example marketplace_unreachable
     */
    code: string;
    /**
     * How to correct the failure.
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
     * The title that the marketplace shows.
     * @example Dawn of Cinders Ember Fox 54/167 NM
     */
    title: string;
    price: Money;
    /**
     * The listing's identifier on the marketplace.
     * @example 110551234567
     */
    external_id: string | null;
    /**
     * Format: uri
     * The URL of the listing on the marketplace.
     * @example https://market.example/itm/110551234567
     */
    url: string | null;
    failure: ListingFailure;
    revision: ListingRevision;
    sold_price: MoneyOrNull;
    /**
     * The order number on the marketplace.
     * @example 12-04567-89012
     */
    buyer_reference: string | null;
    /**
     * Why the listing ended without a sale: `ended_by_seller`, `ended_at_marketplace`, `not_at_marketplace`, `sold_elsewhere` or `given_up`. More values may be added. `sold_elsewhere` is set as soon as the card is sold, before the marketplace confirms.
     * @example ended_by_seller
     */
    end_reason: string | null;
    published_at: TimestampOrNull;
    sold_at: TimestampOrNull;
    ended_at: TimestampOrNull;
    created_at: Timestamp;
    updated_at: Timestamp;
}
/** A JSON merge patch (RFC 7396): absent fields stay unchanged. */
export interface ListingPatch {
    price?: Money;
    /**
     * The title that the marketplace shows.
     * @example Dawn of Cinders Ember Fox 54/167 NM
     */
    title?: string;
}
export interface ListingPage {
    data: Listing[];
    /**
     * Whether there is another page.
     * @example true
     */
    has_more: boolean;
    /**
     * Pass it as `cursor` to get the next page. Null on the last page.
     * @example eyJ0IjoiMjAyNi0wNS0xMSJ9
     */
    next_cursor: string | null;
}
export type ListingOrNull = {
    id: ListingId;
    card_id: CardId;
    marketplace: Marketplace;
    status: ListingStatus;
    /**
     * The title that the marketplace shows.
     * @example Dawn of Cinders Ember Fox 54/167 NM
     */
    title: string;
    price: Money;
    /**
     * The listing's identifier on the marketplace.
     * @example 110551234567
     */
    external_id: string | null;
    /**
     * Format: uri
     * The URL of the listing on the marketplace.
     * @example https://market.example/itm/110551234567
     */
    url: string | null;
    failure: ListingFailure;
    revision: ListingRevision;
    sold_price: MoneyOrNull;
    /**
     * The order number on the marketplace.
     * @example 12-04567-89012
     */
    buyer_reference: string | null;
    /**
     * Why the listing ended without a sale: `ended_by_seller`, `ended_at_marketplace`, `not_at_marketplace`, `sold_elsewhere` or `given_up`. More values may be added. `sold_elsewhere` is set as soon as the card is sold, before the marketplace confirms.
     * @example ended_by_seller
     */
    end_reason: string | null;
    published_at: TimestampOrNull;
    sold_at: TimestampOrNull;
    ended_at: TimestampOrNull;
    created_at: Timestamp;
    updated_at: Timestamp;
} | null;
/** Exactly one of `card_ids` and `filter`. */
export interface PublishManyInput {
    /** The cards. They must differ. */
    card_ids?: CardId[];
    filter?: JobFilter;
    marketplace?: Marketplace;
    /**
     * True changes nothing if one of them fails, and returns the first error. False carries out those that can be.
     * @default false
     * @example false
     */
    atomic?: boolean;
    /**
     * Format: int32
     * The number of cards that you expect the request to select. If the real number differs by more than 1 %, rounded down, nothing is changed and the response is `409 unexpected_count`: below 100 cards, the numbers must be equal.
     * @example 240
     */
    expected_count?: number;
}
export interface PublishResult {
    id: CardId;
    /**
     * Format: int32
     * The HTTP status that the request for this item alone has.
     * @example 200
     */
    status: number;
    listing: ListingOrNull;
    error: ItemError;
}
export interface PublishResults {
    /** The results in the order of the cards. */
    data: PublishResult[];
}
export interface EndManyInput {
    /** The listings. They must differ. */
    listing_ids: ListingId[];
    /**
     * True changes nothing if one of them fails, and returns the first error. False carries out those that can be.
     * @default false
     * @example false
     */
    atomic?: boolean;
}
export interface EndResult {
    id: ListingId;
    /**
     * Format: int32
     * The HTTP status that the request for this item alone has.
     * @example 200
     */
    status: number;
    listing: ListingOrNull;
    error: ItemError;
}
export interface EndResults {
    /** The results in the order of the listings. */
    data: EndResult[];
}
/** Absent fields are taken from the card and the account. `price` becomes the asking price of the card. */
export interface PublishInput {
    marketplace?: Marketplace;
    price?: Money;
    /**
     * The title that the marketplace shows.
     * @example Dawn of Cinders Ember Fox 54/167 NM
     */
    title?: string;
}
/**
 * Where the card was sold: a marketplace, the own shop, face to face, or elsewhere. Expect other marketplaces in responses. A request can name those that the server knows.
 * @example in_person
 */
export type SaleChannel = "ebay" | "sandbox" | "own_store" | "in_person" | "other" | (string & {});
/**
 * `refunded` if the price was returned in full, otherwise `completed`. `voided` for a sale that was recorded by mistake. `cancelled` is for orders that a marketplace cancels; nothing sets it yet.
 * @example completed
 * @enum {string}
 */
export type SaleStatus = "completed" | "refunded" | "cancelled" | "voided";
/** An amount that can be negative. */
export interface SignedMoney {
    /**
     * Format: int64
     * The amount in minor units of the currency.
     * @example 1092
     */
    amount: number;
    currency: Currency;
}
export interface Fee {
    /**
     * What the fee is for, such as `final_value`, `payment` or `table`.
     * @example final_value
     */
    kind: string;
    amount: Money;
}
/** What a refund returned. `amount` of the refund is the sum of `item`, `shipping` and `tax`, which the buyer got back; `fees` is what the marketplace returned to you. */
export interface RefundParts {
    item: Money;
    shipping: Money;
    tax: Money;
    fees: Money;
}
/** What the refund returns. The buyer gets `item` of the price, `shipping` of `shipping_charged` and `tax` of `tax`, each at most what is not refunded yet. `fees` is what the marketplace returns to you of `fees`. An absent part is 0. */
export interface RefundPartsInput {
    item?: Money;
    shipping?: Money;
    tax?: Money;
    fees?: Money;
}
export interface SaleRefund {
    amount: Money;
    at: Timestamp;
    /**
     * Why the amount was refunded.
     * @example Corner damaged in the post.
     */
    reason: string | null;
    parts: RefundParts;
}
/** How the card was sent, or null. */
export type SaleTracking = {
    /**
     * The carrier.
     * @example DHL
     */
    carrier: string;
    /**
     * The tracking number.
     * @example 00340434161094042557
     */
    number: string;
} | null;
/** The card as it was when it was sold. */
export interface SoldCard {
    /**
     * The name of the card.
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
}
/**
 * A sale of a card. It does not change when the card is edited or deleted. Its amounts have the currency of `gross`, except
 *     `cost_at_sale`, which has its own.
 */
export interface Sale {
    id: SaleId;
    card_id: CardId;
    /**
     * The listing that was sold; null for a sale elsewhere.
     * @example lst_01k5w0q2m7t9c3r5v8x0z1b4d6
     */
    listing_id: string | null;
    channel: SaleChannel;
    /**
     * The number of the order.
     * @example 12-04567-89012
     */
    order_reference: string | null;
    sold_at: Timestamp;
    gross: Money;
    shipping_charged: Money;
    shipping_cost: Money;
    tax: Money;
    /** The fees that the seller paid. */
    fees: Fee[];
    net: SignedMoney;
    cost_at_sale: MoneyOrNull;
    card: SoldCard;
    /**
     * The owner's reference to the buyer. For a sale on a marketplace, the order number there.
     * @example 12-04567-89012
     */
    buyer_reference: string | null;
    status: SaleStatus;
    /** The refunds, oldest first. */
    refunds: SaleRefund[];
    restocked_at: TimestampOrNull;
    voided_at: TimestampOrNull;
    shipped_at: TimestampOrNull;
    tracking: SaleTracking;
    /**
     * Format: int64
     * Starts at 1 and increases by 1 with each change. The ETag of the sale is the version in quotation marks.
     * @example 3
     */
    version: number;
    created_at: Timestamp;
    updated_at: Timestamp;
}
export interface SalePage {
    data: Sale[];
    /**
     * Whether there is another page.
     * @example true
     */
    has_more: boolean;
    /**
     * Pass it as `cursor` to get the next page. Null on the last page.
     * @example eyJ0IjoiMjAyNi0wNS0xMSJ9
     */
    next_cursor: string | null;
}
export interface SellInput {
    channel: SaleChannel;
    price: Money;
    /**
     * Format: date-time
     * When the card was sold, at most a day in the future. The default is now.
     * @example 2026-05-11T15:32:01Z
     */
    sold_at?: string;
    /** The fees that you paid. */
    fees?: Fee[];
    /**
     * The number of the order.
     * @example 12-04567-89012
     */
    order_reference?: string;
}
/** A JSON merge patch (RFC 7396): absent fields stay unchanged, and null clears a field. An array replaces the one before. No amount can become less than what was returned of it. */
export interface SalePatch {
    gross?: Money;
    /**
     * Format: date-time
     * When the card was sold, at most a day in the future.
     * @example 2026-05-11T15:32:01Z
     */
    sold_at?: string;
    /** The fees that you paid. */
    fees?: Fee[];
    shipping_charged?: Money;
    shipping_cost?: Money;
    tax?: Money;
    tracking?: SaleTracking;
    /**
     * Format: date-time
     * When the card was sent.
     * @example 2026-05-12T09:00:00Z
     */
    shipped_at?: string | null;
    /**
     * Your reference to the buyer.
     * @example Table 12
     */
    buyer_reference?: string | null;
}
/** At most one of `amount` and `parts`. `amount` is refunded of the price first; what exceeds the price is of the shipping, then of the tax. */
export interface RefundInput {
    amount?: Money;
    /**
     * Why the amount is refunded.
     * @example Corner damaged in the post.
     */
    reason?: string;
    /**
     * Whether the card came back and can be sold again.
     * @example true
     */
    restock: boolean;
    parts?: RefundPartsInput;
}
/**
 * What the job does with each card: `update` applies `patch` or `price_change`, as `PATCH /cards/{id}`; `identify` queues the card for
 *     automatic identification; `publish` publishes it at its asking price on the default marketplace; `end` ends its live
 *     listing; `archive` archives it, and first ends its live listing: the card stays `listed` until it has ended; `delete`
 *     deletes it; `restore` brings a deleted card back. Only the undo of a job has the kind `restore`: a request cannot
 *     name it.
 * @example archive
 * @enum {string}
 */
export type JobKind = "update" | "identify" | "publish" | "end" | "archive" | "delete" | "restore";
/**
 * `queued` until the job starts. `done` when each card was changed, needed no change, or was refused.
 * @example running
 * @enum {string}
 */
export type JobStatus = "queued" | "running" | "done" | "cancelled";
/** Selects the cards that `GET /cards` returns for query parameters with these names and values. */
export interface JobFilter {
    /** Cards with one of these workflow statuses. */
    status?: WorkflowStatus[];
    batch?: BatchId;
    location?: CardLocation;
    /**
     * Cards of the set with exactly this name.
     * @example Dawn of Cinders
     */
    set?: string;
    game?: Game;
    /**
     * Cards with exactly this collector number.
     * @example 54/167
     */
    number?: string;
    condition?: Condition;
    identification?: IdentificationStatus;
    /**
     * Format: int64
     * Cards with an asking price of at least this amount, in minor units of `currency` or, without it, of the account's currency.
     * @example 500
     */
    min_price?: number;
    /**
     * Format: int64
     * Cards with an asking price of at most this amount, in minor units of `currency` or, without it, of the account's currency.
     * @example 5000
     */
    max_price?: number;
    currency?: Currency;
    /**
     * Cards with exactly this SKU.
     * @example PAF-054-NM
     */
    sku?: string;
    /**
     * The card with exactly this `external_id`.
     * @example shop-4711
     */
    external_id?: string;
    /** These cards. Identifiers that do not exist are ignored. */
    ids?: CardId[];
    /**
     * Cards with exactly this identifier in the catalogue.
     * @example ember-54
     */
    catalog_id?: string;
    /**
     * Cards with exactly this language.
     * @example en
     */
    language?: string;
    /**
     * Cards with this grade: a grading company (`PSA`), a company and a value (`PSA 9.5`), or `none` for cards that are not graded.
     * @example PSA 9.5
     */
    grade?: string;
    /**
     * Cards with a photo whose status is `ready` or, if false, cards without one.
     * @example true
     */
    has_photo?: boolean;
    /**
     * Cards whose title, number, set, SKU and external id together contain all of these words or parts of words. Case, accents and width are ignored, hiragana and katakana are the same, and so are `’` and the plain apostrophe, `ß` and `ss`, `æ` and `ae`.
     * @example ember fox
     */
    q?: string;
}
/** Exactly one of `card_ids` and `filter`. Exactly one of `patch` and `price_change` is required for the kind `update`, and neither is allowed for the others. `hints` are allowed for the kind `identify` only, and replace those that are kept with the cards. */
export interface JobInput {
    kind: JobKind;
    /** The cards. They must differ. */
    card_ids?: CardId[];
    filter?: JobFilter;
    patch?: CardPatch;
    price_change?: PriceChange;
    hints?: Hints;
    /**
     * Format: int32
     * The number of cards that you expect the request to select. If the real number differs by more than 1 %, rounded down, nothing is changed and the response is `409 unexpected_count`: below 100 cards, the numbers must be equal.
     * @example 240
     */
    expected_count?: number;
}
/** A new asking price: the present one, or an estimate, changed by percent and rounded half up to the minor unit. A card whose price would be less than one minor unit is refused with `invalid_request`. A card without the price that is changed is refused: with `card_not_priced` if it has no asking price, with `card_not_identified` or `no_price_found` if it has no estimate. */
export interface PriceChange {
    /**
     * The price that is changed: the asking price, or the `price` that `POST /price-lookup` returns for the card.
     * @default asking_price
     * @example estimate
     * @enum {string}
     */
    of?: "asking_price" | "estimate";
    /**
     * Format: double
     * The change in percent, negative to lower the price. Decimals after the second are rounded.
     * @example -12.5
     */
    percent: number;
    /**
     * Whether to round to the nearest price that ends in .99, or in .990 for a currency with three decimals. It does not apply to currencies without decimals, and not where rounding would move the price by more than half a unit or by more than the change: a negative `percent` never raises a price, and a positive one never lowers it.
     * @default false
     * @example true
     */
    round_to_99?: boolean;
}
export interface Job {
    id: JobId;
    kind: JobKind;
    status: JobStatus;
    /**
     * Format: int32
     * The number of cards. With a `filter`, it rises while the service reads the cards that match.
     * @example 5000
     */
    total: number;
    /**
     * Format: int32
     * The number of cards that were changed, deleted or brought back.
     * @example 1840
     */
    done: number;
    /**
     * Format: int32
     * The number of cards that already were as the job would have made them.
     * @example 12
     */
    unchanged: number;
    /**
     * Format: int32
     * The number of cards that could not be changed. `GET /jobs/{id}/refusals` returns them.
     * @example 2
     */
    refused: number;
    created_at: Timestamp;
    updated_at: Timestamp;
    finished_at: TimestampOrNull;
    undoable_until: TimestampOrNull;
    /**
     * The job whose changes this one takes back.
     * @example job_01k5w0q2m7t9c3r5v8x0z1b4d6
     */
    undoes: string | null;
    /**
     * The job that takes the changes of this one back. Null again after it was cancelled, or has brought some of the deleted cards back only.
     * @example job_01k5w0q2m7t9c3r5v8x0z1b4d6
     */
    undone_by: string | null;
}
export interface JobPage {
    data: Job[];
    /**
     * Whether there is another page.
     * @example true
     */
    has_more: boolean;
    /**
     * Pass it as `cursor` to get the next page. Null on the last page.
     * @example eyJ0IjoiMjAyNi0wNS0xMSJ9
     */
    next_cursor: string | null;
}
/**
 * Why something waits: a stable string for programs. After a failed attempt it is the reason of that attempt. New codes may be added.
 * @example marketplace_unavailable
 * @enum {string}
 */
export type WaitReason = "busy" | "identification_unavailable" | "in_progress" | "interrupted" | "marketplace_limit" | "marketplace_not_connected" | "marketplace_unavailable" | "photo_pending" | "photo_unreachable" | "queued" | "revision_limit" | "service_problem";
/**
 * Why something is not done yet. `next_attempt_at` is when the next attempt is due. It is in the past if the attempt waits
 *     for its turn, and null while an attempt is under way or while something else must be done first.
 */
export interface Waiting {
    since: Timestamp;
    reason: WaitReason;
    /**
     * A sentence for people. Its words may change.
     * @example The marketplace did not answer, or could not do it. CardVault will try again.
     */
    message: string;
    next_attempt_at: TimestampOrNull;
}
/** Why something is not done yet, or null if it does not wait. */
export type WaitingOrNull = {
    since: Timestamp;
    reason: WaitReason;
    /**
     * A sentence for people. Its words may change.
     * @example The marketplace did not answer, or could not do it. CardVault will try again.
     */
    message: string;
    next_attempt_at: TimestampOrNull;
} | null;
export interface ListingWaiting {
    waiting: WaitingOrNull;
}
export interface JobWaiting {
    waiting: WaitingOrNull;
}
/** A photo that is to be fetched. */
export interface PhotoWaiting {
    photo_id: PhotoId;
    waiting: Waiting;
}
export interface CardWaiting {
    identification: WaitingOrNull;
    /** The photos with the status `pending`, in the order of the card. */
    photos: PhotoWaiting[];
}
/** An import of a file that was accepted and has not ended. */
export interface ImportWaiting {
    id: ImportId;
    /**
     * Format: int32
     * The number of cards that are not written yet.
     * @example 1200
     */
    cards_left: number;
    waiting: Waiting;
}
export interface AccountWaiting {
    /** The imports of files that have not ended, the first one first. */
    imports: ImportWaiting[];
    export: WaitingOrNull;
}
/** A card that a job could not change, and why. */
export interface JobRefusal {
    card_id: CardId;
    error: ItemError;
    refused_at: Timestamp;
}
export interface JobRefusalPage {
    data: JobRefusal[];
    /**
     * Whether there is another page.
     * @example true
     */
    has_more: boolean;
    /**
     * Pass it as `cursor` to get the next page. Null on the last page.
     * @example eyJ0IjoiMjAyNi0wNS0xMSJ9
     */
    next_cursor: string | null;
}
/**
 * An order of cards, descending with `-`.
 * @default -created_at
 * @example -price
 * @enum {string}
 */
export type CardOrder = "created_at" | "-created_at" | "updated_at" | "-updated_at" | "price" | "-price" | "title" | "-title" | "location" | "-location";
/**
 * The field by which cards are grouped.
 * @example status
 * @enum {string}
 */
export type CardGrouping = "status" | "location" | "set" | "batch" | "game";
export interface CurrencyTotal {
    /**
     * Format: int64
     * The sum in minor units of the currency.
     * @example 1250000
     */
    amount: number;
    currency: Currency;
}
export interface CardTotals {
    /**
     * Format: int64
     * The number of cards.
     * @example 1234
     */
    count: number;
    /** The sum of the asking prices in each currency. */
    asking_price: CurrencyTotal[];
    /** The sum of the costs in each currency. */
    cost: CurrencyTotal[];
}
export interface CardGroup {
    /**
     * The status, location, set, game or identifier of the batch; null for cards without one.
     * @example priced
     */
    group: string | null;
    /**
     * Format: int64
     * The number of cards.
     * @example 1234
     */
    count: number;
    /** The sum of the asking prices in each currency. */
    asking_price: CurrencyTotal[];
    /** The sum of the costs in each currency. */
    cost: CurrencyTotal[];
}
export interface CardSummary {
    group_by: CardGrouping;
    as_of: Timestamp;
    total: CardTotals;
    /**
     * Format: int64
     * The number of groups, also of those that `data` leaves out.
     * @example 7
     */
    group_count: number;
    /** The 1,000 groups with the most cards, in order of their number. */
    data: CardGroup[];
}
/**
 * The period or the channel by which sales are grouped. Weeks start on Monday.
 * @example month
 * @enum {string}
 */
export type ReportGrouping = "day" | "week" | "month" | "channel";
/** The sales of one group in one currency, in minor units. `profit` is `net` − `refunds` + `tax_refunded` + `fees_returned` − `cost`, because tax is not part of `net`. */
export interface SalesReportRow {
    /**
     * The first day of the period, or the channel.
     * @example 2026-05-01
     */
    group: string;
    currency: Currency;
    /**
     * Format: int64
     * The number of sales in this currency.
     * @example 42
     */
    count: number;
    /**
     * Format: int64
     * The sum of the prices.
     * @example 52500
     */
    gross: number;
    /**
     * Format: int64
     * The sum of what buyers paid for shipping.
     * @example 8000
     */
    shipping_charged: number;
    /**
     * Format: int64
     * The sum of what shipping cost you.
     * @example 7600
     */
    shipping_cost: number;
    /**
     * Format: int64
     * The sum of the fees.
     * @example 6300
     */
    fees: number;
    /**
     * Format: int64
     * The sum of the taxes. They are not part of any other amount.
     * @example 0
     */
    tax: number;
    /**
     * Format: int64
     * The sum of `net` of the sales.
     * @example 46600
     */
    net: number;
    /**
     * Format: int64
     * The sum of the refunds of these sales, whenever they were made: what buyers got back of prices, shipping and taxes.
     * @example 1250
     */
    refunds: number;
    /**
     * Format: int64
     * The part of `refunds` that is of the taxes.
     * @example 0
     */
    tax_refunded: number;
    /**
     * Format: int64
     * What marketplaces returned of the fees.
     * @example 0
     */
    fees_returned: number;
    /**
     * Format: int64
     * What the sold cards cost, without those that came back. A cost in another currency than its sale is in the row of its own currency.
     * @example 21000
     */
    cost: number;
    /**
     * Format: int64
     * `net` − `refunds` + `tax_refunded` + `fees_returned` − `cost`.
     * @example 24350
     */
    profit: number;
}
export interface SalesReport {
    group_by: ReportGrouping;
    since: Timestamp;
    before: Timestamp;
    /**
     * The time zone of the periods.
     * @example Europe/Berlin
     */
    time_zone: string;
    /** The groups that have sales, in order, and the currencies of each in alphabetical order. */
    data: SalesReportRow[];
}
/** The value of the cards in one currency, in minor units. */
export interface StockValue {
    currency: Currency;
    /**
     * Format: int64
     * The number of cards that have an asking price or a cost in this currency.
     * @example 1180
     */
    count: number;
    /**
     * Format: int64
     * The sum of the asking prices.
     * @example 1250000
     */
    asking_price: number;
    /**
     * Format: int64
     * The sum of the costs.
     * @example 610000
     */
    cost: number;
}
/** The value of the stock on one day. */
export interface StockDay {
    /**
     * The day, in the time zone that the account had on it.
     * @example 2026-05-11
     */
    date: string;
    /**
     * Format: int64
     * The number of cards in stock, also of those without a price.
     * @example 1234
     */
    count: number;
    /** The currencies in which a card has an asking price or a cost, in alphabetical order. */
    values: StockValue[];
}
export interface StockReport {
    /**
     * Format: int32
     * The number of days that the report covers, today included.
     * @example 84
     */
    days: number;
    /**
     * The time zone of the account.
     * @example Europe/Berlin
     */
    time_zone: string;
    /** The days that were recorded, in order. The last one is today. */
    data: StockDay[];
}
/**
 * The kind of the event. Endpoints that name no kinds get the first eight, from `card.identified` to
 *     `identify.failed`; the others go only to endpoints that name them. `card.updated` and `listing.updated` are recorded
 *     only while an endpoint of the account names them.
 * @example card.identified
 * @enum {string}
 */
export type EventKind = "card.identified" | "card.priced" | "card.workflow_status_changed" | "listing.published" | "listing.sold" | "listing.ended" | "batch.completed" | "identify.failed" | "card.updated" | "card.deleted" | "card.restored" | "sale.created" | "sale.refunded" | "listing.updated" | "sale.voided";
/** A card was identified for the first time, or again after a review was undone, by AI or manually. */
export interface CardIdentifiedData {
    card_id: CardId;
    /**
     * The name of the card; "" if unknown.
     * @example Ember Fox
     */
    title: string;
    /**
     * The name of the set; "" if unknown.
     * @example Dawn of Cinders
     */
    set: string;
    /**
     * The collector number; "" if unknown.
     * @example 54/167
     */
    number: string;
}
/** A card got an asking price for the first time. */
export interface CardPricedData {
    card_id: CardId;
    /**
     * The name of the card; "" if unknown.
     * @example Ember Fox
     */
    title: string;
    /**
     * The name of the set; "" if unknown.
     * @example Dawn of Cinders
     */
    set: string;
    /**
     * The collector number; "" if unknown.
     * @example 54/167
     */
    number: string;
    asking_price: Money;
}
/** The workflow status of a card changed by one transition. */
export interface CardWorkflowStatusChangedData {
    card_id: CardId;
    /**
     * The name of the card; "" if unknown.
     * @example Ember Fox
     */
    title: string;
    /**
     * The name of the set; "" if unknown.
     * @example Dawn of Cinders
     */
    set: string;
    /**
     * The collector number; "" if unknown.
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
     * The name of the card; "" if unknown.
     * @example Ember Fox
     */
    title: string;
    /**
     * The name of the set; "" if unknown.
     * @example Dawn of Cinders
     */
    set: string;
    /**
     * The collector number; "" if unknown.
     * @example 54/167
     */
    number: string;
    listing_id: ListingId;
    marketplace: Marketplace;
    /**
     * The listing's identifier on the marketplace.
     * @example 110551234567
     */
    external_id: string;
    /**
     * Format: uri
     * The URL of the listing on the marketplace.
     * @example https://market.example/itm/110551234567
     */
    url: string;
    price: Money;
}
/** A listing ended with a sale. */
export interface ListingSoldData {
    card_id: CardId;
    /**
     * The name of the card; "" if unknown.
     * @example Ember Fox
     */
    title: string;
    /**
     * The name of the set; "" if unknown.
     * @example Dawn of Cinders
     */
    set: string;
    /**
     * The collector number; "" if unknown.
     * @example 54/167
     */
    number: string;
    listing_id: ListingId;
    marketplace: Marketplace;
    /**
     * The listing's identifier on the marketplace.
     * @example 110551234567
     */
    external_id: string;
    sold_price: Money;
    sold_at: Timestamp;
}
/**
 * `pending` until the marketplace confirms the title and the price of the listing, then `done`, or `failed` if it refuses
 *     them. `none` if the listing was not revised, or ended before the marketplace confirmed.
 * @example pending
 * @enum {string}
 */
export type RevisionStatus = "none" | "pending" | "done" | "failed";
/** Why the marketplace refused the revision; null unless `status` is `failed`. The marketplace shows the values before. */
export type RevisionFailure = {
    /**
     * A stable string: a code of the marketplace, or one such as `invalid_title`.
     * @example ebay_25002
     */
    code: string;
    /**
     * How to correct the failure.
     * @example The price is lower than the marketplace allows.
     */
    message: string;
} | null;
/**
 * The last change of the title or the price of a live listing. `delayed_until` is when a pending change is sent to the
 *     marketplace, if it has to wait because the listing was changed 250 times today. A later change replaces it. Events do not have
 *     `delayed_until`.
 */
export interface ListingRevision {
    status: RevisionStatus;
    failure: RevisionFailure;
    delayed_until?: TimestampOrNull;
}
/** The title or the price of a live listing was changed, and the marketplace confirmed or refused it: one event for each. */
export interface ListingUpdatedData {
    card_id: CardId;
    /**
     * The name of the card; "" if unknown.
     * @example Ember Fox
     */
    title: string;
    /**
     * The name of the set; "" if unknown.
     * @example Dawn of Cinders
     */
    set: string;
    /**
     * The collector number; "" if unknown.
     * @example 54/167
     */
    number: string;
    listing_id: ListingId;
    marketplace: Marketplace;
    /**
     * The listing's identifier on the marketplace.
     * @example 110551234567
     */
    external_id: string;
    /**
     * The title of the listing.
     * @example Dawn of Cinders Ember Fox 54/167 NM
     */
    listing_title: string;
    price: Money;
    revision: ListingRevision;
}
/** A listing ended without a sale. */
export interface ListingEndedData {
    card_id: CardId;
    /**
     * The name of the card; "" if unknown.
     * @example Ember Fox
     */
    title: string;
    /**
     * The name of the set; "" if unknown.
     * @example Dawn of Cinders
     */
    set: string;
    /**
     * The collector number; "" if unknown.
     * @example 54/167
     */
    number: string;
    listing_id: ListingId;
    marketplace: Marketplace;
    /**
     * The listing's identifier on the marketplace.
     * @example 110551234567
     */
    external_id: string;
    /**
     * Why the listing ended: `ended_by_seller`, `ended_at_marketplace`, `not_at_marketplace`, `sold_elsewhere` or `given_up`. More values may be added.
     * @example ended_by_seller
     */
    end_reason: string;
    ended_at: Timestamp;
}
/** A batch was marked complete. */
export interface BatchCompletedData {
    batch_id: BatchId;
    /**
     * The name of the batch.
     * @example Spring fair
     */
    name: string;
    /**
     * Format: int32
     * The number of cards in the batch.
     * @example 118
     */
    card_count: number;
    completed_at: Timestamp;
}
/** Both identification providers failed to identify a card. */
export interface IdentifyFailedData {
    card_id: CardId;
    /**
     * The name of the card; "" if unknown.
     * @example Ember Fox
     */
    title: string;
    /**
     * The name of the set; "" if unknown.
     * @example Dawn of Cinders
     */
    set: string;
    /**
     * The collector number; "" if unknown.
     * @example 54/167
     */
    number: string;
    /** The failed calls of the providers. */
    attempts: IdentifyFailedAttempt[];
}
export interface IdentifyFailedAttempt {
    /**
     * The provider.
     * @example ocr
     */
    provider: string;
    /**
     * How the call failed.
     * @example no_match
     * @enum {string}
     */
    outcome: "below_threshold" | "no_match" | "error" | "timeout";
    /**
     * More information, for people; may be empty.
     * @example
     */
    message: string;
}
/** The body of a webhook delivery and an item of `GET /events`. The same event may be delivered more than once. */
export type CardVaultEvent = CardIdentifiedEvent | CardPricedEvent | CardWorkflowStatusChangedEvent | ListingPublishedEvent | ListingSoldEvent | ListingEndedEvent | BatchCompletedEvent | IdentifyFailedEvent | CardUpdatedEvent | CardDeletedEvent | CardRestoredEvent | SaleCreatedEvent | SaleRefundedEvent | ListingUpdatedEvent | SaleVoidedEvent | UnknownEvent;
export interface CardIdentifiedEvent {
    id: EventId;
    /**
     * The kind of the event.
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
     * The kind of the event.
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
     * The kind of the event.
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
     * The kind of the event.
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
     * The kind of the event.
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
     * The kind of the event.
     * @enum {string}
     */
    event: "listing.ended";
    created_at: Timestamp;
    account_id: AccountId;
    data: ListingEndedData;
}
export interface ListingUpdatedEvent {
    id: EventId;
    /**
     * The kind of the event.
     * @enum {string}
     */
    event: "listing.updated";
    created_at: Timestamp;
    account_id: AccountId;
    data: ListingUpdatedData;
}
export interface BatchCompletedEvent {
    id: EventId;
    /**
     * The kind of the event.
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
     * The kind of the event.
     * @enum {string}
     */
    event: "identify.failed";
    created_at: Timestamp;
    account_id: AccountId;
    data: IdentifyFailedData;
}
/** A card changed. One event for each version after the first. */
export interface CardUpdatedData {
    card_id: CardId;
    /**
     * Format: int64
     * The version after the change.
     * @example 3
     */
    version: number;
    /** The paths of the changed fields, as in the card's history. */
    changed: string[];
}
/** A card was deleted. */
export interface CardDeletedData {
    card_id: CardId;
    /**
     * The name of the card; "" if unknown.
     * @example Ember Fox
     */
    title: string;
    /**
     * The name of the set; "" if unknown.
     * @example Dawn of Cinders
     */
    set: string;
    /**
     * The collector number; "" if unknown.
     * @example 54/167
     */
    number: string;
}
/** A deleted card came back, with its identifier, its photos and its history. */
export interface CardRestoredData {
    card_id: CardId;
    /**
     * The name of the card; "" if unknown.
     * @example Ember Fox
     */
    title: string;
    /**
     * The name of the set; "" if unknown.
     * @example Dawn of Cinders
     */
    set: string;
    /**
     * The collector number; "" if unknown.
     * @example 54/167
     */
    number: string;
}
export interface CardUpdatedEvent {
    id: EventId;
    /**
     * The kind of the event.
     * @enum {string}
     */
    event: "card.updated";
    created_at: Timestamp;
    account_id: AccountId;
    data: CardUpdatedData;
}
export interface CardDeletedEvent {
    id: EventId;
    /**
     * The kind of the event.
     * @enum {string}
     */
    event: "card.deleted";
    created_at: Timestamp;
    account_id: AccountId;
    data: CardDeletedData;
}
export interface CardRestoredEvent {
    id: EventId;
    /**
     * The kind of the event.
     * @enum {string}
     */
    event: "card.restored";
    created_at: Timestamp;
    account_id: AccountId;
    data: CardRestoredData;
}
/** A sale was recorded, on a marketplace or elsewhere. */
export interface SaleCreatedData {
    card_id: CardId;
    /**
     * The name of the card; "" if unknown.
     * @example Ember Fox
     */
    title: string;
    /**
     * The name of the set; "" if unknown.
     * @example Dawn of Cinders
     */
    set: string;
    /**
     * The collector number; "" if unknown.
     * @example 54/167
     */
    number: string;
    sale_id: SaleId;
    /**
     * The listing that was sold; null for a sale elsewhere.
     * @example lst_01k5w0q2m7t9c3r5v8x0z1b4d6
     */
    listing_id: string | null;
    channel: SaleChannel;
    gross: Money;
    sold_at: Timestamp;
}
/** A sale was refunded, in part or in full. */
export interface SaleRefundedData {
    card_id: CardId;
    /**
     * The name of the card; "" if unknown.
     * @example Ember Fox
     */
    title: string;
    /**
     * The name of the set; "" if unknown.
     * @example Dawn of Cinders
     */
    set: string;
    /**
     * The collector number; "" if unknown.
     * @example 54/167
     */
    number: string;
    sale_id: SaleId;
    amount: Money;
    refunded: Money;
    status: SaleStatus;
    /**
     * Whether the card returned.
     * @example true
     */
    restocked: boolean;
}
export interface SaleCreatedEvent {
    id: EventId;
    /**
     * The kind of the event.
     * @enum {string}
     */
    event: "sale.created";
    created_at: Timestamp;
    account_id: AccountId;
    data: SaleCreatedData;
}
export interface SaleRefundedEvent {
    id: EventId;
    /**
     * The kind of the event.
     * @enum {string}
     */
    event: "sale.refunded";
    created_at: Timestamp;
    account_id: AccountId;
    data: SaleRefundedData;
}
/** A sale that was recorded by mistake was voided. */
export interface SaleVoidedData {
    card_id: CardId;
    /**
     * The name of the card; "" if unknown.
     * @example Ember Fox
     */
    title: string;
    /**
     * The name of the set; "" if unknown.
     * @example Dawn of Cinders
     */
    set: string;
    /**
     * The collector number; "" if unknown.
     * @example 54/167
     */
    number: string;
    sale_id: SaleId;
    channel: SaleChannel;
    gross: Money;
    sold_at: Timestamp;
    voided_at: Timestamp;
    /**
     * Whether the card returned.
     * @example true
     */
    restocked: boolean;
}
export interface SaleVoidedEvent {
    id: EventId;
    /**
     * The kind of the event.
     * @enum {string}
     */
    event: "sale.voided";
    created_at: Timestamp;
    account_id: AccountId;
    data: SaleVoidedData;
}
export interface EventPage {
    data: CardVaultEvent[];
    /**
     * Whether there is another page.
     * @example true
     */
    has_more: boolean;
    /**
     * Pass it as `cursor` to get the next page. Null on the last page.
     * @example eyJ0IjoiMjAyNi0wNS0xMSJ9
     */
    next_cursor: string | null;
}
/** An endpoint that receives events. Deliveries are signed with its `previous_secrets` too. */
export interface Webhook {
    id: WebhookId;
    /**
     * Format: uri
     * The URL that receives the events.
     * @example https://shop.example/hook
     */
    url: string;
    /** The kinds of events that are sent. Empty means the first eight of `EventKind`, from `card.identified` to `identify.failed`. */
    events: EventKind[];
    /**
     * Whether events are sent. While it is false, deliveries wait, for up to 90 days.
     * @example true
     */
    enabled: boolean;
    previous_secret_expires_at: TimestampOrNull;
    /** The secrets that were replaced and still sign deliveries, newest first. */
    previous_secrets: PreviousSecret[];
    created_at: Timestamp;
    updated_at: Timestamp;
}
/** A secret that was replaced. It signs deliveries until `expires_at`. */
export interface PreviousSecret {
    id: PreviousSecretId;
    expires_at: Timestamp;
}
/** A webhook with its secret. Deliveries are signed with its `previous_secrets` too. */
export interface WebhookWithSecret {
    id: WebhookId;
    /**
     * Format: uri
     * The URL that receives the events.
     * @example https://shop.example/hook
     */
    url: string;
    /** The kinds of events that are sent. Empty means the first eight of `EventKind`, from `card.identified` to `identify.failed`. */
    events: EventKind[];
    /**
     * Whether events are sent. While it is false, deliveries wait, for up to 90 days.
     * @example true
     */
    enabled: boolean;
    previous_secret_expires_at: TimestampOrNull;
    /** The secrets that were replaced and still sign deliveries, newest first. */
    previous_secrets: PreviousSecret[];
    created_at: Timestamp;
    updated_at: Timestamp;
    /**
     * The secret that signs deliveries. It is shown once: null in a replayed response.
     * @example whsec_Zm9yIHRoZSBkb2N1bWVudGF0aW9uIG9ubHksIG5vbmU
     */
    secret: string | null;
}
export interface WebhookInput {
    /**
     * Format: uri
     * A public HTTPS URL. An international host name is stored in punycode.
     * @example https://shop.example/hook
     */
    url: string;
    /**
     * The kinds of events to send. Empty means the first eight of `EventKind`, from `card.identified` to `identify.failed`.
     * @example [
     *       "listing.sold",
     *       "listing.ended"
     *     ]
     */
    events?: EventKind[];
}
/** The fields to change. Fields that are left out keep their values. */
export interface WebhookPatch {
    /**
     * Format: uri
     * A public HTTPS URL. An international host name is stored in punycode.
     * @example https://shop.example/hook
     */
    url?: string;
    /**
     * The kinds of events to send. Empty means the first eight of `EventKind`, from `card.identified` to `identify.failed`.
     * @example [
     *       "listing.sold",
     *       "listing.ended"
     *     ]
     */
    events?: EventKind[];
    /**
     * false stops deliveries, which then wait; true resumes them.
     * @example false
     */
    enabled?: boolean;
}
export interface WebhookPage {
    data: Webhook[];
    /**
     * Whether there is another page.
     * @example true
     */
    has_more: boolean;
    /**
     * Pass it as `cursor` to get the next page. Null on the last page.
     * @example eyJ0IjoiMjAyNi0wNS0xMSJ9
     */
    next_cursor: string | null;
}
export interface RotateSecretInput {
    /**
     * Format: int32
     * How long deliveries are signed with the old secret too.
     * @default 86400
     * @example 86400
     */
    grace_seconds?: number;
}
export interface WebhookTestInput {
    event?: EventKind;
}
/**
 * `pending` until the endpoint responds with 2xx (`delivered`, kept for 30 days) or the last attempt fails (`dropped`, kept for 90 days).
 * @example delivered
 * @enum {string}
 */
export type DeliveryState = "pending" | "delivered" | "dropped";
export interface DeliveryAttempt {
    /**
     * Format: int32
     * The number of the attempt. It starts at 1 again after a resend.
     * @example 1
     */
    attempt: number;
    started_at: Timestamp;
    /**
     * Format: int64
     * The duration in milliseconds.
     * @example 84
     */
    duration_ms: number;
    /**
     * Format: int32
     * The HTTP status of the response; null if there was none.
     * @example 204
     */
    status: number | null;
    /**
     * Why the attempt failed: `status` for a response that is not 2xx, `dns`, `connect`, `tls`, `timeout`, `forbidden` for an address that is not public, or `other`. Null for success.
     * @example null
     */
    error: string | null;
    /**
     * The start of the body of the response, up to 500 characters; null if it was empty.
     * @example null
     */
    response: string | null;
}
export interface WebhookDelivery {
    id: DeliveryId;
    webhook_id: WebhookId;
    event_id: EventId;
    /**
     * The kind of the event, one of `EventKind`; null if the event is no longer kept, or was a test event that has been delivered.
     * @example listing.sold
     */
    event: string | null;
    state: DeliveryState;
    /**
     * Format: int32
     * The number of attempts since the event or the last resend.
     * @example 1
     */
    attempt_count: number;
    next_attempt_at: TimestampOrNull;
    /**
     * Format: int32
     * The HTTP status of the last response.
     * @example 204
     */
    last_status: number | null;
    /**
     * Why the last attempt failed.
     * @example null
     */
    last_error: string | null;
    created_at: Timestamp;
    finished_at: TimestampOrNull;
    /** The last 10 attempts of the last 30 days, oldest first. */
    attempts: DeliveryAttempt[];
}
export interface WebhookDeliveryPage {
    data: WebhookDelivery[];
    /**
     * Whether there is another page.
     * @example true
     */
    has_more: boolean;
    /**
     * Pass it as `cursor` to get the next page. Null on the last page.
     * @example eyJ0IjoiMjAyNi0wNS0xMSJ9
     */
    next_cursor: string | null;
}
export interface ResendDroppedInput {
    /**
     * Format: date-time
     * Send only deliveries that were dropped at or after this time. RFC 3339 with a time zone. By default, all that are kept.
     * @example 2026-05-11T15:32:01.123456Z
     */
    since?: string;
}
export interface ResentDeliveries {
    /**
     * Format: int32
     * The number of deliveries that wait to be sent again.
     * @example 118
     */
    resent: number;
    /**
     * Whether there may be more dropped deliveries. Repeat the request, with another `Idempotency-Key`.
     * @example false
     */
    has_more: boolean;
}
/**
 * What a token may do: `read` allows GET, `write` other methods, `webhooks` all of `/webhooks`.
 * @example read
 * @enum {string}
 */
export type TokenScope = "read" | "write" | "webhooks";
/** The requests per minute that the token may make, by class. */
export interface TokenLimits {
    /**
     * Format: int64
     * Reads per minute.
     * @example 60
     */
    read: number;
    /**
     * Format: int64
     * Writes per minute.
     * @example 20
     */
    write: number;
    /**
     * Format: int64
     * Identifications and price look-ups per minute.
     * @example 5
     */
    ai: number;
}
export interface Account {
    id: AccountId;
    /**
     * The name of the account.
     * @example Corner shop
     */
    name: string;
    /**
     * Whether it is a sandbox account, in which nothing is really sold.
     * @example false
     */
    sandbox: boolean;
    currency: Currency;
    /**
     * The time zone of the account, by its name in the IANA database.
     * @example Europe/Berlin
     */
    time_zone: string;
    floor_price: MoneyOrNull;
    identification: IdentificationSettings;
    limits: TokenLimits;
    /** The scopes of the token of the request. */
    scopes: TokenScope[];
}
/** How photos of the account are identified. */
export interface IdentificationSettings {
    /** The identification providers, in the order in which they are asked. */
    providers: string[];
    /**
     * Format: double
     * The least confidence with which a result is accepted without a person.
     * @example 0.85
     */
    threshold: number;
    /** The games of the cards that are identified: candidates of other games are not returned. If there are none, all games are, those of the stock first. */
    games?: Game[];
}
/** Absent fields stay unchanged, and null restores what the operator has set. */
export interface IdentificationSettingsPatch {
    /** The providers of the operator, in the order in which they are asked. */
    providers?: string[] | null;
    /**
     * Format: double
     * The least confidence with which a result is accepted, at least that of the operator.
     * @example 0.9
     */
    threshold?: number | null;
    /** The games of the cards that are identified. An empty list means all games. */
    games?: Game[];
}
/** A JSON merge patch (RFC 7396): absent fields stay unchanged, and null clears a field. */
export interface AccountPatch {
    /**
     * The name of the account.
     * @example Corner shop
     */
    name?: string;
    currency?: Currency;
    /**
     * The time zone of the account, by its name in the IANA database.
     * @example Europe/Berlin
     */
    time_zone?: string;
    floor_price?: MoneyOrNull;
    identification?: IdentificationSettingsPatch;
}
/** The requests of one class. */
export interface RequestCounts {
    /**
     * Format: int64
     * All requests, refused ones included.
     * @example 412
     */
    requests: number;
    /**
     * Format: int64
     * The requests that were refused with 429.
     * @example 3
     */
    refused: number;
}
/** The requests of an hour, by class. */
export interface HourUsage {
    started_at: Timestamp;
    read: RequestCounts;
    write: RequestCounts;
    ai: RequestCounts;
}
/** The requests of a token, by class. */
export interface TokenUsage {
    id: TokenId;
    /**
     * The name of the token.
     * @example warehouse
     */
    name: string;
    read: RequestCounts;
    write: RequestCounts;
    ai: RequestCounts;
}
export interface AccountUsage {
    since: Timestamp;
    before: Timestamp;
    /** Each hour from `since` until `before`, the oldest first. The last one is the current hour. */
    hours: HourUsage[];
    /** The tokens that sent requests, the one with the most requests first. */
    tokens: TokenUsage[];
}
/**
 * A stable string for programs. New codes may be added.
 * @example card_not_found
 * @enum {string}
 */
export type ErrorCode = "invalid_request" | "invalid_json" | "invalid_cursor" | "missing_token" | "invalid_token" | "revoked_token" | "insufficient_scope" | "quota_exceeded" | "card_not_found" | "batch_not_found" | "listing_not_found" | "photo_not_found" | "event_not_found" | "webhook_not_found" | "webhook_secret_not_found" | "delivery_not_found" | "sale_not_found" | "job_not_found" | "route_not_found" | "method_not_allowed" | "not_acceptable" | "payload_too_large" | "unsupported_media_type" | "card_not_identified" | "card_not_priced" | "price_below_floor" | "card_has_no_photo" | "card_already_listed" | "card_sold" | "card_archived" | "card_listed" | "batch_complete" | "listing_not_live" | "external_id_taken" | "sku_taken" | "webhook_disabled" | "webhook_limit_reached" | "webhook_secret_limit_reached" | "job_limit_reached" | "job_not_undoable" | "unexpected_count" | "sale_refunded" | "sale_voided" | "sale_at_marketplace" | "idempotency_conflict" | "version_mismatch" | "photo_unreachable" | "photo_invalid" | "photo_forbidden" | "idempotency_key_reused" | "no_price_found" | "rate_limited" | "internal_error" | "not_implemented" | "upstream_error" | "unavailable";
/** The format of every error. */
export interface ErrorBody {
    error: {
        code: ErrorCode;
        /**
         * A message for people and logs. Its words may change.
         * @example There is no card with this identifier in your account.
         */
        message: string;
        /**
         * Format: int32
         * The HTTP status.
         * @example 404
         */
        status: number;
        /** The invalid fields of the request, if any. */
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
     * What is wrong with the value.
     * @example must be at least 0
     */
    message: string;
}
export interface ListCardsQuery {
    /** The maximum number of items in a page. */
    limit?: number;
    /** The `next_cursor` of the previous page. A cursor is valid only with the filters that it was issued for; with others the response is `400 invalid_cursor`. */
    cursor?: string;
    /** Return only cards with one of these workflow statuses. Repeat the parameter, or separate the values by commas. */
    status?: WorkflowStatus[];
    /** Return only cards in this batch. */
    batch?: BatchId;
    /** Return only cards at this location or below it, in any normal form of Unicode. */
    location?: CardLocation;
    /** Return only cards of the set with exactly this name, in any normal form of Unicode. */
    set?: string;
    /** Return only cards of this game. */
    game?: Game;
    /** Return only cards with exactly this collector number. */
    number?: string;
    /** Return only cards in this condition. */
    condition?: Condition;
    /** Return only cards whose identification has this status. */
    identification?: IdentificationStatus;
    /** Return only cards with an asking price of at least this amount, in minor units of `currency` or, without it, of the account's currency. */
    min_price?: number;
    /** Return only cards with an asking price of at most this amount, in minor units of `currency` or, without it, of the account's currency. */
    max_price?: number;
    /** Return only cards with an asking price in this currency. `min_price` and `max_price` are amounts in this currency. */
    currency?: Currency;
    /** Return only cards with exactly this SKU. */
    sku?: string;
    /** Return only the card with exactly this `external_id`. */
    external_id?: string;
    /** Return only these cards. Repeat the parameter, or separate the values by commas. Identifiers that do not exist are ignored. */
    ids?: CardId[];
    /** Return only cards with exactly this identifier in the catalogue. */
    catalog_id?: string;
    /** Return only cards with exactly this language. */
    language?: string;
    /** Return only cards with this grade: a grading company (`PSA`), a company and a value (`PSA 9.5`), or `none` for cards that are not graded. */
    grade?: string;
    /** Return only cards with a photo whose status is `ready` or, if false, only cards without one. */
    has_photo?: boolean;
    /** Return only cards whose title, number, set, SKU and external id together contain all of these words or parts of words. Case, accents and width are ignored, hiragana and katakana are the same, and so are `’` and the plain apostrophe, `ß` and `ss`, `æ` and `ae`. */
    q?: string;
    /** The order of the cards; with `-`, the reverse. Cards without a value come before those with one. Prices are sorted by currency, then by amount. Titles and locations are sorted as people expect, by Unicode's root collation with numbers by their values: `Á` is beside `A`, and `Box 2` before `Box 10`. Everything below a location follows it. With `updated_since`, only `updated_at` is possible. */
    sort?: CardOrder;
    /** Return only items that changed at or after this time, ordered by time of change, oldest first. RFC 3339 with a time zone. */
    updated_since?: string;
}
export interface SummarizeCardsQuery {
    /** How to group the cards. */
    group_by: CardGrouping;
    /** Return only cards with one of these workflow statuses. Repeat the parameter, or separate the values by commas. */
    status?: WorkflowStatus[];
    /** Return only cards in this batch. */
    batch?: BatchId;
    /** Return only cards at this location or below it, in any normal form of Unicode. */
    location?: CardLocation;
    /** Return only cards of the set with exactly this name, in any normal form of Unicode. */
    set?: string;
    /** Return only cards of this game. */
    game?: Game;
    /** Return only cards with exactly this collector number. */
    number?: string;
    /** Return only cards in this condition. */
    condition?: Condition;
    /** Return only cards whose identification has this status. */
    identification?: IdentificationStatus;
    /** Return only cards with an asking price of at least this amount, in minor units of `currency` or, without it, of the account's currency. */
    min_price?: number;
    /** Return only cards with an asking price of at most this amount, in minor units of `currency` or, without it, of the account's currency. */
    max_price?: number;
    /** Return only cards with an asking price in this currency. `min_price` and `max_price` are amounts in this currency. */
    currency?: Currency;
    /** Return only cards with exactly this SKU. */
    sku?: string;
    /** Return only the card with exactly this `external_id`. */
    external_id?: string;
    /** Return only these cards. Repeat the parameter, or separate the values by commas. Identifiers that do not exist are ignored. */
    ids?: CardId[];
    /** Return only cards with exactly this identifier in the catalogue. */
    catalog_id?: string;
    /** Return only cards with exactly this language. */
    language?: string;
    /** Return only cards with this grade: a grading company (`PSA`), a company and a value (`PSA 9.5`), or `none` for cards that are not graded. */
    grade?: string;
    /** Return only cards with a photo whose status is `ready` or, if false, only cards without one. */
    has_photo?: boolean;
    /** Return only cards whose title, number, set, SKU and external id together contain all of these words or parts of words. Case, accents and width are ignored, hiragana and katakana are the same, and so are `’` and the plain apostrophe, `ß` and `ss`, `æ` and `ae`. */
    q?: string;
}
export interface ListCardHistoryQuery {
    /** The maximum number of items in a page. */
    limit?: number;
    /** The `next_cursor` of the previous page. A cursor is valid only with the filters that it was issued for; with others the response is `400 invalid_cursor`. */
    cursor?: string;
}
export interface SearchCatalogQuery {
    /**
     * Words of the card's name, or its set code, such as LOB-EN045. Each word may be a part of a word, and each of 5 or
     *     more letters may have a typo, in Chinese and Japanese each of 3 or more.
     */
    q?: string;
    /** Return only cards of this game. */
    game?: Game;
    /** Return only cards of the set with this name or code. Case and accents are ignored. */
    set?: string;
    /**
     * Return only cards with this collector number, with or without the printed total, or with this set code, such as
     *     OP01-001. Leading zeros are ignored.
     */
    number?: string;
    /** The maximum number of items in a page. */
    limit?: number;
}
export interface ListDeletionsQuery {
    /** The maximum number of items in a page. */
    limit?: number;
    /** The `next_cursor` of the previous page. A cursor is valid only with the filters that it was issued for; with others the response is `400 invalid_cursor`. */
    cursor?: string;
    /** Return only items that changed at or after this time, ordered by time of change, oldest first. RFC 3339 with a time zone. */
    updated_since?: string;
}
export interface ListBatchesQuery {
    /** The maximum number of items in a page. */
    limit?: number;
    /** The `next_cursor` of the previous page. A cursor is valid only with the filters that it was issued for; with others the response is `400 invalid_cursor`. */
    cursor?: string;
    /** Return only batches with this status. */
    status?: BatchStatus;
    /** Return only items that changed at or after this time, ordered by time of change, oldest first. RFC 3339 with a time zone. */
    updated_since?: string;
}
export interface ListBatchCardsQuery {
    /** The maximum number of items in a page. */
    limit?: number;
    /** The `next_cursor` of the previous page. A cursor is valid only with the filters that it was issued for; with others the response is `400 invalid_cursor`. */
    cursor?: string;
    /** Return only cards with one of these workflow statuses. Repeat the parameter, or separate the values by commas. */
    status?: WorkflowStatus[];
    /** Return only cards at this location or below it, in any normal form of Unicode. */
    location?: CardLocation;
    /** Return only cards of the set with exactly this name, in any normal form of Unicode. */
    set?: string;
    /** Return only cards of this game. */
    game?: Game;
    /** Return only cards with exactly this collector number. */
    number?: string;
    /** Return only cards in this condition. */
    condition?: Condition;
    /** Return only cards whose identification has this status. */
    identification?: IdentificationStatus;
    /** Return only cards with an asking price of at least this amount, in minor units of `currency` or, without it, of the account's currency. */
    min_price?: number;
    /** Return only cards with an asking price of at most this amount, in minor units of `currency` or, without it, of the account's currency. */
    max_price?: number;
    /** Return only cards with an asking price in this currency. `min_price` and `max_price` are amounts in this currency. */
    currency?: Currency;
    /** Return only cards with exactly this SKU. */
    sku?: string;
    /** Return only the card with exactly this `external_id`. */
    external_id?: string;
    /** Return only these cards. Repeat the parameter, or separate the values by commas. Identifiers that do not exist are ignored. */
    ids?: CardId[];
    /** Return only cards with exactly this identifier in the catalogue. */
    catalog_id?: string;
    /** Return only cards with exactly this language. */
    language?: string;
    /** Return only cards with this grade: a grading company (`PSA`), a company and a value (`PSA 9.5`), or `none` for cards that are not graded. */
    grade?: string;
    /** Return only cards with a photo whose status is `ready` or, if false, only cards without one. */
    has_photo?: boolean;
    /** Return only cards whose title, number, set, SKU and external id together contain all of these words or parts of words. Case, accents and width are ignored, hiragana and katakana are the same, and so are `’` and the plain apostrophe, `ß` and `ss`, `æ` and `ae`. */
    q?: string;
    /** The order of the cards; with `-`, the reverse. Cards without a value come before those with one. Prices are sorted by currency, then by amount. Titles and locations are sorted as people expect, by Unicode's root collation with numbers by their values: `Á` is beside `A`, and `Box 2` before `Box 10`. Everything below a location follows it. With `updated_since`, only `updated_at` is possible. */
    sort?: CardOrder;
    /** Return only items that changed at or after this time, ordered by time of change, oldest first. RFC 3339 with a time zone. */
    updated_since?: string;
}
export interface ListListingsQuery {
    /** The maximum number of items in a page. */
    limit?: number;
    /** The `next_cursor` of the previous page. A cursor is valid only with the filters that it was issued for; with others the response is `400 invalid_cursor`. */
    cursor?: string;
    /** Return only listings with one of these statuses. Repeat the parameter, or separate the values by commas. */
    status?: ListingStatus[];
    /** Return only listings of this card. */
    card?: CardId;
    /** Return only listings on this marketplace. */
    marketplace?: Marketplace;
    /** Return only items that changed at or after this time, ordered by time of change, oldest first. RFC 3339 with a time zone. */
    updated_since?: string;
}
export interface ListSalesQuery {
    /** The maximum number of items in a page. */
    limit?: number;
    /** The `next_cursor` of the previous page. A cursor is valid only with the filters that it was issued for; with others the response is `400 invalid_cursor`. */
    cursor?: string;
    /** Return only sales at or after this time. RFC 3339 with a time zone. */
    sold_since?: string;
    /** Return only sales before this time. RFC 3339 with a time zone. */
    sold_before?: string;
    /** Return only sales of this channel. */
    channel?: SaleChannel;
    /** Return only sales with this status. */
    status?: SaleStatus;
    /** Return only sales of this card. */
    card?: CardId;
    /** Return only sales in this currency. */
    currency?: Currency;
    /** true returns only the sales whose card is still to be sent, that is, not those that are shipped, returned, refunded in full, voided, or sold in person. */
    to_ship?: boolean;
    /** Return only items that changed at or after this time, ordered by time of change, oldest first. RFC 3339 with a time zone. */
    updated_since?: string;
}
export interface ReportSalesQuery {
    /** How to group the sales. */
    group_by: ReportGrouping;
    /** The first time of the report. RFC 3339 with a time zone. The default is a year before `before`. */
    since?: string;
    /** The end of the report, which is not part of it. RFC 3339 with a time zone. The default is the end of today. */
    before?: string;
    /** The IANA time zone in which days, weeks and months begin. */
    time_zone?: string;
}
export interface ReportStockQuery {
    /** The number of days, today included. */
    days?: number;
}
export interface ListJobsQuery {
    /** The maximum number of items in a page. */
    limit?: number;
    /** The `next_cursor` of the previous page. A cursor is valid only with the filters that it was issued for; with others the response is `400 invalid_cursor`. */
    cursor?: string;
}
export interface ListJobRefusalsQuery {
    /** The maximum number of items in a page. */
    limit?: number;
    /** The `next_cursor` of the previous page. A cursor is valid only with the filters that it was issued for; with others the response is `400 invalid_cursor`. */
    cursor?: string;
}
export interface ListEventsQuery {
    /** The maximum number of items in a page. */
    limit?: number;
    /** The `next_cursor` of the previous page. A cursor is valid only with the filters that it was issued for; with others the response is `400 invalid_cursor`. */
    cursor?: string;
    /** Return only events of these kinds. Repeat the parameter, or separate the values by commas. */
    event?: EventKind[];
    /** Return only events at or after this time, oldest first. RFC 3339 with a time zone. */
    created_since?: string;
}
export interface ListWebhooksQuery {
    /** The maximum number of items in a page. */
    limit?: number;
    /** The `next_cursor` of the previous page. A cursor is valid only with the filters that it was issued for; with others the response is `400 invalid_cursor`. */
    cursor?: string;
}
export interface ListWebhookDeliveriesQuery {
    /** The maximum number of items in a page. */
    limit?: number;
    /** The `next_cursor` of the previous page. A cursor is valid only with the filters that it was issued for; with others the response is `400 invalid_cursor`. */
    cursor?: string;
    /** Return only deliveries in this state. */
    state?: DeliveryState;
    /** Return only deliveries of events of this kind. */
    event?: EventKind;
}
export interface GetAccountUsageQuery {
    /** The number of hours, the current one included. */
    hours?: number;
    /** Count only the requests of this token. */
    token?: TokenId;
}
