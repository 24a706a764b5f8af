import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { createContext, runInContext } from 'node:vm'
import { gzipSync } from 'node:zlib'
import { resultInChromium } from './support/chromium.js'
import { api, consumer, token, tool } from './support/project.js'

/** The fields of the script's result that differ between runs. */
interface Result {
  titles: unknown[]
  remaining?: number
  requestId?: string
}

let bundle: string

before(async () => {
  const folder = await consumer('bundle')
  // For a browser, esbuild fails on every module of Node.js.
  const target = ['--bundle', '--minify', '--platform=browser', '--format=iife', '--global-name=page']
  await tool(folder, 'esbuild', 'page.ts', ...target, '--outfile=page.js', '--log-level=error')
  bundle = await readFile(join(folder, 'page.js'), 'utf8')
})

test('the bundle is small', () => {
  const { length } = gzipSync(bundle)
  assert.ok(length < 8_100, `${length} bytes, compressed`)
})

test('it needs only functions that browsers and Node.js have in common', async () => {
  const {
    AbortController,
    Blob,
    clearTimeout,
    crypto,
    fetch,
    Headers,
    setTimeout,
    TextDecoder,
    TextEncoder,
    URL,
    URLSearchParams,
  } = globalThis
  // Bytes are created in the context and checked outside, so both need the same classes.
  const shared = { ArrayBuffer, Uint8Array, TypeError, Error }
  const platform = {
    AbortController,
    Blob,
    clearTimeout,
    crypto,
    fetch,
    Headers,
    setTimeout,
    TextDecoder,
    TextEncoder,
    URL,
  }
  const context = createContext({ ...shared, ...platform, URLSearchParams })
  runInContext(bundle, context)
  check(await runInContext('page.tryOut', context)(api, token))
})

test('it runs in a page of another origin in Chromium', async () => {
  check(await resultInChromium<Result>(bundle, `page.tryOut(${JSON.stringify(api)}, ${JSON.stringify(token)})`))
})

function check({ titles, remaining, requestId, ...rest }: Result): void {
  assert.equal(titles.length, 2)
  assert.ok(remaining !== undefined && remaining > 0, `remaining is ${remaining}`)
  assert.match(requestId ?? '', /^[\w.-]+$/)
  assert.deepEqual(rest, {
    batch: 'From a page',
    updated: 1,
    code: 'card_not_found',
    event: 'listing.sold',
    forged: 'signature_wrong',
  })
}
