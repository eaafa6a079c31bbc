import fc from 'fast-check';
import { randomUUID } from 'node:crypto';
import { dropEdges, type NearPairs, readEdges, writeEdges } from '../../src/common/engine/media-table/edges-file';
import { type ObjectStore, ObjectNotFoundError } from '../../src/common/platform/storage/object-store';

/** The storage of pairs of near duplicates, for every kind of store. */
export function describeEdges(where: string, open: () => ObjectStore | Promise<ObjectStore>): void {
  describe(`pairs of near duplicates by version on ${where}`, () => {
    let store: ObjectStore;

    beforeAll(async () => {
      store = await open();
    });

    const pairs = (first: number, count: number): NearPairs => ({
      first: Int32Array.from({ length: count }, (_, i) => first + i),
      second: Int32Array.from({ length: count }, (_, i) => first + i + 1),
      cosine: Float32Array.from({ length: count }, (_, i) => 1 / (first + i + 1)),
    });
    const sizesOf = async (generation: string): Promise<Record<string, number>> => {
      const { objects } = await store.list(`edges/${generation}/`);
      return Object.fromEntries(objects.map(({ key, size }) => [key.slice(key.lastIndexOf('/') + 1), size]));
    };

    it('can be read for every version as they were written', async () => {
      const generation = randomUUID();
      await writeEdges(store, { generation, version: 4 }, [pairs(0, 500), pairs(500, 20)]);
      await writeEdges(store, { generation, version: 5 }, [pairs(600, 30)], { generation, version: 4 });
      await writeEdges(store, { generation, version: 9 }, [pairs(700, 3), pairs(703, 2)], { generation, version: 5 });
      expect(await readEdges(store, { generation, version: 4 })).toEqual(pairs(0, 520));
      expect((await readEdges(store, { generation, version: 5 })).first).toEqual(
        Int32Array.of(...pairs(0, 520).first, ...pairs(600, 30).first),
      );
      expect((await readEdges(store, { generation, version: 9 })).cosine).toEqual(
        Float32Array.of(...pairs(0, 520).cosine, ...pairs(600, 30).cosine, ...pairs(700, 5).cosine),
      );
    });

    it('may be based on an older version than the last', async () => {
      const generation = randomUUID();
      await writeEdges(store, { generation, version: 4 }, [pairs(0, 100)]);
      await writeEdges(store, { generation, version: 5 }, [pairs(100, 20)], { generation, version: 4 });
      await writeEdges(store, { generation, version: 7 }, [pairs(200, 20)], { generation, version: 4 });
      expect((await readEdges(store, { generation, version: 7 })).first).toEqual(
        Int32Array.of(...pairs(0, 100).first, ...pairs(200, 20).first),
      );
    });

    it('are rewritten only while they are few', async () => {
      const generation = randomUUID();
      await writeEdges(store, { generation, version: 1 }, [pairs(0, 100_000)]);
      for (let version = 2; version <= 60; version++)
        await writeEdges(store, { generation, version }, [pairs(version, 10)], { generation, version: version - 1 });
      const sizes = await sizesOf(generation);
      const later = Object.entries(sizes).filter(([name]) => name !== '1.arrow');
      expect(later).toHaveLength(59);
      const sum = later.reduce((total, [, size]) => total + size, 0);
      expect(sum).toBeLessThan(sizes['1.arrow']! / 5);
      expect((await readEdges(store, { generation, version: 60 })).first).toHaveLength(100_000 + 59 * 10);
    });

    it('are the same for all sizes of additions', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.constantFrom(0, 0, 1, 7, 40, 300), { minLength: 1, maxLength: 12 }),
          async (counts) => {
            const generation = randomUUID();
            let next = 0;
            for (const [version, count] of counts.entries()) {
              const over = version === 0 ? undefined : { generation, version: version - 1 };
              await writeEdges(store, { generation, version }, [pairs(next, count)], over);
              next += count;
              expect(await readEdges(store, { generation, version })).toEqual(pairs(0, next));
            }
          },
        ),
        { numRuns: 15 },
      );
    });

    it('are copied completely to another generation, and remain when the first one is removed', async () => {
      const from = { generation: randomUUID(), version: 6 };
      const to = { generation: randomUUID(), version: 3 };
      await writeEdges(store, { ...from, version: 5 }, [pairs(0, 90)]);
      await writeEdges(store, from, [pairs(90, 10)], { ...from, version: 5 });
      await writeEdges(store, to, [], from);
      const grown = { generation: randomUUID(), version: 8 };
      await writeEdges(store, grown, [pairs(100, 1)], from);
      await dropEdges(store, from.generation);
      await dropEdges(store, from.generation);
      expect(await readEdges(store, to)).toEqual(pairs(0, 100));
      expect(await readEdges(store, grown)).toEqual(pairs(0, 101));
      await expect(readEdges(store, from)).rejects.toThrow(ObjectNotFoundError);
    });

    it('are reported as missing if they do not exist', async () => {
      const at = { generation: randomUUID(), version: 1 };
      await expect(readEdges(store, at)).rejects.toThrow(ObjectNotFoundError);
      await expect(writeEdges(store, { ...at, version: 2 }, [], at)).rejects.toThrow(ObjectNotFoundError);
    });
  });
}
