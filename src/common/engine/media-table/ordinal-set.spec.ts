import fc from 'fast-check';
import { OrdinalSet } from './ordinal-set';

const sets = fc.integer({ min: 1, max: 200 }).chain((rows) => {
  const ordinals = fc.uniqueArray(fc.integer({ min: 0, max: rows - 1 }));
  return fc.record({ rows: fc.constant(rows), a: ordinals, b: ordinals });
});
const ascending = (ordinals: Iterable<number>): number[] => [...ordinals].sort((a, b) => a - b);

it('implements set operations', () => {
  fc.assert(
    fc.property(sets, ({ rows, a, b }) => {
      const [left, right] = [OrdinalSet.of(rows, a), OrdinalSet.of(rows, b)];
      const [as, bs] = [new Set(a), new Set(b)];
      const every = Array.from({ length: rows }, (_, i) => i);
      expect([...left.toArray()]).toEqual(ascending(as));
      expect(left.size).toBe(as.size);
      expect([...left.and(right).toArray()]).toEqual(every.filter((i) => as.has(i) && bs.has(i)));
      expect([...left.or(right).toArray()]).toEqual(every.filter((i) => as.has(i) || bs.has(i)));
      expect([...left.without(right).toArray()]).toEqual(every.filter((i) => as.has(i) && !bs.has(i)));
      expect([...left.complement().toArray()]).toEqual(every.filter((i) => !as.has(i)));
      expect(every.filter((i) => left.has(i))).toEqual(ascending(as));
      expect(OrdinalSet.all(rows).size).toBe(rows);
      for (const ordinal of a) left.delete(ordinal);
      expect(left.size).toBe(0);
    }),
  );
});

it('lists a range', () => {
  fc.assert(
    fc.property(sets, fc.nat(200), fc.nat(200), ({ rows, a }, one, other) => {
      const [from, to] = [Math.min(one, other, rows), Math.min(Math.max(one, other), rows)];
      const found = OrdinalSet.of(rows, a).toArray(from, to);
      expect([...found]).toEqual(ascending(a).filter((row) => row >= from && row < to));
    }),
  );
});

it('is within its supersets', () => {
  fc.assert(
    fc.property(sets, ({ rows, a, b }) => {
      const [left, right] = [OrdinalSet.of(rows, a), OrdinalSet.of(rows, b)];
      expect(left.isWithin(right)).toBe(a.every((row) => b.includes(row)));
      expect([left.isWithin(left.or(right)), left.and(right).isWithin(right)]).toEqual([true, true]);
    }),
  );
});

it('counts rows by number in parts', () => {
  fc.assert(
    fc.property(sets, ({ rows, a }) => {
      const numbers = Int32Array.from({ length: rows }, (_, row) => row % 7);
      const [counts, expected] = [new Int32Array(7), new Int32Array(7)];
      for (const row of a) expected[row % 7]! += 1;
      for (let from = 0; from < rows; from += 64)
        OrdinalSet.of(rows, a).countBy(numbers, counts, from, Math.min(rows, from + 64));
      expect(counts).toEqual(expected);
    }),
  );
});

it('rejects sets of other tables', () => {
  expect(() => OrdinalSet.none(3).and(OrdinalSet.none(4))).toThrow(RangeError);
  expect(() => OrdinalSet.none(3).isWithin(OrdinalSet.none(4))).toThrow(RangeError);
});
