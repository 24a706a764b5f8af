import type { PreparedRequest } from './attempt.js'
import { encodeForm } from './form.js'
import type { CallOptions } from './options.js'

/** The request of an operation. */
export interface OperationRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  query?: object
  /** A Blob is sent unchanged, with its type; other values are sent as JSON. */
  body?: object
  /** Sent as a form. */
  form?: object
}

/** Prepares the request, which is the same in all attempts. */
export function prepare(
  baseUrl: string,
  fixed: Readonly<Record<string, string>>,
  operation: OperationRequest,
  options: CallOptions,
): PreparedRequest {
  const { method, path, query = {}, body, form } = operation
  const headers = new Headers(fixed)
  if (method === 'POST') headers.set('Idempotency-Key', options.idempotencyKey ?? newKey())
  if (options.ifMatch !== undefined) headers.set('If-Match', entityTag(options.ifMatch))
  if (options.ifNoneMatch !== undefined) headers.set('If-None-Match', entityTag(options.ifNoneMatch))
  if (body) headers.set('Content-Type', mediaType(body))
  const url = baseUrl + path + search(query)
  // fetch sets the Content-Type of a form, which contains a boundary.
  if (form) return { url, method, headers, ...encodeForm(form) }
  return { url, method, headers, body: content(body), uploadTime: 0 }
}

/** An empty list is sent without a value, which the service refuses: it must not select everything. */
function search(query: object): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (Array.isArray(value) && value.length === 0) parameters.append(name, '')
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined && one !== null) parameters.append(name, String(one))
    }
  }
  const text = parameters.toString()
  return text && `?${text}`
}

function mediaType(body: object): string {
  if (!(body instanceof Blob)) return 'application/json'
  if (!body.type)
    throw new TypeError("body: the Blob has no type; give it one: new Blob([bytes], { type: 'image/jpeg' })")
  return body.type
}

function content(body: object | undefined): string | Blob | null {
  if (!body) return null
  return body instanceof Blob ? body : JSON.stringify(body)
}

function entityTag(version: number | string): string {
  return typeof version === 'number' ? `"${version}"` : version
}

/** Returns 128 random bits in hexadecimal. Pages from http do not have crypto.randomUUID. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
