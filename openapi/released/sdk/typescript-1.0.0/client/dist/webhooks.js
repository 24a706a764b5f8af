import { bytesOf, matches, parseSignature } from './signature.js';
export { signTestPayload } from './testpayload.js';
/** A delivery that is not to be believed: answer 400 and do nothing else. */
export class WebhookError extends Error {
    code;
    name = 'WebhookError';
    constructor(code, message) {
        super(message);
        this.code = code;
    }
}
/**
 * Whether a delivery came from CardVault, lately: throws WebhookError if not.
 *
 * @param secret The endpoint's, exactly as it was shown: `whsec_…`.
 * @param header The value of `X-Vault-Signature`.
 * @param body The raw body.
 */
export async function verify(secret, header, body, { tolerance = 300, now = new Date() } = {}) {
    const text = typeof header === 'string' ? header : header?.join(',');
    if (!text)
        throw new WebhookError('signature_missing', 'The header X-Vault-Signature is missing.');
    const signature = parseSignature(text);
    if (!signature)
        throw new WebhookError('signature_malformed', 'X-Vault-Signature has not the form t=…,v1=….');
    if (!(await matches(secret, signature, body))) {
        throw new WebhookError('signature_wrong', 'The signature does not match: another secret, or not the body as it came.');
    }
    const age = now.getTime() / 1000 - Number(signature.t);
    if (age > tolerance) {
        throw new WebhookError('signature_too_old', `The signature is more than ${tolerance} seconds old.`);
    }
    if (-age > tolerance) {
        throw new WebhookError('signature_in_future', `The signature is more than ${tolerance} seconds in the future: check the clock.`);
    }
}
/**
 * Verifies a delivery as {@link verify} does and returns its event. Tell the kinds apart by `event`, with a default
 * for those that are newer than this package. Skip an `id` that you have seen.
 */
export async function unwrap(secret, header, body, options = {}) {
    await verify(secret, header, body, options);
    const event = parse(body);
    if (!isEvent(event))
        throw new WebhookError('body_malformed', 'The body is signed but is no event.');
    return event;
}
function parse(body) {
    try {
        return JSON.parse(typeof body === 'string' ? body : new TextDecoder().decode(bytesOf(body)));
    }
    catch {
        return undefined;
    }
}
function isEvent(value) {
    if (typeof value !== 'object' || value === null)
        return false;
    const { id, event, data } = value;
    return typeof id === 'string' && typeof event === 'string' && typeof data === 'object' && data !== null;
}
