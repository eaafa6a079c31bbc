import fc from 'fast-check';
import { TagAssignments } from './tag-assignments';

const lists = fc
  .dictionary(fc.uuid(), fc.uniqueArray(fc.nat(500), { minLength: 1, maxLength: 60 }), { maxKeys: 6 })
  .map((drawn) => new Map(Object.entries(drawn).map(([id, rows]) => [id, Int32Array.from(rows).sort()])));

describe('tag assignments', () => {
  it('contain the rows of a tag and the tags of a row', async () => {
    const given = new Map([
      ['a', Int32Array.from([2, 5, 900_000])],
      ['b', Int32Array.from([0, 5])],
    ]);
    const assignments = await TagAssignments.of(given);
    expect(assignments.tagIds).toEqual(['a', 'b']);
    expect([...assignments.with('a')]).toEqual([2, 5, 900_000]);
    expect([...assignments.with('c')]).toEqual([]);
    expect([...assignments.tagged()]).toEqual([0, 2, 5, 900_000]);
    expect([0, 1, 2, 5, 900_000, 900_001].map((row) => assignments.of(row))).toEqual([
      ['b'],
      [],
      ['a'],
      ['a', 'b'],
      ['a'],
      [],
    ]);
    expect(assignments.bytes).toBeGreaterThan(0);
  });

  it('may be empty', () => {
    expect(TagAssignments.none.of(0)).toEqual([]);
    expect(TagAssignments.none.tagged()).toHaveLength(0);
    expect(TagAssignments.none.tagIds).toEqual([]);
  });

  it('are consistent in both directions', async () => {
    await fc.assert(
      fc.asyncProperty(lists, async (given) => {
        const assignments = await TagAssignments.of(given);
        for (let row = 0; row <= 501; row++) {
          const expected = [...given].filter(([, rows]) => rows.includes(row)).map(([id]) => id);
          expect(assignments.of(row)).toEqual(expected);
        }
        const rows = new Set([...given.values()].flatMap((list) => [...list]));
        expect([...assignments.tagged()]).toEqual([...rows].sort((a, b) => a - b));
      }),
      { numRuns: 50 },
    );
  });
});
