import type { CallOptions, CardVaultOptions } from './options.js'

/** The maximum delay of setTimeout in milliseconds. It ignores longer delays and does not wait. */
export const longestTimer = 2 ** 31 - 1

/** Returns the settings of a call: its own options, then those of the client, then the defaults. */
export function settingsOf(client: CardVaultOptions, call: CallOptions) {
  const timeout = call.timeout ?? client.timeout ?? 60_000
  const maxRetries = call.maxRetries ?? client.maxRetries ?? 3
  if (!Number.isInteger(maxRetries) || maxRetries < 0) {
    throw new TypeError(`maxRetries: ${maxRetries} is not a number of retries; give 0 or more`)
  }
  return {
    timeout: milliseconds('timeout', timeout),
    maxRetries,
    signal: call.signal,
    onResponse: call.onResponse ?? client.onResponse,
    send: client.fetch ?? globalThis.fetch,
  }
}

export type Settings = ReturnType<typeof settingsOf>

/** Returns the value if a timer can wait for it. Throws TypeError otherwise. */
export function milliseconds(name: string, value: number): number {
  if (value > 0 && value <= longestTimer) return value
  throw new TypeError(`${name}: ${value} is not between 0 and ${longestTimer} milliseconds`)
}

/** Returns the URL of the API without a slash at the end. */
export function addressOf(baseUrl: string): string {
  const url = parse(baseUrl)
  if (url && /^https?:$/.test(url.protocol) && isBare(url)) return url.href.replace(/\/+$/, '')
  throw new TypeError(`baseUrl: "${baseUrl}" is not the URL of an API; give one such as https://vault.example/api`)
}

/** Reports whether nothing follows the path. Credentials are errors too, because fetch rejects them. */
function isBare({ search, hash, username, password }: URL): boolean {
  return search + hash + username + password === ''
}

function parse(baseUrl: string): URL | undefined {
  try {
    return new URL(baseUrl, globalThis.location?.href)
  } catch {
    return undefined
  }
}

/** Returns the value of the header Authorization. */
export function authorization(token: string): string {
  if (/^[!-~]+$/.test(token)) return `Bearer ${token}`
  throw new TypeError('token: is empty or has invalid characters; check for a line break at its end')
}
