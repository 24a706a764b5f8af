import { astToString } from 'openapi-typescript'
import ts from 'typescript'
import { typeName } from './contract.mjs'

const { factory } = ts
const exported = [factory.createModifier(ts.SyntaxKind.ExportKeyword)]

/**
 * Turns openapi-typescript's two nested interfaces into one exported type a schema and one a query: editors then show
 * `Promise<Card>` where they would print the whole of components["schemas"]["Card"].
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
  return `import type { UnknownEvent } from '../events.js'\n\n${tidy(text)}`
}

/** The name of the type of an operation's query. */
export function queryName(operationId) {
  return `${operationId[0].toUpperCase()}${operationId.slice(1)}Query`
}

function declare(name, type, described) {
  const node = ts.isTypeLiteralNode(type)
    ? factory.createInterfaceDeclaration(exported, name, undefined, undefined, type.members)
    : factory.createTypeAliasDeclaration(exported, name, undefined, type)
  return ts.setSyntheticLeadingComments(node, described && ts.getSyntheticLeadingComments(described))
}

/** New kinds may be added to what a discriminator tells apart. */
function opened(member, contract) {
  if (!contract.schemas[member.name.text].discriminator) return member.type
  return factory.createUnionTypeNode([...member.type.types, factory.createTypeReferenceNode('UnknownEvent')])
}

/** Visits a declaration and puts names, or parameters' own types, in place of components[…][…]. */
function inliner(components) {
  const visit = (node) => {
    const [group, name] = componentOf(node)
    if (group === 'schemas') return factory.createTypeReferenceNode(typeName(name))
    if (group === 'parameters') return visit(child(child(components, 'parameters'), name))
    const visited = ts.visitEachChild(node, visit, undefined)
    // A visited node that changed is a new one, and would come without its comment.
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

/** A type, or nothing for never, which is what absent parameters have. */
function strip(type) {
  return type?.kind === ts.SyntaxKind.NeverKeyword ? undefined : type
}

function tidy(text) {
  return text.replaceAll('@description ', '').replaceAll(' (enum property replaced by openapi-typescript)', '')
}
