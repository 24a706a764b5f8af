import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { parse } from 'yaml'
import { CardVault, version } from '../src/index.js'
import { token } from './support/client.js'

const folder = new URL('../../', import.meta.url)
const contract = parse(await readFile(new URL('../../../openapi/v1.yaml', folder), 'utf8'), { maxAliasCount: -1 })
const manifest = JSON.parse(await readFile(new URL('package.json', folder), 'utf8'))

test('the package has the version of the contract', () => {
  assert.equal(manifest.version, contract.info.version)
  assert.equal(version, contract.info.version)
})

test('every operation has its method', () => {
  const client: object = new CardVault({ baseUrl: 'https://vault.example/api', token })
  const ids = Object.values<Record<string, { operationId?: string }>>(contract.paths)
    .flatMap((item) => Object.values(item))
    .flatMap(({ operationId }) => operationId ?? [])
  assert.ok(ids.length >= 20)
  for (const id of ids) assert.equal(typeof client[id as keyof object], 'function', id)
})

test('the package has no dependencies', () => {
  assert.equal(manifest.dependencies, undefined)
})
