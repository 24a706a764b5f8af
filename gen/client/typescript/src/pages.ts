/** A page of a list. */
export interface Page<T> {
  data: T[]
  has_more: boolean
  next_cursor: string | null
}

/** The start of a page: the cursor of the previous page, or nothing for the first page. */
export type From = { cursor?: string }

/** Yields all pages. It fetches each page when the caller needs it. */
export async function* pages<T>(fetchPage: (from: From) => Promise<Page<T>>): AsyncGenerator<Page<T>, void, undefined> {
  let from: From | undefined = {}
  while (from) {
    const page: Page<T> = await fetchPage(from)
    yield page
    from = page.has_more && page.next_cursor !== null ? { cursor: page.next_cursor } : undefined
  }
}

/** Yields the items of all pages. */
export async function* items<T>(fetchPage: (from: From) => Promise<Page<T>>): AsyncGenerator<T, void, undefined> {
  for await (const page of pages(fetchPage)) yield* page.data
}
