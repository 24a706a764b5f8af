import type { CardVaultEvent } from './generated/types.js'
import { bytesOf, matches, parseSignature, type RawBody } from './signature.js'

export { type SignedDelivery, signTestPayload, type TestEvent, type TestOptions } from './testpayload.js'
export type { RawBody }

/** Why a delivery is invalid. */
export type WebhookErrorCode =
  | 'signature_missing'
  | 'signature_malformed'
  | 'signature_wrong'
  | 'signature_too_old'
  | 'signature_in_future'
  | 'body_malformed'

/** The delivery is invalid. Respond with status 400 and do nothing else. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError'

  constructor(
    readonly code: WebhookErrorCode,
    message: string,
  ) {
    super(message)
  }
}

export interface VerifyOptions {
  /** The maximum difference between the time of the signature and now, in seconds. Default: 300. */
  tolerance?: number | undefined
  /** Default: the time of the clock. */
  now?: Date | undefined
}

/** The value of X-Vault-Signature, in the types that HTTP servers use. */
export type SignatureHeader = string | readonly string[] | null | undefined

/**
 * Verifies that CardVault signed a delivery within the tolerance. Throws WebhookError otherwise.
 *
 * @param secret The secret of the endpoint, including `whsec_`.
 * @param header The value of `X-Vault-Signature`.
 * @param body The unchanged bytes of the body.
 */
export async function verify(
  secret: string,
  header: SignatureHeader,
  body: RawBody,
  { tolerance = 300, now = new Date() }: VerifyOptions = {},
): Promise<void> {
  const text = typeof header === 'string' ? header : header?.join(',')
  if (!text) throw new WebhookError('signature_missing', 'The header X-Vault-Signature is missing.')
  const signature = parseSignature(text)
  if (!signature) throw new WebhookError('signature_malformed', 'X-Vault-Signature is not of the form t=…,v1=….')
  if (!(await matches(secret, signature, body))) {
    throw new WebhookError(
      'signature_wrong',
      'The signature does not match: check the secret, and that body is unchanged.',
    )
  }
  const age = now.getTime() / 1000 - Number(signature.t)
  if (age > tolerance) {
    throw new WebhookError('signature_too_old', `The signature is more than ${tolerance} seconds old.`)
  }
  if (-age > tolerance) {
    throw new WebhookError(
      'signature_in_future',
      `The signature is more than ${tolerance} seconds in the future: check the clock.`,
    )
  }
}

/**
 * Verifies a delivery like {@link verify} and returns its event. Distinguish the kinds by `event`, with a default for
 * kinds that this version does not know. Skip an `id` that you have already processed.
 */
export async function unwrap(
  secret: string,
  header: SignatureHeader,
  body: RawBody,
  options: VerifyOptions = {},
): Promise<CardVaultEvent> {
  await verify(secret, header, body, options)
  const event = parse(body)
  if (!isEvent(event)) throw new WebhookError('body_malformed', 'The signature matches, but the body is not an event.')
  return event
}

function parse(body: RawBody): unknown {
  try {
    return JSON.parse(typeof body === 'string' ? body : new TextDecoder().decode(bytesOf(body)))
  } catch {
    return undefined
  }
}

function isEvent(value: unknown): value is CardVaultEvent {
  if (typeof value !== 'object' || value === null) return false
  const { id, event, data } = value as Partial<CardVaultEvent>
  return typeof id === 'string' && typeof event === 'string' && typeof data === 'object' && data !== null
}
