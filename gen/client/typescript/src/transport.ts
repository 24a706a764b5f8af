import { type Answer, rateLimit, read } from './answer.js'
import { attempt, type PreparedRequest } from './attempt.js'
import { CardVaultError } from './errors.js'
import type { CallOptions, CardVaultOptions } from './options.js'
import { type OperationRequest, prepare } from './request.js'
import { retryDelay } from './retry.js'
import { addressOf, authorization, longestTimer, type Settings, settingsOf } from './settings.js'
import { Throttle } from './throttle.js'
import { systemTiming, type Timing } from './timing.js'
import { userAgent } from './useragent.js'
import { type RateClass, rateClass } from './window.js'

/** The part of Transport that the generated operations use. */
export interface Sender {
  /** Sends a request and returns the value of the response, which has the type T in the contract. */
  send<T>(operation: OperationRequest, options: CallOptions): Promise<T>
}

/** Sends requests, retries them and reads the responses. */
export class Transport implements Sender {
  readonly timing: Timing
  readonly #options: CardVaultOptions
  readonly #address: string
  readonly #headers: Record<string, string>
  readonly #throttles: Record<RateClass, Throttle>

  constructor(options: CardVaultOptions) {
    this.timing = options.timing ?? systemTiming
    this.#options = options
    this.#address = addressOf(options.baseUrl)
    this.#headers = { Accept: 'application/json', Authorization: authorization(options.token), ...userAgent() }
    const throttle = (rateClass: RateClass) => new Throttle(rateClass, this.timing, options.onWait)
    this.#throttles = { read: throttle('read'), write: throttle('write'), ai: throttle('ai') }
    settingsOf(options, {}) // reports a wrong option here instead of in the first call
  }

  async send<T>(operation: OperationRequest, options: CallOptions): Promise<T> {
    const settings = settingsOf(this.#options, options)
    const request = prepare(this.#address, this.#headers, operation, options)
    const throttle = this.#throttles[rateClass(operation)]
    for (let count = 1; ; count++) {
      try {
        return read(await throttled(throttle, request, settings), this.timing.now()) as T
      } catch (error) {
        const delay = this.#delayAfter(error, count, settings)
        if (delay === undefined) throw error
        await this.timing.sleep(delay, settings.signal)
      }
    }
  }

  #delayAfter(error: unknown, count: number, { maxRetries }: Settings): number | undefined {
    if (!(error instanceof CardVaultError) || count > maxRetries) return undefined
    return retryDelay(error, count, this.timing)
  }
}

/** Sends a request once, as soon as the rate limit allows it. */
async function throttled(throttle: Throttle, request: PreparedRequest, settings: Settings): Promise<Answer> {
  if (settings.maxRetries > 0) await throttle.acquire(settings.signal)
  let answer: Answer | undefined
  try {
    answer = await exchange(request, settings)
    return answer
  } finally {
    throttle.observe(answer)
  }
}

async function exchange(request: PreparedRequest, settings: Settings): Promise<Answer> {
  const { send, timeout, signal, onResponse } = settings
  const answer = await attempt(send, request, Math.min(timeout + request.uploadTime, longestTimer), signal)
  const { url, method } = request
  const { status, headers } = answer
  const requestId = headers.get('x-request-id') ?? undefined
  onResponse?.({ method, url, status, headers, requestId, rateLimit: rateLimit(headers) })
  return answer
}
