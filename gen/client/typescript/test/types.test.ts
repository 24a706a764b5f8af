// Tests of the types: the compiler must accept this file, and each @ts-expect-error must be an error.
import { test } from 'node:test'
import type {
  Card,
  CardVault,
  CardVaultError,
  CardVaultErrorCode,
  CardVaultEvent,
  Changes,
  ErrorCode,
  Listing,
  Money,
  PriceEstimate,
  PriceLookupResults,
  UnknownEvent,
  webhooks,
  WorkflowStatus,
} from '../src/index.js'

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
const holds = <_ extends true>(): void => {}

declare const client: CardVault
declare const event: CardVaultEvent
declare const error: CardVaultError

test('methods and iterators', () => {
  holds<Same<ReturnType<CardVault['getCard']>, Promise<Card>>>()
  holds<Same<ReturnType<CardVault['deleteCardPhoto']>, Promise<void>>>()
  holds<Same<ReturnType<CardVault['listings']>, AsyncGenerator<Listing, void, undefined>>>()
  holds<Same<ReturnType<CardVault['changes']>, Changes>>()
  holds<Same<ReturnType<CardVault['lookupPrice']>, Promise<PriceEstimate>>>()
  holds<Same<ReturnType<CardVault['lookupPrices']>, Promise<PriceLookupResults>>>()
  holds<Same<Card['workflow_status'], WorkflowStatus>>()
  holds<Same<Card['pricing']['asking_price'], Money | null>>()
})

export function calls(): void {
  void client.listCards({ status: ['priced'], limit: undefined as never })
  void client.updateCard('card_1', { pricing: { asking_price: null } }, { ifMatch: 3 })
  void client.publishCard('card_1')
  void client.publishCard('card_1', { marketplace: 'sandbox' }, { idempotencyKey: 'once' })
  void client.reportSales({ group_by: 'month' })
  void client.publishCards({ card_ids: ['card_1'] })
  void client.updateSale('sale_1', { tracking: null, fees: [] }, { ifMatch: 3 })
  void client.updateCards({ updates: [{ id: 'card_1', metadata: { shelf: null } }], atomic: true })
  void client.lookupPrices(['card_1'], { idempotencyKey: 'once' })
  void client.identify({ card_id: 'card_1', hints: { game: 'magic', set: 'Third Age' } })
  // @ts-expect-error A game that is not in the contract.
  void client.identify({ card_id: 'card_1', hints: { game: 'chess' } })
  // @ts-expect-error Many cards are looked up by lookupPrices.
  void client.lookupPrice({ card_ids: ['card_1'] })
  void client.scanCards({ photos: [{ name: 'a.jpg', data: new Uint8Array(1) }], pairing: 'name', game: 'magic' })
  void client.scanCards({ photos: [new File([], 'a.jpg')] }, { idempotencyKey: 'once' })
  // @ts-expect-error A photo has a name.
  void client.scanCards({ photos: [new Blob()] })
  // @ts-expect-error A status that is not in the contract.
  void client.listCards({ status: ['lost'] })
  // @ts-expect-error A filter that is not in the contract.
  void client.cards({ colour: 'red' })
  // @ts-expect-error The cards of a batch have no filter for the batch.
  void client.batchCards('bat_1', { batch: 'bat_2' })
  // @ts-expect-error A title is a string.
  void client.updateCard('card_1', { identification: { title: 1 } })
  // @ts-expect-error A GET has no Idempotency-Key.
  void client.getCard('card_1', { idempotencyKey: 'once' })
  // @ts-expect-error group_by is required.
  void client.reportSales()
  // @ts-expect-error A PATCH of many cards has no If-Match.
  void client.updateCards({ updates: [{ id: 'card_1' }] }, { ifMatch: 3 })
  // @ts-expect-error since is required.
  void client.changes({})
}

test('error codes are those of the contract or any string', () => {
  holds<ErrorCode extends CardVaultErrorCode ? true : false>()
  holds<'code_of_tomorrow' extends CardVaultErrorCode ? true : false>()
  holds<Same<CardVaultErrorCode, string> extends true ? false : true>()
})

export function dispatch(): string {
  switch (error.code) {
    case 'card_sold':
    case 'timed_out':
    case 'code_of_tomorrow':
      return error.code
    default:
      return error.message
  }
}

export function eventsAreTold(): void {
  switch (event.event) {
    case 'card.priced':
      holds<Same<typeof event.data.asking_price, Money>>()
      break
    case 'card.workflow_status_changed':
      holds<Same<typeof event.data.previous_status, WorkflowStatus>>()
      break
    case 'card.identified':
    case 'listing.published':
    case 'listing.updated':
    case 'listing.sold':
    case 'listing.ended':
    case 'identify.failed':
    case 'card.updated':
    case 'card.deleted':
    case 'card.restored':
    case 'sale.created':
    case 'sale.refunded':
    case 'sale.voided':
      holds<Same<typeof event.data.card_id, string>>()
      break
    case 'batch.completed':
      // @ts-expect-error The event of a batch has no card_id.
      void event.data.card_id
      break
    default:
      holds<Same<typeof event, UnknownEvent>>()
      void (event.event satisfies string)
  }
}

export function testPayloads(sign: typeof webhooks.signTestPayload): void {
  void sign('whsec_', 'listing.sold')
  void sign('whsec_', { event: 'listing.sold', data: { external_id: '1' } })
  // @ts-expect-error An unknown kind needs a whole event.
  void sign('whsec_', 'card.lent')
  // @ts-expect-error A field of another kind.
  void sign('whsec_', { event: 'card.identified', data: { external_id: '1' } })
}
