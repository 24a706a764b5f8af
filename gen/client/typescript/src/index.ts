export { type BulkResult, bulkEnd, bulkLookupPrices, bulkPublish, bulkUpdate, deleteMatching } from './bulk.js'
export { patchFromCandidate } from './candidate.js'
export type {
  Changes,
  ChangesQuery,
  DeletionChangesQuery,
  EventChangesQuery,
  ListingChangesQuery,
  SaleChangesQuery,
} from './changes.js'
export { CardVault } from './client.js'
export {
  CardVaultError,
  type CardVaultErrorCode,
  type ClientErrorCode,
  ConnectionError,
  type RateLimit,
  TimeoutError,
} from './errors.js'
export type { Feed, FeedQuery } from './feed.js'
export type { UnknownEvent, UnknownEventKind } from './events.js'
export type { ScanPhoto } from './form.js'
export type * from './generated/types.js'
export { version } from './generated/version.js'
export { decimalFromMoney, moneyFromDecimal } from './money.js'
export type {
  CardVaultOptions,
  IdempotentOptions,
  IfMatchOptions,
  IfNoneMatchOptions,
  RequestOptions,
  ResponseInfo,
} from './options.js'
export type { Wait } from './throttle.js'
export type { Timing } from './timing.js'
export * as webhooks from './webhooks.js'
export type { RateClass } from './window.js'
