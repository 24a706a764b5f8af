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
  /** Stop when there is nothing more. What changes meanwhile comes too. Default: false. */
  once?: boolean | undefined
}

type List = (query: ListCardsQuery) => Promise<Page<Card>>

/**
 * The cards that change, in the order of change, for `for await`. One that changes again is there again. Nothing is
 * missed; after a fresh start from a stored `since` the last instant's cards come once more.
 *
 * It goes on when it is iterated again, be it after a break or an error: with the card at which the loop was left.
 */
export class Changes implements AsyncIterable<Card> {
  readonly #list: List
  readonly #query: ListCardsQuery
  readonly #interval: number
  readonly #once: boolean
  readonly #timing: Timing
  readonly #signal: AbortSignal | undefined
  #since: string
  /** The versions that were dealt with of the cards that changed at #since: the bound is inclusive and brings them again. */
  #done = new Set<string>()

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
      if (!this.#isNew(card)) continue
      yield card
      this.#done.add(revision(card)) // here, because a loop that is left does not come back
    }
  }

  /** Whether a card, the next in the order of change, has not been dealt with. Moves the bound to it. */
  #isNew(card: Card): boolean {
    if (card.updated_at !== this.#since) {
      this.#since = card.updated_at
      this.#done.clear()
    }
    return !this.#done.has(revision(card))
  }
}

function revision({ id, version }: Card): string {
  return `${id}:${version}`
}
