import fc from 'fast-check';
import type { NearPairs } from '../../../common/engine/media-table/edges-file';
import { itemEdges } from '../../../common/engine/similarity/assemble-structure';
import { findDistinctItems } from '../../../common/engine/similarity/distinct-items';
import { neighbourGraph } from '../../../common/engine/similarity/neighbours/neighbour-graph';
import { LEAST_SIMILARITY } from '../../../common/engine/similarity/near-duplicates';
import { NEIGHBOURS } from '../../../common/engine/similarity/similarity-structure';
import { allocateTopLists, offer } from '../../../common/engine/similarity/vectors/top-lists';
import { NO_GROUP, type DuplicateGroups } from './domain/duplicate-groups';
import { groupDuplicates } from './group-duplicates';

const DIMENSION = 3;

/** Pictures with vector and content; the same content has the same vector. */
class Pictures {
  readonly vectors: Float32Array;

  constructor(
    vectors: readonly (readonly number[])[],
    readonly contents: Int32Array = Int32Array.from(vectors, (_, at) => at),
  ) {
    this.vectors = new Float32Array(vectors.length * DIMENSION);
    vectors.forEach((vector, at) => {
      const length = Math.hypot(...vector);
      this.vectors.set(
        vector.map((value) => value / length),
        at * DIMENSION,
      );
    });
  }

  get count(): number {
    return this.contents.length;
  }

  vector(at: number): Float32Array {
    return this.vectors.subarray(at * DIMENSION, (at + 1) * DIMENSION);
  }

  similarity(first: number, second: number): number {
    if (this.contents[first] === this.contents[second]) return 1;
    const [a, b] = [this.vector(first), this.vector(second)];
    if (a.every((value, at) => value === b[at])) return 1 - 1e-12;
    const dot = (x: Float32Array, y: Float32Array): number => x.reduce((sum, value, at) => sum + value * y[at]!, 0);
    return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
  }

  /** As indexing stores them: the sixteen nearest of each distinct vector. */
  pairs(): NearPairs {
    const distinct = findDistinctItems(this.vectors, this.contents, DIMENSION);
    const lists = allocateTopLists(distinct.count, NEIGHBOURS);
    for (let row = 0; row < distinct.count; row++) {
      for (let other = 0; other < distinct.count; other++) {
        if (other === row) continue;
        const cosine = Math.fround(this.similarity(distinct.item[row]!, distinct.item[other]!));
        offer(lists, row, other, Math.min(1, cosine));
      }
    }
    const keptFrom = LEAST_SIMILARITY - 1e-6;
    return itemEdges(distinct, neighbourGraph(lists, keptFrom), { contentGroup: this.contents, keptFrom });
  }

  group(similarity: number, pairs = this.pairs()): Promise<DuplicateGroups> {
    const read = (rows: Int32Array): Promise<Float32Array> => {
      const read = new Float32Array(rows.length * DIMENSION);
      rows.forEach((row, at) => read.set(this.vector(row), at * DIMENSION));
      return Promise.resolve(read);
    };
    return groupDuplicates(pairs, similarity, this.count, read);
  }
}

const FAMILIES = [
  [1, 0, 0],
  [0, 1, 0],
  [0.6, 0.8, 0.1],
];
const part = fc.integer({ min: -4, max: 4 });
const pictures = fc
  .array(fc.record({ family: fc.nat(2), parts: fc.tuple(part, part, part), isCopied: fc.boolean() }), {
    minLength: 1,
    maxLength: 60,
  })
  .map((drawn) => {
    const vectors: number[][] = [];
    const contents: number[] = [];
    drawn.forEach(({ family, parts, isCopied }, at) => {
      const vector = FAMILIES[family]!.map((value, i) => value + 0.06 * parts[i]!);
      for (let copy = 0; copy < (isCopied ? 2 : 1); copy++) {
        vectors.push(vector);
        contents.push(at);
      }
    });
    return new Pictures(vectors, Int32Array.from(contents));
  });
const similarity = fc.constantFrom(0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.999, 0.9999999, 1);

const groupsOf = (found: DuplicateGroups): number[][] =>
  Array.from(found.centre, (_, group) => [...found.members(group)]);

