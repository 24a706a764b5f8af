// Makes the Postman collection from the contract: node generate.mjs CONTRACT COLLECTION
//
// The converter writes the requests; here they get variables in place of example identifiers, scripts that keep what was
// answered for the next request, and identifiers of their own that do not change from one run to the next.
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import converter from 'openapi-to-postmanv2'
import { inOrder } from './order.mjs'
import { remember, statusScript, withVariables } from './variables.mjs'

const options = {
  folderStrategy: 'Tags',
  parametersResolution: 'Example',
  enableOptionalParameters: false,
  alwaysInheritAuthentication: true,
  includeAuthInfoInExample: false,
  indentCharacter: 'Space',
}

const [contract, target] = process.argv.slice(2)
const converted = await promisify(converter.convertV2)({ type: 'string', data: readFileSync(contract, 'utf8') }, options)
if (!converted.result) throw new Error(`${contract}: ${converted.reason}`)

const collection = converted.output[0].data
collection.info._postman_id = stableId('CardVault API')
collection.auth.bearer = [{ key: 'token', value: '{{token}}', type: 'string' }]
collection.variable = [
  { key: 'baseUrl', value: 'http://localhost:8080/api', description: 'Where the service is.' },
  { key: 'token', value: '', description: 'A token of your account: cv_live_… or cv_test_…. The folder webhooks needs the scope webhooks.' },
]
collection.event = [remember]
for (const folder of collection.item) {
  folder.id = stableId(folder.name)
  folder.item.forEach(tidy)
}
inOrder(collection)

mkdirSync(dirname(target), { recursive: true })
writeFileSync(target, `${JSON.stringify(withVariables(collection), null, 2)}\n`)

/** Finishes one request. */
function tidy(item) {
  const statuses = item.response.map((response) => response.code)
  item.id = stableId(`${item.request.method} ${item.request.url.path.join('/')}`)
  // One example of success: what errors look like is said once, by the contract.
  item.response = item.response.filter((response) => response.code < 300).slice(0, 1)
  for (const response of item.response) response.id = stableId(`${item.id} ${response.code}`)
  item.event = [statusScript(statuses)]
  for (const header of item.request.header ?? []) {
    if (header.key === 'Idempotency-Key') Object.assign(header, { value: '{{$guid}}', disabled: false })
  }
  if (item.request.body?.mode === 'file') item.request.body.file = { src: 'card.jpg' }
  if (item.request.body?.mode === 'formdata') {
    item.request.body.formdata = files(item.request.body.formdata)
    // Postman sets the Content-Type of a form, which contains a boundary.
    item.request.header = item.request.header.filter(({ key }) => key !== 'Content-Type')
  }
}

/** Returns the files of a form alone, without the optional fields. */
function files(parts) {
  return parts.filter(({ key }) => key === 'photos').map(({ key }) => ({ key, type: 'file', src: 'card.jpg' }))
}

/** A UUID that follows from a text. */
function stableId(text) {
  const digits = createHash('sha256').update(text).digest('hex')
  return [digits.slice(0, 8), digits.slice(8, 12), digits.slice(12, 16), digits.slice(16, 20), digits.slice(20, 32)].join('-')
}
