const methods = ['get', 'post', 'put', 'patch', 'delete']

// These names already mean something else in every module.
const renamed = { Error: 'ErrorBody', Event: 'CardVaultEvent', Location: 'CardLocation' }

/** Returns the name of the type of a schema. */
export function typeName(schema) {
  return renamed[schema] ?? schema
}

/** The contract, with the methods that the renderers need. */
export class Contract {
  #document

  constructor(document) {
    this.#document = document
  }

  get version() {
    return this.#document.info.version
  }

  get schemas() {
    return this.#document.components.schemas
  }

  /** The operations in the order of the contract, with resolved parameters. */
  get operations() {
    return Object.entries(this.#document.paths).flatMap(([path, item]) =>
      methods
        .filter((method) => item[method])
        .map((method) => ({
          ...item[method],
          method: method.toUpperCase(),
          path,
          parameters: (item[method].parameters ?? []).map((parameter) => this.resolve(parameter)),
        })),
    )
  }

  /** Returns the object, or the target of its $ref. */
  resolve(object) {
    if (!object.$ref) return object
    return object.$ref
      .split('/')
      .slice(1)
      .reduce((node, key) => node[key], this.#document)
  }

  /** Returns the name of the type that $ref refers to. Every schema in a signature must have a name. */
  static typeOf(schema) {
    const name = /^#\/components\/schemas\/(\w+)$/.exec(schema?.$ref ?? '')?.[1]
    if (!name) throw new Error(`not a reference to a named schema: ${JSON.stringify(schema)}`)
    return typeName(name)
  }
}

/** Restricts `lookupPrice` to one card. `lookupPrices` in src/client.ts looks up many, with a result of its own. */
export function leaveOutManyPrices({ components, paths }) {
  const request = components.schemas.PriceLookupRequest
  request.description = 'Exactly one of `card_id` and `card`.'
  delete request.properties.card_ids
  const success = paths['/price-lookup'].post.responses['200']
  success.content['application/json'].schema = { $ref: '#/components/schemas/PriceEstimate' }
}

/** The media type of forms. */
export const formMedia = 'multipart/form-data'

/** Returns an indented JSDoc comment with these paragraphs. */
export function comment(paragraphs, indent = '') {
  const lines = paragraphs.filter(Boolean).join('\n\n').replaceAll('*/', '*\\/').split('\n')
  return [`${indent}/**`, ...lines.map((line) => `${indent} * ${line}`.trimEnd()), `${indent} */`].join('\n')
}
