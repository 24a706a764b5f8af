import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { type CardVaultEvent, type EventKind, webhooks } from '../src/index.js'
import { exampleEvents } from '../src/generated/examples.js'

const secret = 'whsec_9yK1FzrBq3vXw7tN5mJ8sD2hG4pL6cA0eR1uT3iO5yQ'
const at = new Date('2026-05-11T15:32:01.750Z')

test('a test delivery is like one of the service', async () => {
  const { body, headers } = await webhooks.signTestPayload(secret, 'card.identified', { at, attempt: 2 })
  const event = JSON.parse(body) as CardVaultEvent
  assert.deepEqual(Object.keys(event), ['id', 'event', 'created_at', 'account_id', 'data'])
  assert.equal(event.created_at, '2026-05-11T15:32:01.750000Z')
  assert.deepEqual(headers, {
    'Content-Type': 'application/json',
    'User-Agent': 'CardVault-Webhooks/1',
    'X-Vault-Signature': `t=1778513521,v1=${createHmac('sha256', secret).update(`1778513521.${body}`).digest('hex')}`,
    'X-Vault-Event': 'card.identified',
    'X-Vault-Event-Id': 'evt_00000000000000000000000000',
    'X-Vault-Delivery-Attempt': '2',
  })
})

for (const kind of Object.keys(exampleEvents) as EventKind[]) {
  test(`the example of ${kind} has identifiers of zeros`, async () => {
    const { body, headers } = await webhooks.signTestPayload(secret, kind)
    const event = await webhooks.unwrap(secret, headers['X-Vault-Signature'], body)
    assert.equal(event.event, kind)
    for (const identifier of body.match(/"[a-z]+_[0-9a-z]{26}"/g) ?? []) assert.match(identifier, /_0{26}"$/)
  })
}

test('the given fields replace those of the example', async () => {
  const { body } = await webhooks.signTestPayload(secret, {
    event: 'card.priced',
    id: 'evt_1',
    data: { title: 'Glass Heron' },
  })
  const { id, data, account_id } = JSON.parse(body)
  const example = exampleEvents['card.priced']
  assert.equal(id, 'evt_1')
  assert.equal(account_id, example.account_id)
  assert.deepEqual(data, { ...example.data, title: 'Glass Heron' })
})

test('an event of any kind', async () => {
  const event = {
    id: 'evt_1',
    event: 'card.lent',
    created_at: '2026-05-11T15:32:01.123456Z',
    account_id: 'acc_1',
    data: { to: 'Ada' },
  }
  const { body, headers } = await webhooks.signTestPayload(secret, event)
  assert.deepEqual(JSON.parse(body), event)
  assert.equal(headers['X-Vault-Event'], 'card.lent')
})

test('two secrets during a rotation', async () => {
  const { body, headers } = await webhooks.signTestPayload([secret, 'whsec_old'], 'batch.completed')
  for (const one of [secret, 'whsec_old']) await webhooks.verify(one, headers['X-Vault-Signature'], body)
})
