// A program that a customer has built with version 1.0.0 of the TypeScript client, kept as it was, like the client beside
// it. It does the same as go-1.0.0 and prints the same:
//
//   API=http://127.0.0.1:8080/api TOKEN=cv_test_… node shop.mjs card.jpg
//   SECRET=whsec_… node shop.mjs receive <deliveries.json

import { webcrypto } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { CardVault, CardVaultError, webhooks } from './client/dist/index.js'

globalThis.crypto ??= webcrypto // Node.js 18 has it, but not where the client looks; nothing else keeps it from working there

/** The kinds of events that 1.0.0 had. */
const kinds = [
  'card.identified', 'card.priced', 'card.workflow_status_changed', 'listing.published', 'listing.sold', 'listing.ended',
  'batch.completed', 'identify.failed',
]

/** How long the shop waits for what happens in the background, in milliseconds. */
const patience = 60_000

if (process.argv[2] === 'receive') await receive()
else await trade(process.argv[2])

async function trade(photo) {
  const api = new CardVault({ baseUrl: process.env.API, token: process.env.TOKEN })
  const report = {}
  const batch = await buy(api, report)
  const card = await stock(api, report, batch)
  await describe(api, report, card, await readFile(photo))
  const listing = await sell(api, report, card)
  await follow(api, report, card)
  await mistake(api, report, listing)
  console.log(JSON.stringify(report))
}

function expect(holds, what) {
  if (!holds) throw new Error(`not as it should be: ${JSON.stringify(what)}`)
}

/** Whether a list holds what has this identifier. */
async function holds(list, id) {
  for await (const item of list) if (item.id === id) return true
  return false
}

/** Makes a batch; sends it twice, as after a connection that broke. */
async function buy(api, report) {
  const input = { name: 'Spring fair', description: 'Bought at the spring fair.' }
  const idempotencyKey = crypto.randomUUID()
  const batch = await api.createBatch(input, { idempotencyKey })
  let replayed
  const onResponse = (answer) => (replayed = answer.headers.get('Idempotent-Replayed'))
  const again = await api.createBatch(input, { idempotencyKey, onResponse })
  report.replayed = replayed === 'true' && again.id === batch.id
  return batch.id
}

/** Imports two cards and finds them in all lists, page by page. */
async function stock(api, report, batchId) {
  const made = await api.createCards({
    cards: [
      { batch_id: batchId, location: 'Room A/Shelf 2', identify: false },
      { batch_id: batchId, sku: 'PAF-054', identification: { title: 'Ember Fox', game: 'other' } },
    ],
  })
  const card = made.data[0].id
  const complete = await api.completeBatch(batchId)
  report.batch = complete.status
  await api.reopenBatch(batchId)
  const batch = await api.getBatch(batchId)
  expect(batch.card_count === 2 && complete.completed_at !== null && batch.completed_at === null, batch)
  expect(await holds(api.batches({ limit: 1 }), batchId), 'batches')
  expect(await holds(api.batchCards(batchId, { limit: 1 }), card), "the batch's cards")
  expect(await holds(api.cards({ limit: 1, location: 'Room A' }), card), 'cards')
  return card
}

/** Photographs the card, has it identified, prices it, and reads it twice. */
async function describe(api, report, id, picture) {
  await api.putCardPhoto(id, 'front', new Blob([picture], { type: 'image/jpeg' }))
  const outcome = await api.identify({ card_id: id })
  expect(outcome.result && outcome.card && outcome.attempts.length > 0, outcome)
  report.outcome = outcome.outcome
  const estimate = await api.lookupPrice({ card_id: id })
  report.basis = estimate.basis
  const price = { amount: estimate.price.amount + 100, currency: 'USD' }
  const changed = await api.updateCard(id, { notes: 'Small nick.', pricing: { asking_price: price } }, { ifMatch: outcome.card.version })
  expect(changed.version > outcome.card.version && changed.pricing.asking_price.amount === price.amount && changed.notes === 'Small nick.', changed)
  const card = await api.getCard(id)
  expect(card.photos.length === 1 && card.photos[0].url !== null, card)
  report.title = card.title
  const again = await refusal(api.getCard(id, { ifNoneMatch: card.version }))
  report.unmodified = again.code === 'not_modified'
}

/** Publishes the card, takes it from the market again, and throws its photo away. */
async function sell(api, report, card) {
  const { id } = await api.publishCard(card, { title: 'A fine card' })
  const live = await awaited(api, id, (listing) => listing.published_at !== null)
  expect(live.title === 'A fine card' && live.external_id !== null && live.url !== null && live.card_id === card, live)
  report.market = live.marketplace
  expect(await holds(api.listings({ limit: 1, card }), id), 'listings')
  await api.endListing(id)
  await awaited(api, id, (listing) => listing.ended_at !== null)
  const { photos } = await api.getCard(card)
  await api.deleteCardPhoto(card, photos[0].id)
  return id
}

/** Reads the listing until what is awaited has happened. */
async function awaited(api, id, happened) {
  const until = Date.now() + patience
  for (;;) {
    const listing = await api.getListing(id)
    if (happened(listing)) return listing
    expect(Date.now() < until, listing)
    await sleep(50)
  }
}

/** Polls for what has changed and for what has happened. */
async function follow(api, report, id) {
  Object.assign(report, { changed: 0, events: {}, unknown: 0 })
  for await (const card of api.changes({ since: new Date(0), once: true })) {
    report.changed++
    if (card.id === id) report.status = card.workflow_status
  }
  let first
  for await (const event of api.events({ limit: 2 })) {
    if (!kinds.includes(event.event)) {
      report.unknown++
      continue
    }
    report.events[event.event] = (report.events[event.event] ?? 0) + 1
    first ??= event.id
  }
  const event = await api.getEvent(first)
  expect(event.id === first, event)
}

/** Does what is refused, and notes how. */
async function mistake(api, report, listing) {
  report.refusals = []
  const calls = [
    () => api.getCard('card_01k5w0q2m7t9c3r5v8x0z1b4d6'),
    () => api.createCards({ cards: [] }),
    () => api.endListing(listing),
  ]
  for (const call of calls) {
    const error = await refusal(call())
    expect(error.message && error.requestId && error.rateLimit.limit > 0, error)
    expect(error.code !== 'invalid_request' || error.details.length > 0, error)
    report.refusals.push(`${error.status} ${error.code}`)
  }
}

/** What a call is refused with. */
async function refusal(call) {
  try {
    await call
  } catch (error) {
    if (error instanceof CardVaultError) return error
    throw error
  }
  throw new Error('it was not refused')
}

/** Reads deliveries to the shop's webhook, one JSON object a line, and prints what it made of each. */
async function receive() {
  for (const line of (await text(process.stdin)).trim().split('\n')) {
    const { signature, body } = JSON.parse(line)
    const event = await webhooks.unwrap(process.env.SECRET, signature, body)
    const title = event.event === 'listing.sold' ? event.data.title : ''
    console.log(JSON.stringify({ kind: event.event, unknown: !kinds.includes(event.event), title }))
  }
}
