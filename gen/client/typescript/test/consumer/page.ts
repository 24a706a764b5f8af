// The script of a page. The tests compile it with moduleResolution bundler and without the types of Node.js, bundle it
// and run it in browsers.
import { CardVault, CardVaultError, type ResponseInfo, webhooks } from '@cardvault/client'

export interface Result {
  titles: (string | null)[]
  batch: string
  updated: number
  code: string
  remaining: number | undefined
  requestId: string | undefined
  event: string
  forged: string
}

/** Tries reads, writes, errors and webhooks from a page of another origin than the service. */
export async function tryOut(api: string, token: string): Promise<Result> {
  const answers: ResponseInfo[] = []
  const client = new CardVault({ baseUrl: api, token, onResponse: (info) => answers.push(info) })
  const { data } = await client.listCards({ limit: 2 })
  const batch = await client.createBatch({ name: 'From a page' }, { idempotencyKey: crypto.randomUUID() })
  const [card] = (
    await client.createCards({ cards: [{ batch_id: batch.id, identification: { title: 'Paper Wren' } }] })
  ).data
  if (!card) throw new Error('no card was created')
  const { version } = await client.updateCard(card.id, { notes: 'Seen by a page.' }, { ifMatch: card.version })
  const failure: unknown = await client.getCard('card_00000000000000000000000000').catch((error: unknown) => error)
  const { body, headers } = await webhooks.signTestPayload('whsec_test', 'listing.sold')
  const { event } = await webhooks.unwrap('whsec_test', headers['X-Vault-Signature'], body)
  const forged: unknown = await webhooks
    .verify('whsec_test', headers['X-Vault-Signature'], `${body} `)
    .catch((error: unknown) => error)
  return {
    titles: data.map(({ title }) => title),
    batch: batch.name,
    updated: version - card.version,
    code: failure instanceof CardVaultError ? failure.code : String(failure),
    remaining: answers[0]?.rateLimit?.remaining,
    requestId: answers[0]?.requestId,
    event,
    forged: forged instanceof webhooks.WebhookError ? forged.code : String(forged),
  }
}
