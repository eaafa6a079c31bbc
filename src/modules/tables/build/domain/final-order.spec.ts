import fc from 'fast-check';
import { clusterRanks } from './final-order';

const dense = (values: number[]): Int32Array => {
  const seen = [...new Set(values)].sort((a, b) => a - b);
  return Int32Array.from(values, (value) => seen.indexOf(value));
};

describe('clusterRanks', () => {
  it('sorts by the coarsest level first, and is stable', () => {
    const fine = Int32Array.of(1, 0, 2, 1, 0);
    const coarse = Int32Array.of(0, 1, 0, 0, 1);
    expect([...clusterRanks([fine, coarse])]).toEqual([0, 3, 2, 1, 4]);
  });

  it('handles no items', () => {
    expect(clusterRanks([new Int32Array(0), new Int32Array(0)])).toHaveLength(0);
  });

  it('makes clusters contiguous at every level', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(200), { minLength: 1, maxLength: 200 }), (values) => {
        const levels = [1, 3, 9, 27, 81].map((width) => dense(values.map((value) => Math.floor(value / width))));
        const ranks = clusterRanks(levels);
        for (const level of levels) {
          const inOrder = new Array<number>(values.length);
          ranks.forEach((rank, item) => {
            inOrder[rank] = level[item]!;
          });
          const changes = inOrder.filter((cluster, at) => at === 0 || inOrder[at - 1] !== cluster).length;
          expect(changes).toBe(new Set(level).size);
        }
      }),
    );
  });
});
