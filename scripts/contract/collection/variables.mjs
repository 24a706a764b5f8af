// The variables of the collection: which thing a request is about.

/** Variables by the prefix of the identifiers that they hold. */
const kinds = { card: 'card', bat: 'batch', lst: 'listing', evt: 'event', pho: 'photo' }

const identifier = new RegExp(`\\b(${Object.keys(kinds).join('|')})_[0-9a-z]{26}\\b`, 'g')

/** Returns the variables that a text names: {{card}}. */
export const namedIn = (text) => Object.values(kinds).filter((name) => text.includes(`{{${name}}}`))

/** Returns the variables that an answer like this one fills: see remember. */
export const filledBy = (text) => Object.keys(kinds).filter((prefix) => own(prefix).test(text)).map((prefix) => kinds[prefix])

/** Finds the identifier of a thing of a kind, not of one that another thing refers to. */
const own = (prefix) => new RegExp(`"id": *"(${prefix}_[0-9a-z]{26})"`)

/** Returns the collection with variables in place of the contract's example identifiers, in requests only. */
export function withVariables(collection) {
  for (const folder of collection.item) {
    for (const item of folder.item) item.request = named(item.request)
  }
  return collection
}

/** Returns a request, or any part of one, with variables in place of identifiers. */
export const named = (request) => JSON.parse(JSON.stringify(request).replace(identifier, (_, prefix) => `{{${kinds[prefix]}}}`))

/** Runs after every request: the next ones are about what this one was answered. */
export const remember = {
  listen: 'test',
  script: {
    type: 'text/javascript',
    exec: [
      '// The next requests are about what this one was answered: the first card, batch, listing, event and photo in it.',
      'if (pm.response.code < 300) {',
      `  for (const [prefix, name] of Object.entries(${JSON.stringify(kinds)})) {`,
      '    const found = pm.response.text().match(new RegExp(`"id": *"(${prefix}_[0-9a-z]{26})"`))',
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
