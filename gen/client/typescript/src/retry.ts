import { type CardVaultError, ConnectionError, TimeoutError } from './errors.js'
import type { Timing } from './timing.js'
import { exceedsLimit } from './window.js'

const baseDelay = 500
const longestDelay = 8_000
/** The minimum delay while the service still processes an earlier attempt. */
const busyDelay = 8_000
/** The maximum Retry-After, in seconds, for which the client waits. */
const longestRetryAfter = 120

const passing = new Set([429, 502, 503])

/**
 * Returns the delay in milliseconds after an attempt, numbered from 1, or undefined if a retry would not help. The
 * delay is Retry-After plus a random time up to a bound that doubles with each attempt. It is random so that clients
 * that failed at the same time do not retry at the same time.
 */
export function retryDelay(error: CardVaultError, attempt: number, timing: Timing): number | undefined {
  const retryAfter = error.retryAfter ?? 0
  if (!mayPass(error, attempt) || retryAfter > longestRetryAfter) return undefined
  if (exceedsLimit(error.status, error.rateLimit)) return 0 // the throttle delays the next attempt
  const bound = Math.min(longestDelay, baseDelay * 2 ** (attempt - 1))
  const least = error.code === 'idempotency_conflict' ? busyDelay : retryAfter * 1000
  return least + timing.random() * bound
}

function mayPass(error: CardVaultError, attempt: number): boolean {
  if (error instanceof ConnectionError) return !error.distrusted
  if (error instanceof TimeoutError) return true
  // An earlier attempt of this call uses the key. On the first attempt, another call uses it.
  const own = error.code === 'idempotency_conflict' && attempt > 1
  return passing.has(error.status) || own
}
