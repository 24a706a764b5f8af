// Generated from the contract by tools/generate.mjs. Do not edit.

import type { IdempotentOptions, IfMatchOptions, IfNoneMatchOptions, RequestOptions } from '../options.js'
import { items } from '../pages.js'
import { path } from '../path.js'
import type { Sender } from '../transport.js'
import type {
  Account,
  AccountPatch,
  AccountUsage,
  AccountWaiting,
  Batch,
  BatchId,
  BatchInput,
  BatchPage,
  BatchPatch,
  CandidateList,
  Card,
  CardHistoryEntry,
  CardHistoryPage,
  CardId,
  CardList,
  CardPage,
  CardPatch,
  CardSummary,
  CardUpdateResults,
  CardUpdates,
  CardVaultEvent,
  CardWaiting,
  CardsInput,
  CatalogCard,
  CatalogCardId,
  CatalogCardList,
  Deletion,
  DeletionPage,
  DeliveryId,
  EndManyInput,
  EndResults,
  EventId,
  EventPage,
  GetAccountUsageQuery,
  IdentifyOutcome,
  IdentifyRequest,
  Job,
  JobId,
  JobInput,
  JobPage,
  JobRefusal,
  JobRefusalPage,
  JobWaiting,
  ListBatchCardsQuery,
  ListBatchesQuery,
  ListCardHistoryQuery,
  ListCardsQuery,
  ListDeletionsQuery,
  ListEventsQuery,
  ListJobRefusalsQuery,
  ListJobsQuery,
  ListListingsQuery,
  ListSalesQuery,
  ListWebhookDeliveriesQuery,
  ListWebhooksQuery,
  Listing,
  ListingId,
  ListingPage,
  ListingPatch,
  ListingWaiting,
  PhotoId,
  PhotoRole,
  PreviousSecretId,
  PriceEstimate,
  PriceLookupRequest,
  PublishInput,
  PublishManyInput,
  PublishResults,
  RefundInput,
  ReportSalesQuery,
  ReportStockQuery,
  ResendDroppedInput,
  ResentDeliveries,
  RotateSecretInput,
  Sale,
  SaleId,
  SalePage,
  SalePatch,
  SalesReport,
  ScanInput,
  ScanResults,
  SearchCatalogQuery,
  SellInput,
  StockReport,
  SummarizeCardsQuery,
  Webhook,
  WebhookDelivery,
  WebhookDeliveryPage,
  WebhookId,
  WebhookInput,
  WebhookPage,
  WebhookPatch,
  WebhookTestInput,
  WebhookWithSecret,
} from './types.js'

/** The operations of the contract. They throw CardVaultError for an error or if there is no response. */
export class Operations {
  readonly #sender: Sender

  constructor(sender: Sender) {
    this.#sender = sender
  }

  /**
   * List cards.
   *
   * Returns cards, newest first unless `sort` sets another order. With `updated_since`, returns them by time of change,
   * oldest first (see "Following changes by polling").
   */
  async listCards(query: ListCardsQuery = {}, options: RequestOptions & IfNoneMatchOptions = {}): Promise<CardPage> {
    return this.#sender.send({ method: 'GET', path: path`/cards`, query }, options)
  }

  /**
   * Iterates over all items that {@link listCards} lists. It fetches each page when you need its first item.
   */
  cards(query: ListCardsQuery = {}, options: RequestOptions = {}): AsyncGenerator<Card, void, undefined> {
    return items((from) => this.listCards({ ...query, ...from }, options))
  }

  /**
   * Import cards.
   *
   * Imports 1 to 500 cards, either all or none. The service fetches photos soon after the import. If a URL cannot be
   * reached, the service tries it up to four times within two minutes. A card without a title is identified
   * automatically once it has a photo. A card whose `external_id` exists is handled as `on_conflict` says, so that the
   * same import can be sent again.
   *
   * `hints` of a card, or else those of the request, are kept with the new card. Each identification of the card that
   * gives no hints uses them.
   */
  async createCards(body: CardsInput, options: RequestOptions & IdempotentOptions = {}): Promise<CardList> {
    return this.#sender.send({ method: 'POST', path: path`/cards`, body }, options)
  }

  /**
   * Update many cards.
   *
   * Updates 1 to 500 cards in one request, which counts once against the rate limit. Each update is a patch of one
   * card, as `PATCH /cards/{id}` takes it. The response has the result of each update in the order of the request. An
   * update that fails changes nothing; the others are carried out. With `atomic`, the first error is the response to
   * the request and nothing changes. A request with two updates of one card is invalid.
   */
  async updateCards(body: CardUpdates, options: RequestOptions = {}): Promise<CardUpdateResults> {
    return this.#sender.send({ method: 'PATCH', path: path`/cards`, body }, options)
  }

