import type { AccountId, EventId, Timestamp } from './generated/types.js'

/**
 * The kind of an event that this version does not know. It is an enumeration without values at run time, because with a
 * plain string TypeScript could not distinguish the other kinds by `event`. You can use it as a string.
 */
export declare enum UnknownEventKind {
  newer = 'a kind that this package does not know',
}

/** An event of a kind that this version does not know. */
export interface UnknownEvent {
  id: EventId
  event: UnknownEventKind
  created_at: Timestamp
  account_id: AccountId
  data: Record<string, unknown>
}
