import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { type BulkResult, bulkEnd, bulkLookupPrices, bulkPublish, bulkUpdate, deleteMatching } from '../src/index.js'
import { fakeClient } from './support/client.js'
import { problem, type Received, type Reply } from './support/fakeserver.js'

/** Returns a client of a service where the item "bad" fails, and so does each request with the item "worse". */
async function bulkClient(t: TestContext) {
  const sizes: number[] = []
  const reply = ({ body }: Received): Reply => {
    const { updates = [], card_ids = [], listing_ids = [] } = JSON.parse(body)
    const ids: string[] = [...updates.map(({ id }: { id: string }) => id), ...card_ids, ...listing_ids]
    sizes.push(ids.length)
    if (ids.includes('worse')) return problem(400, 'invalid_request')
    return { body: { data: ids.map(result) } }
  }
  return { sizes, ...(await fakeClient(t, reply)) }
}

function result(id: string) {
  const failed = { id, status: 409, card: null, listing: null, estimate: null }
  if (id === 'bad') return { ...failed, error: { code: 'card_sold', message: 'The card is sold.', status: 409 } }
  return { id, status: 200, card: { id }, listing: { id }, estimate: { id }, error: null }
}

/** Returns the identifier of each result, with the code of its error. */
async function outcomes(results: AsyncIterable<BulkResult<object>>): Promise<string[]> {
  const seen: string[] = []
  for await (const { id, value, error } of results) {
    if (value) assert.equal((value as { id?: string }).id, id)
    seen.push(error ? `${id} ${error.code}` : id)
  }
  return seen
}

test('updates are cut into requests of 500, and a request that fails does not end the loop', async (t) => {
  const { client, sizes } = await bulkClient(t)
  const ids = Array.from({ length: 1200 }, (_, n) => (n === 3 ? 'bad' : n === 600 ? 'worse' : `card_${n}`))
  const want = ids.map((id, n) => (n === 3 ? 'bad card_sold' : n >= 500 && n < 1000 ? `${id} invalid_request` : id))
  assert.deepEqual(
    await outcomes(
      bulkUpdate(
        client,
        ids.map((id) => ({ id, notes: 'new' })),
      ),
    ),
    want,
  )
  assert.deepEqual(sizes, [500, 500, 200])
})

test('a card stands in a request once', async (t) => {
  const { client, sizes } = await bulkClient(t)
  assert.deepEqual(await outcomes(bulkUpdate(client, [{ id: 'a' }, { id: 'b' }, { id: 'a' }])), ['a', 'b', 'a'])
  assert.deepEqual(sizes, [2, 1])
})

test('cards are published', async (t) => {
  const { client, received } = await bulkClient(t)
  const results = bulkPublish(client, ['a', 'bad'], { marketplace: 'sandbox' })
  assert.deepEqual(await outcomes(results), ['a', 'bad card_sold'])
  assert.deepEqual(JSON.parse(received[0]!.body), { card_ids: ['a', 'bad'], marketplace: 'sandbox' })
})

test('listings are ended', async (t) => {
  const { client } = await bulkClient(t)
  assert.deepEqual(await outcomes(bulkEnd(client, ['a', 'worse'])), ['a invalid_request', 'worse invalid_request'])
})

test('prices are looked up in requests of 50', async (t) => {
  const { client, sizes, received } = await bulkClient(t)
  const ids = Array.from({ length: 120 }, (_, n) => (n === 3 ? 'bad' : `card_${n}`))
  const want = ids.map((id) => (id === 'bad' ? 'bad card_sold' : id))
  assert.deepEqual(await outcomes(bulkLookupPrices(client, ids)), want)
  assert.deepEqual(sizes, [50, 50, 20])
  assert.equal(received[0]!.path, '/api/price-lookup')
})

test('the prices of one request', async (t) => {
  const { client, received } = await bulkClient(t)
  const { data } = await client.lookupPrices(['a', 'bad'], { idempotencyKey: 'once' })
  assert.deepEqual([data[0]?.id, data[1]?.estimate, data[1]?.error?.code], ['a', null, 'card_sold'])
  assert.equal(received[0]!.headers['idempotency-key'], 'once')
})

test('a loop that ends early sends no further request', async (t) => {
  const { client, sizes } = await bulkClient(t)
  for await (const _ of bulkEnd(client, ['a', 'a'])) break
  assert.deepEqual(sizes, [1])
})

test('an item without a result has an error', async (t) => {
  const { client } = await fakeClient(t, [{ body: { data: [] } }])
  assert.deepEqual(await outcomes(bulkEnd(client, ['a'])), ['a unexpected_response'])
})

test('an aborted signal ends the loop', async (t) => {
  const { client } = await bulkClient(t)
  const signal = AbortSignal.abort(new Error('enough'))
  await assert.rejects(outcomes(bulkEnd(client, ['a'], { signal })), /enough/)
})

test('a deletion by a filter sends the number of cards that it expects', async (t) => {
  const bodies: unknown[] = []
  const { client } = await fakeClient(t, ({ method, body }) => {
    bodies.push(method, JSON.parse(body))
    return problem(409, 'unexpected_count')
  })
  await assert.rejects(deleteMatching(client, { location: 'Box 9' }, 0), { code: 'unexpected_count' })
  assert.deepEqual(bodies, ['POST', { kind: 'delete', filter: { location: 'Box 9' }, expected_count: 0 }])
})
