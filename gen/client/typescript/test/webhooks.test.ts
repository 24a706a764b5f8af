import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { webhooks } from '../src/index.js'

const secret = 'whsec_9yK1FzrBq3vXw7tN5mJ8sD2hG4pL6cA0eR1uT3iO5yQ'
const signedAt = new Date('2026-05-11T15:32:01Z')
const body =
  '{"id":"evt_01k5w0q2m7t9c3r5v8x0z1b4d6","event":"card.priced","created_at":"2026-05-11T15:32:01.123456Z","account_id":"acc_01k5w0q2m7t9c3r5v8x0z1b4d6","data":{"card_id":"card_01k5w0q2m7t9c3r5v8x0z1b4d6","title":"Ember Fox – holo","set":"Dawn of Cinders","number":"54/167","asking_price":{"amount":1250,"currency":"USD"}}}'

/** Signs with another implementation than the one under test. */
function headerFor(text: string | Uint8Array, { secrets = [secret], t = '1778513521' } = {}): string {
  const v1 = secrets.map((one) => createHmac('sha256', one).update(`${t}.`).update(text).digest('hex'))
  return [`t=${t}`, ...v1.map((one) => `v1=${one}`)].join(',')
}

const verify = (header: webhooks.SignatureHeader, text: webhooks.RawBody = body, now = signedAt) =>
  webhooks.verify(secret, header, text, { now })

test('a signature of another implementation is valid', async () => {
  await verify(headerFor(body))
})

test('the body may be text or bytes', async () => {
  const bytes = new TextEncoder().encode(body)
  const window = new Uint8Array([0, ...bytes, 0]).subarray(1, -1)
  for (const same of [body, bytes, window, bytes.buffer, Buffer.from(body)]) await verify(headerFor(body), same)
})

test('bytes that are not UTF-8 are signed unchanged', async () => {
  const bytes = new Uint8Array([0xff, 0x00, 0xfe])
  await verify(headerFor(bytes), bytes)
  await assert.rejects(verify(headerFor(bytes), new Uint8Array([0xff, 0x00, 0xfd])), { code: 'signature_wrong' })
})

test('one of several signatures must match, at any position', async () => {
  await verify(headerFor(body, { secrets: ['whsec_old', secret] }))
  await verify(headerFor(body, { secrets: [secret, 'whsec_old'] }))
  await assert.rejects(verify(headerFor(body, { secrets: ['whsec_old', 'whsec_older'] })), { code: 'signature_wrong' })
})

test('spaces, other schemes and upper-case digits are accepted', async () => {
  const [t, v1] = headerFor(body).split(',') as [string, string]
  await verify(`${t}, ${v1}`)
  await verify(`v0=abc,${v1},${t},v2=def`)
  await verify(`${t},v1=${v1.slice(3).toUpperCase()}`)
  await verify([t, v1])
})

for (const [what, tamper] of Object.entries<(header: string) => [string, string]>({
  'a changed body': (header) => [header, body.replace('1250', '1')],
  'an additional line break': (header) => [header, `${body}\n`],
  'a body that was parsed and serialized': (header) => [header, JSON.stringify(JSON.parse(body), null, 1)],
  'a changed time': (header) => [header.replace('t=1778513521', 't=1778513522'), body],
  'a time with a leading zero': (header) => [header.replace('t=', 't=0'), body],
  'a changed signature': (header) => [header.replace(/.$/, (last) => (last === '0' ? '1' : '0')), body],
})) {
  test(`${what} is invalid`, async () => {
    const [header, text] = tamper(headerFor(body))
    await assert.rejects(verify(header, text), (error) => {
      assert.ok(error instanceof webhooks.WebhookError)
      assert.equal(error.code, 'signature_wrong')
      assert.equal(error.name, 'WebhookError')
      return true
    })
  })
}

