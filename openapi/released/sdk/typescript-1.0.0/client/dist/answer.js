import { CardVaultError } from './errors.js';
/** The value that an answer holds; undefined for 204. Throws CardVaultError for anything but a 2xx with JSON. */
export function read(answer, now) {
    const { status, text } = answer;
    if (status === 204)
        return undefined;
    const body = parse(text);
    if (status >= 200 && status < 300 && isObject(body))
        return body;
    throw toError(answer, body, now);
}
/** Where the caller is in the window of the request's class; undefined where a proxy answered. */
export function rateLimit(headers) {
    const [limit, remaining, reset] = ['limit', 'remaining', 'reset'].map((name) => wholeNumber(headers.get(`x-ratelimit-${name}`)));
    if (limit === undefined || remaining === undefined || reset === undefined)
        return undefined;
    return { limit, remaining, reset: new Date(reset * 1000) };
}
function toError({ status, headers }, body, now) {
    return new CardVaultError({
        status,
        ...problem(status, body),
        requestId: headers.get('x-request-id') ?? undefined,
        retryAfter: retryAfter(headers.get('retry-after'), now),
        rateLimit: rateLimit(headers),
    });
}
function problem(status, body) {
    if (status === 304)
        return { code: 'not_modified', message: 'You have the current version.' };
    const error = isObject(body) ? body['error'] : undefined;
    if (!isObject(error) || typeof error['code'] !== 'string') {
        const advice = 'Check baseUrl; a proxy may have answered in its place.';
        return { code: 'unexpected_response', message: `The answer with status ${status} is not the API's. ${advice}` };
    }
    const { code, message, details } = error;
    return { code, message: String(message), details: Array.isArray(details) ? details : [] };
}
/** Seconds to wait: the header has them, or, from a proxy perhaps, a date. */
function retryAfter(header, now) {
    if (header === null)
        return undefined;
    const seconds = wholeNumber(header) ?? Math.ceil((Date.parse(header) - now) / 1000);
    return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}
function wholeNumber(text) {
    return text !== null && /^\d+$/.test(text) ? Number(text) : undefined;
}
function parse(text) {
    try {
        return JSON.parse(text);
    }
    catch {
        return undefined;
    }
}
function isObject(value) {
    return typeof value === 'object' && value !== null;
}
