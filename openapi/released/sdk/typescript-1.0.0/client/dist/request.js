/** The request with all that stays the same from attempt to attempt. */
export function prepare(baseUrl, fixed, operation, options) {
    const { method, path, query = {}, body } = operation;
    const headers = new Headers(fixed);
    if (method === 'POST')
        headers.set('Idempotency-Key', options.idempotencyKey ?? newKey());
    if (options.ifMatch !== undefined)
        headers.set('If-Match', entityTag(options.ifMatch));
    if (options.ifNoneMatch !== undefined)
        headers.set('If-None-Match', entityTag(options.ifNoneMatch));
    if (body)
        headers.set('Content-Type', mediaType(body));
    return { url: baseUrl + path + search(query), method, headers, body: content(body) };
}
function search(query) {
    const parameters = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) {
        for (const one of Array.isArray(value) ? value : [value]) {
            if (one !== undefined && one !== null)
                parameters.append(name, String(one));
        }
    }
    const text = parameters.toString();
    return text && `?${text}`;
}
function mediaType(body) {
    if (!(body instanceof Blob))
        return 'application/json';
    if (!body.type)
        throw new TypeError("body: the Blob has no type; give it one: new Blob([bytes], { type: 'image/jpeg' })");
    return body.type;
}
function content(body) {
    if (!body)
        return null;
    return body instanceof Blob ? body : JSON.stringify(body);
}
function entityTag(version) {
    return typeof version === 'number' ? `"${version}"` : version;
}
/** 128 random bits. crypto.randomUUID is missing in pages that came by plain http. */
function newKey() {
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
