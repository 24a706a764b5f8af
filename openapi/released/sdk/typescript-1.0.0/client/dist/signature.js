/** More than any header of ours has. Each v1 costs a pass over the body, so there must be an end to them. */
const longestHeader = 1000;
/** Reads t=<Unix seconds>,v1=<hex>[,v1=<hex>]; undefined where it is anything else. Parts of other names are skipped. */
export function parseSignature(header) {
    if (header.length > longestHeader)
        return undefined;
    const parts = header.split(',').map((part) => part.trim().split('=', 2));
    const values = (name) => parts.filter((part) => part[0] === name).map((part) => part[1] ?? '');
    const [t = '', ...others] = values('t');
    const v1 = values('v1').filter((value) => /^[0-9a-f]{64}$/i.test(value));
    if (!/^\d{1,15}$/.test(t) || others.length > 0 || v1.length === 0)
        return undefined;
    return { t, v1 };
}
/** Whether one of the signatures is the secret's. The comparison is the platform's, in constant time. */
export async function matches(secret, { t, v1 }, body) {
    const key = await importKey(secret);
    const message = signed(t, body);
    const verdicts = await Promise.all(v1.map((hex) => crypto.subtle.verify('HMAC', key, fromHex(hex), message)));
    return verdicts.includes(true);
}
/** The header for a body, with one v1 for each secret. */
export async function sign(secrets, t, body) {
    const message = signed(String(t), body);
    const parts = secrets.map(async (secret) => {
        const signature = await crypto.subtle.sign('HMAC', await importKey(secret), message);
        return `,v1=${toHex(new Uint8Array(signature))}`;
    });
    return `t=${t}${(await Promise.all(parts)).join('')}`;
}
/** The key is the secret exactly as it was shown, whsec_ included. */
async function importKey(secret) {
    if (!secret)
        throw new TypeError('secret: is empty; give the one that was shown with the endpoint, whsec_…');
    if (!globalThis.crypto?.subtle)
        throw new Error('Web Crypto is missing: a page must come by https or from localhost');
    const key = new TextEncoder().encode(secret);
    return crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify']);
}
/** What is signed: t, a full stop, and the body. */
function signed(t, body) {
    const start = new TextEncoder().encode(`${t}.`);
    const rest = bytesOf(body);
    const message = new Uint8Array(start.length + rest.length);
    message.set(start);
    message.set(rest, start.length);
    return message;
}
export function bytesOf(body) {
    if (typeof body === 'string')
        return new TextEncoder().encode(body);
    if (body instanceof Uint8Array)
        return body;
    if (body instanceof ArrayBuffer)
        return new Uint8Array(body);
    throw new TypeError('body: give the bytes as they came; here something has parsed them already');
}
function fromHex(hex) {
    return Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}
function toHex(bytes) {
    return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
