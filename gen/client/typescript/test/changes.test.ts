import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Changes } from '../src/index.js'
import { fakeClient, FakeTiming } from './support/client.js'
import { problem, type Received } from './support/fakeserver.js'
import { Inventory } from './support/inventory.js'

const start = '2026-05-11T15:32:00Z'

/** Returns a client that lists the cards of an inventory. It calls meddle before each page. */
async function follow(t: TestContext, meddle: (page: number) => void = () => {}) {
  const inventory = new Inventory()
  let page = 0
  const answer = (one: Received) => {
    meddle(page++)
    return inventory.list(one)
  }
  return { inventory, ...(await fakeClient(t, answer)) }
}

async function collect(changes: Changes): Promise<string[]> {
  const seen: string[] = []
  for await (const { id, version } of changes) seen.push(`${id}:${version}`)
  return seen
}

test('a pass yields the changes since a time, in their order', async (t) => {
  const { client, inventory, received, timing } = await follow(t)
  inventory.change('a', 'b')
  inventory.change('c')
  inventory.change('a')
  const changes = client.changes({ since: new Date(start), once: true, limit: 2 })
  assert.deepEqual(await collect(changes), ['b:1', 'c:1', 'a:2'])
  assert.equal(changes.since, '2026-05-11T15:32:01.000003Z')
  assert.equal(received[0]!.query.get('updated_since'), '2026-05-11T15:32:00.000Z')
  assert.deepEqual(timing.waits, [])
})

test('the bound is inclusive, but no version is yielded twice', async (t) => {
  const { client, inventory } = await follow(t)
  inventory.change('a', 'b')
  const changes = client.changes({ since: start, once: true })
  assert.deepEqual(await collect(changes), ['a:1', 'b:1'])
  assert.deepEqual(await collect(changes), [])
  inventory.change('b')
  assert.deepEqual(await collect(changes), ['b:2'])
})

test('a change between two pages is not missed', async (t) => {
  const { client, inventory } = await follow(t, (page) => {
    if (page === 1) inventory.change('a')
    if (page === 2) inventory.change('d', 'e')
  })
  inventory.change('a')
  inventory.change('b')
  inventory.change('c')
  const changes = client.changes({ since: start, once: true, limit: 1 })
  assert.deepEqual(await collect(changes), ['a:1', 'b:1', 'c:1', 'a:2', 'd:1', 'e:1'])
})

test('the interval between passes is a minute by default', async (t) => {
  const { client, inventory, timing } = await follow(t, (page) => inventory.change(`card-${page}`))
  const seen = []
  for await (const { id } of client.changes({ since: start })) {
    seen.push(id)
    if (seen.length === 3) break
  }
  assert.deepEqual(seen, ['card-0', 'card-1', 'card-2'])
  assert.deepEqual(timing.waits, [60_000, 60_000])
  for await (const { id } of client.changes({ since: start, interval: 5_000 })) if (id === 'card-4') break
  assert.deepEqual(timing.waits.slice(2), [5_000])
})

test('after a restart from the stored time, the cards of exactly this time are yielded again', async (t) => {
  const { client, inventory } = await follow(t)
  inventory.change('a')
  inventory.change('b', 'c')
  const changes = client.changes({ since: start, once: true })
  for await (const { id } of changes) if (id === 'b') break
  assert.deepEqual(await collect(client.changes({ since: changes.since, once: true })), ['b:1', 'c:1'])
})

test('a new loop continues with the card at which the last loop ended', async (t) => {
  const { client, inventory } = await follow(t)
  inventory.change('a', 'b')
  inventory.change('c')
  const changes = client.changes({ since: start, once: true })
  for await (const { id } of changes) if (id === 'b') break
  assert.deepEqual(await collect(changes), ['b:1', 'c:1'])
})

test('a card whose processing failed is yielded again', async (t) => {
  const { client, inventory } = await follow(t)
  inventory.change('a', 'b', 'c')
  const changes = client.changes({ since: start, once: true })
  const failing = async () => {
    for await (const { id } of changes) if (id === 'b') throw new Error('the database is down')
  }
  await assert.rejects(failing(), /the database is down/)
  assert.deepEqual(await collect(changes), ['b:1', 'c:1'])
})

test('a new loop continues after an error', async (t) => {
  const inventory = new Inventory()
  inventory.change('a')
  inventory.change('b')
  const answers = [1, 2].map(() => (one: Received) => inventory.list(one))
  answers.splice(1, 0, () => problem(500, 'internal_error'))
  const { client } = await fakeClient(t, (one) => answers.shift()!(one))
  const changes = client.changes({ since: start, once: true, limit: 1 })
  await assert.rejects(collect(changes), { code: 'internal_error' })
  assert.equal(changes.since, '2026-05-11T15:32:01.000001Z')
  answers.push((one) => inventory.list(one))
  assert.deepEqual(await collect(changes), ['b:1'])
})

test('every page has the filters', async (t) => {
  const { client, inventory, received } = await follow(t)
  inventory.change('a')
  inventory.change('b')
  await collect(client.changes({ since: start, once: true, limit: 1, status: ['sold'] }))
  for (const { query } of received) assert.equal(query.get('status'), 'sold')
  assert.equal(received.length, 2)
  for (const name of ['since', 'once', 'interval']) assert.equal(received[0]!.query.get(name), null)
})

test('pages have the maximum size', async (t) => {
  const { client, received } = await follow(t)
  await collect(client.changes({ since: start, once: true }))
  assert.equal(received[0]!.query.get('limit'), '200')
})

test('an abort ends the wait between passes', async (t) => {
  const controller = new AbortController()
  const { client, timing } = await follow(t)
  timing.sleep = async (milliseconds, signal) => {
    controller.abort(new Error('shutting down'))
    await new FakeTiming().sleep(milliseconds, signal)
  }
  await assert.rejects(collect(client.changes({ since: start }, { signal: controller.signal })), /shutting down/)
})

test('an interval that is too long is an error', async (t) => {
  const { client } = await follow(t)
  for (const interval of [0, -1, NaN, Infinity]) {
    assert.throws(() => client.changes({ since: start, interval }), /^TypeError: interval: /)
  }
})

test('with random changes, the newest version of every card is yielded and no version twice', async (t) => {
  const random = seeded(20260511)
  const ids = Array.from({ length: 12 }, (_, n) => `card-${String(n).padStart(2, '0')}`)
  const meddle = () => {
    for (let n = random(3); n > 0; n--) inventory.change(...ids.filter(() => random(4) === 0))
  }
  let meddling = true
  const { client, inventory } = await follow(t, () => meddling && meddle())
  const changes = client.changes({ since: start, once: true, limit: 3 })
  const seen: string[] = []
  for (let pass = 0; pass < 30; pass++) {
    for await (const { id, version } of changes) {
      if (random(10) === 0) break // the card is yielded again
      seen.push(`${id}:${version}`)
    }
  }
  meddling = false
  seen.push(...(await collect(changes)))
  assert.equal(new Set(seen).size, seen.length)
  assert.deepEqual(
    inventory.state.filter((one) => !seen.includes(one)),
    [],
  )
  assert.ok(seen.length > 100, `only ${seen.length} changes`)
})

/** Returns a function for pseudo-random numbers below a bound, the same in each run. */
function seeded(seed: number): (bound: number) => number {
  return (bound) => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0
    return Math.floor((seed / 2 ** 32) * bound)
  }
}
