import type { UnknownEvent } from './events.js'
import { exampleEvents } from './generated/examples.js'
import type { CardVaultEvent, EventKind } from './generated/types.js'
import { sign } from './signature.js'

type KnownEvent = Exclude<CardVaultEvent, UnknownEvent>
type Overrides<E> = E extends { event: infer K; data: infer D }
  ? { event: K; data?: Partial<D> } & Partial<Omit<E, 'event' | 'data'>>
  : never

/**
 * A kind, which stands for the example of this kind; or the fields that differ from the example; or a whole event.
 */
export type TestEvent = EventKind | Overrides<KnownEvent> | (Omit<UnknownEvent, 'event'> & { event: string })

export interface TestOptions {
  /** The time of the signature, and of the event if it has no `created_at`. Default: now. */
  at?: Date | undefined
  /** The number of the attempt, from 1. Default: 1. */
  attempt?: number | undefined
}

/** A delivery as the service sends it. */
export interface SignedDelivery {
  body: string
  headers: Record<string, string>
}

interface Envelope {
  id: string
  event: string
  created_at: string
  account_id: string
  data: object
}

/**
 * Returns a signed delivery for the tests of a receiver: POST its body with its headers. The identifiers of the
 * examples consist of zeros and do not exist in the service. Several secrets give several signatures, as in a rotation.
 */
export async function signTestPayload(
  secret: string | readonly string[],
  event: TestEvent,
  { at = new Date(), attempt = 1 }: TestOptions = {},
): Promise<SignedDelivery> {
  const whole = complete(event, at)
  const body = JSON.stringify(whole)
  const secrets = typeof secret === 'string' ? [secret] : secret
  const headers = {
    'Content-Type': 'application/json',
    'User-Agent': 'CardVault-Webhooks/1',
    'X-Vault-Signature': await sign(secrets, Math.floor(at.getTime() / 1000), body),
    'X-Vault-Event': whole.event,
    'X-Vault-Event-Id': whole.id,
    'X-Vault-Delivery-Attempt': String(attempt),
  }
  return { body, headers }
}

function complete(event: TestEvent, at: Date): Envelope {
  const given: Partial<Envelope> = typeof event === 'string' ? { event } : event
  const example: Partial<Envelope> | undefined = exampleEvents[given.event as EventKind]
  const created_at = at.toISOString().replace('Z', '000Z')
  return { ...example, created_at, ...given, data: { ...example?.data, ...given.data } } as Envelope
}
