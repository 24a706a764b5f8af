import { setImmediate } from 'node:timers/promises'
import { CardVault, type CardVaultOptions, type Timing } from '../../src/index.js'
import { token } from './client.js'

/** A clock that advances to the end of the earliest pause when nothing else happens. */
export class VirtualTiming implements Timing {
  readonly #pauses: { end: number; done: () => void }[] = []
  #now = Date.parse('2026-05-11T15:32:00Z')

  now(): number {
    return this.#now
  }

  random(): number {
    return 0.5
  }

  sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted()
      const pause = { end: this.#now + milliseconds, done: resolve }
      this.#pauses.push(pause)
      signal?.addEventListener('abort', () => {
        this.#forget(pause)
        reject(signal.reason)
      })
    })
  }

  /** Runs the work and returns how many milliseconds it takes. */
  async elapsed(work: Promise<unknown>): Promise<number> {
    const start = this.#now
    let ended = false
    const end = () => (ended = true)
    work.then(end, end)
    while (!ended) {
      for (let n = 0; n < 5; n++) await setImmediate()
      const next = this.#pauses.reduce((a, b) => (b.end < a.end ? b : a), this.#pauses[0]!)
      if (ended || !next) continue
      this.#forget(next)
      this.#now = Math.max(this.#now, next.end)
      next.done()
    }
    await work
    return this.#now - start
  }

  #forget(pause: { end: number }): void {
    const n = this.#pauses.findIndex((one) => one === pause)
    if (n >= 0) this.#pauses.splice(n, 1)
  }
}

/** A service with a rate limit, in windows of a minute that start with their first request. */
export class Limited {
  rejected = 0
  #count = 0
  #end = 0

  /** skew is how many milliseconds the clock of the service is ahead. A response takes a second. */
  constructor(
    readonly limit: number,
    readonly timing: Timing,
    readonly skew = 0,
  ) {}

  fetch = async (): Promise<Response> => {
    const now = this.timing.now()
    if (now >= this.#end) {
      this.#end = now + 60_000
      this.#count = 0
    }
    const over = ++this.#count > this.limit
    if (over) this.rejected++
    const headers = this.#headers(now)
    await this.timing.sleep(1000)
    if (!over) return Response.json({ id: 'card_1' }, { headers })
    const retryAfter = { 'Retry-After': String(Math.ceil((this.#end - now) / 1000)) }
    const error = { code: 'rate_limited', message: 'Too many requests.' }
    return Response.json({ error }, { status: 429, headers: { ...headers, ...retryAfter } })
  }

  #headers(now: number): Record<string, string> {
    return {
      Date: new Date(now + this.skew).toUTCString(),
      'X-RateLimit-Limit': String(this.limit),
      'X-RateLimit-Remaining': String(Math.max(0, this.limit - this.#count)),
      'X-RateLimit-Reset': String(Math.ceil((this.#end + this.skew) / 1000)),
    }
  }
}

/** Returns a client of the service with a virtual clock. */
export function limitedClient(limit: number, options: Partial<CardVaultOptions> = {}, skew = 0) {
  const timing = new VirtualTiming()
  const service = new Limited(limit, timing, skew)
  const baseUrl = 'https://vault.example/api'
  return { client: new CardVault({ baseUrl, token, timing, fetch: service.fetch, ...options }), service, timing }
}
