import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'

/** Runs a script in a page of a headless Chromium and returns the result of the asynchronous expression. */
export async function resultInChromium<T>(script: string, expression: string): Promise<T> {
  const { server, address, result } = await serve<T>(script, expression)
  const profile = await mkdtemp(join(tmpdir(), 'cardvault-chromium-'))
  const flags = ['--no-first-run', '--disable-gpu', '--disable-dev-shm-usage', `--user-data-dir=${profile}`]
  // Chromium has no sandbox for root, the user of containers. It only opens the page of the test.
  if (process.getuid?.() === 0) flags.push('--no-sandbox')
  const browser = spawn('chromium-headless-shell', [...flags, address], { stdio: 'ignore' })
  const gone = once(browser, 'exit').then(() => {
    throw new Error('chromium ended before the page had a result')
  })
  try {
    return await Promise.race([result, gone])
  } finally {
    gone.catch(() => {})
    browser.kill()
    if (browser.exitCode === null) await once(browser, 'exit')
    server.close()
    await rm(profile, { recursive: true, force: true, maxRetries: 10 })
  }
}

/** Serves the page and waits until it posts its result. */
async function serve<T>(script: string, expression: string) {
  let server!: Server
  const result = new Promise<T>((resolve, reject) => {
    server = createServer(async (request, response) => {
      if (request.method === 'GET') {
        response.setHeader('Content-Type', request.url === '/' ? 'text/html' : 'text/javascript')
        response.end(
          request.url === '/' ? '<!doctype html><script src="script.js"></script>' : page(script, expression),
        )
        return
      }
      const { value, error } = (await json(request)) as { value?: T; error?: string }
      response.end()
      if (error === undefined) resolve(value as T)
      else reject(new Error(`in Chromium: ${error}`))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { server, result, address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` }
}

function page(script: string, expression: string): string {
  return `${script}
const tell = (result) => fetch('/', { method: 'POST', body: JSON.stringify(result) })
addEventListener('error', ({ message }) => tell({ error: message }))
${expression}.then((value) => tell({ value }), (error) => tell({ error: String(error) }))`
}
