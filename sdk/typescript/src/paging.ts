/** Yields the items of numbered pages, each fetched when needed. `page` returns its items and whether more follow. */
export async function* paged<T>(
  first: number,
  page: (number: number) => Promise<{ readonly items: readonly T[]; readonly hasMore: boolean }>,
): AsyncGenerator<T, void, undefined> {
  for (let number = first; ; number += 1) {
    const { items, hasMore } = await page(number);
    yield* items;
    if (!hasMore || items.length === 0) return;
  }
}

/** Collects at most `limit` items of an iterator. */
export async function take<T>(items: AsyncIterable<T>, limit = Infinity): Promise<T[]> {
  const taken: T[] = [];
  if (limit <= 0) return taken;
  for await (const item of items) {
    taken.push(item);
    if (taken.length >= limit) break;
  }
  return taken;
}
