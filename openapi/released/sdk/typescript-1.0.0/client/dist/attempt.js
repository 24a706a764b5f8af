import { ConnectionError, TimeoutError } from './errors.js';
/**
 * Sends a request once and reads the whole answer. Throws TimeoutError after so many milliseconds, ConnectionError
 * where there is no whole answer, and the signal's reason once it is aborted.
 */
export async function attempt(send, request, timeout, signal) {
    signal?.throwIfAborted();
    const ending = endingOf(timeout, signal);
    try {
        const { url, method, headers, body } = request;
        // A redirect that is followed may make a GET of a POST, and pass for an answer to it.
        const response = await send(url, { method, headers, body, redirect: 'manual', signal: ending.signal });
        return { status: response.status, headers: response.headers, text: await response.text() };
    }
    catch (error) {
        signal?.throwIfAborted();
        throw ending.signal.aborted ? new TimeoutError(request.url, timeout) : new ConnectionError(request.url, error);
    }
    finally {
        ending.forget();
    }
}
/** A signal of the attempt's own, so that nothing of it stays with a caller's long-lived one. */
function endingOf(timeout, signal) {
    const controller = new AbortController();
    const end = () => controller.abort();
    const timer = setTimeout(end, timeout);
    signal?.addEventListener('abort', end, { once: true });
    const forget = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', end);
    };
    return { signal: controller.signal, forget };
}
