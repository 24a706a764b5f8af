// Tests against the real service.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bulkEnd, bulkUpdate, CardVault, type Feed, type ResponseInfo } from '../../src/index.js'
import { api, token } from './support/project.js'

const client = new CardVault({ baseUrl: api, token })

test('iterators yield all pages', async () => {
  const ids = []
  for await (const { id } of client.cards({ limit: 7 })) ids.push(id)
  assert.ok(ids.length > 14, `only ${ids.length} cards`)
  assert.equal(new Set(ids).size, ids.length)
  const kinds = new Set()
  for await (const { event } of client.events({ event: ['card.identified', 'card.priced'], limit: 5 })) kinds.add(event)
  assert.deepEqual([...kinds].sort(), ['card.identified', 'card.priced'])
})

test('a POST that is repeated with its key is executed once', async () => {
  const answers: ResponseInfo[] = []
  const options = { idempotencyKey: `once-${Date.now()}`, onResponse: (info: ResponseInfo) => answers.push(info) }
  const first = await client.createBatch({ name: 'Once' }, options)
  const second = await client.createBatch({ name: 'Once' }, options)
  assert.equal(second.id, first.id)
  assert.deepEqual(
    answers.map(({ headers }) => headers.get('idempotent-replayed')),
    [null, 'true'],
  )
  await assert.rejects(client.createBatch({ name: 'Twice' }, options), { code: 'idempotency_key_reused', status: 422 })
})

test('reads and changes with a version', async () => {
  const [card] = (await client.createCards({ cards: [{ identification: { title: 'Glass Heron' } }] })).data
  assert.ok(card)
  await assert.rejects(client.getCard(card.id, { ifNoneMatch: card.version }), { code: 'not_modified', status: 304 })
  const changed = await client.updateCard(card.id, { notes: 'A nick.' }, { ifMatch: card.version })
  assert.equal(changed.version, card.version + 1)
  await assert.rejects(client.updateCard(card.id, { notes: null }, { ifMatch: card.version }), {
    code: 'version_mismatch',
    status: 412,
  })
  assert.equal((await client.getCard(card.id, { ifNoneMatch: card.version })).notes, 'A nick.')
})

test('an error has the invalid field', async () => {
  const call = client.createCards({ cards: [{ location: '/' }] })
  await assert.rejects(call, (error: Error & { details: { field: string }[]; requestId: string }) => {
    assert.match(error.details[0]!.field, /location/)
    assert.match(error.requestId, /^\w+$/)
    return true
  })
})

test('an unknown token', async () => {
  const stranger = new CardVault({ baseUrl: api, token: `${token.slice(0, -1)}_` })
  await assert.rejects(stranger.listCards(), { code: 'invalid_token', status: 401 })
})

test('changes during a pass are yielded', async () => {
  const cards = Array.from({ length: 5 }, (_, n) => ({ identification: { title: `Moth ${n}` } }))
  const since = (await client.createCards({ cards })).data[0]!.updated_at
  const changes = client.changes({ since, limit: 2, interval: 10 })
  const seen: [string | null, number][] = []
  for await (const { id, title, version } of changes) {
    seen.push([title, version])
    // Changes the second card while its page is processed.
    if (title === 'Moth 1' && version === 1) await client.updateCard(id, { notes: 'Seen.' })
    if (title === 'Moth 1' && version === 2) break
  }
  assert.equal(new Set(seen.map(String)).size, seen.length)
  assert.deepEqual(seen.map(([title]) => title).sort(), ['Moth 0', 'Moth 1', 'Moth 1', 'Moth 2', 'Moth 3', 'Moth 4'])
})

test('updates of many cards', async () => {
  const fox = { identification: { title: 'Ember Fox' } }
  const cards = (await client.createCards({ cards: [fox, fox, fox] })).data
  cards.push(cards[0]!) // in a request of its own
  const updates = cards.map(({ id }, n) => ({ id, location: 'Room B', ...(n === 1 && { version: 7 }) }))
  const codes = []
  for await (const { error } of bulkUpdate(client, updates)) codes.push(error?.code)
  assert.deepEqual(codes, [undefined, 'version_mismatch', undefined, undefined])
  for await (const { error } of bulkEnd(client, [`lst_${'0'.repeat(26)}`]))
    assert.equal(error?.code, 'listing_not_found')
})

test('feeds yield nothing twice', async () => {
  const query = { since: new Date(Date.now() - 3_600_000), once: true }
  const [card] = (await client.createCards({ cards: [{ identification: { title: 'Ember Fox' } }] })).data
  await client.deleteCard(card!.id)
  const deleted = await twoPasses(client.deletionChanges(query), ({ card_id }) => card_id)
  assert.ok(deleted.includes(card!.id))
  await twoPasses(client.listingChanges(query), ({ id, updated_at }) => id + updated_at)
  await twoPasses(client.saleChanges(query), ({ id, version }) => `${id}:${version}`)
  await twoPasses(client.eventChanges(query), ({ id }) => id)
})

async function twoPasses<T>(feed: Feed<T>, state: (item: T) => string): Promise<string[]> {
  const states = []
  for (const _ of [1, 2]) for await (const item of feed) states.push(state(item))
  assert.equal(new Set(states).size, states.length)
  return states
}
