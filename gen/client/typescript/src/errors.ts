import type { ErrorCode, ErrorDetail } from './generated/types.js'

/** The codes of the client: no response, a time-out, a 304, or a response that is not from the API. */
export type ClientErrorCode = 'connection_failed' | 'timed_out' | 'not_modified' | 'unexpected_response'

/** The codes of the contract and of the client. The service may send codes that are newer than this package. */
export type CardVaultErrorCode = ErrorCode | ClientErrorCode | (string & Record<never, never>)

/** The rate limit of the class of the request: read, write or AI. */
export interface RateLimit {
  limit: number
  remaining: number
  /** The time when the window ends. */
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

/** A request that failed. Use `code` to distinguish errors; `message` is for people. */
export class CardVaultError extends Error {
  override readonly name: string = 'CardVaultError'
  /** The HTTP status; 0 if there was no response. */
  readonly status: number
  readonly code: CardVaultErrorCode
  /** The invalid fields of the request; empty if there are none. */
  readonly details: readonly ErrorDetail[]
  /** Identifies the request for the operator of the service. */
  readonly requestId: string | undefined
  /** The seconds to wait before a retry; undefined if the response has no Retry-After. */
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

/** There was no complete response: the URL is wrong, the network is down or the connection broke. See `cause`. */
export class ConnectionError extends CardVaultError {
  override readonly name: string = 'ConnectionError'

  constructor(url: string, cause: unknown) {
    super({ code: 'connection_failed', message: `No response from ${new URL(url).origin}: ${reason(cause)}.`, cause })
  }

  /** Whether the certificate of the service is untrusted, so that a retry would fail too. Always false in browsers. */
  get distrusted(): boolean {
    return /CERT|LEAF_SIGNATURE/.test(codeOf(this.cause))
  }
}

/** The attempt timed out. */
export class TimeoutError extends CardVaultError {
  override readonly name: string = 'TimeoutError'

  constructor(url: string, timeout: number) {
    super({ code: 'timed_out', message: `No response from ${new URL(url).origin} within ${timeout} ms.` })
  }
}

/** Returns the message or code of the innermost cause, because the fetch of Node.js says only "fetch failed". */
function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.cause instanceof Error) return reason(error.cause)
  return error.message || codeOf(error) || error.name
}

/** Returns the Node.js code of the innermost cause; empty if there is none. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return ''
  if (error.cause instanceof Error) return codeOf(error.cause)
  return (error as { code?: string }).code ?? ''
}
