import { type Answer, rateLimit, retryAfter } from './answer.js'
import type { RateLimit } from './errors.js'
import type { OperationRequest } from './request.js'

/** A group of operations that share a rate limit. `ai` is identification and price look-up. */
export type RateClass = 'read' | 'write' | 'ai'

/** Returns the class of a request, x-rate-class in the contract. */
export function rateClass({ method, path }: Pick<OperationRequest, 'method' | 'path'>): RateClass {
  if (path === '/identify' || path === '/price-lookup') return 'ai'
  return method === 'GET' ? 'read' : 'write'
}

/** The length of a window in milliseconds. */
const windowLength = 60_000
const longestWait = 120_000

/** Counts the requests of a class that the limit still allows. Before the first response it allows all. */
export class Window {
  #limit = 0
  #left = Infinity
  /** The end of the latest window by the clock of the service. */
  #reset = 0
  /** The end of the window by the clock of the client; undefined until the first response in a new window. */
  #end: number | undefined

  /** Identifies the window. */
  get reset(): number {
    return this.#reset
  }

  /** The end of the window; undefined if the responses to its first requests have not arrived yet. */
  get end(): number | undefined {
    return this.#end
  }

  /** Counts a request. Returns false if the limit does not allow it now. */
  take(now: number): boolean {
    if (this.#end !== undefined && now >= this.#end) {
      this.#end = undefined
      this.#left = this.#limit
    }
    if (this.#left <= 0) return false
    this.#left--
    return true
  }

  /** Updates the limit from a response, or from undefined if there was none. */
  observe(answer: Answer | undefined, now: number): void {
    const limit = answer && rateLimit(answer.headers)
    if (!limit || !(limit.limit > 0)) {
      if (this.#left < this.#limit) this.#left++
      return
    }
    const reset = limit.reset.getTime()
    const isLater = reset > this.#reset
    const rejected = exceedsLimit(answer.status, limit)
    // A late response of an earlier window.
    if (reset < this.#reset || (!isLater && this.#end === undefined && !rejected)) return
    const endedEarly = isLater && this.#end !== undefined
    this.#left = endedEarly ? limit.remaining : Math.min(this.#left, limit.remaining)
    this.#limit = limit.limit
    this.#reset = reset
    this.#end = now + untilReset(answer, reset, rejected, now)
  }
}

/**
 * Reports whether the service rejected a request because the limit of its class was used up. It also rejects requests
 * of which too many run at the same time.
 */
export function exceedsLimit(status: number, limit: RateLimit | undefined): boolean {
  return status === 429 && limit !== undefined && limit.limit > 0 && limit.remaining <= 0
}

/** Returns the milliseconds until the window ends. The clocks may differ, so the response says the service's time. */
function untilReset({ headers }: Answer, reset: number, rejected: boolean, now: number): number {
  const after = retryAfter(headers.get('retry-after'), now)
  if (rejected && after !== undefined) return Math.min(after * 1000, longestWait)
  const date = Date.parse(headers.get('date') ?? '') // browsers hide it from pages of other origins
  return Math.min(reset - (Number.isNaN(date) ? now : date), windowLength)
}
