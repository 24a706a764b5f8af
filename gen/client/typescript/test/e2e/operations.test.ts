// Tests every operation. The tests share a batch and a card and run in order.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { parse } from 'yaml'
import { type Batch, type Card, CardVault, type Listing, type Sale, webhooks } from '../../src/index.js'
import { account, api, cardvault, source } from './support/project.js'
import { listen } from './support/receiver.js'

const limits = 'read=1000000,write=1000000,ai=1000000'
const scopes = 'read,write,webhooks'
const made = await cardvault(
  ...['token', 'create', '--account', account, '--name', 'seller', '--scopes', scopes, '--limits', limits],
)
const used = new Set<string>()
const client = recorded(new CardVault({ baseUrl: api, token: made['token']! }))

const noCard = `card_${'0'.repeat(26)}`
const began = new Date().toISOString()
let batch: Batch
let card: Card
let listing: Listing
let sale: Sale

/** Returns the client with methods that add their names to `used`. */
function recorded(client: CardVault): CardVault {
  return new Proxy(client, {
    get(target, name) {
      used.add(String(name))
      const value = target[name as keyof CardVault]
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

/** Calls `get` until its result meets the condition, for at most 30 seconds. Returns the result. */
async function until<T>(get: () => Promise<T> | T, holds: (value: T) => boolean): Promise<T> {
  for (const deadline = Date.now() + 30_000; ; await sleep(50)) {
    const value = await get()
    if (holds(value)) return value
    assert.ok(Date.now() < deadline, `still ${JSON.stringify(value)}`)
  }
}

/** Returns a photo of a card of the demo, which the service can identify. */
async function photo(): Promise<Blob> {
  const { data } = await client.listCards({ q: 'smoulderpaw', has_photo: true })
  const response = await fetch(data[0]!.photos[0]!.url!)
  return new Blob([await response.arrayBuffer()], { type: 'image/jpeg' })
}

const nok = (amount: number) => ({ amount, currency: 'NOK' }) as const

test('a batch and its card', async () => {
  batch = await client.createBatch({ name: 'Every operation' })
  card = (await client.createCards({ cards: [{ batch_id: batch.id, identify: false }] })).data[0]!
  assert.deepEqual(
    (await client.listBatchCards(batch.id)).data.map(({ id }) => id),
    [card.id],
  )
  assert.equal((await client.completeBatch(batch.id)).status, 'complete')
  assert.equal((await client.updateBatch(batch.id, { name: 'Summer fair', description: null })).name, 'Summer fair')
  assert.equal((await client.reopenBatch(batch.id)).status, 'open')
  assert.equal((await client.getBatch(batch.id)).card_count, 1)
  assert.equal((await client.listBatches({ updated_since: began })).data.at(-1)?.id, batch.id)
})

test('identification', async () => {
  const picture = await photo()
  card = await client.putCardPhoto(card.id, 'back', picture)
  await client.deleteCardPhoto(card.id, card.photos[0]!.id)
  card = await client.putCardPhoto(card.id, 'front', picture)
  const outcome = await client.identify({ card_id: card.id, hints: { game: 'other', language: 'en' } })
  assert.equal(outcome.outcome, 'identified')
  const candidates = await client.listCardCandidates(card.id)
  assert.equal(candidates.data[0]?.title, 'Smoulderpaw Kit')
  assert.ok(candidates.attempted_at! > card.created_at)
  assert.deepEqual(await client.getCardWaiting(card.id), { identification: null, photos: [] })
  const { price } = await client.lookupPrice({ card_id: card.id })
  const [found, missing] = (await client.lookupPrices([card.id, noCard])).data
  assert.deepEqual([found?.estimate?.price, missing?.error?.code], [price, 'card_not_found'])
  card = await client.updateCard(card.id, { pricing: { asking_price: price } })
  assert.deepEqual((await client.getCard(card.id)).pricing.asking_price, price)
})

test('a scan', async () => {
  const data = await photo()
  const photos = ['fox-front.jpg', 'fox-back.jpg', 'owl-front.jpg'].map((name) => ({ name, data }))
  photos.push({ name: 'owl-back.jpg', data: new Blob(['no photo']) })
  const { data: results } = await client.scanCards({ photos, pairing: 'name', batch_id: batch.id })
  assert.deepEqual(
    results.map(({ files, status, error }) => [files.length, status, error?.code]),
    [
      [2, 'created', undefined],
      [2, 'refused', 'photo_invalid'],
    ],
  )
  const scanned = results[0]!.card!
  assert.deepEqual([scanned.batch_id, scanned.photos.length], [batch.id, 2])
  const named = await until(
    () => client.getCard(scanned.id),
    ({ title }) => title !== null,
  )
  assert.equal(named.title, 'Smoulderpaw Kit')
})

test('a summary, and cards by price', async () => {
  const { total, data } = await client.summarizeCards({ group_by: 'game', ids: [card.id] })
  assert.deepEqual([total.count, total.asking_price], [1, [card.pricing.asking_price]])
  assert.equal(data[0]?.count, 1)
  const dearest = await client.listCards({ sort: '-price', currency: card.pricing.asking_price!.currency, limit: 2 })
  const amounts = dearest.data.map((found) => found.pricing.asking_price!.amount)
  assert.ok(amounts[0]! >= amounts[1]!)
  const stock = await client.reportStock({ days: 7 })
  assert.equal(stock.days, 7)
  assert.ok(stock.data.at(-1)!.count > 0)
})

test('the catalogue', async () => {
  const { data, has_more } = await client.searchCatalog({ q: 'smoulderpaw kit', limit: 1 })
  assert.equal(data[0]?.id, (await client.getCard(card.id)).identification.catalog_id)
  assert.equal(typeof has_more, 'boolean')
  assert.deepEqual(await client.getCatalogCard(data[0]!.id), data[0])
})

test('many updates at once', async () => {
  const { data } = await client.updateCards({
    updates: [
      { id: card.id, sku: 'SK-1', metadata: { consignor: 'Ada' } },
      { id: noCard, notes: null },
    ],
  })
  assert.deepEqual([data[0]?.card?.sku, data[0]?.card?.metadata['consignor']], ['SK-1', 'Ada'])
  assert.equal(data[1]?.error?.code, 'card_not_found')
  card = data[0]!.card!
})

test('listings', async () => {
  const { data } = await client.publishCards({ card_ids: [card.id, noCard] })
  assert.equal(data[1]?.error?.code, 'card_not_found')
  listing = data[0]!.listing!
  await until(
    () => client.getListing(listing.id),
    ({ status }) => status === 'live',
  )
  const ended = await client.endListings({ listing_ids: [listing.id], atomic: true })
  assert.equal(ended.data[0]?.error, null)
  await until(
    () => client.getCard(card.id),
    ({ workflow_status }) => workflow_status === 'priced',
  )
  listing = await client.publishCard(card.id)
  await until(
    () => client.getListing(listing.id),
    ({ status }) => status === 'live',
  )
  const price = { ...listing.price, amount: listing.price.amount + 100 }
  await client.updateListing(listing.id, { price })
  await until(
    () => client.getListing(listing.id),
    ({ revision }) => revision.status === 'done',
  )
  assert.deepEqual((await client.getCard(card.id)).pricing.asking_price, price)
  await client.endListing(listing.id)
  await until(
    () => client.getListing(listing.id),
    ({ status }) => status === 'ended',
  )
  assert.equal((await client.getListingWaiting(listing.id)).waiting, null)
  assert.equal((await client.listListings({ card: card.id })).data.length, 2)
})

test('events', async () => {
  const page = await client.listEvents({ event: ['listing.ended'], created_since: began })
  const event = page.data.find(({ data }) => (data as { listing_id?: string }).listing_id === listing.id)
  assert.ok(event)
  assert.deepEqual(await client.getEvent(event.id), event)
})

test('webhooks', async (t) => {
  const { url, arrived } = await listen(t)
  const webhook = await client.createWebhook({ url, events: ['batch.completed'] })
  assert.deepEqual([webhook.url, webhook.events, webhook.enabled], [url, ['batch.completed'], true])
  assert.equal((await client.updateWebhook(webhook.id, { enabled: false })).enabled, false)
  await assert.rejects(client.testWebhook(webhook.id), { code: 'webhook_disabled' })
  await client.updateWebhook(webhook.id, { enabled: true })
  const { secret, ...stored } = webhook
  assert.deepEqual({ ...(await client.getWebhook(webhook.id)), updated_at: stored.updated_at }, stored)
  assert.equal((await client.listWebhooks({ limit: 1 })).data[0]?.id, webhook.id)

  /** Waits for the next delivery, verifies it and returns its event. */
  const receive = async (secret: string) => {
    const { headers, body } = await until(
      () => arrived.shift()!,
      (delivery) => delivery !== undefined,
    )
    return webhooks.unwrap(secret, headers['x-vault-signature'], body)
  }

  const tried = await client.testWebhook(webhook.id, { event: 'sale.refunded' })
  assert.equal((await receive(secret!)).id, tried.event_id)
  await client.completeBatch(batch.id)
  await client.reopenBatch(batch.id)
  const event = await receive(secret!)
  const page = await until(
    () => client.listWebhookDeliveries(webhook.id, { state: 'delivered', event: 'batch.completed' }),
    ({ data }) => data.length > 0,
  )
  const delivery = page.data[0]!
  assert.deepEqual([delivery.event_id, delivery.attempts[0]?.status], [event.id, 204])

  const rotated = await client.rotateWebhookSecret(webhook.id)
  assert.ok(rotated.secret !== secret && rotated.previous_secret_expires_at)
  await client.endWebhookSecret(webhook.id, rotated.previous_secrets[0]!.id)
  assert.deepEqual((await client.getWebhook(webhook.id)).previous_secrets, [])
  await client.resendWebhookDelivery(webhook.id, delivery.id)
  assert.equal((await receive(rotated.secret!)).id, event.id)
  assert.deepEqual(await client.resendDroppedWebhookDeliveries(webhook.id), { resent: 0, has_more: false })
  await client.deleteWebhook(webhook.id)
  await assert.rejects(client.getWebhook(webhook.id), { code: 'webhook_not_found' })
})

test('a sale and its refunds', async () => {
  const fees = [{ kind: 'table', amount: nok(50) }]
  sale = await client.sellCard(card.id, { channel: 'in_person', price: nok(900), fees })
  assert.deepEqual([sale.net, sale.listing_id, sale.card.title], [nok(850), null, 'Smoulderpaw Kit'])
  assert.equal((await client.getCard(card.id)).sale_id, sale.id)

  const tracking = { carrier: 'Posten', number: '370' }
  const patch = { shipping_cost: nok(120), tracking, shipped_at: new Date().toISOString(), buyer_reference: 'Table 12' }
  const ifMatch = sale.version
  sale = await client.updateSale(sale.id, patch, { ifMatch })
  assert.deepEqual([sale.net, sale.tracking, sale.buyer_reference], [nok(730), tracking, 'Table 12'])
  await assert.rejects(client.updateSale(sale.id, { fees: [] }, { ifMatch }), { code: 'version_mismatch' })
  sale = await client.updateSale(sale.id, { fees: [], tracking: null })
  assert.deepEqual([sale.net, sale.tracking, sale.buyer_reference], [nok(780), null, 'Table 12'])
  await assert.rejects(client.getSale(sale.id, { ifNoneMatch: sale.version }), { code: 'not_modified' })
  assert.deepEqual(await client.getSale(sale.id), sale)
  assert.deepEqual((await client.listSales({ card: card.id })).data, [sale])

  sale = await client.refundSale(sale.id, { amount: nok(100), reason: 'A nick', restock: false })
  assert.deepEqual([sale.status, sale.refunds[0]?.reason], ['completed', 'A nick'])
  sale = await client.refundSale(sale.id, { restock: true })
  assert.deepEqual([sale.status, sale.refunds[1]?.amount], ['refunded', nok(800)])
  card = await client.getCard(card.id)
  assert.equal(card.sale_id, null)
})

test('a report', async () => {
  const report = await client.reportSales({ group_by: 'channel', since: began, time_zone: 'Europe/Oslo' })
  assert.equal(report.time_zone, 'Europe/Oslo')
  const row = report.data.find(({ currency }) => currency === 'NOK')
  assert.deepEqual(row, {
    group: 'in_person',
    currency: 'NOK',
    count: 1,
    gross: 900,
    shipping_charged: 0,
    shipping_cost: 120,
    fees: 0,
    tax: 0,
    net: 780,
    refunds: 900,
    tax_refunded: 0,
    fees_returned: 0,
    cost: 0,
    profit: -120,
  })
})

test('a sale that was recorded by mistake', async () => {
  const sold = await client.listSales({ card: card.id })
  const voided = await client.voidSale(sold.data[0]?.id ?? '')
  assert.deepEqual([voided.status, voided.voided_at === null], ['voided', false])
})

test('jobs', async () => {
  const job = await client.createJob({
    kind: 'update',
    card_ids: [card.id, noCard],
    patch: { notes: 'From a job', location: null },
  })
  assert.deepEqual([job.kind, job.total], ['update', 2])
  const done = await until(
    () => client.getJob(job.id),
    ({ status }) => status === 'done',
  )
  assert.deepEqual([done.done, done.refused], [1, 1])
  assert.equal((await client.getJobWaiting(job.id)).waiting, null)
  const [refusal] = (await client.listJobRefusals(job.id)).data
  assert.deepEqual([refusal?.card_id, refusal?.error?.code], [noCard, 'card_not_found'])
  card = await client.getCard(card.id)
  assert.deepEqual([card.notes, card.location], ['From a job', null])

  const filtered = await client.createJob({
    kind: 'update',
    filter: { ids: [noCard] },
    price_change: { percent: -12.5, round_to_99: true },
  })
  const stopped = await client.cancelJob(filtered.id)
  assert.ok(stopped.finished_at)
  const { data } = await client.listJobs({ limit: 2 })
  assert.deepEqual(
    data.map(({ id }) => id),
    [filtered.id, job.id],
  )

  const undo = await client.undoJob(job.id)
  assert.equal(undo.undoes, job.id)
  await until(
    () => client.getJob(undo.id),
    ({ status }) => status === 'done',
  )
  card = await client.getCard(card.id)
  assert.notEqual(card.notes, 'From a job')
})

test('the history of a card, and its deletion', async () => {
  const [newest] = (await client.listCardHistory(card.id, { limit: 1 })).data
  assert.equal(newest?.version, card.version)
  const changes = (await client.listCardHistory(card.id, { limit: 200 })).data.flatMap((entry) => entry.changes)
  assert.ok(changes.some(({ field, from, to }) => field === 'metadata.consignor' && from === null && to === 'Ada'))
  await assert.rejects(client.deleteCard(card.id, { ifMatch: 1 }), { code: 'version_mismatch' })
  await client.deleteCard(card.id, { ifMatch: card.version })
  await assert.rejects(client.getCard(card.id), { code: 'card_not_found' })
  const { data } = await client.listDeletions({ updated_since: began })
  assert.ok(data.find(({ card_id }) => card_id === card.id)!.deleted_at > card.updated_at)
})

test('the account', async () => {
  const { id, sandbox, limits, scopes } = await client.getAccount()
  assert.deepEqual([id, sandbox, limits.read], [account, true, 1_000_000])
  assert.deepEqual(scopes, ['read', 'write', 'webhooks'])
  const floor_price = { amount: 1, currency: 'USD' } as const
  assert.deepEqual((await client.updateAccount({ floor_price })).floor_price, floor_price)
  assert.equal((await client.updateAccount({ floor_price: null })).floor_price, null)
  const { hours, since } = await client.getAccountUsage({ hours: 48 })
  assert.deepEqual([hours.length, hours[0]!.started_at], [48, since])
  assert.deepEqual(await client.getAccountWaiting(), { imports: [], export: null })
})

after(async () => {
  const text = await readFile(join(source, '../../../openapi/v1.yaml'), 'utf8')
  const { paths } = parse(text, { maxAliasCount: -1 })
  const operations = Object.values<Record<string, { operationId?: string }>>(paths)
    .flatMap((item) => Object.values(item))
    .flatMap(({ operationId }) => operationId ?? [])
  assert.deepEqual(
    operations.filter((operation) => !used.has(operation)),
    [],
    'operations that no test uses',
  )
})
