import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CardVaultError, type CardVaultErrorCode } from '../src/index.js'
import { fakeClient } from './support/client.js'
import { problem, type Reply } from './support/fakeserver.js'

async function failureOf(call: Promise<unknown>): Promise<CardVaultError> {
  const error = await call.then(
    () => assert.fail('it did not fail'),
    (error: unknown) => error,
  )
  assert.ok(error instanceof CardVaultError)
  return error
}

test('an error has the fields of the response', async (t) => {
  const details = [{ field: 'pricing.asking_price.amount', message: 'must be at least 0' }]
  const headers = {
    'X-Request-Id': '01k5w0q2m7t9c3r5v8x0z1b4d6',
    'X-RateLimit-Limit': '20',
    'X-RateLimit-Remaining': '0',
    'X-RateLimit-Reset': '1778513580',
    'Retry-After': '130',
  }
  const { client } = await fakeClient(t, [problem(429, 'rate_limited', { headers, details })])
  const error = await failureOf(client.updateCard('card_1', {}))
  assert.equal(error.name, 'CardVaultError')
  assert.equal(error.message, 'It is rate_limited.')
  assert.equal(error.status, 429)
  assert.equal(error.code, 'rate_limited')
  assert.deepEqual(error.details, details)
  assert.equal(error.requestId, '01k5w0q2m7t9c3r5v8x0z1b4d6')
  assert.equal(error.retryAfter, 130)
  assert.deepEqual(error.rateLimit, { limit: 20, remaining: 0, reset: new Date('2026-05-11T15:33:00Z') })
})

test('an unknown code is passed on', async (t) => {
  const { client } = await fakeClient(t, [problem(409, 'card_on_loan')])
  const error = await failureOf(client.publishCard('card_1'))
  const code: CardVaultErrorCode = error.code
  assert.equal(code, 'card_on_loan')
  assert.deepEqual(error.details, [])
})

for (const [what, reply] of Object.entries<Reply>({
  'a page of a proxy': { status: 404, body: '<h1>Not Found</h1>' },
  'JSON of another service': { status: 403, body: { error: 'forbidden' } },
  'JSON that is not an object': { status: 200, body: 'null' },
  'a success that is not JSON': { status: 200, body: '<h1>Welcome</h1>' },
  'an empty body': { status: 500, body: '' },
  'a limit of a proxy': { status: 413, body: '<h1>Request Entity Too Large</h1>' },
  'a redirect, which is not followed': { status: 302, headers: { Location: '/login' }, body: '' },
})) {
  test(`${what} is an unexpected response`, async (t) => {
    const { client, received } = await fakeClient(t, [reply])
    const error = await failureOf(client.createBatch({ name: 'Spring fair' }))
    assert.equal(error.code, 'unexpected_response')
    assert.equal(error.status, reply.status)
    const wrongAddress = reply.status! < 400 || reply.status === 404
    assert.match(error.message, wrongAddress ? /Check baseUrl/ : /status \d+ is not from CardVault. It is from a proxy/)
    assert.equal(error.message.includes('baseUrl'), wrongAddress)
    assert.equal(received.length, 1)
  })
}

test('a 304 is not_modified', async (t) => {
  const { client, received } = await fakeClient(t, [{ status: 304, headers: { ETag: '"3"' } }])
  const error = await failureOf(client.getCard('card_1', { ifNoneMatch: 3 }))
  assert.equal(error.code, 'not_modified')
  assert.equal(error.status, 304)
  assert.equal(received[0]!.headers['if-none-match'], '"3"')
})
