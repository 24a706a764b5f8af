import { items } from './pages.js';
import { milliseconds } from './settings.js';
/**
 * The cards that change, in the order of change, for `for await`. One that changes again is there again. Nothing is
 * missed; after a fresh start from a stored `since` the last instant's cards come once more.
 *
 * It goes on when it is iterated again, be it after a break or an error: with the card at which the loop was left.
 */
export class Changes {
    #list;
    #query;
    #interval;
    #once;
    #timing;
    #signal;
    #since;
    /** The versions that were dealt with of the cards that changed at #since: the bound is inclusive and brings them again. */
    #done = new Set();
    constructor(list, query, { signal }, timing) {
        const { since, interval = 60_000, once = false, ...filters } = query;
        this.#list = list;
        this.#query = { limit: 200, ...filters };
        this.#interval = milliseconds('interval', interval);
        this.#once = once;
        this.#timing = timing;
        this.#signal = signal;
        this.#since = typeof since === 'string' ? since : since.toISOString();
    }
    /** Where to begin the next time: when the newest card given so far changed. Store it once you are done with the card. */
    get since() {
        return this.#since;
    }
    async *[Symbol.asyncIterator]() {
        for (;;) {
            yield* this.#pass();
            if (this.#once)
                return;
            await this.#timing.sleep(this.#interval, this.#signal);
        }
    }
    async *#pass() {
        // A cursor holds for the bound it was issued for, so the bound stays for a pass.
        const query = { ...this.#query, updated_since: this.#since };
        for await (const card of items((from) => this.#list({ ...query, ...from }))) {
            if (!this.#isNew(card))
                continue;
            yield card;
            this.#done.add(revision(card)); // here, because a loop that is left does not come back
        }
    }
    /** Whether a card, the next in the order of change, has not been dealt with. Moves the bound to it. */
    #isNew(card) {
        if (card.updated_at !== this.#since) {
            this.#since = card.updated_at;
            this.#done.clear();
        }
        return !this.#done.has(revision(card));
    }
}
function revision({ id, version }) {
    return `${id}:${version}`;
}
