/** So many at a time, answered in order; after the first failure no more are begun. */
export async function mapAtOnce<T, R>(
  atOnce: number,
  items: readonly T[],
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results = new Array<R>(items.length);
  const left = items.entries();
  let hasFailed = false;
  const workThrough = async (): Promise<void> => {
    for (const [at, item] of left) {
      if (hasFailed) return;
      try {
        results[at] = await work(item);
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, workThrough));
  return results;
}
