import { Changes } from './changes.js';
import { Operations } from './generated/operations.js';
import { Transport } from './transport.js';
/** A client of one account. It holds no connection and may be shared. */
export class CardVault extends Operations {
    #timing;
    constructor(options) {
        const transport = new Transport(options);
        super(transport);
        this.#timing = transport.timing;
    }
    /** Follows the cards that change: polls, and gives each change once and none too few. */
    changes(query, options = {}) {
        return new Changes((page) => this.listCards(page, options), query, options, this.#timing);
    }
}
