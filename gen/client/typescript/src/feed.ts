import { items, type From, type Page } from './pages.js'
import { milliseconds } from './settings.js'
import type { Timing } from './timing.js'

/** The settings of a feed. */
export interface FeedQuery {
  /** The time of the first changes: a stored `since`, or any time. */
  since: string | Date
  /** Milliseconds between two passes. Default: 60,000. */
  interval?: number | undefined
  /** Make one pass. It includes the items that change during the pass. Default: false. */
  once?: boolean | undefined
}

/** A list that a feed follows. */
export interface Source<T> {
  /** Fetches the page at the cursor of the items that changed since a time. */
  fetch(since: string, from: From): Promise<Page<T>>
  /** Returns when the item changed. */
  changedAt(item: T): string
  /** Returns what identifies the state of the item, together with the time of its change. */
  state(item: T): string
}

/**
 * Follows the changes of a list by polling, with `for await`. It yields each item that has changed, in the order of the
 * changes, and again after each further change. It misses no change. After a restart with a stored `since`, the items
 * that changed at exactly that time are yielded again.
 *
 * A new loop, after a break or an error, continues with the item at which the last loop ended.
 */
export class Feed<T> implements AsyncIterable<T> {
  readonly #source: Source<T>
  readonly #interval: number
  readonly #once: boolean
  readonly #timing: Timing
  readonly #signal: AbortSignal | undefined
  #since: string
  /** The processed states of items that changed at #since. The filter is inclusive, so the next pass gets them. */
  #done = new Set<string>()

  constructor(source: Source<T>, query: FeedQuery, signal: AbortSignal | undefined, timing: Timing) {
    const { since, interval = 60_000, once = false } = query
    this.#source = source
    this.#interval = milliseconds('interval', interval)
    this.#once = once
    this.#timing = timing
    this.#signal = signal
    this.#since = typeof since === 'string' ? since : since.toISOString()
  }

  /** The time of the last change that was yielded. Store it after you have processed the item. */
  get since(): string {
    return this.#since
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for (;;) {
      yield* this.#pass()
      if (this.#once) return
      await this.#timing.sleep(this.#interval, this.#signal)
    }
  }

  async *#pass(): AsyncGenerator<T, void, undefined> {
    // A cursor is valid only with the filters of its first page, so the time stays the same during a pass.
    const since = this.#since
    for await (const item of items((from: From) => this.#source.fetch(since, from))) {
      if (!this.#isNew(item)) continue
      yield item
      this.#done.add(this.#source.state(item)) // after yield, which does not return if the caller leaves the loop
    }
  }

  /** Moves #since to the item, the next in the order of changes, and reports whether the item is unprocessed. */
  #isNew(item: T): boolean {
    const changedAt = this.#source.changedAt(item)
    if (changedAt !== this.#since) {
      this.#since = changedAt
      this.#done.clear()
    }
    return !this.#done.has(this.#source.state(item))
  }
}
