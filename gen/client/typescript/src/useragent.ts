import { version } from './generated/version.js'

interface Runtimes {
  Bun?: { version: string }
  Deno?: { version: { deno: string } }
  process?: { versions?: { node?: string } }
}

/** The header for servers' own requests. A browser has its own, and asks leave of the service to send another. */
export function userAgent(): { 'User-Agent'?: string } {
  const runtime = runtimeName(globalThis as Runtimes)
  return runtime === undefined ? {} : { 'User-Agent': `cardvault-typescript/${version} ${runtime}` }
}

/** Bun and Deno pass for Node.js too, so they are asked first. */
function runtimeName({ Bun, Deno, process }: Runtimes): string | undefined {
  if (Bun) return `bun/${Bun.version}`
  if (Deno) return `deno/${Deno.version.deno}`
  return process?.versions?.node && `node/${process.versions.node}`
}
