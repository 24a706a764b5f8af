// The reference: Scalar on this server's own contract, with everything off that would leave this server.
const { createApiReference } = await import(document.querySelector('script[data-component]').dataset.component)

// document fetches a contract and marks its optional parameters as not sent until they are chosen: they have examples,
// and the component would send those, cursor and all, with the first try.
async function contract(address) {
  const answer = await fetch(address)
  if (!answer.ok) throw new Error(`${address} answers ${answer.status}`)
  const document = await answer.json()
  for (const parameter of Object.values(document.components.parameters ?? {})) wait(parameter)
  for (const path of Object.values(document.paths)) {
    for (const operation of Object.values(path)) operation.parameters?.filter((p) => !p.$ref).forEach(wait)
  }
  return document
}

function wait(parameter) {
  if (parameter.required) return
  parameter.examples = { default: { value: parameter.schema.example ?? '', 'x-disabled': true } }
}

const [v1, v2] = await Promise.all([contract('/openapi/v1.json'), contract('/openapi/v2.json')])
document.getElementById('waiting').remove()

createApiReference('#reference', {
  sources: [
    { title: 'v1', slug: 'v1', content: v1, default: true },
    { title: 'v2 (preview)', slug: 'v2', content: v2 },
  ],
  // Nothing from elsewhere, and no token kept beyond the page.
  withDefaultFonts: false,
  telemetry: false,
  persistAuth: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: 'never',
  // The page follows the system's light or dark, as all others do.
  hideDarkModeToggle: true,
  documentDownloadType: 'json',
  defaultOpenFirstTag: true,
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  // Names in addresses: the guides link to them (contract.go).
  generateTagSlug: (tag) => tag.name,
  generateOperationSlug: (operation) => operation.operationId,
  generateWebhookSlug: (webhook) => webhook.name,
  generateModelSlug: (model) => model.name,
})
