import type { Card, ListCardsQuery } from './generated/types.js'
import type { RequestOptions } from './options.js'
import { type From, items, type Page } from './pages.js'
import { milliseconds } from './settings.js'
import type { Timing } from './timing.js'

/** The settings of `changes`, with the filters of `listCards`. */
export interface ChangesQuery extends Omit<ListCardsQuery, 'cursor' | 'updated_since'> {
  /** The time of the first changes: a stored `since`, or any time. */
  since: string | Date
  /** Milliseconds between two passes. Default: 60,000. */
  interval?: number | undefined
  /** Make one pass. It includes the cards that change during the pass. Default: false. */
  once?: boolean | undefined
}

type List = (query: ListCardsQuery) => Promise<Page<Card>>

/**
 * Follows the changes of cards by polling, with `for await`. It yields each card that has changed, in the order of the
 * changes, and again after each further change. It misses no change. After a restart with a stored `since`, the cards
 * that changed at exactly that time are yielded again.
 *
 * A new loop, after a break or an error, continues with the card at which the last loop ended.
 */
export class Changes implements AsyncIterable<Card> {
  readonly #list: List
  readonly #query: ListCardsQuery
  readonly #interval: number
  readonly #once: boolean
  readonly #timing: Timing
  readonly #signal: AbortSignal | undefined
  #since: string
  /** The processed versions of cards that changed at #since. The filter is inclusive, so the next pass gets them. */
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

  /** The time of the last change that was yielded. Store it after you have processed the card. */
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
    // A cursor is valid only with the filters of its first page, so updated_since stays the same during a pass.
    const query = { ...this.#query, updated_since: this.#since }
    for await (const card of items((from: From) => this.#list({ ...query, ...from }))) {
      if (!this.#isNew(card)) continue
      yield card
      this.#done.add(revision(card)) // after yield, which does not return if the caller leaves the loop
    }
  }

  /** Moves #since to the card, the next in the order of changes, and reports whether the card is unprocessed. */
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