for (const header of [
  'hello',
  't=1778513521',
  `v1=${'0'.repeat(64)}`,
  `t=,v1=${'0'.repeat(64)}`,
  `t=-1,v1=${'0'.repeat(64)}`,
  `t=1e9,v1=${'0'.repeat(64)}`,
  `t=1,t=2,v1=${'0'.repeat(64)}`,
  't=1778513521,v1=',
  `t=1778513521,v1=${'0'.repeat(63)}`,
  `t=1778513521,v1=${'g'.repeat(64)}`,
  `t=1778513521${`,v1=${'0'.repeat(64)}`.repeat(20)}`,
]) {
  test(`${header.slice(0, 40)} is malformed`, async () => {
    await assert.rejects(verify(header), { code: 'signature_malformed' })
  })
}

for (const header of [undefined, null, '', []]) {
  test(`${JSON.stringify(header)} is a missing header`, async () => {
    await assert.rejects(verify(header), { code: 'signature_missing' })
  })
}

test('the default tolerance is five minutes in both directions', async () => {
  const at = (seconds: number) => new Date(signedAt.getTime() + seconds * 1000)
  const header = headerFor(body)
  await verify(header, body, at(300))
  await assert.rejects(verify(header, body, at(300.001)), { code: 'signature_too_old' })
  await verify(header, body, at(-300))
  await assert.rejects(verify(header, body, at(-300.001)), { code: 'signature_in_future' })
})

test('the tolerance is configurable', async () => {
  const now = new Date(signedAt.getTime() + 3600_000)
  await webhooks.verify(secret, headerFor(body), body, { now, tolerance: 3600 })
  await assert.rejects(
    webhooks.verify(secret, headerFor(body), body, { now, tolerance: 3599 }),
    /more than 3599 seconds/,
  )
})

test('the default time is that of the clock', async () => {
  await assert.rejects(webhooks.verify(secret, headerFor(body, { t: '1' }), body), { code: 'signature_too_old' })
  await webhooks.verify(secret, headerFor(body, { t: String(Math.floor(Date.now() / 1000)) }), body)
})

test('an old signature that does not match is signature_wrong', async () => {
  await assert.rejects(verify(headerFor('{}', { t: '1' })), { code: 'signature_wrong' })
})

test('a parsed body and an empty secret are a TypeError', async () => {
  const parsed = JSON.parse(body) as webhooks.RawBody
  await assert.rejects(verify(headerFor(body), parsed), /^TypeError: body: give the unchanged bytes/)
  await assert.rejects(webhooks.verify('', headerFor(body), body), /^TypeError: secret: is empty/)
})

test('unwrap returns the event', async () => {
  const event = await webhooks.unwrap(secret, headerFor(body), new TextEncoder().encode(body), { now: signedAt })
  assert.ok(event.event === 'card.priced')
  assert.equal(event.data.asking_price.amount, 1250)
  assert.equal(event.data.title, 'Ember Fox – holo')
})

test('unwrap verifies', async () => {
  await assert.rejects(webhooks.unwrap(secret, headerFor('x'), body, { now: signedAt }), { code: 'signature_wrong' })
  await assert.rejects(webhooks.unwrap(secret, headerFor(body), body), { code: 'signature_too_old' })
})

test('unwrap returns events of unknown kinds', async () => {
  const text = '{"id":"evt_1","event":"card.lent","created_at":"","account_id":"acc_1","data":{"to":"Ada"}}'
  const event = await webhooks.unwrap(secret, headerFor(text), text, { now: signedAt })
  const kind: string = event.event
  assert.equal(kind, 'card.lent')
  assert.deepEqual(event.data, { to: 'Ada' })
})

for (const text of ['', 'hello', 'null', '[]', '{}', '{"id":"evt_1","event":"card.priced","data":null}']) {
  test(`${text || 'nothing'} is signed but not an event`, async () => {
    await assert.rejects(webhooks.unwrap(secret, headerFor(text), text, { now: signedAt }), { code: 'body_malformed' })
  })
}
