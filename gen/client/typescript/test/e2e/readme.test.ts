import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { before, type TestContext, test } from 'node:test'
import { CardVault } from '../../src/index.js'
import { freePort } from './support/ports.js'
import { api, cardvault, folder, nodeTypes, register, run, token, tool } from './support/project.js'
import { examples } from './support/readme.js'

const client = new CardVault({ baseUrl: api, token })
const blocks = examples('README.md', 'ts')

// The output of each block, by heading in the order of the README.
const prints: [heading: string, ...output: RegExp[]][] = [
  ['First request', /^(card_\w{26} \w+ 2\S+Z\n){5}$/],
  ['Iterate', /^(.+ \d{3,}\n)+$/],
  [
    'Change a card',
    /^now at version 2\n$/,
    /^1 photo\n$/,
    /^\[ 'front.jpg' \] card_\w{26}\n$/,
    /^identified as .*Monarch.*\n$/,
  ],
  ['Change many', /^card_\w{26} now costs 12\.50\n$/],
  ['Follow changes', /^(card_\w{26} is now \w+\n){20,}$/, /^(card_\w{26} was deleted\n)*next time since 2\S+Z\n$/],
  ['Errors', /^there is no such card\n$/],
  ['Retries and time-outs', /^200 \d+ requests left\n$/],
  ['Idempotency', /^bat_\w{26} Spring fair\n$/],
]
const [receiver, receiverTest] = blocks.filter(({ heading }) => heading === 'Receive webhooks')
let workplace: string
let port: number

before(async () => {
  workplace = await folder('readme')
  port = await freePort()
  await prepareSetup()
  await Promise.all(blocks.map((block, n) => writeFile(join(workplace, `block-${n}.mts`), program(block.code))))
  await Promise.all(blocks.map((block, n) => writeFile(join(workplace, `block-${n}.mjs`), program(block.code))))
})

/** Writes the module with client and id that the examples of the README need, and a picture. */
async function prepareSetup(): Promise<void> {
  const [card] = (await client.createCards({ cards: [{ identification: { title: 'Ember Fox' } }] })).data
  const url = (await client.listCards({ status: ['identified'] })).data.find(({ photos }) => photos[0]?.url)?.photos[0]
    ?.url
  assert.ok(card && url)
  await writeFile(join(workplace, 'front.jpg'), new Uint8Array(await (await fetch(url)).arrayBuffer()))
  const setup = `import { CardVault } from '@cardvault/client'
export const client = new CardVault({ baseUrl: process.env.API ?? '', token: process.env.TOKEN ?? '' })
export const id = '${card.id}'\n`
  await writeFile(join(workplace, 'setup.mts'), setup)
  await writeFile(join(workplace, 'setup.mjs'), setup)
}

/** Returns the block as a program, with a free port. */
function program(code: string): string {
  const whole = code.includes('new CardVault') || !/\bclient[.,]/.test(code)
  return (whole ? '' : `import { client, id } from './setup.mjs'\n`) + code.replaceAll('3000', String(port))
}

const file = (code: string | undefined, ending: string) =>
  `block-${blocks.findIndex((block) => block.code === code)}.${ending}`

test('the compiler accepts the examples', async () => {
  const files = blocks.map(({ code }) => file(code, 'mts'))
  const strict = [
    '--strict',
    '--noEmit',
    '--module',
    'nodenext',
    '--target',
    'es2022',
    '--lib',
    'es2022',
    '--types',
    'node',
  ]
  await tool(workplace, 'tsc', ...strict, ...nodeTypes, ...files)
})

test('every example is run', () => {
  const run = prints.flatMap(([heading, ...outputs]) => outputs.map(() => heading))
  assert.deepEqual(
    blocks.map(({ heading }) => heading),
    [...run, 'Receive webhooks', 'Receive webhooks'],
  )
})

for (const [heading, ...outputs] of prints) {
  test(heading, async () => {
    const own = blocks.filter((block) => block.heading === heading)
    for (const [n, output] of outputs.entries()) {
      assert.match(
        await run(workplace, process.execPath, [file(own[n]?.code, 'mjs')], { API: api, TOKEN: token }),
        output,
      )
    }
  })
}

test('Receive webhooks: a delivery of the service', async (t) => {
  const { id, secret } = await register(t, `http://127.0.0.1:${port}/`)
  const lines = await startReceiver(t, secret)
  const delivery = await cardvault('webhook', 'test', id, '--event', 'listing.sold')
  assert.equal(delivery['state'], 'delivered')
  assert.equal((await lines.next()).value, 'Test Card sold for 100 USD')
})

test('Receive webhooks: the test of a receiver', async (t) => {
  const lines = await startReceiver(t, 'whsec_test')
  await run(workplace, process.execPath, ['--test', file(receiverTest?.code, 'mjs')])
  assert.equal((await lines.next()).value, 'Ember Fox sold for 450 USD')
})

/** Runs the receiver of the README and returns the lines of its output. */
async function startReceiver(t: TestContext, secret: string): Promise<AsyncIterator<string>> {
  const env = { ...process.env, SECRET: secret }
  const program = file(receiver?.code, 'mjs')
  const child = spawn(process.execPath, [program], { cwd: workplace, env, stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  t.after(async () => {
    child.kill()
    await ended
  })
  await listening()
  return createInterface(child.stdout)[Symbol.asyncIterator]()
}

/** Waits until a server listens on the port. */
async function listening(): Promise<void> {
  const deadline = Date.now() + 20_000
  while (!(await connects())) assert.ok(Date.now() < deadline, `nobody listens on port ${port}`)
}

function connects(): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, 'localhost')
    socket.once('connect', () => resolve(true)).once('error', () => setTimeout(resolve, 50, false))
    socket.once('connect', () => socket.destroy())
  })
}
