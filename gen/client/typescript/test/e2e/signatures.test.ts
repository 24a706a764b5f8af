// Tests that the service, the guide and the client use the same signatures.
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { webhooks } from '../../src/index.js'
import { exampleEvents } from '../../src/generated/examples.js'
import { cardvault, folder, register, tool } from './support/project.js'
import { examples } from './support/readme.js'
import { type Delivery, listen } from './support/receiver.js'

/** Registers an endpoint. receive sends a test event and returns its delivery. */
async function endpoint(t: TestContext) {
  const { url, arrived } = await listen(t)
  const { id, secret } = await register(t, url)
  const receive = async (kind: string): Promise<Delivery> => {
    assert.equal((await cardvault('webhook', 'test', id, '--event', kind))['state'], 'delivered')
    return arrived.pop()!
  }
  return { id, secret, receive }
}

test('every kind of event is verified and has the fields of its example', async (t) => {
  const { secret, receive } = await endpoint(t)
  for (const [kind, example] of Object.entries(exampleEvents)) {
    const { headers, body } = await receive(kind)
    const event = await webhooks.unwrap(secret, headers['x-vault-signature'], body)
    assert.equal(event.event, kind)
    assert.deepEqual(Object.keys(event), Object.keys(example))
    assert.deepEqual(Object.keys(event.data), Object.keys(example.data))
  }
})

test('during a rotation both secrets are valid', async (t) => {
  const { id, secret, receive } = await endpoint(t)
  const rotated = await cardvault('webhook', 'rotate-secret', id)
  const { headers, body } = await receive('card.priced')
  assert.equal(String(headers['x-vault-signature']).match(/v1=/g)?.length, 2)
  await webhooks.verify(secret, headers['x-vault-signature'], body)
  await webhooks.verify(rotated['secret']!, headers['x-vault-signature'], body)
})

test('a test delivery has the headers of the service', async (t) => {
  const { secret, receive } = await endpoint(t)
  const { headers, body } = await receive('card.identified')
  const own = await webhooks.signTestPayload(secret, JSON.parse(body.toString()))
  assert.equal(own.body, body.toString())
  for (const [name, value] of Object.entries(own.headers)) {
    if (name !== 'X-Vault-Signature') assert.equal(headers[name.toLowerCase()], value, name)
  }
})

test('the function of the guide accepts a test delivery and rejects a forged one', async () => {
  const workplace = await folder('guide')
  const [example] = examples('../../../openapi/guides/webhooks.md', 'typescript')
  assert.ok(example)
  await writeFile(join(workplace, 'verified.ts'), example.code)
  await tool(workplace, 'esbuild', 'verified.ts', '--outfile=verified.mjs', '--log-level=error')
  const { verified } = await import(pathToFileURL(join(workplace, 'verified.mjs')).href)
  const { body, headers } = await webhooks.signTestPayload(['whsec_new', 'whsec_old'], 'listing.sold')
  for (const secret of ['whsec_new', 'whsec_old']) {
    assert.equal(verified(secret, headers['X-Vault-Signature'], Buffer.from(body)), true)
    assert.equal(verified(secret, headers['X-Vault-Signature'], Buffer.from(`${body} `)), false)
  }
})
