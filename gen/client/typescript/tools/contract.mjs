const methods = ['get', 'post', 'put', 'patch', 'delete']

// Every module has these names already, for something else.
const renamed = { Error: 'ErrorBody', Event: 'CardVaultEvent', Location: 'CardLocation' }

/** What a schema's type is called. */
export function typeName(schema) {
  return renamed[schema] ?? schema
}

/** The contract, as the renderers ask about it. */
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

  /** The operations in the contract's order, their parameters resolved. */
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

  /** The object itself, or what its $ref points to. */
  resolve(object) {
    if (!object.$ref) return object
    return object.$ref
      .split('/')
      .slice(1)
      .reduce((node, key) => node[key], this.#document)
  }

  /** The type of the schema that $ref points to; the contract names every one that a signature needs. */
  static typeOf(schema) {
    const name = /^#\/components\/schemas\/(\w+)$/.exec(schema?.$ref ?? '')?.[1]
    if (!name) throw new Error(`not a reference to a named schema: ${JSON.stringify(schema)}`)
    return typeName(name)
  }
}

/** A JSDoc comment of these paragraphs, indented. */
export function comment(paragraphs, indent = '') {
  const lines = paragraphs.filter(Boolean).join('\n\n').replaceAll('*/', '*\\/').split('\n')
  return [`${indent}/**`, ...lines.map((line) => `${indent} * ${line}`.trimEnd()), `${indent} */`].join('\n')
}
