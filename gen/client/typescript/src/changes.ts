import type { Card, ListCardsQuery } from './generated/types.js'
import type { RequestOptions } from './options.js'
import { type From, items, type Page } from './pages.js'
import { milliseconds } from './settings.js'
import type { Timing } from './timing.js'

/** What to follow, and how. The filters are those of listCards. */
export interface ChangesQuery extends Omit<ListCardsQuery, 'cursor' | 'updated_since'> {
  /** Where to begin: the `since` you stored, or a time. */
  since: string | Date
  /** Milliseconds between the end of one pass and the next. Default: 60,000. */
  interval?: number | undefined
  /** Make one pass, to what is the end now, and stop. Default: false. */
  once?: boolean | undefined
}

type List = (query: ListCardsQuery) => Promise<Page<Card>>

/**
 * The cards that change, in the order of change, for `for await`. One that changes again is there again. Nothing is
 * missed; after a fresh start from a stored `since` the last instant's cards come once more.
 *
 * It goes on where it was when it is iterated again, be it after a break or an error.
 */
export class Changes implements AsyncIterable<Card> {
  readonly #list: List
  readonly #query: ListCardsQuery
  readonly #interval: number
  readonly #once: boolean
  readonly #timing: Timing
  readonly #signal: AbortSignal | undefined
  #since: string
  /** The versions that were given of the cards that changed at #since: the bound is inclusive and brings them again. */
  #given = new Set<string>()

  constructor(list: List, query: ChangesQuery, { signal }: RequestOptions, timing: Timing) {
    const { since, interval = 60_000, once = false, ...filters } = query
    this.#list = list
    this.#query = { limit: 200, ...filters }
    this.#interval = milliseconds('interval', interval)
    this.#once = once
    this.#timing = timing
    this.#signal = signal
    this.#since = typeof since === 'string' ? since : since.toISOString()
  }

  /** Where to begin the next time: when the newest card given so far changed. Store it once you are done with the card. */
  get since(): string {
    return this.#since
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Card, void, undefined> {
    for (;;) {
      yield* this.#pass()
      if (this.#once) return
      await this.#timing.sleep(this.#interval, this.#signal)
    }
  }

  async *#pass(): AsyncGenerator<Card, void, undefined> {
    // A cursor holds for the bound it was issued for, so the bound stays for a pass.
    const query = { ...this.#query, updated_since: this.#since }
    for await (const card of items((from: From) => this.#list({ ...query, ...from }))) {
      if (this.#isNew(card)) yield card
    }
  }

  #isNew({ id, version, updated_at }: Card): boolean {
    if (updated_at !== this.#since) {
      this.#since = updated_at
      this.#given.clear()
    }
    const key = `${id}:${version}`
    if (this.#given.has(key)) return false
    this.#given.add(key)
    return true
  }
}
