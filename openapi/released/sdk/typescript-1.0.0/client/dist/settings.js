/** Longer ones overflow in setTimeout, which then does not wait at all. */
const longestTimer = 2 ** 31 - 1;
/** What holds for one call: its own options, else the client's, else the defaults. */
export function settingsOf(client, call) {
    const timeout = call.timeout ?? client.timeout ?? 60_000;
    const maxRetries = call.maxRetries ?? client.maxRetries ?? 3;
    if (!Number.isInteger(maxRetries) || maxRetries < 0) {
        throw new TypeError(`maxRetries: ${maxRetries} is no number of retries; 0 is for none`);
    }
    return {
        timeout: milliseconds('timeout', timeout),
        maxRetries,
        signal: call.signal,
        onResponse: call.onResponse ?? client.onResponse,
        send: client.fetch ?? globalThis.fetch,
    };
}
/** The value, if it is a time that can be waited for. */
export function milliseconds(name, value) {
    if (value > 0 && value <= longestTimer)
        return value;
    throw new TypeError(`${name}: ${value} is not between 0 and ${longestTimer} milliseconds`);
}
/** The API's address without a slash at its end. */
export function addressOf(baseUrl) {
    const url = parse(baseUrl);
    if (url && /^https?:$/.test(url.protocol) && isBare(url))
        return url.href.replace(/\/+$/, '');
    throw new TypeError(`baseUrl: "${baseUrl}" is not the address of an API; give one such as https://vault.example/api`);
}
/** Whether there is no more than a path: fetch refuses credentials, and the rest would come before the operation's path. */
function isBare({ search, hash, username, password }) {
    return search + hash + username + password === '';
}
function parse(baseUrl) {
    try {
        return new URL(baseUrl, globalThis.location?.href);
    }
    catch {
        return undefined;
    }
}
/** The value of the header Authorization. */
export function authorization(token) {
    if (/^[!-~]+$/.test(token))
        return `Bearer ${token}`;
    throw new TypeError('token: is empty or holds characters that no token has; is there a line break at its end?');
}
