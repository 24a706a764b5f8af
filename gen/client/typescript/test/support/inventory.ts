import type { Received, Reply } from './fakeserver.js'

interface Row {
  id: string
  version: number
  updated_at: string
}

/** Cards that change. It lists them like the service, by (updated_at, id) from updated_since. */
export class Inventory {
  readonly #rows = new Map<string, Row>()
  #microseconds = 0

  /** Changes these cards in one transaction. They get the same updated_at, which is later than all others. */
  change(...ids: string[]): void {
    this.#microseconds++
    const updated_at = `2026-05-11T15:32:01.${String(this.#microseconds).padStart(6, '0')}Z`
    for (const id of ids) this.#rows.set(id, { id, version: (this.#rows.get(id)?.version ?? 0) + 1, updated_at })
  }

  /** Returns the current id:version of all cards. */
  get state(): string[] {
    return [...this.#rows.values()].map(({ id, version }) => `${id}:${version}`)
  }

  list({ query }: Received): Reply {
    const since = query.get('updated_since') ?? ''
    const after = query.get('cursor') ?? ''
    const rows = [...this.#rows.values()].filter((row) => row.updated_at >= since && place(row) > after).sort(byPlace)
    const data = rows.slice(0, Number(query.get('limit') ?? 50))
    const has_more = data.length < rows.length
    return { body: { data, has_more, next_cursor: has_more ? place(data.at(-1)!) : null } }
  }
}

function place({ updated_at, id }: Row): string {
  return `${updated_at}/${id}`
}

function byPlace(a: Row, b: Row): number {
  return place(a) < place(b) ? -1 : 1
}
