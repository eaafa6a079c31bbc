import fc from 'fast-check';
import { RowAddresses } from './row-addresses';

const rowId = (fragment: number, place: number): bigint => (BigInt(fragment) << 32n) | BigInt(place);

describe('RowAddresses', () => {
  it('numbers rows across fragments', () => {
    const addresses = new RowAddresses(
      BigUint64Array.of(rowId(0, 0), rowId(0, 1), rowId(1, 0), rowId(7, 0), rowId(7, 1)),
    );
    expect([...addresses.ordinalsOf(BigUint64Array.of(rowId(7, 1), rowId(0, 1), rowId(1, 0)))]).toEqual([4, 1, 2]);
  });

  it('names the first rows by the last of them', () => {
    const addresses = new RowAddresses(BigUint64Array.of(rowId(0, 0), rowId(0, 1), rowId(4, 0), rowId(4, 3)));
    expect([0, 1, 2, 3, 4].map((rows) => addresses.nameOf(rows))).toEqual(['none', '0.0', '0.1', '4.0', '4.3']);
    expect(() => addresses.nameOf(5)).toThrow('There are no 5 rows');
  });

  it('skips removed rows', () => {
    const addresses = new RowAddresses(BigUint64Array.of(rowId(0, 2), rowId(0, 5), rowId(3, 1)));
    expect([...addresses.ordinalsOf(BigUint64Array.of(rowId(3, 1), rowId(0, 5), rowId(0, 2)))]).toEqual([2, 1, 0]);
    expect(() => addresses.ordinalsOf(BigUint64Array.of(rowId(0, 3)))).toThrow('There is no such row');
    expect(() => addresses.ordinalsOf(BigUint64Array.of(rowId(1, 0)))).toThrow('There is no fragment 1');
  });

  it('converts every row id to its ordinal, whatever the fragments', () => {
    const fragments = fc.uniqueArray(
      fc.record({ id: fc.nat(9), places: fc.uniqueArray(fc.nat(40), { minLength: 1 }) }),
      { selector: (f) => f.id },
    );
    fc.assert(
      fc.property(fragments, (all) => {
        const ids = all.flatMap(({ id, places }) => [...places].sort((a, b) => a - b).map((place) => rowId(id, place)));
        const addresses = new RowAddresses(BigUint64Array.from(ids));
        const ordinals = addresses.ordinalsOf(BigUint64Array.from(ids));
        expect([...ordinals]).toEqual(ids.map((_, i) => i));
        const some = ordinals.filter((ordinal) => ordinal % 3 !== 1);
        expect(addresses.idsOf(some)).toEqual([...some].map((ordinal) => ids[ordinal]));
        expect(() => addresses.idsOf(Int32Array.of(ids.length))).toThrow(RangeError);
      }),
    );
  });
});