  /**
   * Sum up cards.
   *
   * Returns the number of cards that match the filters, and the sums of their asking prices and costs in each currency,
   * in total and for each group. A summary that took long to compute can be a few seconds old: `as_of` is the time of the
   * last change to the account that it includes.
   */
  async summarizeCards(query: SummarizeCardsQuery, options: RequestOptions & IfNoneMatchOptions = {}): Promise<CardSummary> {
    return this.#sender.send({ method: 'GET', path: path`/cards/summary`, query }, options)
  }

  /**
   * Create cards from photos.
   *
   * Creates a card for each photo, or for each front and back, of up to 20 photos in one form. The cards are
   * identified automatically. They have the form's `batch_id`, `location`, `condition` and `game`. A photo that is
   * not valid refuses its card only: its result has the error `photo_invalid`, and the other cards are created. The
   * request counts once against the rate limit. With `cards` as `many`, each photo may show several cards, which are cut
   * out of it. A request is the same as an earlier one with its `Idempotency-Key`
   * if it has the same fields, file names and files in the same order.
   */
  async scanCards(body: ScanInput, options: RequestOptions & IdempotentOptions = {}): Promise<ScanResults> {
    return this.#sender.send({ method: 'POST', path: path`/cards/scan`, form: body }, options)
  }

  /**
   * Get a card.
   *
   * Returns the card with all of its fields.
   */
  async getCard(id: CardId, options: RequestOptions & IfNoneMatchOptions = {}): Promise<Card> {
    return this.#sender.send({ method: 'GET', path: path`/cards/${id}` }, options)
  }

  /**
   * Update a card.
   *
   * Applies a JSON merge patch to the card's identification, pricing, location and the owner's fields. If the change
   * affects the workflow status, the status changes by one transition at a time, and each transition fires one event.
   * A patch that changes nothing does not change the version. A new asking price of a card with a `live` listing
   * revises the listing, whose `revision` shows the progress. It must be above zero and in the currency of the listing.
   */
  async updateCard(id: CardId, body: CardPatch, options: RequestOptions & IfMatchOptions = {}): Promise<Card> {
    return this.#sender.send({ method: 'PATCH', path: path`/cards/${id}`, body }, options)
  }

  /**
   * Delete a card.
   *
   * Deletes the card with its photos and its history, at once and for good. Its listings and sales stay. A card cannot be deleted while a listing is
   * publishing, live or ending, or while its batch is complete. `GET /deletions` lists deleted cards. To keep a card,
   * archive it. A job of the kind `delete` can be undone for 24 hours.
   */
  async deleteCard(id: CardId, options: RequestOptions & IfMatchOptions = {}): Promise<void> {
    return this.#sender.send({ method: 'DELETE', path: path`/cards/${id}` }, options)
  }

  /**
   * List the changes of a card.
   *
   * Returns the versions of the card, newest first: when each was made, by whom, and which fields changed. Versions
   * are kept for 2 years.
   */
  async listCardHistory(id: CardId, query: ListCardHistoryQuery = {}, options: RequestOptions & IfNoneMatchOptions = {}): Promise<CardHistoryPage> {
    return this.#sender.send({ method: 'GET', path: path`/cards/${id}/history`, query }, options)
  }

  /**
   * Iterates over all items that {@link listCardHistory} lists. It fetches each page when you need its first item.
   */
  cardHistory(id: CardId, query: ListCardHistoryQuery = {}, options: RequestOptions = {}): AsyncGenerator<CardHistoryEntry, void, undefined> {
    return items((from) => this.listCardHistory(id, { ...query, ...from }, options))
  }

  /**
   * List the candidates of a card.
   *
   * Returns what the last automatic identification of the card considered, whether it succeeded or failed, best first.
   * Save the right one with PATCH and its `catalog_id`. The list is empty if no identification was attempted.
   */
  async listCardCandidates(id: CardId, options: RequestOptions & IfNoneMatchOptions = {}): Promise<CandidateList> {
    return this.#sender.send({ method: 'GET', path: path`/cards/${id}/candidates` }, options)
  }

  /**
   * Get why a card waits.
   *
   * Returns why the identification of the card and the photos that are to be fetched from a URL are not done yet, and when
   * the next attempts are. Attempts change neither the card nor its `version`, and send no event.
   */
  async getCardWaiting(id: CardId, options: RequestOptions & IfNoneMatchOptions = {}): Promise<CardWaiting> {
    return this.#sender.send({ method: 'GET', path: path`/cards/${id}/waiting` }, options)
  }

  /**
   * Search the catalogue.
   *
   * Returns the cards of the catalogue that match all parameters. With `q`, the same name comes first and then similar
   * names; without it, cards are in the order of their numbers. At most 200 cards can be returned.
   */
  async searchCatalog(query: SearchCatalogQuery = {}, options: RequestOptions & IfNoneMatchOptions = {}): Promise<CatalogCardList> {
    return this.#sender.send({ method: 'GET', path: path`/catalog/cards`, query }, options)
  }

  /**
   * Get a card of the catalogue.
   *
   * Returns the card with this identifier, which is the `catalog_id` of identified cards.
   */
  async getCatalogCard(id: CatalogCardId, options: RequestOptions & IfNoneMatchOptions = {}): Promise<CatalogCard> {
    return this.#sender.send({ method: 'GET', path: path`/catalog/cards/${id}` }, options)
  }

