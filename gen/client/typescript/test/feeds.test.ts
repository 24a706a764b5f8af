import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CardVault, Feed, FeedQuery } from '../src/index.js'
import { fakeClient } from './support/client.js'

const time = (second: number) => `2026-05-11T15:32:0${second}.000000Z`

/** Returns an item of any list that changed at a second. */
function item(id: string, second: number) {
  const at = time(second)
  return { id, card_id: id, version: second, updated_at: at, created_at: at, deleted_at: at }
}

const feeds: Record<
  string,
  [string, (client: CardVault, query: FeedQuery) => Feed<{ id?: string; card_id?: string }>]
> = {
  '/api/listings': ['updated_since', (client, query) => client.listingChanges(query)],
  '/api/sales': ['updated_since', (client, query) => client.saleChanges(query)],
  '/api/events': ['created_since', (client, query) => client.eventChanges(query)],
  '/api/deletions': ['updated_since', (client, query) => client.deletionChanges(query)],
}

for (const [path, [parameter, follow]] of Object.entries(feeds)) {
  test(`${path} is followed`, async (t) => {
    const lists = [
      [item('a', 1), item('b', 2)],
      [item('b', 2), item('c', 2), item('a', 3)],
    ]
    const replies = lists.map((data) => ({ body: { data, has_more: false, next_cursor: null } }))
    const { client, received } = await fakeClient(t, replies)
    const feed = follow(client, { since: time(0), once: true })
    const seen = []
    for (const _ of lists) for await (const { id, card_id } of feed) seen.push(id ?? card_id)
    assert.deepEqual(seen, ['a', 'b', 'c', 'a'])
    assert.equal(feed.since, time(3))
    assert.deepEqual(
      received.map(({ path, query }) => `${path}?${query}`),
      [0, 2].map((second) => `${path}?${new URLSearchParams({ limit: '200', [parameter]: time(second) })}`),
    )
  })
}

test('a feed has the filters of its list', async (t) => {
  const { client, received } = await fakeClient(t, [{ body: { data: [], has_more: false, next_cursor: null } }])
  for await (const _ of client.listingChanges({ since: time(0), once: true, status: ['live'], limit: 5 })) break
  assert.deepEqual(received[0]!.query.getAll('status'), ['live'])
  assert.equal(received[0]!.query.get('limit'), '5')
})
