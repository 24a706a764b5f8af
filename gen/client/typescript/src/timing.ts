/** The clock, the pauses and the random numbers of a client. */
export interface Timing {
  /** Milliseconds since the Unix epoch. */
  now(): number
  /** A random number of at least 0 and less than 1. */
  random(): number
  /** Waits for the time. Throws the reason of the signal when the signal is aborted. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>
}

export const systemTiming: Timing = { now: Date.now, random: Math.random, sleep }

function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, milliseconds)
    signal?.addEventListener('abort', stop, { once: true })
  })
}
