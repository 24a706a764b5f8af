import { items } from './pages.js';
import { milliseconds } from './settings.js';
/**
 * The cards that change, in the order of change, for `for await`. One that changes again is there again. Nothing is
 * missed; after a fresh start from a stored `since` the last instant's cards come once more.
 *
 * It goes on where it was when it is iterated again, be it after a break or an error.
 */
export class Changes {
    #list;
    #query;
    #interval;
    #once;
    #timing;
    #signal;
    #since;
    /** The versions that were given of the cards that changed at #since: the bound is inclusive and brings them again. */
    #given = new Set();
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
            if (this.#isNew(card))
                yield card;
        }
    }
    #isNew({ id, version, updated_at }) {
        if (updated_at !== this.#since) {
            this.#since = updated_at;
            this.#given.clear();
        }
        const key = `${id}:${version}`;
        if (this.#given.has(key))
            return false;
        this.#given.add(key);
        return true;
    }
}
