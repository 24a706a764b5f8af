import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CardVault, type CardVaultOptions, type ResponseInfo, version } from '../src/index.js'
import { fakeClient, token } from './support/client.js'
import { problem, type Reply } from './support/fakeserver.js'

const page = { body: { data: [], has_more: false, next_cursor: null } }

test('a request has the user agent and the token', async (t) => {
  const { client, received } = await fakeClient(t, [page])
  await client.listCards()
  const { headers, path, method } = received[0]!
  assert.deepEqual([method, path], ['GET', '/api/cards'])
  assert.equal(headers.authorization, `Bearer ${token}`)
  assert.equal(headers['user-agent'], `cardvault-typescript/${version} node/${process.versions.node}`)
  assert.equal(headers.accept, 'application/json')
  assert.equal(headers['idempotency-key'], undefined)
  assert.equal(headers['content-type'], undefined)
})

test('lists repeat a parameter, undefined values are omitted, and values are encoded', async (t) => {
  const { client, received } = await fakeClient(t, [page])
  const absent: object = { sku: undefined, set: null }
  await client.listCards({ status: ['priced', 'listed'], q: 'ember & fox', min_price: 0, ...absent })
  assert.equal(received[0]!.query.toString(), 'status=priced&status=listed&q=ember+%26+fox&min_price=0')
})

test('an empty list is sent, because without it the request would select everything', async (t) => {
  const { client, received } = await fakeClient(t, [page])
  await client.listCards({ ids: [], status: [] })
  assert.equal(received[0]!.query.toString(), 'ids=&status=')
})

test('identifiers are encoded as one segment', async (t) => {
  const { client, received } = await fakeClient(t, [{ body: {} }])
  await client.getCard('a/../b?c#d')
  assert.equal(received[0]!.path, '/api/cards/a%2F..%2Fb%3Fc%23d')
})

for (const id of ['', '.', '..']) {
  test(`"${id}" is not an identifier`, async (t) => {
    const { client, received } = await fakeClient(t, [page])
    await assert.rejects(client.getCard(id), /is not an identifier/)
    assert.equal(received.length, 0)
  })
}

test('every POST has a key, which is the same in all attempts and differs between calls', async (t) => {
  const { client, received } = await fakeClient(t, [
    problem(503, 'unavailable'),
    { fault: 'reset' },
    problem(409, 'idempotency_conflict'),
    { body: {} },
  ])
  await client.completeBatch('bat_1')
  await client.completeBatch('bat_1')
  const keys = received.map(({ headers }) => headers['idempotency-key'])
  assert.equal(keys.length, 5)
  assert.equal(new Set(keys.slice(0, 4)).size, 1)
  assert.match(String(keys[0]), /^[0-9a-f]{32}$/)
  assert.notEqual(keys[4], keys[0])
})

test('a retry waits if an earlier attempt uses the key', async (t) => {
  const lost: Reply = { fault: 'reset' }
  const { client, received } = await fakeClient(t, [lost, problem(409, 'idempotency_conflict'), { body: {} }])
  await client.completeBatch('bat_1')
  assert.equal(received.length, 3)
})

test('the caller may choose the key', async (t) => {
  const { client, received } = await fakeClient(t, [problem(502, 'upstream_error'), { body: {} }])
  await client.createBatch({ name: 'Spring fair' }, { idempotencyKey: 'spring-fair' })
  assert.deepEqual(
    received.map(({ headers }) => headers['idempotency-key']),
    ['spring-fair', 'spring-fair'],
  )
})

test('a key that another call uses is a conflict without a retry', async (t) => {
  const { client, received } = await fakeClient(t, [problem(409, 'idempotency_conflict'), { body: {} }])
  const call = client.createBatch({ name: 'Spring fair' }, { idempotencyKey: 'spring-fair' })
  await assert.rejects(call, { code: 'idempotency_conflict' })
  assert.equal(received.length, 1)
})

test('bodies are JSON', async (t) => {
  const { client, received } = await fakeClient(t, [{ body: {} }])
  await client.updateCard('card_1', { notes: null }, { ifMatch: 3 })
  const { method, headers, body } = received[0]!
  assert.deepEqual([method, body], ['PATCH', '{"notes":null}'])
  assert.equal(headers['content-type'], 'application/json')
  assert.equal(headers['if-match'], '"3"')
  assert.equal(headers['idempotency-key'], undefined)
})

test('a POST without a body has no Content-Type', async (t) => {
  const { client, received } = await fakeClient(t, [{ body: {} }])
  await client.publishCard('card_1')
  assert.equal(received[0]!.headers['content-type'], undefined)
  assert.equal(received[0]!.body, '')
})

