import { exampleEvents } from './generated/examples.js';
import { sign } from './signature.js';
/**
 * A signed delivery for a receiver's own tests: POST its body with its headers. The example's identifiers are all
 * zeros, so a receiver that looks them up finds nothing. Several secrets give several signatures, as in a rotation.
 */
export async function signTestPayload(secret, event, { at = new Date(), attempt = 1 } = {}) {
    const whole = complete(event, at);
    const body = JSON.stringify(whole);
    const secrets = typeof secret === 'string' ? [secret] : secret;
    const headers = {
        'Content-Type': 'application/json',
        'User-Agent': 'CardVault-Webhooks/1',
        'X-Vault-Signature': await sign(secrets, Math.floor(at.getTime() / 1000), body),
        'X-Vault-Event': whole.event,
        'X-Vault-Event-Id': whole.id,
        'X-Vault-Delivery-Attempt': String(attempt),
    };
    return { body, headers };
}
function complete(event, at) {
    const given = typeof event === 'string' ? { event } : event;
    const example = exampleEvents[given.event];
    const created_at = at.toISOString().replace('Z', '000Z');
    return { ...example, created_at, ...given, data: { ...example?.data, ...given.data } };
}
