import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { version } from '../../src/index.js'
import { api, consumer, nodeTypes, project, run, token, tool } from './support/project.js'

const installed = join(project, 'node_modules/@cardvault/client')

test('the package has the built files and the README, and no dependencies', async () => {
  assert.deepEqual((await readdir(installed)).sort(), ['LICENSE', 'README.md', 'dist', 'package.json'])
  assert.deepEqual(await readdir(join(project, 'node_modules/@cardvault')), ['client'])
  const others = (await readdir(join(project, 'node_modules'))).filter((name) => !name.startsWith('.'))
  assert.deepEqual(others, ['@cardvault'])
})

test('no module imports a module of Node.js', async () => {
  const files = await readdir(join(installed, 'dist'), { recursive: true })
  const modules = files.filter((file) => file.endsWith('.js'))
  assert.ok(modules.length > 10)
  for (const file of modules) {
    const text = await readFile(join(installed, 'dist', file), 'utf8')
    for (const [, name] of text.matchAll(/\bfrom '([^']+)'/g))
      assert.match(name!, /^\.\.?\//, `${file} imports ${name}`)
    assert.doesNotMatch(text, /\brequire\(|\bimport\(|\bBuffer\b/)
  }
})

test('a program for Node.js compiles with moduleResolution nodenext and runs', async () => {
  const folder = await consumer('node')
  await tool(folder, 'tsc', '-p', 'tsconfig.nodenext.json', ...nodeTypes)
  const said = JSON.parse(await run(folder, process.execPath, ['program.js'], { API: api, TOKEN: token }))
  assert.equal(said.titles.length, 3)
  assert.deepEqual({ ...said, titles: [] }, { version, titles: [], code: 'card_not_found', price: 450 })
})

test('a page’s script compiles with moduleResolution bundler', async () => {
  await tool(await consumer('page'), 'tsc', '-p', 'tsconfig.bundler.json')
})
