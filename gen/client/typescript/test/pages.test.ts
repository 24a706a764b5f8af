import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CardVault } from '../src/index.js'
import { fakeClient } from './support/client.js'
import { problem, type Received, type Reply } from './support/fakeserver.js'

const names = ['a', 'b', 'c', 'd', 'e']

/** Lists the five names, two on a page. The cursor is the index of the first name of the page. */
function list({ query }: Received): Reply {
  const start = Number(query.get('cursor') ?? 0)
  const end = start + 2
  const has_more = end < names.length
  const data = names.slice(start, end).map((id) => ({ id }))
  return { body: { data, has_more, next_cursor: has_more ? String(end) : null } }
}

/** Casts the items, which all have an id in the fake service. */
const named = (list: AsyncGenerator) => list as AsyncGenerator<{ id: string }>

const iterators: Record<string, [string, (client: CardVault) => AsyncGenerator<{ id: string }>]> = {
  cards: ['/api/cards', (client) => client.cards({ set: 'Emberfall' })],
  batchCards: ['/api/batches/bat_1/cards', (client) => client.batchCards('bat_1', { set: 'Emberfall' })],
  batches: ['/api/batches', (client) => client.batches({ status: 'open' })],
  listings: ['/api/listings', (client) => client.listings({ status: ['live', 'sold'] })],
  events: ['/api/events', (client) => client.events({ event: ['listing.sold'] })],
  sales: ['/api/sales', (client) => client.sales({ status: 'refunded' })],
  webhooks: ['/api/webhooks', (client) => client.webhooks({ limit: 2 })],
  webhookDeliveries: [
    '/api/webhooks/whe_1/deliveries',
    (client) => client.webhookDeliveries('whe_1', { state: 'dropped' }),
  ],
  cardHistory: ['/api/cards/card_1/history', (client) => named(client.cardHistory('card_1', { limit: 2 }))],
  deletions: ['/api/deletions', (client) => named(client.deletions({ updated_since: '2026-05-11T15:32:01Z' }))],
}

for (const [name, [path, iterate]] of Object.entries(iterators)) {
  test(`${name}() yields all pages with the same filters`, async (t) => {
    const { client, received } = await fakeClient(t, list)
    const seen = []
    for await (const { id } of iterate(client)) seen.push(id)
    assert.deepEqual(seen, names)
    assert.deepEqual(
      received.map(({ query }) => query.get('cursor')),
      [null, '2', '4'],
    )
    const filters = received.map((one) => {
      one.query.delete('cursor')
      return `${one.path}?${one.query}`
    })
    assert.equal(new Set(filters).size, 1)
    assert.ok(filters[0]!.startsWith(`${path}?`) && !filters[0]!.endsWith('?'))
  })
}

test('a page is fetched when its first item is needed', async (t) => {
  const { client, received } = await fakeClient(t, list)
  const cards = client.cards()
  assert.equal(received.length, 0)
  await cards.next()
  await cards.next()
  assert.equal(received.length, 1)
  await cards.next()
  assert.equal(received.length, 2)
})

test('a loop that ends early fetches no more pages', async (t) => {
  const { client, received } = await fakeClient(t, list)
  for await (const { id } of client.cards()) if (id === 'b') break
  assert.equal(received.length, 1)
})

test('an iterator starts at the cursor of its query', async (t) => {
  const { client } = await fakeClient(t, list)
  const seen = []
  for await (const { id } of client.cards({ cursor: '4' })) seen.push(id)
  assert.deepEqual(seen, ['e'])
})

test('has_more false ends the loop', async (t) => {
  const { client, received } = await fakeClient(t, [
    { body: { data: [{ id: 'a' }], has_more: false, next_cursor: '2' } },
  ])
  for await (const { id } of client.cards()) assert.equal(id, 'a')
  assert.equal(received.length, 1)
})

test('an empty list yields nothing', async (t) => {
  const { client } = await fakeClient(t, [{ body: { data: [], has_more: false, next_cursor: null } }])
  for await (const card of client.cards()) assert.fail(`there is ${card.id}`)
})

test('an empty page does not end the loop', async (t) => {
  const { client } = await fakeClient(t, [
    { body: { data: [], has_more: true, next_cursor: '2' } },
    { body: { data: [{ id: 'a' }], has_more: false, next_cursor: null } },
  ])
  const seen = []
  for await (const { id } of client.cards()) seen.push(id)
  assert.deepEqual(seen, ['a'])
})

test('a failed page ends the loop with its error after the retries', async (t) => {
  const { client, received } = await fakeClient(t, (one) =>
    one.query.has('cursor') ? problem(503, 'unavailable') : list(one),
  )
  const seen: string[] = []
  const loop = async () => {
    for await (const { id } of client.cards()) seen.push(id)
  }
  await assert.rejects(loop, { code: 'unavailable' })
  assert.deepEqual(seen, ['a', 'b'])
  assert.equal(received.length, 5)
})

test('an abort ends the loop', async (t) => {
  const { client } = await fakeClient(t, list)
  const controller = new AbortController()
  const loop = async () => {
    for await (const { id } of client.cards({}, { signal: controller.signal })) if (id === 'b') controller.abort()
  }
  await assert.rejects(loop, { name: 'AbortError' })
})
