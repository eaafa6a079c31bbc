import { TableComparison } from './table-comparison';

interface Row {
  readonly key: readonly [number, number, number, number];
  readonly labels?: number;
  readonly caption?: number;
}

const digests = (rows: readonly Row[], first = 0) => ({
  first,
  count: rows.length,
  keys: Uint32Array.from(rows.flatMap(({ key }) => key)),
  labels: Uint32Array.from(rows.flatMap(({ labels = 0 }) => [7, labels])),
  captions: Uint32Array.from(rows.flatMap(({ caption = 0 }) => [caption, 7])),
});

function random(seed: number): () => number {
  let state = seed;
  return () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0);
}

describe('a comparison of tables', () => {
  it('finds each row at any ordinal', () => {
    const before: Row[] = [{ key: [1, 2, 3, 4] }, { key: [1, 2, 3, 5], labels: 1 }, { key: [4, 3, 2, 1], caption: 1 }];
    const after: Row[] = [{ key: [4, 3, 2, 1], caption: 2 }, { key: [0, 0, 0, 0] }, { key: [1, 2, 3, 5], labels: 2 }];
    const comparison = new TableComparison(before.length, after.length);
    comparison.addBefore(digests(before.slice(0, 2)));
    comparison.addBefore(digests(before.slice(2), 2));
    comparison.addAfter(digests(after.slice(0, 1)));
    comparison.addAfter(digests(after.slice(1), 1));
    expect([...comparison.added.toArray()]).toEqual([1]);
    expect([...comparison.removed.toArray()]).toEqual([0]);
    expect([...comparison.labels.toArray()]).toEqual([2]);
    expect([...comparison.captions.toArray()]).toEqual([0]);
    expect([...comparison.places]).toEqual([-1, 2, 0]);
  });

  it('handles empty tables', () => {
    const comparison = new TableComparison(0, 1);
    comparison.addAfter(digests([{ key: [1, 1, 1, 1] }]));
    expect([...comparison.added.toArray()]).toEqual([0]);
    expect(comparison.removed.size).toBe(0);
    expect(new TableComparison(1, 0).removed.size).toBe(1);
  });

  it('agrees with a map for many rows, also with colliding keys', () => {
    const next = random(3);
    const row = (): Row => ({ key: [0, next() % 50, next() % 50, 0], labels: next() % 3, caption: next() % 3 });
    const distinct = (count: number) => [
      ...new Map(Array.from({ length: count }, row).map((each) => [each.key.join(), each])).values(),
    ];
    const [before, after] = [distinct(1000), distinct(1000)];
    const comparison = new TableComparison(before.length, after.length);
    comparison.addBefore(digests(before));
    comparison.addAfter(digests(after));
    const known = new Map(before.map((each, at) => [each.key.join(), at]));
    after.forEach((each, at) => {
      const place = known.get(each.key.join());
      const old = place === undefined ? undefined : before[place];
      expect(comparison.added.has(at)).toBe(old === undefined);
      expect(comparison.labels.has(at)).toBe(old !== undefined && old.labels !== each.labels);
      expect(comparison.captions.has(at)).toBe(old !== undefined && old.caption !== each.caption);
      if (place !== undefined) expect(comparison.places[place]).toBe(at);
    });
    expect(comparison.removed.size).toBe(before.length - after.length + comparison.added.size);
  });
});
