import { version } from './generated/version.js'

interface Runtimes {
  Bun?: { version: string }
  Deno?: { version: { deno: string } }
  process?: { versions?: { node?: string } }
}

/** Returns the header User-Agent. It is empty in browsers, where another one would need permission by CORS. */
export function userAgent(): { 'User-Agent'?: string } {
  const runtime = runtimeName(globalThis as Runtimes)
  return runtime === undefined ? {} : { 'User-Agent': `cardvault-typescript/${version} ${runtime}` }
}

/** Bun and Deno come first because they also define process.versions.node. */
function runtimeName({ Bun, Deno, process }: Runtimes): string | undefined {
  if (Bun) return `bun/${Bun.version}`
  if (Deno) return `deno/${Deno.version.deno}`
  return process?.versions?.node && `node/${process.versions.node}`
}