describe('groups of near duplicates', () => {
  it('contain exactly the pictures that have a similar picture', async () => {
    await fc.assert(
      fc.asyncProperty(pictures, similarity, async (drawn, asked) => {
        const { groupOf } = await drawn.group(asked);
        const all = Array.from({ length: drawn.count }, (_, at) => at);
        const expected = all.filter((at) => all.some((other) => other !== at && drawn.similarity(at, other) >= asked));
        expect(all.filter((at) => groupOf[at] !== NO_GROUP)).toEqual(expected);
      }),
    );
  });

  it('contain each picture once, and only pictures similar to the centre', async () => {
    await fc.assert(
      fc.asyncProperty(pictures, similarity, async (drawn, asked) => {
        const found = await drawn.group(asked);
        const groups = groupsOf(found);
        groups.forEach((members, group) => {
          const centre = found.centre[group]!;
          expect(members.length).toBeGreaterThan(1);
          expect(members).toContain(centre);
          expect(found.groupAround(centre)).toBe(group);
          for (const member of members) {
            expect(found.groupOf[member]).toBe(group);
            if (member !== centre) expect(drawn.similarity(centre, member)).toBeGreaterThanOrEqual(asked);
          }
        });
        const grouped = [...found.groupOf].filter((group) => group !== NO_GROUP);
        expect(groups.reduce((sum, { length }) => sum + length, 0)).toBe(grouped.length);
      }),
    );
  });

  it('do not depend on the order of the pairs', async () => {
    await fc.assert(
      fc.asyncProperty(pictures, similarity, fc.infiniteStream(fc.nat(1000)), async (drawn, asked, keys) => {
        const { first, second, cosine } = drawn.pairs();
        const order = Array.from(first, (_, at) => ({ at, key: keys.next().value as number }))
          .sort((a, b) => a.key - b.key)
          .map(({ at }) => at);
        const shuffled = {
          first: Int32Array.from(order, (at) => second[at]!),
          second: Int32Array.from(order, (at) => first[at]!),
          cosine: Float32Array.from(order, (at) => cosine[at]!),
        };
        expect(groupsOf(await drawn.group(asked, shuffled))).toEqual(groupsOf(await drawn.group(asked)));
      }),
    );
  });

  it('at similarity 1 are pictures with identical bytes, whatever their vectors', async () => {
    const alike = [1, 2, 3];
    const drawn = new Pictures([alike, alike, alike, alike, [1, 2, 3.00001]], Int32Array.of(7, 8, 8, 9, 10));
    expect(groupsOf(await drawn.group(1))).toEqual([[1, 2]]);
    expect(groupsOf(await drawn.group(0.99999))).toEqual([[0, 1, 2, 3, 4]]);
    expect((await drawn.group(0.99999)).groupOf).toEqual(Int32Array.of(0, 0, 0, 0, 0));
  });

  it('do not chain', async () => {
    const step = Math.acos(0.95) * 0.99;
    const chain = new Pictures(Array.from({ length: 9 }, (_, at) => [Math.cos(at * step), Math.sin(at * step), 0]));
    expect(groupsOf(await chain.group(0.95))).toEqual([
      [0, 1, 2],
      [3, 4],
      [5, 6],
      [7, 8],
    ]);
  });

  it('make one group of a dense region in which each list has only sixteen neighbours', async () => {
    const crowd = Array.from({ length: 400 }, (_, at) => [1, 0.0004 * at, 0.03 * Math.sin(at)]);
    const aside = [
      [0, 1, 0],
      [0, 1, 0.01],
    ];
    const drawn = new Pictures([...crowd, ...aside]);
    const found = await drawn.group(0.95);
    expect(groupsOf(found).map(({ length }) => length)).toEqual([400, 2]);
  });

  it('are uncertain exactly if two members are not similar, or if the groups are large', async () => {
    await fc.assert(
      fc.asyncProperty(pictures, similarity, async (drawn, asked) => {
        const found = await drawn.group(asked);
        groupsOf(found).forEach((members, group) => {
          const different = new Set(members.map((row) => String(drawn.vector(row))));
          const isChained = members.some((a) => members.some((b) => a < b && drawn.similarity(a, b) < asked));
          const isLarge = asked < 1 && different.size > 5;
          const doubt = found.doubt(group);
          if (isLarge) expect(doubt).toBe('LARGE');
          else if (isChained) expect(doubt).toBe('CHAINED');
          // A member with many neighbours outside the group may lack some of those inside.
          else if (drawn.count <= NEIGHBOURS) expect(doubt).toBeNull();
        });
      }),
    );
  });

  it('of copies are not uncertain, whatever their number', async () => {
    const alike = [1, 2, 3];
    const drawn = new Pictures(Array.from({ length: 30 }, () => alike));
    expect((await drawn.group(0.95)).doubt(0)).toBeNull();
    const step = Math.acos(0.95) * 0.99;
    const chain = new Pictures(Array.from({ length: 5 }, (_, at) => [Math.cos(at * step), Math.sin(at * step), 0]));
    const found = await chain.group(0.95);
    expect([0, 1].map((group) => found.doubt(group))).toEqual(['CHAINED', null]);
  });

  it('terminate for dense regions that leave a row at the edge', async () => {
    for (const step of [0.002, 0.005, 0.01, 0.02]) {
      const bow = new Pictures(Array.from({ length: 300 }, (_, at) => [Math.cos(at * step), Math.sin(at * step), 0]));
      for (const asked of [0.8, 0.9, 0.95, 0.99]) {
        const found = await bow.group(asked);
        expect([...found.groupOf].every((group) => group !== NO_GROUP)).toBe(true);
      }
    }
  });

  it('use the cosine of the vectors for borderline pairs', async () => {
    const drawn = new Pictures([
      [1, 0, 0],
      [0.9, Math.sqrt(1 - 0.81), 0],
    ]);
    const cosine = drawn.similarity(0, 1);
    const asked = (change: number): Promise<DuplicateGroups> => drawn.group(cosine + change);
    expect((await asked(0)).groups).toBe(1);
    expect((await asked(-1e-9)).groups).toBe(1);
    expect((await asked(1e-9)).groups).toBe(0);
  });

  it('handle a hundred thousand copies quickly', async () => {
    const count = 100_000;
    const pairs = {
      first: new Int32Array(count - 1),
      second: Int32Array.from({ length: count - 1 }, (_, at) => at + 1),
      cosine: new Float32Array(count - 1).fill(1),
    };
    const read = (): Promise<Float32Array> => Promise.reject(new Error('No vector should be read'));
    for (const asked of [0.8, 1]) {
      const found = await groupDuplicates(pairs, asked, count, read);
      expect(found.groups).toBe(1);
      expect(found.members(0)).toHaveLength(count);
      expect(found.centre[0]).toBe(0);
    }
  });

  it('ignore rows beyond the version', async () => {
    const pairs = { first: Int32Array.of(0, 1), second: Int32Array.of(1, 5), cosine: Float32Array.of(0.9, 1) };
    const found = await groupDuplicates(pairs, 0.85, 3, () => Promise.resolve(new Float32Array()));
    expect(groupsOf(found)).toEqual([[0, 1]]);
  });
});