  /**
   * Record a sale.
   *
   * Records that the card was sold elsewhere than through its listing, and marks it sold. The card must be identified.
   * A listing that is publishing or live is taken down, with the `end_reason` `sold_elsewhere`. If a buyer on the
   * marketplace is faster, that purchase is a second sale of the card, and you refund one of the two.
   */
  async sellCard(id: CardId, body: SellInput, options: RequestOptions & IdempotentOptions = {}): Promise<Sale> {
    return this.#sender.send({ method: 'POST', path: path`/cards/${id}/sell`, body }, options)
  }

  /**
   * Upload a photo.
   *
   * Uploads the card's photo of this role, and replaces the previous one. A card that waits for identification is
   * identified automatically once it has a photo.
   *
   * JPEG, PNG and WebP images are stored unchanged except for their metadata, which is removed. HEIC and AVIF images
   * are converted to JPEG, upright and in sRGB.
   */
  async putCardPhoto(id: CardId, photo: PhotoRole, body: Blob, options: RequestOptions = {}): Promise<Card> {
    return this.#sender.send({ method: 'PUT', path: path`/cards/${id}/photos/${photo}`, body }, options)
  }

  /**
   * Delete a photo.
   *
   * Deletes a photo of the card. This is not possible while a listing of the card is `publishing`, `live` or `ending`.
   */
  async deleteCardPhoto(id: CardId, photo: PhotoId, options: RequestOptions = {}): Promise<void> {
    return this.#sender.send({ method: 'DELETE', path: path`/cards/${id}/photos/${photo}` }, options)
  }

  /**
   * List deleted cards.
   *
   * Returns the cards that were deleted in the last 90 days, newest first. With `updated_since`, returns those deleted
   * at or after this time, oldest first, with the same promise as for cards: a client that pages to the end and
   * comes back with the last `deleted_at` that it saw misses no deletion. A card that the undo of a job brings back is
   * not in the list any more.
   */
  async listDeletions(query: ListDeletionsQuery = {}, options: RequestOptions & IfNoneMatchOptions = {}): Promise<DeletionPage> {
    return this.#sender.send({ method: 'GET', path: path`/deletions`, query }, options)
  }

  /**
   * Iterates over all items that {@link listDeletions} lists. It fetches each page when you need its first item.
   */
  deletions(query: ListDeletionsQuery = {}, options: RequestOptions = {}): AsyncGenerator<Deletion, void, undefined> {
    return items((from) => this.listDeletions({ ...query, ...from }, options))
  }

  /**
   * List batches.
   *
   * Returns batches, newest first. With `updated_since`, returns them by time of change, oldest first.
   */
  async listBatches(query: ListBatchesQuery = {}, options: RequestOptions & IfNoneMatchOptions = {}): Promise<BatchPage> {
    return this.#sender.send({ method: 'GET', path: path`/batches`, query }, options)
  }

  /**
   * Iterates over all items that {@link listBatches} lists. It fetches each page when you need its first item.
   */
  batches(query: ListBatchesQuery = {}, options: RequestOptions = {}): AsyncGenerator<Batch, void, undefined> {
    return items((from) => this.listBatches({ ...query, ...from }, options))
  }

  /**
   * Create a batch.
   *
   * Creates an open, empty batch. To add a card, set its `batch_id`.
   */
  async createBatch(body: BatchInput, options: RequestOptions & IdempotentOptions = {}): Promise<Batch> {
    return this.#sender.send({ method: 'POST', path: path`/batches`, body }, options)
  }

  /**
   * Get a batch.
   *
   * Returns the batch with its number of cards.
   */
  async getBatch(id: BatchId, options: RequestOptions & IfNoneMatchOptions = {}): Promise<Batch> {
    return this.#sender.send({ method: 'GET', path: path`/batches/${id}` }, options)
  }

  /**
   * Update a batch.
   *
   * Changes the name and the description of the batch, whatever its status. Values that the batch has already change
   * nothing.
   */
  async updateBatch(id: BatchId, body: BatchPatch, options: RequestOptions = {}): Promise<Batch> {
    return this.#sender.send({ method: 'PATCH', path: path`/batches/${id}`, body }, options)
  }

  /**
   * Mark a batch complete.
   *
   * Marks the batch complete, so that cards can no longer be added or removed. Fires `batch.completed`. If the batch
   * is complete already, the request changes nothing and fires no event.
   */
  async completeBatch(id: BatchId, options: RequestOptions & IdempotentOptions = {}): Promise<Batch> {
    return this.#sender.send({ method: 'POST', path: path`/batches/${id}/complete` }, options)
  }

  /**
   * Reopen a batch.
   *
   * Reopens the batch, so that cards can be added and removed again. If the batch is open already, the request changes
   * nothing.
   */
  async reopenBatch(id: BatchId, options: RequestOptions & IdempotentOptions = {}): Promise<Batch> {
    return this.#sender.send({ method: 'POST', path: path`/batches/${id}/reopen` }, options)
  }

