import fc from 'fast-check';
import { assigned, cleared, unassigned, type TagLists } from './tag-lists';

const rows = (...values: number[]): Int32Array => Int32Array.from(values);
const someRows = fc
  .uniqueArray(fc.nat(60), { maxLength: 40 })
  .map((values) => Int32Array.from(values.sort((a, b) => a - b)));

describe('the rows of tags', () => {
  const lists: TagLists = new Map([
    ['a', rows(1, 4, 7)],
    ['b', rows(4)],
  ]);

  it('add new rows in order, and count them', () => {
    const { lists: after, changed } = assigned(lists, 'a', rows(0, 4, 5, 9));
    expect(after.get('a')).toEqual(rows(0, 1, 4, 5, 7, 9));
    expect(after.get('b')).toBe(lists.get('b'));
    expect(changed).toBe(3);
    expect(lists.get('a')).toEqual(rows(1, 4, 7));
  });

  it('start with the first row', () => {
    expect(assigned(lists, 'c', rows(2)).lists.get('c')).toEqual(rows(2));
  });

  it('remove rows, and count them', () => {
    const { lists: after, changed } = unassigned(lists, 'a', rows(0, 1, 7, 8));
    expect(after.get('a')).toEqual(rows(4));
    expect(changed).toBe(2);
  });

  it('end with the last row', () => {
    expect([...unassigned(lists, 'b', rows(3, 4)).lists.keys()]).toEqual(['a']);
    expect(cleared(lists, 'a')).toEqual({ lists: new Map([['b', rows(4)]]), changed: 3 });
    expect(cleared(lists, 'c')).toEqual({ lists, changed: 0 });
  });

  it('are equal to sets', () => {
    fc.assert(
      fc.property(someRows, someRows, (before, given) => {
        const one: TagLists = new Map([['a', before]]);
        const sorted = (values: Iterable<number>): number[] => [...values].sort((a, b) => a - b);
        const listOf = (after: TagLists): number[] => [...(after.get('a') ?? [])];
        expect(listOf(assigned(one, 'a', given).lists)).toEqual(sorted(new Set([...before, ...given])));
        expect(listOf(unassigned(one, 'a', given).lists)).toEqual(sorted(before.filter((row) => !given.includes(row))));
      }),
    );
  });
});
