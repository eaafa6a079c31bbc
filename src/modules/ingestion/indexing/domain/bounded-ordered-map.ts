/**
 * Runs `work` on each item, at most `window` at once, and yields the results in the order of the items.
 * Ends early, with the first failure, once `work` or the items fail.
 */
export async function* mapInOrder<Item, Result>(
  items: AsyncIterable<Item>,
  window: number,
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  const underWay: Promise<Result>[] = [];
  for await (const item of items) {
    const started = work(item);
    // The failure is met in its turn; until then it is not an unhandled one.
    started.catch(() => undefined);
    underWay.push(started);
    if (underWay.length >= window) yield await underWay.shift()!;
  }
  while (underWay.length > 0) yield await underWay.shift()!;
}
