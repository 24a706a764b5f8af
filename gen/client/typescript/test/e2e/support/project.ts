import { execFile } from 'node:child_process'
import { cp, mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

/** Where the client is developed. */
export const source = fileURLToPath(new URL('../../../../', import.meta.url))

/** A project into which the packed client was installed, and nothing else. */
export const project = setting('PROJECT')
export const api = setting('API')
export const token = setting('TOKEN')
export const account = setting('ACCOUNT')

function setting(name: string): string {
  const value = process.env[name]
  if (!value) throw new Error(`${name} is not set: run scripts/with-server.sh scripts/sdk/typescript.sh`)
  return value
}

/** Makes a folder of the project anew. Programs in it find the client as any program of the project does. */
export async function folder(name: string): Promise<string> {
  const path = join(project, name)
  await rm(path, { recursive: true, force: true })
  await mkdir(path)
  return path
}

/** A copy of test/consumer in a folder of the project. */
export async function consumer(name: string): Promise<string> {
  const path = await folder(name)
  await cp(join(source, 'test/consumer'), path, { recursive: true })
  return path
}

const execute = promisify(execFile)

/** Runs a command and returns what it prints; where it fails, the error has that and its complaints. */
export async function run(
  cwd: string,
  command: string,
  args: string[],
  env: Record<string, string> = {},
): Promise<string> {
  // A test within a test would be told not to run.
  const options = { cwd, env: { ...process.env, NODE_TEST_CONTEXT: undefined, ...env }, timeout: 120_000 }
  const { stdout } = await execute(command, args, options).catch((cause) => {
    throw new Error(`${command} ${args.join(' ')}\n${cause.stdout}${cause.stderr}`, { cause })
  })
  return stdout
}

/** Runs one of the client's development tools, which the project does not have. */
export function tool(cwd: string, name: 'tsc' | 'esbuild', ...args: string[]): Promise<string> {
  return run(cwd, join(source, 'node_modules/.bin', name), args)
}

/** What lets a program of the project have Node.js's types. */
export const nodeTypes = ['--typeRoots', join(source, 'node_modules/@types')]

/** Runs cardvault and returns what it says in JSON. */
export async function cardvault(...args: string[]): Promise<Record<string, string>> {
  return JSON.parse(await run(project, 'cardvault', [...args, '--json'])) as Record<string, string>
}
