import { Readable } from 'node:stream';
import type { ObjectStore } from '../../../common/platform/storage/object-store';
import { SortedPictures, type PictureOfRow } from './sorted-pictures';

function memoryStore(): { readonly store: ObjectStore; readonly objects: Map<string, Buffer> } {
  const objects = new Map<string, Buffer>();
  const store = {
    put: (key: string, bytes: Buffer) => Promise.resolve(objects.set(key, bytes)),
    get: (key: string) => {
      const bytes = objects.get(key)!;
      const chunks = Array.from({ length: Math.ceil(bytes.length / 7) }, (_, at) => bytes.subarray(7 * at, 7 * at + 7));
      return Promise.resolve(Readable.from(chunks));
    },
  };
  return { store: store as unknown as ObjectStore, objects };
}

async function all(sorted: SortedPictures): Promise<PictureOfRow[]> {
  const found: PictureOfRow[] = [];
  for await (const batch of sorted.batches()) found.push(...batch);
  return found;
}

describe('pictures sorted by row', () => {
  it('have all their annotations together, in the order in which they came, however they were divided', async () => {
    const { store, objects } = memoryStore();
    const sorted = new SortedPictures(store, 'work/sorted', { annotations: 5, characters: 1000 });
    const expected = new Map<number, number[]>();
    for (let at = 0; at < 100; at++) {
      const row = (at * 37) % 11;
      await sorted.add(row, [JSON.stringify(at), JSON.stringify(-at)]);
      expected.set(row, [...(expected.get(row) ?? []), at, -at]);
    }
    expect(objects.size).toBeGreaterThan(10);
    const found = await all(sorted);
    expect(found.map(({ row }) => row)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    for (const { row, annotations } of found)
      expect((JSON.parse(annotations) as number[]).map((each) => each + 0)).toEqual(
        expected.get(row)!.map((each) => each + 0),
      );
    expect(await all(sorted)).toEqual(found);
  });

  it('are none of nothing', async () => {
    expect(await all(new SortedPictures(memoryStore().store, 'work/sorted'))).toEqual([]);
  });
});
