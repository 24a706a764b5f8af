import * as source from './changes.js'
import { Feed } from './feed.js'
import type { CardVaultEvent, Deletion, Listing, PriceLookupResults, Sale } from './generated/types.js'
import { Operations } from './generated/operations.js'
import type { CardVaultOptions, IdempotentOptions, RequestOptions } from './options.js'
import type { Timing } from './timing.js'
import { Transport } from './transport.js'

/** The client of an account. It holds no connection, and you can use one client for all requests. */
export class CardVault extends Operations {
  readonly #transport: Transport
  readonly #timing: Timing

  constructor(options: CardVaultOptions) {
    const transport = new Transport(options)
    super(transport)
    this.#transport = transport
    this.#timing = transport.timing
  }

  /**
   * Looks up the prices of 1 to 50 cards in one request: `POST /price-lookup` with `card_ids`. The response has a
   * result for each card, in the order of the request.
   */
  async lookupPrices(
    cardIds: readonly string[],
    options: RequestOptions & IdempotentOptions = {},
  ): Promise<PriceLookupResults> {
    return this.#transport.send({ method: 'POST', path: '/price-lookup', body: { card_ids: cardIds } }, options)
  }

  /** Follows the changes of cards by polling. It misses no change. */
  changes(query: source.ChangesQuery, options: RequestOptions = {}): source.Changes {
    const filters = source.filtersOf(query)
    const fetch = (since: string, from: object) =>
      this.listCards({ ...filters, updated_since: since, ...from }, options)
    return new Feed({ ...source.cards, fetch }, query, options.signal, this.#timing)
  }

  /** Follows the changes of listings, as {@link changes} does of cards. */
  listingChanges(query: source.ListingChangesQuery, options: RequestOptions = {}): Feed<Listing> {
    const filters = source.filtersOf(query)
    const fetch = (since: string, from: object) =>
      this.listListings({ ...filters, updated_since: since, ...from }, options)
    return new Feed({ ...source.listings, fetch }, query, options.signal, this.#timing)
  }

  /** Follows the changes of sales, as {@link changes} does of cards. */
  saleChanges(query: source.SaleChangesQuery, options: RequestOptions = {}): Feed<Sale> {
    const filters = source.filtersOf(query)
    const fetch = (since: string, from: object) =>
      this.listSales({ ...filters, updated_since: since, ...from }, options)
    return new Feed({ ...source.sales, fetch }, query, options.signal, this.#timing)
  }

  /** Follows events, oldest first. The service stores them for 30 days. */
  eventChanges(query: source.EventChangesQuery, options: RequestOptions = {}): Feed<CardVaultEvent> {
    const filters = source.filtersOf(query)
    const fetch = (since: string, from: object) =>
      this.listEvents({ ...filters, created_since: since, ...from }, options)
    return new Feed({ ...source.events, fetch }, query, options.signal, this.#timing)
  }

  /**
   * Follows the deletions of cards. Read them after the cards. The service stores them for 90 days: a client that was
   * away for longer reads all cards again.
   */
  deletionChanges(query: source.DeletionChangesQuery, options: RequestOptions = {}): Feed<Deletion> {
    const filters = source.filtersOf(query)
    const fetch = (since: string, from: object) =>
      this.listDeletions({ ...filters, updated_since: since, ...from }, options)
    return new Feed({ ...source.deletions, fetch }, query, options.signal, this.#timing)
  }
}
