// Tests against the real service.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CardVault, type ResponseInfo } from '../../src/index.js'
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
