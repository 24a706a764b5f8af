import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CardVault, CardVaultError, ConnectionError, TimeoutError } from '../src/index.js'
import { fakeClient, token } from './support/client.js'
import { deadAddress, problem, type Reply } from './support/fakeserver.js'

const ok: Reply = { body: { id: 'bat_1' } }

for (const [what, reply] of Object.entries<Reply>({
  '429': problem(429, 'rate_limited'),
  '502': problem(502, 'upstream_error'),
  '503': problem(503, 'unavailable'),
  'a 502 of a proxy': { status: 502, body: '<h1>Bad Gateway</h1>', headers: { 'Content-Type': 'text/html' } },
  'a closed connection': { fault: 'reset' },
  'an incomplete response': { fault: 'cut', body: { data: 'x'.repeat(1000) } },
})) {
  test(`${what} is retried`, async (t) => {
    const { client, received } = await fakeClient(t, [reply, reply, ok])
    assert.deepEqual(await client.createBatch({ name: 'Spring fair' }), ok.body)
    assert.equal(received.length, 3)
  })
}

for (const method of [
  'listCards',
  'getCard',
  'updateCard',
  'deleteCardPhoto',
  'putCardPhoto',
  'createBatch',
] as const) {
  test(`${method} is retried`, async (t) => {
    const { client, received } = await fakeClient(t, [problem(503, 'unavailable'), ok])
    const calls = {
      listCards: () => client.listCards(),
      getCard: () => client.getCard('card_1'),
      updateCard: () => client.updateCard('card_1', { notes: 'Nick' }),
      deleteCardPhoto: () => client.deleteCardPhoto('card_1', 'pho_1'),
      putCardPhoto: () => client.putCardPhoto('card_1', 'front', new Blob(['jpeg'], { type: 'image/jpeg' })),
      createBatch: () => client.createBatch({ name: 'Spring fair' }),
    }
    await calls[method]()
    assert.equal(received.length, 2)
    const [first, second] = received.map(({ method, path, body }) => ({ method, path, body }))
    assert.deepEqual(first, second)
  })
}

for (const [status, code] of [
  [400, 'invalid_request'],
  [404, 'card_not_found'],
  [409, 'card_sold'],
  [412, 'version_mismatch'],
  [500, 'internal_error'],
  [501, 'not_implemented'],
] as const) {
  test(`${status} ${code} is not retried`, async (t) => {
    const { client, received, timing } = await fakeClient(t, [problem(status, code), ok])
    await assert.rejects(client.createBatch({ name: 'Spring fair' }), { code, status })
    assert.equal(received.length, 1)
    assert.deepEqual(timing.waits, [])
  })
}

test('the bound of the random delays doubles from half a second to eight seconds', async (t) => {
  const { client, timing } = await fakeClient(t, [problem(503, 'unavailable')], { maxRetries: 6 })
  timing.chance = 0.999
  await assert.rejects(client.listCards(), { code: 'unavailable' })
  assert.deepEqual(timing.waits, [499.5, 999, 1998, 3996, 7992, 7992])
})

test('a delay may be zero', async (t) => {
  const { client, timing } = await fakeClient(t, [problem(503, 'unavailable')])
  timing.chance = 0
  await assert.rejects(client.listCards(), { code: 'unavailable' })
  assert.deepEqual(timing.waits, [0, 0, 0])
})

test('a random delay is added to Retry-After', async (t) => {
  const limited = problem(429, 'rate_limited', { headers: { 'Retry-After': '12' } })
  const { client, timing } = await fakeClient(t, [limited, ok])
  timing.chance = 0.5
  await client.listCards()
  assert.deepEqual(timing.waits, [12_250])
})

test('the delay is longer while the service processes an earlier attempt', async (t) => {
  const busy = problem(409, 'idempotency_conflict')
  const { client, timing } = await fakeClient(t, [{ fault: 'reset' }, busy, busy, ok])
  timing.chance = 0.5
  await client.createBatch({ name: 'Spring fair' })
  assert.deepEqual(timing.waits, [250, 8500, 9000])
})

