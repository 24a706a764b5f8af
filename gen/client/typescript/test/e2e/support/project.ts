import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cp, mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

/** The folder of the client. */
export const source = fileURLToPath(new URL('../../../../', import.meta.url))

/** A project with the installed package of the client and nothing else. */
export const project = setting('PROJECT')
export const api = setting('API')
export const token = setting('TOKEN')
export const account = setting('ACCOUNT')

function setting(name: string): string {
  const value = process.env[name]
  if (!value) throw new Error(`${name} is not set: run scripts/with-server.sh scripts/sdk/typescript.sh`)
  return value
}

/** Creates an empty folder in the project. Programs in it can import the client. */
export async function folder(name: string): Promise<string> {
  const path = join(project, name)
  await rm(path, { recursive: true, force: true })
  await mkdir(path)
  return path
}

/** Copies test/consumer to a folder of the project. */
export async function consumer(name: string): Promise<string> {
  const path = await folder(name)
  await cp(join(source, 'test/consumer'), path, { recursive: true })
  return path
}

const execute = promisify(execFile)

/** Runs a command and returns its output. If it fails, the error has the output and the errors of the command. */
export async function run(
  cwd: string,
  command: string,
  args: string[],
  env: Record<string, string> = {},
): Promise<string> {
  // With this variable a nested test runner would run no tests.
  const options = { cwd, env: { ...process.env, NODE_TEST_CONTEXT: undefined, ...env }, timeout: 120_000 }
  const { stdout } = await execute(command, args, options).catch((cause) => {
    throw new Error(`${command} ${args.join(' ')}\n${cause.stdout}${cause.stderr}`, { cause })
  })
  return stdout
}

/** Runs a development tool of the client. */
export function tool(cwd: string, name: 'tsc' | 'esbuild', ...args: string[]): Promise<string> {
  return run(cwd, join(source, 'node_modules/.bin', name), args)
}

/** The compiler options for programs with the types of Node.js. */
export const nodeTypes = ['--typeRoots', join(source, 'node_modules/@types')]

/** Runs cardvault with --json and returns its output. */
export async function cardvault(...args: string[]): Promise<Record<string, string>> {
  return JSON.parse(await run(project, 'cardvault', [...args, '--json'])) as Record<string, string>
}

/** Registers an endpoint for test events until the test ends. It gets none of what other tests of the account cause. */
export async function register(
  t: { after(end: () => unknown): void },
  url: string,
): Promise<{ id: string; secret: string }> {
  const options = ['--account', account, '--url', url, '--events', 'batch.completed']
  const { id, secret } = await cardvault('webhook', 'register', ...options)
  assert.ok(id && secret)
  t.after(() => cardvault('webhook', 'delete', id))
  return { id, secret }
}
