import type { AccountId, EventId, Timestamp } from './generated/types.js'

/**
 * Any kind that is newer than this package. It is an enumeration, though it has no values at run time, because a plain
 * string would keep TypeScript from telling the other kinds apart by `event`. It may be used as a string.
 */
export declare enum UnknownEventKind {
  newer = 'a kind that this package does not know',
}

/** An event of a kind that is newer than this package. */
export interface UnknownEvent {
  id: EventId
  event: UnknownEventKind
  created_at: Timestamp
  account_id: AccountId
  data: Record<string, unknown>
}
