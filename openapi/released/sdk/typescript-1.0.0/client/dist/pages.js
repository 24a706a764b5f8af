/** The pages from the first to the last, each fetched when it is asked for. */
export async function* pages(fetchPage) {
    let from = {};
    while (from) {
        const page = await fetchPage(from);
        yield page;
        from = page.has_more && page.next_cursor !== null ? { cursor: page.next_cursor } : undefined;
    }
}
/** Their items, one by one. */
export async function* items(fetchPage) {
    for await (const page of pages(fetchPage))
        yield* page.data;
}
