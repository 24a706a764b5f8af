import type { Feed, FeedQuery } from './feed.js'
import type {
  Card,
  CardVaultEvent,
  Deletion,
  ListCardsQuery,
  ListDeletionsQuery,
  ListEventsQuery,
  Listing,
  ListListingsQuery,
  ListSalesQuery,
  Sale,
} from './generated/types.js'

type Start = 'cursor' | 'updated_since' | 'created_since'

/** The settings of `changes`, with the filters of `listCards`. */
export interface ChangesQuery extends FeedQuery, Omit<ListCardsQuery, Start> {}
/** The settings of `listingChanges`, with the filters of `listListings`. */
export interface ListingChangesQuery extends FeedQuery, Omit<ListListingsQuery, Start> {}
/** The settings of `saleChanges`, with the filters of `listSales`. */
export interface SaleChangesQuery extends FeedQuery, Omit<ListSalesQuery, Start> {}
/** The settings of `eventChanges`, with the filters of `listEvents`. */
export interface EventChangesQuery extends FeedQuery, Omit<ListEventsQuery, Start> {}
/** The settings of `deletionChanges`. */
export interface DeletionChangesQuery extends FeedQuery, Omit<ListDeletionsQuery, Start> {}

/** Follows the changes of cards. */
export type Changes = Feed<Card>

/** Returns the filters of a query, with the largest pages, because there may be many changes. */
export function filtersOf<Q extends FeedQuery>({ since, interval, once, ...filters }: Q) {
  return { limit: 200, ...filters }
}

export const cards = {
  changedAt: (card: Card) => card.updated_at,
  state: ({ id, version }: Card) => `${id}:${version}`,
}
export const listings = {
  changedAt: (listing: Listing) => listing.updated_at,
  state: (listing: Listing) => listing.id,
}
export const sales = {
  changedAt: (sale: Sale) => sale.updated_at,
  state: ({ id, version }: Sale) => `${id}:${version}`,
}
export const events = {
  changedAt: (event: CardVaultEvent) => event.created_at,
  state: (event: CardVaultEvent) => event.id,
}
export const deletions = {
  changedAt: (deletion: Deletion) => deletion.deleted_at,
  state: (deletion: Deletion) => deletion.card_id,
}
