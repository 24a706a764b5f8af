import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

export interface Delivery {
  headers: IncomingHttpHeaders
  body: Buffer
}

/** Accepts deliveries at `url` until the test ends, and appends them to `arrived`. */
export async function listen(t: { after(end: () => void): void }): Promise<{ url: string; arrived: Delivery[] }> {
  const arrived: Delivery[] = []
  const server = createServer(async (request, response) => {
    arrived.push({ headers: request.headers, body: await buffer(request) })
    response.writeHead(204).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, arrived }
}
