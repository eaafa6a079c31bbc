import { mapInOrder } from './bounded-ordered-map';

async function* numbers(count: number): AsyncGenerator<number> {
  for (let at = 0; at < count; at += 1) {
    await Promise.resolve();
    yield at;
  }
}

describe('mapInOrder', () => {
  it('keeps the order of the items, whatever the order in which they end', async () => {
    const seen: number[] = [];
    const work = (item: number): Promise<number> =>
      new Promise((resolve) =>
        setImmediate(() => (item % 2 === 0 ? setImmediate(() => resolve(item)) : resolve(item))),
      );
    for await (const result of mapInOrder(numbers(20), 4, work)) seen.push(result);
    expect(seen).toEqual([...Array(20).keys()]);
  });

  it('has no more than the window under way', async () => {
    let underWay = 0;
    let most = 0;
    const work = async (item: number): Promise<number> => {
      underWay += 1;
      most = Math.max(most, underWay);
      await new Promise(setImmediate);
      underWay -= 1;
      return item;
    };
    const seen: number[] = [];
    for await (const result of mapInOrder(numbers(30), 3, work)) seen.push(result);
    expect(seen).toHaveLength(30);
    expect(most).toBe(3);
  });

  it('fails with the first failure in order', async () => {
    const work = (item: number): Promise<number> =>
      item === 2 ? Promise.reject(new Error('second')) : Promise.resolve(item);
    const seen: number[] = [];
    await expect(
      (async () => {
        for await (const result of mapInOrder(numbers(9), 4, work)) seen.push(result);
      })(),
    ).rejects.toThrow('second');
    expect(seen).toEqual([0, 1]);
  });
});
