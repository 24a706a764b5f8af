import { CardVaultError, type RateLimit } from './errors.js'
import type { ErrorDetail } from './generated/types.js'

/** An HTTP response with its complete body. */
export interface Answer {
  status: number
  headers: Headers
  text: string
}

/** Returns the JSON object of a 2xx response, or undefined for 204. Throws CardVaultError for other responses. */
export function read(answer: Answer, now: number): unknown {
  const { status, text } = answer
  if (status === 204) return undefined
  const body = parse(text)
  if (status >= 200 && status < 300 && isObject(body)) return body
  throw toError(answer, body, now)
}

/** Parses the headers of the rate limit. Returns undefined if they are missing, as in the response of a proxy. */
export function rateLimit(headers: Headers): RateLimit | undefined {
  const [limit, remaining, reset] = ['limit', 'remaining', 'reset'].map((name) =>
    wholeNumber(headers.get(`x-ratelimit-${name}`)),
  )
  if (limit === undefined || remaining === undefined || reset === undefined) return undefined
  return { limit, remaining, reset: new Date(reset * 1000) }
}

function toError({ status, headers }: Answer, body: unknown, now: number): CardVaultError {
  return new CardVaultError({
    status,
    ...problem(status, body),
    requestId: headers.get('x-request-id') ?? undefined,
    retryAfter: retryAfter(headers.get('retry-after'), now),
    rateLimit: rateLimit(headers),
  })
}

function problem(status: number, body: unknown): { code: string; message: string; details?: ErrorDetail[] } {
  if (status === 304) return { code: 'not_modified', message: 'The resource has not changed.' }
  const error = isObject(body) ? body['error'] : undefined
  if (!isObject(error) || typeof error['code'] !== 'string') {
    const message = `The response with status ${status} is not from CardVault. ${advice(status)}`
    return { code: 'unexpected_response', message }
  }
  const { code, message, details } = error
  return { code, message: String(message), details: Array.isArray(details) ? (details as ErrorDetail[]) : [] }
}

/** Returns what to do about a response that is not from CardVault. */
function advice(status: number): string {
  if (status < 400 || status === 404 || status === 405) return 'Check baseUrl.'
  const between = 'It is from a proxy or the like in between.'
  return status === 413 ? `${between} Allow larger bodies there.` : between
}

/** Parses Retry-After: seconds or, from proxies, a date. Returns the seconds to wait. */
export function retryAfter(header: string | null, now: number): number | undefined {
  if (header === null) return undefined
  const seconds = wholeNumber(header) ?? Math.ceil((Date.parse(header) - now) / 1000)
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds)
}

function wholeNumber(text: string | null): number | undefined {
  return text !== null && /^\d+$/.test(text) ? Number(text) : undefined
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
