/** A request that failed. Dispatch on `code`; `message` is for people. */
export class CardVaultError extends Error {
    name = 'CardVaultError';
    /** The HTTP status; 0 where no answer came. */
    status;
    code;
    /** The fields of the request at fault; empty where none is. */
    details;
    /** Quote it to the operator. */
    requestId;
    /** Seconds after which to try again, where the service says. */
    retryAfter;
    rateLimit;
    constructor(fields) {
        super(fields.message, fields.cause === undefined ? undefined : { cause: fields.cause });
        this.status = fields.status ?? 0;
        this.code = fields.code;
        this.details = fields.details ?? [];
        this.requestId = fields.requestId;
        this.retryAfter = fields.retryAfter;
        this.rateLimit = fields.rateLimit;
    }
}
/** No answer came: the address is wrong, the network is down or the connection broke off. See `cause`. */
export class ConnectionError extends CardVaultError {
    name = 'ConnectionError';
    constructor(url, cause) {
        super({ code: 'connection_failed', message: `No answer from ${new URL(url).origin}: ${reason(cause)}.`, cause });
    }
    /** Whether the service's certificate is not trusted, which no repetition changes. Browsers do not say. */
    get distrusted() {
        return /CERT|LEAF_SIGNATURE/.test(codeOf(this.cause));
    }
}
/** The answer was not there in time. */
export class TimeoutError extends CardVaultError {
    name = 'TimeoutError';
    constructor(url, timeout) {
        super({ code: 'timed_out', message: `No answer from ${new URL(url).origin} within ${timeout} ms.` });
    }
}
/** What failed: fetch of Node.js says "fetch failed" and leaves the rest to its cause, which may have a code alone. */
function reason(error) {
    if (!(error instanceof Error))
        return String(error);
    if (error.cause instanceof Error)
        return reason(error.cause);
    return error.message || codeOf(error) || error.name;
}
/** The code of what failed in the end, as Node.js has them; empty where there is none. */
function codeOf(error) {
    if (!(error instanceof Error))
        return '';
    if (error.cause instanceof Error)
        return codeOf(error.cause);
    return error.code ?? '';
}