  /**
   * List the cards in a batch.
   *
   * Returns the cards in the batch, in the order and with the filters of `GET /cards`, except `batch`.
   */
  async listBatchCards(id: BatchId, query: ListBatchCardsQuery = {}, options: RequestOptions & IfNoneMatchOptions = {}): Promise<CardPage> {
    return this.#sender.send({ method: 'GET', path: path`/batches/${id}/cards`, query }, options)
  }

  /**
   * Iterates over all items that {@link listBatchCards} lists. It fetches each page when you need its first item.
   */
  batchCards(id: BatchId, query: ListBatchCardsQuery = {}, options: RequestOptions = {}): AsyncGenerator<Card, void, undefined> {
    return items((from) => this.listBatchCards(id, { ...query, ...from }, options))
  }

  /**
   * Identify a card or a photo.
   *
   * Calls the identification providers in order until one is confident enough.
   *
   * With `card_id`, the outcome is saved: a result in the same way as by PATCH, or a failure. It is also a failure if
   * no provider responds.
   *
   * With `photo_url`, nothing is saved and no event fires. If no provider responds, the response is
   * `502 upstream_error`, or `422 photo_invalid` if the photo is the cause.
   *
   * `hints` are for this request only and replace those that are kept with the card. Without a `game` in them, the game
   * that you have given the card is a hint, unless it is `other`. A game that a provider has found is not a hint.
   *
   * If the card is in the slab of a grading company, `grade` is what its label says: the company, the grade and the
   * certificate number. It is null if no label was read. A card without a grade gets it with the result; a grade that
   * the card has already is kept.
   *
   * While too many photos are being identified, the response is `503 unavailable` and nothing is saved.
   */
  async identify(body: IdentifyRequest, options: RequestOptions & IdempotentOptions = {}): Promise<IdentifyOutcome> {
    return this.#sender.send({ method: 'POST', path: path`/identify`, body }, options)
  }

  /**
   * Look up a price.
   *
   * Estimates the price of a card from your sold listings of the last 365 days or, if there are none, from the
   * catalogue. `price` is the median, and `low` and `high` are the quartiles, or the lowest and the highest price if
   * there are fewer than four. All three are in the most frequent currency of the prices. Without `grade`, the estimate
   * is for an ungraded card; the catalogue has prices of ungraded cards only. The request changes nothing.
   *
   * Prices of cards with another condition, language, variant or grade, and older prices, count less in the median and
   * the quartiles: see `weight`. If all sold listings have a weight below 0.2, a price of the catalogue is preferred.
   * Outliers and prices in other currencies do not count and are listed in `excluded`. The guide
   * "Pricing and listings" has the rules.
   *
   * With `card_ids`, the request looks up the prices of 1 to 50 cards and counts once against the rate limit. The
   * response has the result of each card in the order of the request. A card that is not found or has no price does not
   * stop the others.
   */
  async lookupPrice(body: PriceLookupRequest, options: RequestOptions & IdempotentOptions = {}): Promise<PriceEstimate> {
    return this.#sender.send({ method: 'POST', path: path`/price-lookup`, body }, options)
  }

  /**
   * List listings.
   *
   * Returns listings, newest first. With `updated_since`, returns them by time of change, oldest first.
   */
  async listListings(query: ListListingsQuery = {}, options: RequestOptions & IfNoneMatchOptions = {}): Promise<ListingPage> {
    return this.#sender.send({ method: 'GET', path: path`/listings`, query }, options)
  }

  /**
   * Iterates over all items that {@link listListings} lists. It fetches each page when you need its first item.
   */
  listings(query: ListListingsQuery = {}, options: RequestOptions = {}): AsyncGenerator<Listing, void, undefined> {
    return items((from) => this.listListings({ ...query, ...from }, options))
  }

  /**
   * Publish many cards.
   *
   * Publishes 1 to 500 cards at their asking prices in one request, which counts once against the rate limit: those in
   * `card_ids`, or those that match `filter`. The response has the result of each card in the order of the request, or
   * newest first. A card that cannot be published does not stop the others. With `atomic`, the first error is the
   * response to the request and nothing changes. A filter that matches more than 500 cards is refused: `POST /jobs` with
   * the kind `publish` takes it.
   */
  async publishCards(body: PublishManyInput, options: RequestOptions & IdempotentOptions = {}): Promise<PublishResults> {
    return this.#sender.send({ method: 'POST', path: path`/listings/publish`, body }, options)
  }

  /**
   * End many listings.
   *
   * Ends 1 to 500 live listings in one request, which counts once against the rate limit. The response has the result
   * of each listing in the order of the request. A listing that cannot be ended does not stop the others. With
   * `atomic`, the first error is the response to the request and nothing changes.
   */
  async endListings(body: EndManyInput, options: RequestOptions & IdempotentOptions = {}): Promise<EndResults> {
    return this.#sender.send({ method: 'POST', path: path`/listings/end`, body }, options)
  }

