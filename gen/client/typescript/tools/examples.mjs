import { Contract } from './contract.mjs'

/**
 * Returns the code of an event of each kind, from the examples of the contract. As in the events of
 * `cardvault webhook test`, identifiers consist of zeros, so a receiver that uses one finds nothing.
 */
export function renderExamples(contract) {
  const kinds = Object.entries(contract.schemas.Event.discriminator.mapping)
  const examples = kinds.map(([kind, $ref]) => {
    const event = { ...example({ $ref }, contract), event: kind }
    return `  '${kind}': ${JSON.stringify(event, null, 2).replaceAll('\n', '\n  ')},`
  })
  return `import type { CardVaultEvent, EventKind } from './types.js'

/** An example of an event of each kind. The identifiers consist of zeros and do not exist in the service. */
export const exampleEvents: { [K in EventKind]: Extract<CardVaultEvent, { event: K }> } = {
${examples.join('\n')}
}
`
}

function example(schema, contract) {
  const resolved = contract.resolve(schema)
  if (resolved.example !== undefined) return harmless(resolved.example)
  if (resolved.type === 'array') return [example(resolved.items, contract)]
  if (resolved.type !== 'object') throw new Error(`no example for ${Contract.typeOf(schema)}`)
  return Object.fromEntries(
    Object.entries(resolved.properties).map(([name, property]) => [name, example(property, contract)]),
  )
}

function harmless(value) {
  return typeof value === 'string' ? value.replace(/^([a-z]+_)[0-9a-z]{26}$/, `$1${'0'.repeat(26)}`) : value
}
