/** The unchanged body of a delivery. */
export type RawBody = string | Uint8Array | ArrayBuffer

export interface Signature {
  /** The time of the signature in Unix seconds, with the digits that were signed. */
  t: string
  /** All v1 signatures in hex. There are up to five during the rotation of a secret. */
  v1: string[]
}

/** Longer than any header of the service. The limit bounds the cost, because each v1 takes a pass over the body. */
const longestHeader = 1000

/** Parses t=<Unix seconds>,v1=<hex>[,v1=<hex>]. Returns undefined for other values. Skips parts with other names. */
export function parseSignature(header: string): Signature | undefined {
  if (header.length > longestHeader) return undefined
  const parts = header.split(',').map((part) => part.trim().split('=', 2) as [string, string?])
  const values = (name: string) => parts.filter((part) => part[0] === name).map((part) => part[1] ?? '')
  const [t = '', ...others] = values('t')
  const v1 = values('v1').filter((value) => /^[0-9a-f]{64}$/i.test(value))
  if (!/^\d{1,15}$/.test(t) || others.length > 0 || v1.length === 0) return undefined
  return { t, v1 }
}

/** Reports whether a signature matches the secret and the body. The platform compares in constant time. */
export async function matches(secret: string, { t, v1 }: Signature, body: RawBody): Promise<boolean> {
  const key = await importKey(secret)
  const message = signed(t, body)
  const verdicts = await Promise.all(v1.map((hex) => crypto.subtle.verify('HMAC', key, fromHex(hex), message)))
  return verdicts.includes(true)
}

/** Returns the header for a body, with one v1 for each secret. */
export async function sign(secrets: readonly string[], t: number, body: RawBody): Promise<string> {
  const message = signed(String(t), body)
  const parts = secrets.map(async (secret) => {
    const signature = await crypto.subtle.sign('HMAC', await importKey(secret), message)
    return `,v1=${toHex(new Uint8Array(signature))}`
  })
  return `t=${t}${(await Promise.all(parts)).join('')}`
}

/** Imports the secret as the key, including whsec_. */
async function importKey(secret: string): Promise<CryptoKey> {
  if (!secret) throw new TypeError('secret: is empty; give the secret of the endpoint, whsec_…')
  if (!globalThis.crypto?.subtle) throw new Error('Web Crypto is missing: a page must come from https or localhost')
  const key = new TextEncoder().encode(secret)
  return crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify'])
}

/** Returns the bytes that are signed: t, a period and the body. */
function signed(t: string, body: RawBody): Uint8Array<ArrayBuffer> {
  const start = new TextEncoder().encode(`${t}.`)
  const rest = bytesOf(body)
  const message = new Uint8Array(start.length + rest.length)
  message.set(start)
  message.set(rest, start.length)
  return message
}

export function bytesOf(body: RawBody): Uint8Array {
  if (typeof body === 'string') return new TextEncoder().encode(body)
  if (body instanceof Uint8Array) return body
  if (body instanceof ArrayBuffer) return new Uint8Array(body)
  throw new TypeError('body: give the unchanged bytes; this body has been parsed')
}

function fromHex(hex: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16))
}

function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
