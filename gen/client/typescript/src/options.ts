import type { RateLimit } from './errors.js'
import type { Wait } from './throttle.js'
import type { Timing } from './timing.js'

/** The options of a client. */
export interface CardVaultOptions {
  /** The URL of the API including `/api`, such as `https://vault.example/api`. In a browser it may be relative. */
  baseUrl: string
  /** A token of your account: `cv_live_…` or, in the sandbox, `cv_test_…`. */
  token: string
  /**
   * The timeout of each attempt in milliseconds, from connecting to the end of the response. Default: 60,000, which is
   * more than the service needs for any request. `scanCards` gets a second more for each 128 KiB of its photos.
   */
  timeout?: number | undefined
  /**
   * The maximum number of retries after the first attempt. With 0, requests do not wait for the rate limit either.
   * Default: 3.
   */
  maxRetries?: number | undefined
  /** Sends the requests. Replace it for proxies and tests. Default: the global `fetch`. */
  fetch?: typeof fetch | undefined
  /** Called with each response, also before a retry. Use it for logs, metrics and the rate limit. */
  onResponse?: ((info: ResponseInfo) => void) | undefined
  /**
   * Called when requests begin to wait because the rate limit of their class is used up, once for each window of the
   * limit.
   */
  onWait?: ((wait: Wait) => void) | undefined
  /** Replaces the clock, the pauses and the random numbers, for tests. */
  timing?: Timing | undefined
}

/** The options of a call. */
export interface RequestOptions {
  /** Ends the call and its pauses. The call then throws the reason of the signal. */
  signal?: AbortSignal | undefined
  /** Default: that of the client. */
  timeout?: number | undefined
  /** Default: that of the client. */
  maxRetries?: number | undefined
  /** Default: that of the client. */
  onResponse?: ((info: ResponseInfo) => void) | undefined
}

export interface IdempotentOptions {
  /**
   * Identifies the change, with 1 to 255 printable ASCII characters. The service executes requests with the same key
   * only once within 24 hours. Default: a new key for each call, the same in all its attempts.
   */
  idempotencyKey?: string | undefined
}

export interface IfMatchOptions {
  /**
   * The `version` or the ETag of the card, listing or sale that you read. If it has changed since, the call throws
   * `version_mismatch`. A retry after a lost response does so too, because the first attempt changed the version.
   */
  ifMatch?: number | string | undefined
}

export interface IfNoneMatchOptions {
  /** The `version` or the ETag that you have. If it is still current, the call throws `not_modified`. */
  ifNoneMatch?: number | string | undefined
}

/** The options of all calls. The type of an operation says which of them it accepts. */
export type CallOptions = RequestOptions & IdempotentOptions & IfMatchOptions & IfNoneMatchOptions

/** The metadata of a response. */
export interface ResponseInfo {
  method: string
  url: string
  status: number
  headers: Headers
  /** Identifies the request in the logs of the service. */
  requestId: string | undefined
  rateLimit: RateLimit | undefined
}