  /**
   * Get a listing.
   *
   * Returns the listing with all of its fields.
   */
  async getListing(id: ListingId, options: RequestOptions & IfNoneMatchOptions = {}): Promise<Listing> {
    return this.#sender.send({ method: 'GET', path: path`/listings/${id}` }, options)
  }

  /**
   * Update a listing.
   *
   * Changes the price or the title of a live listing in place. The response does not wait for the marketplace: the
   * `revision` of the listing is `pending` until the marketplace confirms. The latest change wins. The price becomes the
   * asking price of the card, and must be above zero and in the currency of the listing. Values that the listing has
   * already change nothing, but a `failed` revision is tried again.
   */
  async updateListing(id: ListingId, body: ListingPatch, options: RequestOptions & IfMatchOptions = {}): Promise<Listing> {
    return this.#sender.send({ method: 'PATCH', path: path`/listings/${id}`, body }, options)
  }

  /**
   * End a listing.
   *
   * Removes a live listing from the marketplace. The response does not wait for the marketplace: the listing is
   * `ending` until the marketplace confirms.
   */
  async endListing(id: ListingId, options: RequestOptions & IdempotentOptions = {}): Promise<Listing> {
    return this.#sender.send({ method: 'POST', path: path`/listings/${id}/end` }, options)
  }

  /**
   * Get why a listing waits.
   *
   * Returns why a listing that is being published, revised or ended is not done yet, and when the next attempt is. It is
   * null for other listings. Attempts change neither the listing nor its `version`, and send no event.
   */
  async getListingWaiting(id: ListingId, options: RequestOptions & IfNoneMatchOptions = {}): Promise<ListingWaiting> {
    return this.#sender.send({ method: 'GET', path: path`/listings/${id}/waiting` }, options)
  }

  /**
   * Publish a card.
   *
   * Publishes a card on the marketplace. The response does not wait for the marketplace: the listing is `publishing`
   * until the marketplace confirms. A repeated request never creates a second listing while one of the card is
   * `publishing`, `live` or `ending`. A `price` becomes the asking price of the card; without it, the card is published
   * at its asking price.
   */
  async publishCard(cardId: CardId, body?: PublishInput, options: RequestOptions & IdempotentOptions = {}): Promise<Listing> {
    return this.#sender.send({ method: 'POST', path: path`/listings/${cardId}/publish`, ...(body && { body }) }, options)
  }

  /**
   * List sales.
   *
   * Returns sales by `sold_at`, newest first. With `updated_since`, returns them by time of change, oldest first.
   */
  async listSales(query: ListSalesQuery = {}, options: RequestOptions & IfNoneMatchOptions = {}): Promise<SalePage> {
    return this.#sender.send({ method: 'GET', path: path`/sales`, query }, options)
  }

  /**
   * Iterates over all items that {@link listSales} lists. It fetches each page when you need its first item.
   */
  sales(query: ListSalesQuery = {}, options: RequestOptions = {}): AsyncGenerator<Sale, void, undefined> {
    return items((from) => this.listSales({ ...query, ...from }, options))
  }

  /**
   * Get a sale.
   *
   * Returns the sale with all of its fields.
   */
  async getSale(id: SaleId, options: RequestOptions & IfNoneMatchOptions = {}): Promise<Sale> {
    return this.#sender.send({ method: 'GET', path: path`/sales/${id}` }, options)
  }

  /**
   * Update a sale.
   *
   * Applies a JSON merge patch to the sale's price, time, fees, shipping, tax, tracking and buyer reference. Amounts must
   * have the currency of the sale. The price and the time of a sale that a marketplace reported cannot change, and
   * neither can a voided sale. A patch that changes nothing does not change the version.
   */
  async updateSale(id: SaleId, body: SalePatch, options: RequestOptions & IfMatchOptions = {}): Promise<Sale> {
    return this.#sender.send({ method: 'PATCH', path: path`/sales/${id}`, body }, options)
  }

  /**
   * Refund a sale.
   *
   * Records a refund: of `amount`, of `parts`, or, without both, of all that is not refunded yet. Refunds
   * never exceed what the buyer paid in total: `gross`, `shipping_charged` and `tax`. With `restock`, the card is no longer sold and has the status that follows from its data, unless another sale of the
   * card remains; `restock` works after a full refund too. This records the refund only: pay the buyer back yourself.
   */
  async refundSale(id: SaleId, body: RefundInput, options: RequestOptions & IdempotentOptions = {}): Promise<Sale> {
    return this.#sender.send({ method: 'POST', path: path`/sales/${id}/refund`, body }, options)
  }

  /**
   * Void a sale.
   *
   * Marks a sale as recorded by mistake. Its status becomes `voided`: it stays readable, counts in no report, and cannot be
   * changed any more. The card returns as with `restock` of a refund. Voiding a voided sale changes nothing. A sale that a
   * marketplace reported cannot be voided: refund or cancel the order there.
   */
  async voidSale(id: SaleId, options: RequestOptions & IdempotentOptions = {}): Promise<Sale> {
    return this.#sender.send({ method: 'POST', path: path`/sales/${id}/void` }, options)
  }

