import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Card, bulkPublish, CardVault } from '../../../src/index.js'
import { api, cardvault } from './project.js'

/** What a program printed, and how it ended. */
export interface Ended {
  status: number
  lines: string[]
  errors: string
}

/** An empty account of its own, in which the example programs of a folder run. */
export class Shop {
  readonly #folder: string
  readonly #token: string
  readonly client: CardVault

  constructor(folder: string, token: string) {
    this.#folder = folder
    this.#token = token
    this.client = new CardVault({ baseUrl: api, token })
  }

  /** Creates an account. */
  static async open(folder: string): Promise<Shop> {
    const account = await cardvault('account', 'create', '--name', 'Examples', '--sandbox')
    const limits = 'read=1000000,write=1000000,ai=1000000'
    const token = await cardvault(
      ...['token', 'create', '--account', account['id']!, '--name', 'examples', '--limits', limits],
    )
    return new Shop(folder, token['token']!)
  }

  /** Runs an example program to its end, without input. */
  async start(name: string, args: string[], base = api): Promise<Ended> {
    return new Promise((resolve) => {
      const options = { cwd: this.#folder, env: this.#environment(base), timeout: 120_000 }
      const program = execFile(process.execPath, [`${name}.mjs`, ...args], options, (error, stdout, errors) => {
        const status = error ? Number(error.code ?? -1) : 0
        resolve({ status, lines: stdout.trimEnd().split('\n'), errors })
      })
      program.stdin?.end()
    })
  }

  /** Runs an example program, which must succeed. Returns the lines that it prints. */
  async run(name: string, args: string[], base = api): Promise<string[]> {
    const { status, lines, errors } = await this.start(name, args, base)
    assert.equal(status, 0, lines.join('\n') + errors)
    return lines
  }

  /** Runs an example program and kills it when the promise is resolved. */
  async kill(name: string, args: string[], base: string, when: Promise<unknown>): Promise<void> {
    const options = { cwd: this.#folder, env: this.#environment(base), stdio: 'inherit' as const }
    const program = spawn(process.execPath, [`${name}.mjs`, ...args], options)
    const ended = once(program, 'exit')
    await Promise.race([when, ended])
    program.kill('SIGKILL')
    assert.deepEqual(await ended, [null, 'SIGKILL'])
  }

  /** Publishes cards with a photo, and waits until they are listed. */
  async publish(cards: Card[], photo: Blob): Promise<void> {
    const ids = cards.map(({ id }) => id)
    for (const id of ids) await this.client.putCardPhoto(id, 'front', photo)
    for await (const { error } of bulkPublish(this.client, ids, { marketplace: 'sandbox' })) assert.ifError(error)
    for (const deadline = Date.now() + 30_000; ; await sleep(50)) {
      if ((await this.client.listCards({ ids, status: ['listed'] })).data.length === ids.length) return
      assert.ok(Date.now() < deadline, 'the cards are not listed')
    }
  }

  #environment(base: string): NodeJS.ProcessEnv {
    return { ...process.env, API: base, TOKEN: this.#token }
  }
}

/**
 * Forwards GET requests to the service and counts them, until the test ends. It holds back the requests after the first
 * ones: `held` is resolved with the first of them.
 */
export async function gate(t: { after(end: () => void): void }, first: number) {
  let hold = () => {}
  const passed = { base: '', count: 0, held: new Promise<void>((resolve) => (hold = resolve)) }
  const server = createServer(async (request, response) => {
    if (++passed.count > first) return hold()
    const headers = { Authorization: request.headers.authorization ?? '' }
    const answer = await fetch(new URL(request.url ?? '', api), { headers })
    response.writeHead(answer.status, { 'Content-Type': answer.headers.get('content-type') ?? '' })
    response.end(Buffer.from(await answer.arrayBuffer()))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  passed.base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`
  return passed
}
