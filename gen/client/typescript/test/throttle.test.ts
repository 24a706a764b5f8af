import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { parse } from 'yaml'
import type { CardVault, Wait } from '../src/index.js'
import { rateClass } from '../src/window.js'
import { fakeClient } from './support/client.js'
import { problem } from './support/fakeserver.js'
import { limitedClient } from './support/virtual.js'

/** Updates a number of cards at the same time. */
function burst(client: CardVault, number: number): Promise<unknown> {
  return Promise.all(Array.from({ length: number }, (_, n) => client.updateCard(`card_${n}`, { notes: 'new' })))
}

for (const hours of [0, 1, -1]) {
  test(`a burst takes as long as the limit requires, with a clock that differs by ${hours} h`, async () => {
    const waits: Wait[] = []
    const onWait = (wait: Wait) => waits.push(wait)
    const { client, service, timing } = limitedClient(30, { onWait }, hours * 3_600_000)
    const took = await timing.elapsed(burst(client, 100))
    assert.ok(took >= 180_000 && took <= 185_000, `took ${took} ms`)
    assert.equal(service.rejected, 70) // only of the first burst, whose limit is unknown
    assert.deepEqual(
      waits.map((wait) => wait.rateClass),
      ['write', 'write', 'write'],
    )
    for (const { milliseconds } of waits) assert.ok(milliseconds > 50_000 && milliseconds <= 60_000)
  })
}

test('a known limit is not exceeded', async () => {
  const { client, service, timing } = limitedClient(30)
  await timing.elapsed(burst(client, 1))
  const took = await timing.elapsed(burst(client, 59))
  assert.ok(took >= 58_000 && took <= 65_000, `took ${took} ms`)
  assert.equal(service.rejected, 0)
})

test('reads do not wait for writes', async () => {
  const { service, timing } = limitedClient(1)
  const fetch: typeof globalThis.fetch = async (_, init) =>
    init?.method === 'GET' ? Response.json({ id: 'card_1' }) : service.fetch()
  const { client } = limitedClient(1, { fetch, timing })
  await timing.elapsed(burst(client, 1))
  assert.equal(await timing.elapsed(client.getCard('card_1')), 0)
})

test('a request without a response is given back', async () => {
  let calls = 0
  const { service, timing } = limitedClient(2)
  const fetch = () => (++calls % 2 === 0 ? Promise.reject(new Error('broken')) : service.fetch())
  const { client } = limitedClient(2, { fetch, timing })
  for (let n = 0; n < 5; n++) await timing.elapsed(burst(client, 1))
})

test('without retries nothing waits', async () => {
  const { client, timing } = limitedClient(1, { maxRetries: 0 })
  await timing.elapsed(burst(client, 1))
  const call = assert.rejects(client.updateCard('card_1', {}), { code: 'rate_limited' })
  assert.equal(await timing.elapsed(call), 1000)
})

test('aborting ends the wait of every request in the queue', async () => {
  const { client, timing } = limitedClient(1)
  await timing.elapsed(burst(client, 1))
  const controller = new AbortController()
  const { signal } = controller
  const calls = [1, 2].map(() => assert.rejects(client.updateCard('card_1', {}, { signal }), /enough/))
  controller.abort(new Error('enough'))
  assert.equal(await timing.elapsed(Promise.all(calls)), 0)
  assert.ok((await timing.elapsed(burst(client, 1))) < 65_000) // the queue goes on
})

test('too many requests at the same time say nothing about the limit', async (t) => {
  const headers = {
    'Retry-After': '1',
    'X-RateLimit-Limit': '60',
    'X-RateLimit-Remaining': '59',
    'X-RateLimit-Reset': '1778513580',
  }
  const { client, timing } = await fakeClient(t, [problem(429, 'rate_limited', { headers }), { body: {} }])
  await client.getCard('card_1')
  assert.deepEqual(timing.waits, [1250])
})

test('the classes are those of the contract', async () => {
  const file = new URL('../../../../../openapi/v1.yaml', import.meta.url)
  const contract = parse(await readFile(file, 'utf8'), { maxAliasCount: -1 })
  type Paths = Record<string, Record<string, { 'x-rate-class': string }>>
  for (const [path, operations] of Object.entries(contract.paths as Paths)) {
    for (const [name, operation] of Object.entries(operations)) {
      const method = name.toUpperCase() as 'GET'
      assert.equal(rateClass({ method, path }), operation['x-rate-class'], `${method} ${path}`)
    }
  }
})
