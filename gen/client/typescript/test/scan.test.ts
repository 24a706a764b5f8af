import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ScanPhoto } from '../src/index.js'
import { fakeClient } from './support/client.js'
import { problem, type Received } from './support/fakeserver.js'

const results = { body: { data: [] } }

/** Returns the fields of a form with their texts, or the names and contents of their files. */
async function fields({ headers, body }: Received): Promise<[string, string][]> {
  const form = await new Response(body, { headers: { 'Content-Type': headers['content-type']! } }).formData()
  const found: [string, string][] = []
  for (const [name, value] of form) {
    found.push([name, typeof value === 'string' ? value : `${value.name}: ${await value.text()}`])
  }
  return found
}

test('photos are sent as files and other fields as texts', async (t) => {
  const { client, received } = await fakeClient(t, [results])
  const photos: ScanPhoto[] = [
    new File(['front'], 'front.jpg'),
    { name: 'back.jpg', data: new Blob(['back']) },
    { name: 'buffer.jpg', data: Buffer.from('buffer') },
    { name: 'Füchse.png', data: new TextEncoder().encode('fox').buffer },
  ]
  const absent: object = { location: undefined, game: null }
  await client.scanCards({ photos, pairing: 'order', condition: 'NM', batch_id: 'bat_1', ...absent })
  const { method, path, headers } = received[0]!
  assert.deepEqual([method, path], ['POST', '/api/cards/scan'])
  assert.match(headers['content-type']!, /^multipart\/form-data; boundary=/)
  assert.match(String(headers['idempotency-key']), /^[0-9a-f]{32}$/)
  assert.deepEqual(await fields(received[0]!), [
    ['photos', 'front.jpg: front'],
    ['photos', 'back.jpg: back'],
    ['photos', 'buffer.jpg: buffer'],
    ['photos', 'Füchse.png: fox'],
    ['pairing', 'order'],
    ['condition', 'NM'],
    ['batch_id', 'bat_1'],
  ])
})

test('a retry sends the same form', async (t) => {
  const { client, received } = await fakeClient(t, [problem(503, 'unavailable'), { fault: 'reset' }, results])
  await client.scanCards({ photos: [{ name: 'a.jpg', data: new Blob(['photo']) }] })
  assert.equal(received.length, 3)
  for (const request of received) assert.deepEqual(await fields(request), [['photos', 'a.jpg: photo']])
})

test('the upload extends the timeout', async (t) => {
  const { client } = await fakeClient(t, [{ fault: 'silent' }], { timeout: 50, maxRetries: 0 })
  const scan = (size: number) => client.scanCards({ photos: [{ name: 'a.jpg', data: new Blob(['x'.repeat(size)]) }] })
  await assert.rejects(scan(1), { code: 'timed_out' })
  const started = performance.now()
  await assert.rejects(scan(64 * 1024), { code: 'timed_out' })
  assert.ok(performance.now() - started >= 500)
})