  /**
   * Sum up sales.
   *
   * Returns the sums of the sales from `since` until before `before`, per group and currency, without conversion. A
   * report covers at most 366 days and 200,000 sales.
   */
  async reportSales(query: ReportSalesQuery, options: RequestOptions & IfNoneMatchOptions = {}): Promise<SalesReport> {
    return this.#sender.send({ method: 'GET', path: path`/reports/sales`, query }, options)
  }

  /**
   * Get the value of the stock by day.
   *
   * Returns how many cards were in stock on each of the last days, and the sums of their asking prices and costs in each
   * currency, without conversion. Sold and archived cards do not count.
   *
   * The figures of a day are those of its end, or of the last hour before it; those of today are those of now. A day on
   * which the service did not run is missing, and so are the days before the account had its first record. Days are kept
   * for two years.
   */
  async reportStock(query: ReportStockQuery = {}, options: RequestOptions & IfNoneMatchOptions = {}): Promise<StockReport> {
    return this.#sender.send({ method: 'GET', path: path`/reports/stock`, query }, options)
  }

  /**
   * List jobs.
   *
   * Returns the account's jobs, newest first. A job is kept for 30 days after it has finished.
   */
  async listJobs(query: ListJobsQuery = {}, options: RequestOptions & IfNoneMatchOptions = {}): Promise<JobPage> {
    return this.#sender.send({ method: 'GET', path: path`/jobs`, query }, options)
  }

  /**
   * Iterates over all items that {@link listJobs} lists. It fetches each page when you need its first item.
   */
  jobs(query: ListJobsQuery = {}, options: RequestOptions = {}): AsyncGenerator<Job, void, undefined> {
    return items((from) => this.listJobs({ ...query, ...from }, options))
  }

  /**
   * Start a job.
   *
   * Starts a job that changes many cards in the background: up to 10,000 `card_ids`, or up to 1,000,000 cards that match
   * `filter`. The service first reads the cards that match, newest first, then changes them; cards that are created
   * after the job are left out. It changes each card once, with the same rules, events and history as the request for
   * this card alone. A card that cannot be changed is refused and does not stop the others. Changes have the request's
   * token as their actor. A job goes on after a restart of the service, and other requests can change cards meanwhile.
   * An account can have 100 unfinished jobs; a further one is `409 job_limit_reached`.
   *
   * `expected_count` protects you from a filter that selects more than you think: state how many cards you expect before
   * you change or delete them. A job with a filter never changes more cards than that and 1 %.
   */
  async createJob(body: JobInput, options: RequestOptions & IdempotentOptions = {}): Promise<Job> {
    return this.#sender.send({ method: 'POST', path: path`/jobs`, body }, options)
  }

  /**
   * Get a job.
   *
   * Returns a job with the numbers of cards that were changed and refused so far.
   */
  async getJob(id: JobId, options: RequestOptions & IfNoneMatchOptions = {}): Promise<Job> {
    return this.#sender.send({ method: 'GET', path: path`/jobs/${id}` }, options)
  }

  /**
   * List the refused cards of a job.
   *
   * Returns the cards that the job could not change, newest first, each with the error that the request for this card
   * alone returns.
   */
  async listJobRefusals(id: JobId, query: ListJobRefusalsQuery = {}, options: RequestOptions & IfNoneMatchOptions = {}): Promise<JobRefusalPage> {
    return this.#sender.send({ method: 'GET', path: path`/jobs/${id}/refusals`, query }, options)
  }

  /**
   * Iterates over all items that {@link listJobRefusals} lists. It fetches each page when you need its first item.
   */
  jobRefusals(id: JobId, query: ListJobRefusalsQuery = {}, options: RequestOptions = {}): AsyncGenerator<JobRefusal, void, undefined> {
    return items((from) => this.listJobRefusals(id, { ...query, ...from }, options))
  }

  /**
   * Get why a job waits.
   *
   * Returns why a job that is queued or running is not done yet, and when its next turn or attempt is. It is null for a job
   * that has finished. Attempts do not change the job.
   */
  async getJobWaiting(id: JobId, options: RequestOptions & IfNoneMatchOptions = {}): Promise<JobWaiting> {
    return this.#sender.send({ method: 'GET', path: path`/jobs/${id}/waiting` }, options)
  }

  /**
   * Cancel a job.
   *
   * Stops a job. Cards that it has changed stay changed; after the response it changes no further card. A finished job
   * stays as it is.
   */
  async cancelJob(id: JobId, options: RequestOptions & IdempotentOptions = {}): Promise<Job> {
    return this.#sender.send({ method: 'POST', path: path`/jobs/${id}/cancel` }, options)
  }

