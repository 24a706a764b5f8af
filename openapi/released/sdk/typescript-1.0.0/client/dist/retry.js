import { ConnectionError, TimeoutError } from './errors.js';
const baseDelay = 500;
const longestDelay = 8_000;
/** More for a service that still works on an earlier attempt. */
const busyDelay = 8_000;
/** Who asks for more patience than this, in seconds, is not waited for: the caller shall decide. */
const longestRetryAfter = 120;
const passing = new Set([429, 502, 503]);
/**
 * How many milliseconds to wait after the nth attempt, counted from 1, before the next; undefined if another attempt
 * would not help. Full jitter: anything from nothing to a bound that doubles, on top of Retry-After, so that clients
 * which were turned away together come back apart.
 */
export function retryDelay(error, attempt, timing) {
    const retryAfter = error.retryAfter ?? 0;
    if (!mayPass(error, attempt) || retryAfter > longestRetryAfter)
        return undefined;
    const bound = Math.min(longestDelay, baseDelay * 2 ** (attempt - 1));
    const least = error.code === 'idempotency_conflict' ? busyDelay : retryAfter * 1000;
    return least + timing.random() * bound;
}
function mayPass(error, attempt) {
    if (error instanceof ConnectionError)
        return !error.distrusted;
    if (error instanceof TimeoutError)
        return true;
    // The key is in use by an earlier attempt of this call, whose answer was lost; a first attempt's was another's.
    const own = error.code === 'idempotency_conflict' && attempt > 1;
    return passing.has(error.status) || own;
}