test('an untrusted certificate is not retried', async () => {
  let attempts = 0
  const distrust = Object.assign(new Error('self-signed certificate'), { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' })
  const refused = async () => {
    attempts++
    throw new TypeError('fetch failed', { cause: distrust })
  }
  const client = new CardVault({ baseUrl: 'https://vault.example/api', token, fetch: refused })
  await assert.rejects(client.listCards(), { code: 'connection_failed', message: /self-signed certificate/ })
  assert.equal(attempts, 1)
})

test('a Retry-After may be a date', async (t) => {
  const until = problem(503, 'unavailable', { headers: { 'Retry-After': 'Mon, 11 May 2026 15:32:30 GMT' } })
  const { client, timing } = await fakeClient(t, [until, ok])
  await client.listCards()
  assert.deepEqual(timing.waits, [30_250])
})

test('a Retry-After of more than two minutes is not retried', async (t) => {
  const { client, received } = await fakeClient(t, [problem(503, 'unavailable', { headers: { 'Retry-After': '121' } })])
  await assert.rejects(client.listCards(), { code: 'unavailable', retryAfter: 121 })
  assert.equal(received.length, 1)
})

test('maxRetries of the client and of a call', async (t) => {
  const { client, received } = await fakeClient(t, [problem(503, 'unavailable')], { maxRetries: 1 })
  await assert.rejects(client.listCards(), { code: 'unavailable' })
  assert.equal(received.length, 2)
  await assert.rejects(client.listCards({}, { maxRetries: 0 }), { code: 'unavailable' })
  assert.equal(received.length, 3)
})

test('each attempt has the whole timeout', async (t) => {
  const { client, received } = await fakeClient(t, [{ fault: 'silent' }, ok], { timeout: 1000 })
  await client.listCards()
  assert.equal(received.length, 2)
})

test('the timeout includes the body', async (t) => {
  const { client } = await fakeClient(t, [{ fault: 'stalled', body: { data: [] } }], { maxRetries: 0, timeout: 100 })
  await assert.rejects(client.listCards(), TimeoutError)
})

test('a timeout is a TimeoutError', async (t) => {
  const { client } = await fakeClient(t, [{ fault: 'silent' }], { maxRetries: 0 })
  const failure = client.listCards({}, { timeout: 50 })
  await assert.rejects(failure, (error) => {
    assert.ok(error instanceof TimeoutError && error instanceof CardVaultError)
    assert.equal(error.code, 'timed_out')
    assert.equal(error.status, 0)
    assert.match(error.message, /^No response from http:\/\/127\.0\.0\.1:\d+ within 50 ms\.$/)
    return true
  })
})

test('a failed connection is a ConnectionError with the reason', async () => {
  const baseUrl = await deadAddress()
  const client = new CardVault({ baseUrl, token, maxRetries: 0 })
  await assert.rejects(client.listCards(), (error) => {
    assert.ok(error instanceof ConnectionError && error instanceof CardVaultError)
    assert.equal(error.code, 'connection_failed')
    assert.equal(error.status, 0)
    assert.match(error.message, /^No response from http:\/\/127\.0\.0\.1:\d+: connect ECONNREFUSED/)
    assert.ok(error.cause instanceof TypeError)
    return true
  })
})

test('an abort ends an attempt', async (t) => {
  const { client, received } = await fakeClient(t, () => {
    controller.abort(new Error('no longer wanted'))
    return { fault: 'silent' }
  })
  const controller = new AbortController()
  await assert.rejects(client.listCards({}, { signal: controller.signal, maxRetries: 0 }), /no longer wanted/)
  assert.equal(received.length, 1)
})

test('an abort ends a delay', async (t) => {
  const limited = problem(429, 'rate_limited', { headers: { 'Retry-After': '100' } })
  const { client, received } = await fakeClient(t, [limited], {
    timing: undefined,
    onResponse: () => setImmediate(abort),
  })
  const controller = new AbortController()
  const abort = () => controller.abort(new Error('no longer wanted'))
  await assert.rejects(client.listCards({}, { signal: controller.signal }), /no longer wanted/)
  assert.equal(received.length, 1)
})

test('an aborted signal sends nothing', async (t) => {
  const { client, received } = await fakeClient(t, [ok])
  await assert.rejects(client.listCards({}, { signal: AbortSignal.abort() }), { name: 'AbortError' })
  assert.equal(received.length, 0)
})
