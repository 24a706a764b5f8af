import { astToString } from 'openapi-typescript'
import ts from 'typescript'
import { typeName } from './contract.mjs'

const { factory } = ts
const exported = [factory.createModifier(ts.SyntaxKind.ExportKeyword)]

/**
 * Converts the two nested interfaces of openapi-typescript to an exported type for each schema and each query, so that
 * editors show `Promise<Card>` instead of all fields of components["schemas"]["Card"].
 */
export function renderTypes(nodes, contract) {
  const root = Object.fromEntries(nodes.filter(ts.isInterfaceDeclaration).map((node) => [node.name.text, node]))
  const schemas = child(root.components, 'schemas').members
  const queries = root.operations.members.flatMap((operation) => {
    const query = strip(child(child(operation.type, 'parameters'), 'query', true))
    return query ? [{ name: queryName(operation.name.text), type: query }] : []
  })
  const declarations = [
    ...schemas.map((member) => declare(typeName(member.name.text), opened(member, contract), member)),
    ...queries.map(({ name, type }) => declare(name, type)),
  ]
  const inline = inliner(root.components)
  const text = astToString(declarations.map((node) => ts.visitNode(node, inline)))
  const imports = [`import type { UnknownEvent } from '../events.js'`, `import type { ScanPhoto } from '../form.js'`]
  return `${imports.join('\n')}\n\n${tidy(text)}`
}

/** Returns the type of the files of forms, and undefined for all other schemas. */
export function fileType({ format }) {
  return format === 'binary' ? factory.createTypeReferenceNode('ScanPhoto') : undefined
}

/** Returns the name of the type of the query of an operation. */
export function queryName(operationId) {
  return `${operationId[0].toUpperCase()}${operationId.slice(1)}Query`
}

function declare(name, type, described) {
  const node = ts.isTypeLiteralNode(type)
    ? factory.createInterfaceDeclaration(exported, name, undefined, undefined, type.members)
    : factory.createTypeAliasDeclaration(exported, name, undefined, type)
  return ts.setSyntheticLeadingComments(node, described && ts.getSyntheticLeadingComments(described))
}

/**
 * Adds UnknownEvent to a union with a discriminator, because the service may add kinds. A schema with known values is
 * the union of these and of any other text.
 */
function opened(member, contract) {
  const known = contract.schemas[member.name.text]['x-known-values']
  if (known) {
    const values = known.map((value) => factory.createLiteralTypeNode(factory.createStringLiteral(value)))
    const anyText = factory.createIntersectionTypeNode([
      factory.createKeywordTypeNode(ts.SyntaxKind.StringKeyword),
      factory.createTypeLiteralNode([]),
    ])
    return factory.createUnionTypeNode([...values, factory.createParenthesizedType(anyText)])
  }
  if (!contract.schemas[member.name.text].discriminator) return member.type
  return factory.createUnionTypeNode([...member.type.types, factory.createTypeReferenceNode('UnknownEvent')])
}

/** Returns a visitor that replaces components[…][…] by the name of the schema or the type of the parameter. */
function inliner(components) {
  const visit = (node) => {
    const [group, name] = componentOf(node)
    if (group === 'schemas') return factory.createTypeReferenceNode(typeName(name))
    if (group === 'parameters') return visit(child(child(components, 'parameters'), name))
    const visited = ts.visitEachChild(node, visit, undefined)
    // A changed node is a new node, which has no comment.
    if (visited !== node) ts.setSyntheticLeadingComments(visited, ts.getSyntheticLeadingComments(node))
    return visited
  }
  return visit
}

function componentOf(node) {
  if (!ts.isIndexedAccessTypeNode(node) || !ts.isIndexedAccessTypeNode(node.objectType)) return []
  return [node.objectType.indexType.literal.text, node.indexType.literal.text]
}

function child(container, name, optional = false) {
  const found = container.members.find((member) => member.name.text === name)
  if (!found && !optional) throw new Error(`openapi-typescript gave no ${name}: has its output changed?`)
  return found?.type
}

/** Returns the type, or undefined for never, the type of absent parameters. */
function strip(type) {
  return type?.kind === ts.SyntaxKind.NeverKeyword ? undefined : type
}

function tidy(text) {
  return text.replaceAll('@description ', '').replaceAll(' (enum property replaced by openapi-typescript)', '')
}
