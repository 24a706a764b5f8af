import type { Answer } from './answer.js'
import type { Timing } from './timing.js'
import { type RateClass, Window } from './window.js'

/** A wait of a client for the next window of its rate limit. */
export interface Wait {
  rateClass: RateClass
  milliseconds: number
}

/** Delays the requests of a class while its rate limit is used up. The requests wait in the order of the calls. */
export class Throttle {
  readonly #rateClass: RateClass
  readonly #timing: Timing
  readonly #onWait: ((wait: Wait) => void) | undefined
  readonly #window = new Window()
  /** Ends when the last request in the queue is allowed. */
  #last: Promise<unknown> = Promise.resolve()
  #reported = 0
  /** Wakes the request at the head of the queue. */
  #wake = () => {}

  constructor(rateClass: RateClass, timing: Timing, onWait: ((wait: Wait) => void) | undefined) {
    this.#rateClass = rateClass
    this.#timing = timing
    this.#onWait = onWait
  }

  /** Waits until the limit allows a request. Afterwards, call observe. */
  async acquire(signal: AbortSignal | undefined): Promise<void> {
    const before = this.#last
    let done = () => {}
    this.#last = Promise.all([before, new Promise<void>((resolve) => (done = resolve))])
    try {
      await unlessAborted(before, signal)
      while (!this.#window.take(this.#timing.now())) await this.#wait(signal)
    } finally {
      done()
    }
  }

  /** Updates the limit from a response, or from undefined if there was none. */
  observe(answer: Answer | undefined): void {
    this.#window.observe(answer, this.#timing.now())
    this.#wake()
  }

  /** Waits until the window ends, or until a response changes what is known of the limit. */
  async #wait(signal: AbortSignal | undefined): Promise<void> {
    const { end } = this.#window
    const milliseconds = end === undefined ? undefined : Math.max(0, end - this.#timing.now())
    if (milliseconds !== undefined) this.#report(milliseconds)
    const pause = new AbortController()
    const woken = new Promise<void>((resolve) => (this.#wake = resolve))
    const ends = milliseconds === undefined ? woken : Promise.race([woken, this.#sleep(milliseconds, pause.signal)])
    await unlessAborted(ends, signal).finally(() => pause.abort())
  }

  /** Sleeps. The end of the pause is no error. */
  #sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
    return this.#timing.sleep(milliseconds, signal).catch(() => {})
  }

  /** Calls onWait once for each window. */
  #report(milliseconds: number): void {
    if (this.#window.reset === this.#reported) return
    this.#reported = this.#window.reset
    this.#onWait?.({ rateClass: this.#rateClass, milliseconds })
  }
}

/** Waits for the promise. Throws the reason of the signal when the signal is aborted. */
async function unlessAborted(promise: Promise<unknown>, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted()
  let stop = () => {}
  const aborted = new Promise<never>((_, reject) => (stop = () => reject(signal?.reason)))
  signal?.addEventListener('abort', stop, { once: true })
  try {
    await Promise.race([promise, aborted])
  } finally {
    signal?.removeEventListener('abort', stop)
  }
}