  /**
   * Undo a job.
   *
   * Starts a job that takes the changes of a finished or cancelled job of the kind `update`, `archive` or `delete` back, for
   * 24 hours after it has finished. It has the identifier of the first one in `undoes` and progress of its own, goes on
   * after a restart and can be cancelled.
   *
   * The undo of an `update` or an `archive` has the kind `update`, and can be undone itself. A card gets the values from before the first job, with
   * the rules, events and history of a change, if it still has those that this job has set. Otherwise it is refused with
   * `version_mismatch`. Archived cards come back; listings that have ended are not published again. If the job was undone
   * already, the response is the job that undoes it. `undoable_until` of a job is null if it cannot be undone now.
   *
   * The undo of a `delete` has the kind `restore`. It brings each card back with its identifier, photos and history, the
   * next `version` and a new `updated_at`, and takes its entry out of `GET /deletions`. A card is refused with
   * `external_id_taken` or `sku_taken` if another card got one of these since, and with `batch_complete` if its batch is
   * complete. Then the job can be undone again. After the 24 hours, deleted cards and their photos are erased.
   */
  async undoJob(id: JobId, options: RequestOptions & IdempotentOptions = {}): Promise<Job> {
    return this.#sender.send({ method: 'POST', path: path`/jobs/${id}/undo` }, options)
  }

  /**
   * List events.
   *
   * Returns the account's events of the last 30 days, newest first. With `created_since`, returns them oldest first.
   * `created_at` orders them: no two events of an account have the same. Each event is byte for byte the body of its
   * webhook deliveries.
   */
  async listEvents(query: ListEventsQuery = {}, options: RequestOptions & IfNoneMatchOptions = {}): Promise<EventPage> {
    return this.#sender.send({ method: 'GET', path: path`/events`, query }, options)
  }

  /**
   * Iterates over all items that {@link listEvents} lists. It fetches each page when you need its first item.
   */
  events(query: ListEventsQuery = {}, options: RequestOptions = {}): AsyncGenerator<CardVaultEvent, void, undefined> {
    return items((from) => this.listEvents({ ...query, ...from }, options))
  }

  /**
   * Get an event.
   *
   * Returns the event, as sent to webhooks.
   */
  async getEvent(id: EventId, options: RequestOptions & IfNoneMatchOptions = {}): Promise<CardVaultEvent> {
    return this.#sender.send({ method: 'GET', path: path`/events/${id}` }, options)
  }

  /**
   * List webhooks.
   *
   * Returns the account's webhooks, newest first.
   */
  async listWebhooks(query: ListWebhooksQuery = {}, options: RequestOptions & IfNoneMatchOptions = {}): Promise<WebhookPage> {
    return this.#sender.send({ method: 'GET', path: path`/webhooks`, query }, options)
  }

  /**
   * Iterates over all items that {@link listWebhooks} lists. It fetches each page when you need its first item.
   */
  webhooks(query: ListWebhooksQuery = {}, options: RequestOptions = {}): AsyncGenerator<Webhook, void, undefined> {
    return items((from) => this.listWebhooks({ ...query, ...from }, options))
  }

  /**
   * Create a webhook.
   *
   * Registers an endpoint that receives the account's events from now on. The URL must use HTTPS and lead to a public
   * address. The response has the secret that signs deliveries, which is shown once. An account can have up to 200 webhooks.
   */
  async createWebhook(body: WebhookInput, options: RequestOptions & IdempotentOptions = {}): Promise<WebhookWithSecret> {
    return this.#sender.send({ method: 'POST', path: path`/webhooks`, body }, options)
  }

  /**
   * Get a webhook.
   *
   * Returns the webhook without its secret.
   */
  async getWebhook(id: WebhookId, options: RequestOptions & IfNoneMatchOptions = {}): Promise<Webhook> {
    return this.#sender.send({ method: 'GET', path: path`/webhooks/${id}` }, options)
  }

  /**
   * Update a webhook.
   *
   * Changes the fields that the request contains. A new URL holds for deliveries that wait, too. When a
   * disabled webhook is enabled, its waiting deliveries are sent.
   */
  async updateWebhook(id: WebhookId, body: WebhookPatch, options: RequestOptions = {}): Promise<Webhook> {
    return this.#sender.send({ method: 'PATCH', path: path`/webhooks/${id}`, body }, options)
  }

  /**
   * Delete a webhook.
   *
   * Deletes the webhook with its secret. Its pending deliveries are dropped.
   */
  async deleteWebhook(id: WebhookId, options: RequestOptions = {}): Promise<void> {
    return this.#sender.send({ method: 'DELETE', path: path`/webhooks/${id}` }, options)
  }

  /**
   * Replace a webhook's secret.
   *
   * Creates a new secret and returns it once. Until the grace period ends, deliveries have a signature by the replaced
   * secret, too, so that a receiver can change secrets without missing an event. Up to four replaced secrets sign. A
   * rotation that would need a fifth is refused with `webhook_secret_limit_reached` and the time at which the oldest
   * ends, unless `grace_seconds` is 0.
   */
  async rotateWebhookSecret(id: WebhookId, body?: RotateSecretInput, options: RequestOptions & IdempotentOptions = {}): Promise<WebhookWithSecret> {
    return this.#sender.send({ method: 'POST', path: path`/webhooks/${id}/rotate-secret`, ...(body && { body }) }, options)
  }

