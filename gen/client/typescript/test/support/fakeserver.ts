import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'

/** A request as it was received. */
export interface Received {
  method: string
  path: string
  query: URLSearchParams
  headers: IncomingHttpHeaders
  body: string
}

/** A response with JSON or text, or the way in which the response is incomplete. */
export interface Reply {
  status?: number
  headers?: Record<string, string>
  body?: unknown
  /** silent: no response. stalled: stops in the body. reset: closes at once. cut: closes in the body. */
  fault?: 'silent' | 'stalled' | 'reset' | 'cut'
}

/** Sends the replies in order, then repeats the last one; or sends the result of the function. */
export async function fakeServer(t: TestContext, replies: Reply[] | ((received: Received) => Reply)) {
  const received: Received[] = []
  const next = (one: Received) => (Array.isArray(replies) ? (replies.shift() ?? last) : replies(one))
  const last = Array.isArray(replies) ? replies.at(-1)! : {}
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const url = new URL(request.url ?? '', 'http://localhost')
    const one: Received = {
      method: request.method ?? '',
      path: url.pathname,
      query: url.searchParams,
      headers: request.headers,
      body: Buffer.concat(chunks).toString(),
    }
    received.push(one)
    answer(response, next(one))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`, received }
}

function answer(response: ServerResponse, { status = 200, headers = {}, body = {}, fault }: Reply): void {
  if (fault === 'silent') return
  if (fault === 'reset') {
    response.destroy()
    return
  }
  const text = status === 204 || status === 304 ? '' : typeof body === 'string' ? body : JSON.stringify(body)
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers })
  if (!fault) {
    response.end(text)
    return
  }
  response.write(text.slice(0, text.length / 2), () => fault === 'cut' && response.destroy())
}

/** Returns a URL at which no server listens. */
export async function deadAddress(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return `http://127.0.0.1:${port}/api`
}

/** Returns a reply with an error of the contract. */
export function problem(
  status: number,
  code: string,
  extra: { headers?: Record<string, string>; details?: object[] } = {},
): Reply {
  const { headers = {}, details } = extra
  return { status, headers, body: { error: { code, message: `It is ${code}.`, status, ...(details && { details }) } } }
}
