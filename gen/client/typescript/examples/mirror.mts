// Keeps a copy of an inventory in a file: its cards, listings and sales.
//
//   API=https://vault.example/api TOKEN=cv_… node mirror.mts --file inventory.jsonl
//
// The first run copies everything. Each later run copies only what has changed since, and removes the cards that were
// deleted. If a run is interrupted, the next one continues it.
import { existsSync, openSync, readFileSync, renameSync, writeFileSync, writeSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { CardVault, type Deletion, type Feed } from '@cardvault/client'

const usage = `usage: node mirror.mts [--file FILE]

Copies the inventory of API and TOKEN to a file, or what has changed since the last run.

  --file FILE  the file with the copy (default: inventory.jsonl)`

/** The time after which everything is copied again, because the service reports deletions for 90 days. */
const maxAbsence = 80 * 24 * 60 * 60 * 1000

/** The feeds of items. */
type ItemFeed = 'cards' | 'listings' | 'sales'

/** An item of a feed. */
interface Item {
  id: string
  updated_at: string
}

/**
 * A line of the file: an item as it is now, a deletion, or only the position of a feed. The position of passes is the
 * start of the last complete pass.
 */
interface Line {
  feed: ItemFeed | 'deletions' | 'passes'
  id?: string
  /** The time of the change, which is also the position of the feed. */
  at: string
  item?: Item
}

/**
 * The copy in memory and its file, to which each change is appended. A line has both the change and the position of its
 * feed, so the file never has one without the other.
 */
class Store {
  #items!: Record<ItemFeed, Map<string, Item>>
  #since!: Map<Line['feed'], string>
  readonly #file: number

  /** Reads the file, if it exists, and writes it again without outdated lines. */
  constructor(path: string, now: Date) {
    this.#clear()
    if (existsSync(path)) this.#read(path)
    if (now.getTime() - Date.parse(this.since('passes')) > maxAbsence) {
      this.#clear() // also if there is no file
      this.#since.set('passes', now.toISOString())
    }
    // The positions at the end replace those of the items.
    const lines: Line[] = (['cards', 'listings', 'sales'] as const).flatMap((feed) =>
      [...this.#items[feed].values()].map((item) => ({ feed, id: item.id, at: item.updated_at, item })),
    )
    for (const [feed, at] of this.#since) lines.push({ feed, at })
    writeFileSync(`${path}.new`, lines.map((line) => `${JSON.stringify(line)}\n`).join(''), { flush: true })
    renameSync(`${path}.new`, path)
    this.#file = openSync(path, 'a')
  }

  /** Returns the position of a feed. */
  since(feed: Line['feed']): string {
    return this.#since.get(feed) ?? '1970-01-01T00:00:00Z'
  }

  get(feed: ItemFeed, id: string): Item | undefined {
    return this.#items[feed].get(id)
  }

  count(feed: ItemFeed): number {
    return this.#items[feed].size
  }

  /** Appends a line to the file and applies it. */
  add(line: Line): void {
    writeSync(this.#file, `${JSON.stringify(line)}\n`)
    this.#apply(line)
  }

  #clear(): void {
    this.#items = { cards: new Map(), listings: new Map(), sales: new Map() }
    this.#since = new Map()
  }

  #read(path: string): void {
    // What follows the last line break is an incomplete line, or nothing.
    for (const line of readFileSync(path, 'utf8').split('\n').slice(0, -1)) this.#apply(JSON.parse(line) as Line)
  }

  #apply({ feed, id, at, item }: Line): void {
    this.#since.set(feed, at)
    if (feed === 'deletions' && id) this.#items.cards.delete(id)
    else if (feed !== 'deletions' && feed !== 'passes' && item) this.#items[feed].set(item.id, item)
  }
}

/** Makes one pass over all feeds. */
async function mirror(client: CardVault, path: string): Promise<void> {
  const began = new Date()
  const store = new Store(path, began)
  await follow(store, 'cards', client.changes({ since: store.since('cards'), once: true }))
  // After the cards, so that a card that is deleted while they are read is removed again.
  await forget(store, client.deletionChanges({ since: store.since('deletions'), once: true }))
  await follow(store, 'listings', client.listingChanges({ since: store.since('listings'), once: true }))
  await follow(store, 'sales', client.saleChanges({ since: store.since('sales'), once: true }))
  store.add({ feed: 'passes', at: began.toISOString() })
  const counts = (['cards', 'listings', 'sales'] as const).map((feed) => `${store.count(feed)} ${feed}`)
  console.log(`in all: ${counts.join(', ')}`)
}

/** Copies the items that have changed, and prints how many. */
async function follow(store: Store, feed: ItemFeed, changes: Feed<Item>): Promise<void> {
  let added = 0
  let changed = 0
  for await (const item of changes) {
    const before = store.get(feed, item.id)
    if (before?.updated_at === item.updated_at) continue // a feed begins with the last change in the copy
    store.add({ feed, id: item.id, at: item.updated_at, item })
    if (before) changed++
    else added++
  }
  console.log(`${feed}: ${added} new, ${changed} changed`)
}

/** Removes the cards that were deleted, and prints how many. */
async function forget(store: Store, deletions: Feed<Deletion>): Promise<void> {
  const before = store.count('cards')
  for await (const { card_id: id, deleted_at: at } of deletions) store.add({ feed: 'deletions', id, at })
  console.log(`cards: ${before - store.count('cards')} deleted`)
}

/** Reads the arguments and the environment. Ends the program with status 2 if they are wrong. */
function settings(): { client: CardVault; file: string } {
  try {
    const options = { file: { type: 'string', default: 'inventory.jsonl' }, help: { type: 'boolean' } } as const
    const { values } = parseArgs({ options })
    if (values.help) {
      console.log(usage)
      process.exit()
    }
    const client = new CardVault({ baseUrl: process.env.API ?? '', token: process.env.TOKEN ?? '' })
    return { client, file: values.file }
  } catch (error) {
    console.error(`mirror: check the arguments, API and TOKEN: ${messageOf(error)}\n\n${usage}`)
    process.exit(2)
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

const { client, file } = settings()
try {
  await mirror(client, file)
} catch (error) {
  console.error(`mirror: ${messageOf(error)}`)
  process.exitCode = 1
}
