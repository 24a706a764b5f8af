/** The clock, waiting and chance. */
export interface Timing {
  /** Milliseconds since the Unix epoch. */
  now(): number
  /** From 0, included, to 1, excluded. */
  random(): number
  /** Waits so many milliseconds; throws the signal's reason as soon as it is aborted. */
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
