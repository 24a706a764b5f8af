import type { Answer } from './answer.js'
import { ConnectionError, TimeoutError } from './errors.js'

/** A request that is the same in all attempts. */
export interface PreparedRequest {
  url: string
  method: string
  headers: Headers
  body: string | Blob | FormData | null
  /** The milliseconds that an attempt gets in addition to the timeout. */
  uploadTime: number
}

/**
 * Sends a request once and reads the complete response. Throws TimeoutError after timeout milliseconds, ConnectionError
 * if there is no complete response, and the reason of the signal if it is aborted.
 */
export async function attempt(
  send: typeof fetch,
  request: PreparedRequest,
  timeout: number,
  signal: AbortSignal | undefined,
): Promise<Answer> {
  signal?.throwIfAborted()
  const ending = endingOf(timeout, signal)
  try {
    const { url, method, headers, body } = request
    // Following a redirect may change a POST to a GET, whose response would look like that of the POST.
    const response = await send(url, { method, headers, body, redirect: 'manual', signal: ending.signal })
    return { status: response.status, headers: response.headers, text: await response.text() }
  } catch (error) {
    signal?.throwIfAborted()
    throw ending.signal.aborted ? new TimeoutError(request.url, timeout) : new ConnectionError(request.url, error)
  } finally {
    ending.forget()
  }
}

/** Creates a signal for one attempt. forget removes its listener, because the caller's signal may live long. */
function endingOf(timeout: number, signal: AbortSignal | undefined) {
  const controller = new AbortController()
  const end = () => controller.abort()
  const timer = setTimeout(end, timeout)
  signal?.addEventListener('abort', end, { once: true })
  const forget = () => {
    clearTimeout(timer)
    signal?.removeEventListener('abort', end)
  }
  return { signal: controller.signal, forget }
}
