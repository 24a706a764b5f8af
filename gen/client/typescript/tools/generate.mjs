// Generates src/generated/ from the contract: node tools/generate.mjs CONTRACT.yaml FOLDER
//
// openapi-typescript generates the types. The modules in this folder generate the methods and the example events.
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import openapiTS from 'openapi-typescript'
import { parse } from 'yaml'
import { Contract, leaveOutManyPrices } from './contract.mjs'
import { renderExamples } from './examples.mjs'
import { renderOperations } from './operations.mjs'
import { fileType, renderTypes } from './types.mjs'

const [source, folder] = process.argv.slice(2)
if (!source || !folder) {
  console.error('usage: node tools/generate.mjs CONTRACT.yaml FOLDER')
  process.exit(2)
}

// Every response has the headers as a YAML alias. By default the parser rejects so many aliases as an attack.
const document = parse(await readFile(source, 'utf8'), { maxAliasCount: -1 })
leaveOutManyPrices(document)
const contract = new Contract(document)
const files = {
  // A field with a default is optional in a request, and every field of a response is required anyway.
  'types.ts': renderTypes(
    await openapiTS(JSON.stringify(document), { silent: true, defaultNonNullable: false, transform: fileType }),
    contract,
  ),
  'operations.ts': renderOperations(contract),
  'examples.ts': renderExamples(contract),
  'version.ts': `/** The version of the contract and of this package. */\nexport const version = '${contract.version}'\n`,
}

await rm(folder, { recursive: true, force: true })
await mkdir(folder, { recursive: true })
for (const [name, text] of Object.entries(files)) {
  await writeFile(join(folder, name), `// Generated from the contract by tools/generate.mjs. Do not edit.\n\n${text}`)
}
