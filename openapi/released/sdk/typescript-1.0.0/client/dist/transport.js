import { rateLimit, read } from './answer.js';
import { attempt } from './attempt.js';
import { CardVaultError } from './errors.js';
import { prepare } from './request.js';
import { retryDelay } from './retry.js';
import { addressOf, authorization, settingsOf } from './settings.js';
import { systemTiming } from './timing.js';
import { userAgent } from './useragent.js';
/** Sends requests, again where that may help, and reads the answers. */
export class Transport {
    timing;
    #options;
    #address;
    #headers;
    constructor(options) {
        this.timing = options.timing ?? systemTiming;
        this.#options = options;
        this.#address = addressOf(options.baseUrl);
        this.#headers = { Accept: 'application/json', Authorization: authorization(options.token), ...userAgent() };
        settingsOf(options, {}); // so that a wrong option is refused here and not by the first call
    }
    async send(operation, options) {
        const settings = settingsOf(this.#options, options);
        const request = prepare(this.#address, this.#headers, operation, options);
        for (let count = 1;; count++) {
            try {
                return read(await exchange(request, settings), this.timing.now());
            }
            catch (error) {
                const delay = this.#delayAfter(error, count, settings);
                if (delay === undefined)
                    throw error;
                await this.timing.sleep(delay, settings.signal);
            }
        }
    }
    #delayAfter(error, count, { maxRetries }) {
        if (!(error instanceof CardVaultError) || count > maxRetries)
            return undefined;
        return retryDelay(error, count, this.timing);
    }
}
async function exchange(request, settings) {
    const { send, timeout, signal, onResponse } = settings;
    const answer = await attempt(send, request, timeout, signal);
    const { url, method } = request;
    const { status, headers } = answer;
    const requestId = headers.get('x-request-id') ?? undefined;
    onResponse?.({ method, url, status, headers, requestId, rateLimit: rateLimit(headers) });
    return answer;
}
