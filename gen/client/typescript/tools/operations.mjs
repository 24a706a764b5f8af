import { comment, Contract, formMedia } from './contract.mjs'
import { queryName } from './types.mjs'

// The type of the option that sets each header. A new header needs an option in src/options.ts.
const headerOptions = {
  'Idempotency-Key': 'IdempotentOptions',
  'If-Match': 'IfMatchOptions',
  'If-None-Match': 'IfNoneMatchOptions',
}

/** Returns the code of the class with a method for each operation, and an iterator for each list. */
export function renderOperations(contract) {
  const operations = contract.operations.map((operation) => describe(operation, contract))
  const types = [...new Set(operations.flatMap(({ types }) => types))].sort()
  const options = Object.values(headerOptions)
  return `import type { ${[...options, 'RequestOptions'].sort().join(', ')} } from '../options.js'
import { items } from '../pages.js'
import { path } from '../path.js'
import type { Sender } from '../transport.js'
import type {
${types.map((type) => `  ${type},`).join('\n')}
} from './types.js'

/** The operations of the contract. They throw CardVaultError for an error or if there is no response. */
export class Operations {
  readonly #sender: Sender

  constructor(sender: Sender) {
    this.#sender = sender
  }
${operations.map((operation) => method(operation) + iterator(operation)).join('')}}
`
}

function describe(operation, contract) {
  const { operationId: id, parameters } = operation
  const inPath = parameters.filter((parameter) => parameter.in === 'path')
  const inQuery = parameters.filter((parameter) => parameter.in === 'query')
  const headers = parameters.filter((parameter) => parameter.in === 'header').map(({ name }) => optionFor(name, id))
  const result = resultOf(operation, contract)
  const item = inQuery.some(({ name }) => name === 'cursor') ? itemOf(operation, contract) : undefined
  const body = bodyOf(operation)
  const query = queryOf(id, inQuery)
  const types = [...inPath.map(({ schema }) => Contract.typeOf(schema)), result, item, query?.type, body?.type]
  return {
    ...operation,
    inPath: inPath.map(({ name, schema }) => ({ name, type: Contract.typeOf(schema) })),
    query,
    body,
    headers,
    result,
    item,
    types: types.filter((type) => type && type !== 'void' && type !== 'Blob'),
  }
}

function optionFor(header, id) {
  const option = headerOptions[header]
  if (!option) throw new Error(`${id}: no option sets the header ${header}; add one to src/options.ts and here`)
  return option
}

function resultOf(operation, contract) {
  const schema = answerOf(operation, contract)
  return schema ? Contract.typeOf(schema) : 'void'
}

function itemOf(operation, contract) {
  const page = contract.resolve(answerOf(operation, contract))
  return Contract.typeOf(page.properties.data.items)
}

/** Returns the schema of the successful response, or undefined if it has no body. */
function answerOf({ operationId, responses }, contract) {
  const successes = Object.keys(responses).filter((status) => status.startsWith('2'))
  if (successes.length !== 1) throw new Error(`${operationId}: want one 2xx response, have ${successes.length}`)
  return contract.resolve(responses[successes[0]]).content?.['application/json'].schema
}

function bodyOf({ requestBody }) {
  if (!requestBody) return undefined
  const { content, required } = requestBody
  const described = content['application/json'] ?? content[formMedia]
  const type = described ? Contract.typeOf(described.schema) : 'Blob'
  return { type, required: required === true, isForm: formMedia in content }
}

/** Returns the type and the parameter of the query. It is optional unless the contract requires one of its fields. */
function queryOf(id, parameters) {
  if (parameters.length === 0) return undefined
  const type = queryName(id)
  const required = parameters.some((parameter) => parameter.required)
  return { type, parameter: `query: ${type}${required ? '' : ' = {}'}` }
}

function method({ operationId, summary, description, inPath, query, body, headers, result, method, path }) {
  const parameters = [
    ...inPath.map(({ name, type }) => `${name}: ${type}`),
    body && `body${body.required ? '' : '?'}: ${body.type}`,
    query?.parameter,
    `options: ${['RequestOptions', ...headers].join(' & ')} = {}`,
  ]
  const request = [
    `method: '${method}'`,
    `path: path\`${path.replaceAll('{', '${')}\``,
    query && 'query',
    body && (body.isForm ? 'form: body' : body.required ? 'body' : '...(body && { body })'),
  ]
  return `
${comment([`${summary}.`, description?.trim()], '  ')}
  async ${operationId}(${parameters.filter(Boolean).join(', ')}): Promise<${result}> {
    return this.#sender.send({ ${request.filter(Boolean).join(', ')} }, options)
  }
`
}

/** Returns the code of the iterator of a list: cards() for listCards, batchCards() for listBatchCards. */
function iterator({ operationId, inPath, query, item }) {
  if (!item) return ''
  const name = operationId.replace(/^list(.)/, (_, first) => first.toLowerCase())
  const parameters = [
    ...inPath.map(({ name, type }) => `${name}: ${type}`),
    query.parameter,
    `options: RequestOptions = {}`,
  ]
  const passed = [...inPath.map(({ name }) => name), '{ ...query, ...from }', 'options']
  const text = `Iterates over all items that {@link ${operationId}} lists. It fetches each page when you need its first item.`
  return `
${comment([text], '  ')}
  ${name}(${parameters.join(', ')}): AsyncGenerator<${item}, void, undefined> {
    return items((from) => this.${operationId}(${passed.join(', ')}))
  }
`
}
