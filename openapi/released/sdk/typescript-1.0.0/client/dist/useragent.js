import { version } from './generated/version.js';
/** The header for servers' own requests. A browser has its own, and asks leave of the service to send another. */
export function userAgent() {
    const runtime = runtimeName(globalThis);
    return runtime === undefined ? {} : { 'User-Agent': `cardvault-typescript/${version} ${runtime}` };
}
/** Bun and Deno pass for Node.js too, so they are asked first. */
function runtimeName({ Bun, Deno, process }) {
    if (Bun)
        return `bun/${Bun.version}`;
    if (Deno)
        return `deno/${Deno.version.deno}`;
    return process?.versions?.node && `node/${process.versions.node}`;
}
