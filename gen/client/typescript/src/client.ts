import { Changes, type ChangesQuery } from './changes.js'
import { Operations } from './generated/operations.js'
import type { CardVaultOptions, RequestOptions } from './options.js'
import type { Timing } from './timing.js'
import { Transport } from './transport.js'

/** The client of an account. It holds no connection, and you can use one client for all requests. */
export class CardVault extends Operations {
  readonly #timing: Timing

  constructor(options: CardVaultOptions) {
    const transport = new Transport(options)
    super(transport)
    this.#timing = transport.timing
  }

  /** Follows the changes of cards by polling. It misses no change. */
  changes(query: ChangesQuery, options: RequestOptions = {}): Changes {
    return new Changes((page) => this.listCards(page, options), query, options, this.#timing)
  }
}
