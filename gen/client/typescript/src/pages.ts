/** What every list answers. */
export interface Page<T> {
  data: T[]
  has_more: boolean
  next_cursor: string | null
}

/** Where a page begins: nothing, or the cursor that the page before it gave. */
export type From = { cursor?: string }

/** The pages from the first to the last, each fetched when it is asked for. */
export async function* pages<T>(fetchPage: (from: From) => Promise<Page<T>>): AsyncGenerator<Page<T>, void, undefined> {
  let from: From | undefined = {}
  while (from) {
    const page: Page<T> = await fetchPage(from)
    yield page
    from = page.has_more && page.next_cursor !== null ? { cursor: page.next_cursor } : undefined
  }
}

/** Their items, one by one. */
export async function* items<T>(fetchPage: (from: From) => Promise<Page<T>>): AsyncGenerator<T, void, undefined> {
  for await (const page of pages(fetchPage)) yield* page.data
}
