import type { CardVault } from './client.js'
import { CardVaultError } from './errors.js'
import type {
  Card,
  CardUpdate,
  ItemError,
  Job,
  JobFilter,
  Listing,
  Marketplace,
  PriceEstimate,
} from './generated/types.js'
import type { IdempotentOptions, RequestOptions } from './options.js'

/** The maximum number of items of a request, and of cards of a request for prices. */
const maxItems = 500
const maxPrices = 50

/** The result of one item: its value, or its error, which is that of the item or of its whole request. */
export type BulkResult<T> =
  { id: string; value: T; error?: undefined } | { id: string; value?: undefined; error: CardVaultError }

/**
 * Updates any number of cards, up to 500 with one request. Yields a result for each update, in their order. If a
 * request fails, each of its updates gets its error, and the next request is sent. Each request is sent when you have
 * read the results of the one before: if you leave the loop, the remaining cards stay unchanged.
 */
export function bulkUpdate(
  client: CardVault,
  updates: Iterable<CardUpdate>,
  options: RequestOptions = {},
): AsyncGenerator<BulkResult<Card>, void, undefined> {
  return bulk(
    updates,
    ({ id }) => id,
    async (part) => (await client.updateCards({ updates: part }, options)).data,
    ({ card }) => card,
  )
}

/** Publishes any number of cards at their asking prices, as {@link bulkUpdate} updates them. */
export function bulkPublish(
  client: CardVault,
  cardIds: Iterable<string>,
  options: RequestOptions & { marketplace?: Marketplace } = {},
): AsyncGenerator<BulkResult<Listing>, void, undefined> {
  const { marketplace, ...rest } = options
  return bulk(
    cardIds,
    (id) => id,
    async (card_ids) => (await client.publishCards({ card_ids, ...(marketplace && { marketplace }) }, rest)).data,
    ({ listing }) => listing,
  )
}

/** Ends any number of live listings, as {@link bulkUpdate} updates cards. */
export function bulkEnd(
  client: CardVault,
  listingIds: Iterable<string>,
  options: RequestOptions = {},
): AsyncGenerator<BulkResult<Listing>, void, undefined> {
  return bulk(
    listingIds,
    (id) => id,
    async (listing_ids) => (await client.endListings({ listing_ids }, options)).data,
    ({ listing }) => listing,
  )
}

/**
 * Starts a job that deletes the cards that match the filter, of which you expect this number. If the real number differs
 * by more than 1 %, rounded down, nothing is deleted, and the error has the code `unexpected_count`. The service refuses a
 * filter without a condition, and one with an empty or blank text. `client.undoJob` brings the cards back for 24 hours.
 */
export function deleteMatching(
  client: CardVault,
  filter: JobFilter,
  expected: number,
  options: RequestOptions & IdempotentOptions = {},
): Promise<Job> {
  return client.createJob({ kind: 'delete', filter, expected_count: expected }, options)
}

/** Looks up the prices of any number of cards, up to 50 with one request, as {@link bulkUpdate} updates cards. */
export function bulkLookupPrices(
  client: CardVault,
  cardIds: Iterable<string>,
  options: RequestOptions = {},
): AsyncGenerator<BulkResult<PriceEstimate>, void, undefined> {
  return bulk(
    cardIds,
    (id) => id,
    async (part) => (await client.lookupPrices(part, options)).data,
    ({ estimate }) => estimate,
    maxPrices,
  )
}

async function* bulk<I, R extends { error: ItemError | null }, T>(
  items: Iterable<I>,
  idOf: (item: I) => string,
  send: (part: I[]) => Promise<R[]>,
  valueOf: (result: R) => T | null,
  most = maxItems,
): AsyncGenerator<BulkResult<T>, void, undefined> {
  for (const part of parts(items, idOf, most)) {
    const ids = part.map(idOf)
    const results = await send(part).catch(failureOf)
    for (const [n, id] of ids.entries()) {
      if (results instanceof CardVaultError) yield { id, error: results }
      else yield resultOf(id, results[n], valueOf)
    }
  }
}

/** Returns the error of a request. Throws other errors, such as the reason of an aborted signal. */
function failureOf(error: unknown): CardVaultError {
  if (error instanceof CardVaultError) return error
  throw error
}

function resultOf<R extends { error: ItemError | null }, T>(
  id: string,
  result: R | undefined,
  valueOf: (result: R) => T | null,
): BulkResult<T> {
  if (result?.error) return { id, error: new CardVaultError(result.error) }
  const value = result && valueOf(result)
  if (value) return { id, value }
  const message = 'The response has no result for the item.'
  return { id, error: new CardVaultError({ code: 'unexpected_response', message }) }
}

/**
 * Divides the items into requests of at most `most` items. A request ends before an item that it has already, because a
 * card can stand in a request once.
 */
function* parts<I>(items: Iterable<I>, idOf: (item: I) => string, most: number): Generator<I[], void, undefined> {
  let part = new Map<string, I>()
  for (const item of items) {
    if (part.size === most || part.has(idOf(item))) {
      yield [...part.values()]
      part = new Map()
    }
    part.set(idOf(item), item)
  }
  if (part.size > 0) yield [...part.values()]
}
