// A program for Node.js that uses the package. The test compiles it with moduleResolution nodenext and runs it.
import {
  CardVault,
  CardVaultError,
  type Card,
  type CardVaultEvent,
  type ErrorCode,
  version,
  webhooks,
} from '@cardvault/client'

const client = new CardVault({ baseUrl: process.env['API'] ?? '', token: process.env['TOKEN'] ?? '' })

async function titles(): Promise<string[]> {
  const found: string[] = []
  for await (const card of client.cards({ status: ['identified', 'priced'], limit: 2 })) {
    if (card.title !== null) found.push(card.title)
    if (found.length === 3) break
  }
  return found
}

async function codeOf(call: Promise<Card>): Promise<ErrorCode | string> {
  try {
    return (await call).id
  } catch (error) {
    if (error instanceof CardVaultError) return error.code
    throw error
  }
}

function priceIn(event: CardVaultEvent): number | undefined {
  return event.event === 'listing.sold' ? event.data.sold_price.amount : undefined
}

const { body, headers } = await webhooks.signTestPayload('whsec_test', {
  event: 'listing.sold',
  data: { sold_price: { amount: 450, currency: 'USD' } },
})
const event = await webhooks.unwrap('whsec_test', headers['X-Vault-Signature'], body)

console.log(
  JSON.stringify({
    version,
    titles: await titles(),
    code: await codeOf(client.getCard('card_00000000000000000000000000')),
    price: priceIn(event),
  }),
)