test('pictures are sent unchanged', async (t) => {
  const { client, received } = await fakeClient(t, [{ body: {} }])
  await client.putCardPhoto('card_1', 'front', new Blob(['webp'], { type: 'image/webp' }))
  const { method, path, headers, body } = received[0]!
  assert.deepEqual([method, path, body], ['PUT', '/api/cards/card_1/photos/front', 'webp'])
  assert.equal(headers['content-type'], 'image/webp')
})

test('a picture without a type is an error', async (t) => {
  const { client } = await fakeClient(t, [{ body: {} }])
  await assert.rejects(client.putCardPhoto('card_1', 'front', new Blob(['webp'])), /the Blob has no type/)
})

test('a response without a body is undefined', async (t) => {
  const { client, received } = await fakeClient(t, [{ status: 204 }])
  assert.equal(await client.deleteCardPhoto('card_1', 'pho_1'), undefined)
  assert.deepEqual([received[0]!.method, received[0]!.path], ['DELETE', '/api/cards/card_1/photos/pho_1'])
})

test('onResponse is called with every response; that of the call replaces that of the client', async (t) => {
  const told: [string, ResponseInfo][] = []
  const headers = {
    'X-Request-Id': 'r1',
    'X-RateLimit-Limit': '60',
    'X-RateLimit-Remaining': '59',
    'X-RateLimit-Reset': '1778513580',
  }
  const { client } = await fakeClient(t, [problem(503, 'unavailable'), { ...page, headers }], {
    onResponse: (info) => told.push(['client', info]),
  })
  await client.listCards({ limit: 1 })
  await client.listCards({}, { onResponse: (info) => told.push(['call', info]) })
  assert.deepEqual(
    told.map(([who, { method, status }]) => [who, method, status]),
    [
      ['client', 'GET', 503],
      ['client', 'GET', 200],
      ['call', 'GET', 200],
    ],
  )
  const { requestId, rateLimit, url } = told[1]![1]
  assert.equal(requestId, 'r1')
  assert.deepEqual(rateLimit, { limit: 60, remaining: 59, reset: new Date(1778513580_000) })
  assert.match(url, /\/api\/cards\?limit=1$/)
  assert.equal(told[0]![1].rateLimit, undefined)
})

test('fetch is configurable', async () => {
  const asked: string[] = []
  const client = new CardVault({
    baseUrl: 'https://vault.example/api/',
    token,
    fetch: async (url) => {
      asked.push(String(url))
      return Response.json({ id: 'card_1' })
    },
  })
  assert.deepEqual(await client.getCard('card_1'), { id: 'card_1' })
  assert.deepEqual(asked, ['https://vault.example/api/cards/card_1'])
})

const wrongOptions: [string, Partial<CardVaultOptions>, RegExp][] = [
  ['an empty URL', { baseUrl: '' }, /^baseUrl: "" is not the URL/],
  ['a URL without a scheme', { baseUrl: 'vault.example/api' }, /^baseUrl: "vault.example\/api" is not/],
  ['a query', { baseUrl: 'https://vault.example/api?a=1' }, /^baseUrl: /],
  ['a fragment', { baseUrl: 'https://vault.example/api#cards' }, /^baseUrl: /],
  ['a password', { baseUrl: 'https://ada:secret@vault.example/api' }, /^baseUrl: /],
  ['another scheme', { baseUrl: 'ftp://vault.example/api' }, /^baseUrl: /],
  ['an empty token', { token: '' }, /^token: is empty/],
  ['a line break after the token', { token: `${token}\n` }, /check for a line break/],
  ['a zero timeout', { timeout: 0 }, /^timeout: 0 is not/],
  ['a timeout that is too long for timers', { timeout: 2 ** 31 }, /^timeout: /],
  ['a fraction of a retry', { maxRetries: 0.5 }, /^maxRetries: 0.5 is not a number/],
  ['an unlimited number of retries', { maxRetries: NaN }, /^maxRetries: NaN/],
]

for (const [what, options, says] of wrongOptions) {
  test(`${what} is an error of the constructor`, () => {
    const make = () => new CardVault({ baseUrl: 'https://vault.example/api', token, ...options })
    assert.throws(make, (error) => error instanceof TypeError && says.test(error.message))
  })
}

test('a printed client does not contain its token', async (t) => {
  const { inspect } = await import('node:util')
  const { client } = await fakeClient(t, [page])
  assert.ok(!inspect(client, { depth: 10, showHidden: true }).includes(token))
  assert.ok(!JSON.stringify(client).includes(token))
})
