// Makes cards of a folder of photos, identifies, prices and publishes them.
//
//   API=https://vault.example/api TOKEN=cv_… node scanner.mts --publish photos
//
// Each photo shows the front of one card. The service identifies most of them. For the others the program takes the
// best candidate if that is clear enough, and otherwise asks or, without a terminal, prints the candidates. It can be
// run again with the same folder: a photo makes only one card, and finished cards stay as they are. The file cards.json
// in the folder has the cards of the photos. 60 photos take 3 requests, and the changes of their cards take 2 more.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import {
  bulkLookupPrices,
  bulkPublish,
  type BulkResult,
  bulkUpdate,
  type Card,
  type CardUpdate,
  CardVault,
  decimalFromMoney,
  type IdentificationResult,
  type Money,
  patchFromCandidate,
} from '@cardvault/client'

const usage = `usage: node scanner.mts [OPTIONS] FOLDER

Makes cards of the photos in a folder, in the account of API and TOKEN.

  --take N        take the candidate with this number, from 1 to 5, for each card in doubt
  --confidence C  take the best candidate if its confidence is at least this (default: 0.7)
  --timeout N     wait at most so many seconds until the cards are identified or published (default: 600)
  --publish       publish the cards on the sandbox marketplace`

const extensions = ['.jpg', '.jpeg', '.png', '.webp', '.heic', '.avif']
/** The number of photos of one request. */
const maxPhotos = 20
/** The name of the file in the folder that has the card of each photo, by the checksum of the photo. */
const cardsFile = 'cards.json'
const pollInterval = 2_000
/** By how much the best candidate must be ahead of the second one. Reprints have about the same confidence. */
const lead = 0.1

interface Options {
  /** The number of the candidate to take for each card in doubt, or 0 to ask. */
  take: number
  /** Of a candidate that is taken without asking, from 0 to 1. */
  confidence: number
  /** In seconds, for the identification of all cards and for their publication. */
  timeout: number
}

/** Takes the cards of the photos as far as possible, and prints how far. */
async function run(client: CardVault, folder: string, options: Options, publish: boolean): Promise<void> {
  const scanner = new Scanner(client, options)
  await scanner.scan(folder)
  await scanner.review()
  await scanner.price()
  if (publish) await scanner.publish()
  await scanner.summarize()
  if (scanner.failures > 0) throw new Error(`${scanner.failures} changes failed: run it again`)
}

/** Returns the names of the photos in the folder by their checksums. */
function readFolder(folder: string): Map<string, string> {
  const photos = new Map<string, string>()
  for (const name of readdirSync(folder).sort()) {
    if (!extensions.includes(extname(name).toLowerCase())) continue
    const checksum = sha256(readFileSync(join(folder, name)))
    if (!photos.has(checksum)) photos.set(checksum, name)
  }
  if (photos.size === 0) throw new Error(`${folder} has no photos: they end in ${extensions.join(', ')}`)
  return photos
}

function sha256(data: Uint8Array | string): string {
  return createHash('sha256').update(data).digest('hex')
}

/** Divides the items into parts. */
function parts<T>(items: T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, n) => items.slice(n * size, (n + 1) * size))
}

/** Makes cards of photos, and identifies, prices and publishes them. */
class Scanner {
  /** The number of changes that failed. */
  failures = 0
  readonly #client: CardVault
  /** The name of the photo of each card. */
  readonly #files = new Map<string, string>()
  readonly #options: Options

  constructor(client: CardVault, options: Options) {
    this.#client = client
    this.#options = options
  }

  /** Makes a card of each photo in the folder that has none. */
  async scan(folder: string): Promise<void> {
    const file = join(folder, cardsFile)
    const cards: Record<string, string> = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
    const added: [string, string][] = []
    for (const [checksum, name] of readFolder(folder)) {
      if (cards[checksum]) this.#files.set(cards[checksum], name)
      else added.push([checksum, name])
    }
    for (const part of parts(added, maxPhotos)) {
      await this.#send(folder, part, cards)
      writeFileSync(file, JSON.stringify(cards, null, 2))
    }
  }

