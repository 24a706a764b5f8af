// Generated from the contract by tools/generate.mjs. Do not edit.
import { items } from '../pages.js';
import { path } from '../path.js';
/** The contract's operations. Each throws CardVaultError where the answer is an error or does not come. */
export class Operations {
    #sender;
    constructor(sender) {
        this.#sender = sender;
    }
    /**
     * List cards.
     *
     * Newest first; with `updated_since`, in the order of change (see "Following changes by polling").
     */
    async listCards(query = {}, options = {}) {
        return this.#sender.send({ method: 'GET', path: path `/cards`, query }, options);
    }
    /**
     * Everything that {@link listCards} lists, item by item: pages are fetched as you get to them.
     */
    cards(query = {}, options = {}) {
        return items((from) => this.listCards({ ...query, ...from }, options));
    }
    /**
     * Import cards.
     *
     * Imports 1 to 500 cards, all or none. Photos are fetched soon after, an address out of reach up to four times within two minutes; a card that has one and no title is then identified automatically.
     */
    async createCards(body, options = {}) {
        return this.#sender.send({ method: 'POST', path: path `/cards`, body }, options);
    }
    /**
     * Fetch one card.
     *
     * The whole card.
     */
    async getCard(id, options = {}) {
        return this.#sender.send({ method: 'GET', path: path `/cards/${id}` }, options);
    }
    /**
     * Update a card.
     *
     * A JSON merge patch of the card's identification, pricing, location and the owner's own fields. A change that makes
     * the workflow status follow takes it there edge by edge, with one event each. A patch that changes nothing leaves the version as it is.
     */
    async updateCard(id, body, options = {}) {
        return this.#sender.send({ method: 'PATCH', path: path `/cards/${id}`, body }, options);
    }
    /**
     * Put a photo.
     *
     * Puts the card's photo of this role, in place of the one before. A card that is waiting to be identified is identified
     * automatically once it has a photo.
     */
    async putCardPhoto(id, photo, body, options = {}) {
        return this.#sender.send({ method: 'PUT', path: path `/cards/${id}/photos/${photo}`, body }, options);
    }
    /**
     * Delete a photo.
     *
     * Takes a photo off the card. A card with a listing under way keeps its photos.
     */
    async deleteCardPhoto(id, photo, options = {}) {
        return this.#sender.send({ method: 'DELETE', path: path `/cards/${id}/photos/${photo}` }, options);
    }
    /**
     * List batches.
     *
     * Newest first; with `updated_since`, in the order of change.
     */
    async listBatches(query = {}, options = {}) {
        return this.#sender.send({ method: 'GET', path: path `/batches`, query }, options);
    }
    /**
     * Everything that {@link listBatches} lists, item by item: pages are fetched as you get to them.
     */
    batches(query = {}, options = {}) {
        return items((from) => this.listBatches({ ...query, ...from }, options));
    }
    /**
     * Create a batch.
     *
     * Makes an open, empty batch. Cards are put into it by `batch_id`.
     */
    async createBatch(body, options = {}) {
        return this.#sender.send({ method: 'POST', path: path `/batches`, body }, options);
    }
    /**
     * Fetch one batch.
     *
     * The batch with its number of cards.
     */
    async getBatch(id, options = {}) {
        return this.#sender.send({ method: 'GET', path: path `/batches/${id}` }, options);
    }
    /**
     * Mark a batch complete.
     *
     * Cards no longer move in or out. Fires `batch.completed`; on a complete batch it changes and fires nothing.
     */
    async completeBatch(id, options = {}) {
        return this.#sender.send({ method: 'POST', path: path `/batches/${id}/complete` }, options);
    }
    /**
     * Reopen a batch.
     *
     * Lets cards move in and out again; on an open batch it changes nothing.
     */
    async reopenBatch(id, options = {}) {
        return this.#sender.send({ method: 'POST', path: path `/batches/${id}/reopen` }, options);
    }
    /**
     * List the cards in a batch.
     *
     * As `GET /cards`, with the same filters but `batch`.
     */
    async listBatchCards(id, query = {}, options = {}) {
        return this.#sender.send({ method: 'GET', path: path `/batches/${id}/cards`, query }, options);
    }
    /**
     * Everything that {@link listBatchCards} lists, item by item: pages are fetched as you get to them.
     */
    batchCards(id, query = {}, options = {}) {
        return items((from) => this.listBatchCards(id, { ...query, ...from }, options));
    }
    /**
     * Identify a card or a photo.
     *
     * Asks the identification providers in order until one is sure enough. For a card, the result is saved as a PATCH would
     * save it, or the failure is; for a photo address nothing is saved and nothing fires. When no provider could answer at
     * all, that is a card's failure too, and `502 upstream_error` for a photo address, or `422 photo_invalid` where the
     * photo is at fault. While too many photos are being identified, it is `503 unavailable` and nothing is saved.
     */
    async identify(body, options = {}) {
        return this.#sender.send({ method: 'POST', path: path `/identify`, body }, options);
    }
    /**
     * Look up a price.
     *
     * What the card sells for: from your own sold listings of the last 365 days, else from the catalogue. `price` is the
     * median, `low` and `high` the quartiles (the extremes where there are fewer than four prices), all in the currency
     * that most of them have. Without `grade` an ungraded card is meant; the catalogue prices those only. It changes nothing.
     */
    async lookupPrice(body, options = {}) {
        return this.#sender.send({ method: 'POST', path: path `/price-lookup`, body }, options);
    }
    /**
     * List listings.
     *
     * Newest first; with `updated_since`, in the order of change.
     */
    async listListings(query = {}, options = {}) {
        return this.#sender.send({ method: 'GET', path: path `/listings`, query }, options);
    }
    /**
     * Everything that {@link listListings} lists, item by item: pages are fetched as you get to them.
     */
    listings(query = {}, options = {}) {
        return items((from) => this.listListings({ ...query, ...from }, options));
    }
    /**
     * Fetch one listing.
     *
     * The whole listing.
     */
    async getListing(id, options = {}) {
        return this.#sender.send({ method: 'GET', path: path `/listings/${id}` }, options);
    }
    /**
     * End a listing.
     *
     * Takes a live listing off the marketplace. The answer comes at once; the listing is `ending` until the marketplace has confirmed.
     */
    async endListing(id, options = {}) {
        return this.#sender.send({ method: 'POST', path: path `/listings/${id}/end` }, options);
    }
    /**
     * Publish a card.
     *
     * Publishes a card on the marketplace. The answer comes at once; the listing is `publishing` until the marketplace has
     * confirmed. However often this is repeated, a card never has two listings under way.
     */
    async publishCard(cardId, body, options = {}) {
        return this.#sender.send({ method: 'POST', path: path `/listings/${cardId}/publish`, ...(body && { body }) }, options);
    }
    /**
     * List events.
     *
     * The account's events of the last 30 days, byte for byte as webhooks carry them. Newest first; with `created_since`, oldest first.
     */
    async listEvents(query = {}, options = {}) {
        return this.#sender.send({ method: 'GET', path: path `/events`, query }, options);
    }
    /**
     * Everything that {@link listEvents} lists, item by item: pages are fetched as you get to them.
     */
    events(query = {}, options = {}) {
        return items((from) => this.listEvents({ ...query, ...from }, options));
    }
    /**
     * Fetch one event.
     *
     * The event, as webhooks carry it.
     */
    async getEvent(id, options = {}) {
        return this.#sender.send({ method: 'GET', path: path `/events/${id}` }, options);
    }
}
