import type { RateLimit } from './errors.js'
import type { Timing } from './timing.js'

/** How a client is made. */
export interface CardVaultOptions {
  /** Where the API is, `/api` included, such as `https://vault.example/api`. In a browser it may be relative. */
  baseUrl: string
  /** A token of your account: `cv_live_…` or, in the sandbox, `cv_test_…`. */
  token: string
  /**
   * Milliseconds for each attempt, from the connection to the end of the answer. Default: 60,000, more than the service
   * works on any request.
   */
  timeout?: number | undefined
  /** How often a request is sent again after the first attempt. Default: 3. */
  maxRetries?: number | undefined
  /** What sends the requests, for proxies and tests. Default: the global `fetch`. */
  fetch?: typeof fetch | undefined
  /** Told of every answer, also of those that are retried: for logs, metrics and the rate limit. */
  onResponse?: ((info: ResponseInfo) => void) | undefined
  /** Replaces the clock, the waiting and the chance in retries, for tests. */
  timing?: Timing | undefined
}

/** What any one call may set for itself. */
export interface RequestOptions {
  /** Ends the call, its waits included: it then throws the signal's reason. */
  signal?: AbortSignal | undefined
  /** In place of the client's own. */
  timeout?: number | undefined
  /** In place of the client's own. */
  maxRetries?: number | undefined
  /** In place of the client's own. */
  onResponse?: ((info: ResponseInfo) => void) | undefined
}

export interface IdempotentOptions {
  /**
   * Names this change, 1 to 255 printable ASCII characters: repeated with the same key within 24 hours it is done
   * once. Default: a new one a call, the same for all its attempts.
   */
  idempotencyKey?: string | undefined
}

export interface IfMatchOptions {
  /**
   * The card's `version` (or an ETag) that you have seen: if the card has changed since, this throws
   * `version_mismatch`. So can an attempt that follows a lost answer: its own change is in the way.
   */
  ifMatch?: number | string | undefined
}

export interface IfNoneMatchOptions {
  /** A card's `version`, or an ETag, that you have: if it is current, this throws `not_modified`. */
  ifNoneMatch?: number | string | undefined
}

/** All that a call may set: which of it an operation takes, its own type says. */
export type CallOptions = RequestOptions & IdempotentOptions & IfMatchOptions & IfNoneMatchOptions

/** An answer, without its body. */
export interface ResponseInfo {
  method: string
  url: string
  status: number
  headers: Headers
  /** Names the request in the service's logs. */
  requestId: string | undefined
  rateLimit: RateLimit | undefined
}
