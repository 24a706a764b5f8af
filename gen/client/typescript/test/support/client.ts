import type { TestContext } from 'node:test'
import { CardVault, type CardVaultOptions, type Timing } from '../../src/index.js'
import { fakeServer, type Received, type Reply } from './fakeserver.js'

export const token = 'cv_test_0123456789abcdefghijABCDEFGHIJ012345'

/** A clock that only advances by pauses. Pauses are recorded and end at once. */
export class FakeTiming implements Timing {
  readonly waits: number[] = []
  /** The result of random(). */
  chance = 0.5
  #now = Date.parse('2026-05-11T15:32:00Z')

  now(): number {
    return this.#now
  }

  random(): number {
    return this.chance
  }

  async sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted()
    this.waits.push(milliseconds)
    this.#now += milliseconds
  }
}

/** Returns a client of a fake server. */
export async function fakeClient(
  t: TestContext,
  replies: Reply[] | ((received: Received) => Reply),
  options: Partial<CardVaultOptions> = {},
) {
  const { baseUrl, received } = await fakeServer(t, replies)
  const timing = new FakeTiming()
  return { client: new CardVault({ baseUrl, token, timing, ...options }), received, timing }
}
