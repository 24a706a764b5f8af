// The variables of the collection: which thing a request is about.

/** Variables by the prefix of the identifiers that they hold. */
const kinds = {
  card: 'card', bat: 'batch', lst: 'listing', evt: 'event', pho: 'photo', sale: 'sale', job: 'job', whe: 'webhook',
  whs: 'secret', dlv: 'delivery',
}

const identifier = new RegExp(`\\b(${Object.keys(kinds).join('|')})_[0-9a-z]{26}\\b`, 'g')

/** The contract's example of an identifier in the catalogue, which has no prefix. */
const catalogueExample = '"ember-54"'

/**
 * By variable, a regular expression that finds in an answer the identifier of a thing, not of one that another thing refers
 * to. Only identifiers in the catalogue have no prefix.
 */
const patterns = {
  ...Object.fromEntries(Object.entries(kinds).map(([prefix, name]) => [name, `"id": *"(${prefix}_[0-9a-z]{26})"`])),
  catalogueCard: '"id": *"([^"_]+)"',
}

/** Returns the variables that a text names: {{card}}. */
export const namedIn = (text) => Object.keys(patterns).filter((name) => text.includes(`{{${name}}}`))

/** Returns the variables that an answer like this one fills: see remember. */
export const filledBy = (text) => Object.keys(patterns).filter((name) => new RegExp(patterns[name]).test(text))

/** Returns the collection with variables in place of the contract's example identifiers, in requests only. */
export function withVariables(collection) {
  for (const folder of collection.item) {
    for (const item of folder.item) item.request = named(item.request)
  }
  return collection
}

/** Returns a request, or any part of one, with variables in place of identifiers. */
export const named = (request) =>
  JSON.parse(
    JSON.stringify(request)
      .replace(identifier, (_, prefix) => `{{${kinds[prefix]}}}`)
      .replaceAll(catalogueExample, '"{{catalogueCard}}"'),
  )

/** Runs after every request: the next ones are about what this one was answered. */
export const remember = {
  listen: 'test',
  script: {
    type: 'text/javascript',
    exec: [
      '// The next requests are about what this one was answered: the first card, batch, listing and so on in it.',
      'if (pm.response.code < 300) {',
      `  for (const [name, pattern] of Object.entries(${JSON.stringify(patterns)})) {`,
      '    const found = pm.response.text().match(new RegExp(pattern))',
      '    if (found) pm.collectionVariables.set(name, found[1])',
      '  }',
      '}',
    ],
  },
}

/** Tests that a request is answered with one of the statuses that the contract has for it. */
export const statusScript = (statuses) => ({
  listen: 'test',
  script: {
    type: 'text/javascript',
    exec: [
      "pm.test('is answered as the contract says', () => {",
      `  pm.expect(pm.response.code).to.be.oneOf(${JSON.stringify(statuses)})`,
      '})',
    ],
  },
})