  /**
   * Makes cards of photos, which have checksums and names. After a crash, the service recognizes the same photos by the
   * idempotency key and makes no further cards.
   */
  async #send(folder: string, added: [string, string][], cards: Record<string, string>): Promise<void> {
    const photos = added.map(([, name]) => ({ name, data: readFileSync(join(folder, name)) }))
    const idempotencyKey = `scan-${sha256(JSON.stringify(added))}`
    const checksums = new Map(added.map(([checksum, name]) => [name, checksum]))
    for (const { files, card, error } of (await this.#client.scanCards({ photos }, { idempotencyKey })).data) {
      const name = files[0] ?? ''
      if (card) {
        this.#files.set(card.id, name)
        cards[checksums.get(name) ?? ''] = card.id
      } else if (error) {
        this.#fail(name, error.message)
      }
    }
  }

  /** Waits until the service has identified the cards, and chooses among the candidates of those in doubt. */
  async review(): Promise<void> {
    const updates: CardUpdate[] = []
    for (const card of await this.#await(({ identification }) => identification.status === 'pending')) {
      if (card.workflow_status !== 'needs_review') continue
      const { data: candidates } = await this.#client.listCardCandidates(card.id)
      const taken = candidates[(await this.#choose(card, candidates)) - 1]
      if (taken) updates.push({ id: card.id, version: card.version, identification: patchFromCandidate(taken) })
    }
    await this.#check(bulkUpdate(this.#client, updates))
  }

  /** Returns the number of the candidate to take, or 0 for none. */
  async #choose(card: Card, candidates: IdentificationResult[]): Promise<number> {
    const [best, second] = candidates
    const { confidence, take } = this.#options
    if (best && best.confidence >= confidence && (!second || best.confidence - second.confidence >= lead)) return 1
    console.log(`${this.#files.get(card.id)} needs review: ${card.id}, ${candidates.length} candidates`)
    for (const [n, { title, set, number, confidence }] of candidates.entries()) {
      console.log(`  ${n + 1}  ${title}, ${set ?? ''} ${number ?? ''} (${confidence.toFixed(2)})`)
    }
    return take || (best ? ask() : 0)
  }

  /** Sets the estimated price of each card that is identified and has none. */
  async price(): Promise<void> {
    const cards = (await this.#cards()).filter(({ workflow_status }) => workflow_status === 'identified')
    const prices = await this.#lookUp(cards)
    const updates = cards.flatMap(({ id, version }): CardUpdate[] => {
      const price = prices.get(id)
      return price ? [{ id, version, pricing: { asking_price: price } }] : []
    })
    await this.#check(bulkUpdate(this.#client, updates))
  }

  /** Returns the estimated prices of the cards for which there is one, by card. */
  async #lookUp(cards: Card[]): Promise<Map<string, Money>> {
    const prices = new Map<string, Money>()
    const ids = cards.map(({ id }) => id)
    for await (const { id, value, error } of bulkLookupPrices(this.#client, ids)) {
      if (value) prices.set(id, value.price)
      else if (error?.code !== 'no_price_found') throw error
    }
    return prices
  }

  /** Publishes the cards that have a price, and waits until the marketplace shows them. */
  async publish(): Promise<void> {
    const ready = (await this.#cards()).filter((card) => isPriced(card) && !card.listing_id)
    const ids = ready.map(({ id }) => id)
    await this.#check(bulkPublish(this.#client, ids, { marketplace: 'sandbox' }))
    for (const card of await this.#await((card) => isPriced(card) && card.listing_id !== null)) {
      if (!isPriced(card)) continue
      const [listing] = (await this.#client.listListings({ card: card.id, limit: 1 })).data
      if (listing?.failure) this.#fail(this.#files.get(card.id), listing.failure.message)
    }
  }

  /** Prints the state of each card. */
  async summarize(): Promise<void> {
    for (const { id, title, pricing, workflow_status } of await this.#cards()) {
      const asking = pricing.asking_price
      const price = asking ? `${decimalFromMoney(asking)} ${asking.currency}` : 'no price'
      console.log(`${this.#files.get(id)}: ${id}, ${title ?? 'not identified'}, ${price}, ${workflow_status}`)
    }
  }

  /** Polls the cards until none of them is busy, and returns them. The client waits for the rate limit by itself. */
  async #await(busy: (card: Card) => boolean): Promise<Card[]> {
    const { timeout } = this.#options
    for (const deadline = Date.now() + timeout * 1000; ; await sleep(pollInterval)) {
      const cards = await this.#cards()
      if (!cards.some(busy)) return cards
      if (Date.now() > deadline) throw new Error(`the service is busy for ${timeout} seconds: run it again later`)
    }
  }

  /** Returns the cards in the order of the names of their photos. */
  async #cards(): Promise<Card[]> {
    const cards: Card[] = []
    // More identifiers may exceed the URLs that proxies accept.
    for (const ids of parts([...this.#files.keys()], 100)) {
      cards.push(...(await this.#client.listCards({ ids, limit: 100 })).data)
    }
    const name = ({ id }: Card) => this.#files.get(id) ?? ''
    return cards.sort((a, b) => (name(a) < name(b) ? -1 : 1))
  }

  /** Prints the errors of changes. */
  async #check(results: AsyncIterable<BulkResult<unknown>>): Promise<void> {
    for await (const { id, error } of results) if (error) this.#fail(this.#files.get(id), error.message)
  }

  /** Prints why a change of the card of a photo failed. */
  #fail(file: string | undefined, reason: string): void {
    this.failures++
    console.error(`${file}: ${reason}`)
  }
}

/** Asks for the number of a candidate. Without a terminal, explains how to choose. Returns 0 for none. */
async function ask(): Promise<number> {
  if (!process.stdin.isTTY) {
    console.log('  choose one with --take N or on a terminal')
    return 0
  }
  process.stdout.write('  number, or Enter for none: ')
  const terminal = createInterface({ input: process.stdin })
  const answer = await new Promise<string>((resolve) => {
    terminal.once('line', resolve).once('close', () => resolve(''))
  })
  terminal.close()
  return /^\d+$/.test(answer.trim()) ? Number(answer) : 0
}

/** Returns whether the card has a price and is not listed. */
function isPriced({ workflow_status }: Card): boolean {
  return workflow_status === 'priced' || workflow_status === 'photographed'
}

/** Reads the arguments and the environment. Ends the program with status 2 if they are wrong. */
function settings(): { client: CardVault; folder: string; options: Options; publish: boolean } {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        take: { type: 'string', default: '0' },
        confidence: { type: 'string', default: '0.7' },
        timeout: { type: 'string', default: '600' },
        publish: { type: 'boolean', default: false },
        help: { type: 'boolean' },
      },
    })
    if (values.help) {
      console.log(usage)
      process.exit()
    }
    const [folder, ...others] = positionals
    if (!folder || others.length > 0) throw new TypeError('give one folder')
    const options = {
      take: number('take', values.take, 5),
      confidence: number('confidence', values.confidence, 1),
      timeout: number('timeout', values.timeout, 86_400),
    }
    const client = new CardVault({
      baseUrl: process.env.API ?? '',
      token: process.env.TOKEN ?? '',
      onWait: ({ rateClass, milliseconds }) =>
        console.error(`waiting ${Math.ceil(milliseconds / 1000)} s: the limit for ${rateClass} requests is used up`),
    })
    return { client, folder, options, publish: values.publish }
  } catch (error) {
    console.error(`scanner: check the arguments, API and TOKEN: ${messageOf(error)}\n\n${usage}`)
    process.exit(2)
  }
}

function number(name: string, text: string, most: number): number {
  const value = Number(text || NaN)
  if (!(value >= 0 && value <= most)) throw new TypeError(`--${name} must be from 0 to ${most}`)
  return value
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

const { client, folder, options, publish } = settings()
try {
  await run(client, folder, options, publish)
} catch (error) {
  console.error(`scanner: ${messageOf(error)}`)
  process.exitCode = 1
}