  /**
   * End a previous secret early.
   *
   * Ends the grace period of a secret that was replaced. Deliveries are no longer signed with it.
   */
  async endWebhookSecret(id: WebhookId, previous: PreviousSecretId, options: RequestOptions = {}): Promise<void> {
    return this.#sender.send({ method: 'DELETE', path: path`/webhooks/${id}/previous-secrets/${previous}` }, options)
  }

  /**
   * Send a test event.
   *
   * Sends an example of an event, which is signed, retried and listed like every delivery. By default it is the first
   * kind that the webhook gets. The identifiers in its `data` are all zeros, and `GET /events` does not return it.
   */
  async testWebhook(id: WebhookId, body?: WebhookTestInput, options: RequestOptions & IdempotentOptions = {}): Promise<WebhookDelivery> {
    return this.#sender.send({ method: 'POST', path: path`/webhooks/${id}/test`, ...(body && { body }) }, options)
  }

  /**
   * List deliveries.
   *
   * Returns the deliveries to the webhook with their attempts, newest event first. Delivered ones are kept for 30 days,
   * dropped ones for 90 days.
   */
  async listWebhookDeliveries(id: WebhookId, query: ListWebhookDeliveriesQuery = {}, options: RequestOptions & IfNoneMatchOptions = {}): Promise<WebhookDeliveryPage> {
    return this.#sender.send({ method: 'GET', path: path`/webhooks/${id}/deliveries`, query }, options)
  }

  /**
   * Iterates over all items that {@link listWebhookDeliveries} lists. It fetches each page when you need its first item.
   */
  webhookDeliveries(id: WebhookId, query: ListWebhookDeliveriesQuery = {}, options: RequestOptions = {}): AsyncGenerator<WebhookDelivery, void, undefined> {
    return items((from) => this.listWebhookDeliveries(id, { ...query, ...from }, options))
  }

  /**
   * Send a delivery again.
   *
   * Sends a delivery in any state again, with the same event and body, and with all retries. A delivery that is being
   * sent at the moment is not changed.
   */
  async resendWebhookDelivery(id: WebhookId, delivery: DeliveryId, options: RequestOptions & IdempotentOptions = {}): Promise<WebhookDelivery> {
    return this.#sender.send({ method: 'POST', path: path`/webhooks/${id}/deliveries/${delivery}/resend` }, options)
  }

  /**
   * Send dropped deliveries again.
   *
   * Sends the dropped deliveries of the webhook again, oldest event first, up to 500 in a request. Repeat the request until
   * `has_more` is false.
   */
  async resendDroppedWebhookDeliveries(id: WebhookId, body?: ResendDroppedInput, options: RequestOptions & IdempotentOptions = {}): Promise<ResentDeliveries> {
    return this.#sender.send({ method: 'POST', path: path`/webhooks/${id}/resend-dropped`, ...(body && { body }) }, options)
  }

  /**
   * Get the account.
   *
   * Returns the account of the token, and the rate limits and scopes of the token. Every token may call it.
   */
  async getAccount(options: RequestOptions & IfNoneMatchOptions = {}): Promise<Account> {
    return this.#sender.send({ method: 'GET', path: path`/account` }, options)
  }

  /**
   * Update the account.
   *
   * Changes the settings that the request contains.
   *
   * `floor_price` is the lowest asking price of the cards without a `pricing.floor_price` of their own; it holds for
   * prices in its currency. It does not change prices that are lower already, but such a card cannot be published.
   * `identification.threshold` cannot be lower than that of the operator, and `identification.providers` has the
   * operator's providers in another order. If `identification.games` has games, identifications return no candidates
   * of other games. A hint or a card that names another game has priority.
   */
  async updateAccount(body: AccountPatch, options: RequestOptions = {}): Promise<Account> {
    return this.#sender.send({ method: 'PATCH', path: path`/account`, body }, options)
  }

  /**
   * Get the account's requests by hour.
   *
   * Returns how many requests the tokens of the account sent in each hour, by rate class, and how many of them were
   * refused with 429. Hours begin at full hours in UTC. The counts are kept for 7 days. A request is counted within
   * about a minute, in the hour in which it is counted.
   */
  async getAccountUsage(query: GetAccountUsageQuery = {}, options: RequestOptions & IfNoneMatchOptions = {}): Promise<AccountUsage> {
    return this.#sender.send({ method: 'GET', path: path`/account/usage`, query }, options)
  }

  /**
   * Get why imports and exports wait.
   *
   * Returns why the imports of files and the export of the account that were begun in the dashboard or by the operator
   * are not done yet, and when their next attempts are. `export` is null if no export is under way.
   */
  async getAccountWaiting(options: RequestOptions & IfNoneMatchOptions = {}): Promise<AccountWaiting> {
    return this.#sender.send({ method: 'GET', path: path`/account/waiting` }, options)
  }
}
