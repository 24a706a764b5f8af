import type { ErrorCode, ErrorDetail } from './generated/types.js'

/** What the client itself finds: no answer, none in time, a 304, or an answer that is not the API's. */
export type ClientErrorCode = 'connection_failed' | 'timed_out' | 'not_modified' | 'unexpected_response'

/** The contract's codes and the client's own. It is open: the service may send codes that are newer than this package. */
export type CardVaultErrorCode = ErrorCode | ClientErrorCode | (string & Record<never, never>)

/** How many requests of a class are left, and until when. */
export interface RateLimit {
  limit: number
  remaining: number
  /** When the window ends. */
  reset: Date
}

export interface CardVaultErrorFields {
  status?: number | undefined
  code: CardVaultErrorCode
  message: string
  details?: readonly ErrorDetail[] | undefined
  requestId?: string | undefined
  retryAfter?: number | undefined
  rateLimit?: RateLimit | undefined
  cause?: unknown
}

/** A request that failed. Dispatch on `code`; `message` is for people. */
export class CardVaultError extends Error {
  override readonly name: string = 'CardVaultError'
  /** The HTTP status; 0 where no answer came. */
  readonly status: number
  readonly code: CardVaultErrorCode
  /** The fields of the request at fault; empty where none is. */
  readonly details: readonly ErrorDetail[]
  /** Quote it to the operator. */
  readonly requestId: string | undefined
  /** Seconds after which to try again, where the service says. */
  readonly retryAfter: number | undefined
  readonly rateLimit: RateLimit | undefined

  constructor(fields: CardVaultErrorFields) {
    super(fields.message, fields.cause === undefined ? undefined : { cause: fields.cause })
    this.status = fields.status ?? 0
    this.code = fields.code
    this.details = fields.details ?? []
    this.requestId = fields.requestId
    this.retryAfter = fields.retryAfter
    this.rateLimit = fields.rateLimit
  }
}

/** No answer came: the address is wrong, the network is down or the connection broke off. See `cause`. */
export class ConnectionError extends CardVaultError {
  override readonly name: string = 'ConnectionError'

  constructor(url: string, cause: unknown) {
    super({ code: 'connection_failed', message: `No answer from ${new URL(url).origin}: ${reason(cause)}.`, cause })
  }

  /** Whether the service's certificate is not trusted, which no repetition changes. Browsers do not say. */
  get distrusted(): boolean {
    return /CERT|LEAF_SIGNATURE/.test(codeOf(this.cause))
  }
}

/** The answer was not there in time. */
export class TimeoutError extends CardVaultError {
  override readonly name: string = 'TimeoutError'

  constructor(url: string, timeout: number) {
    super({ code: 'timed_out', message: `No answer from ${new URL(url).origin} within ${timeout} ms.` })
  }
}

/** What failed: fetch of Node.js says "fetch failed" and leaves the rest to its cause, which may have a code alone. */
function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.cause instanceof Error) return reason(error.cause)
  return error.message || codeOf(error) || error.name
}

/** The code of what failed in the end, as Node.js has them; empty where there is none. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return ''
  if (error.cause instanceof Error) return codeOf(error.cause)
  return (error as { code?: string }).code ?? ''
}
