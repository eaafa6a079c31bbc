import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DIMENSIONS, mediaRow } from '../../../../test/support/media-rows';
import type { MetadataValue } from '../../../common/engine/media-table/media-row';
import type { MediaTable } from '../../../common/engine/media-table/media-table';
import { MediaTableStore } from '../../../common/engine/media-table/media-table-store';
import { OrdinalSet } from '../../../common/engine/media-table/ordinal-set';
import type { MetadataCondition, MetadataOp } from './domain/metadata-column';
import { containing } from '../../../common/platform/text/texts';
import { columnOf, MetadataColumns } from './metadata-columns';

const ROWS = 9_000;
const folder = mkdtempSync(join(tmpdir(), 'metadata-columns-'));
let table: MediaTable;

/** Every third row lacks a value, and names are those of properties of every object. */
const valuesOf = (row: number): readonly MetadataValue[] | null =>
  row % 3 === 0
    ? null
    : [
        { name: '__proto__', type: 'string', value: `it's ${row % 10}` },
        { name: 'constructor', type: 'float', value: row / 2 },
        { name: 'parts', type: 'enum', value: row % 2 === 0 ? ['a', 'b', 'a'] : [] },
      ];

beforeAll(async () => {
  const store = new MediaTableStore({ uri: folder, storageOptions: {} });
  const rows = Array.from({ length: ROWS }, (_, row) => mediaRow(row, { customMetadata: valuesOf(row) }));
  table = await store.open(await store.create(randomUUID(), DIMENSIONS, [rows]));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const asked = (op: MetadataOp, ...values: MetadataCondition['values']): MetadataCondition => ({ op, values });
const rowsWhere = (test: (row: number) => boolean): number[] =>
  Array.from({ length: ROWS }, (_, row) => row).filter((row) => row % 3 !== 0 && test(row));

async function found(columns: MetadataColumns, name: string, ...of: Parameters<typeof asked>): Promise<number[]> {
  const column = await columns.one(table, name);
  return [...(await column!.matching(asked(...of))).toArray()];
}

describe.each([
  ['much', 2 ** 20],
  ['hardly any', 1],
])('custom fields with %s memory', (_, limit) => {
  const columns = new MetadataColumns(limit);

  it('are found by their values', async () => {
    expect(await found(columns, '__proto__', 'eq', "it's 7")).toEqual(rowsWhere((row) => row % 10 === 7));
    expect(await found(columns, '__proto__', 'one_of', "it's 7", "it's 8", 'x')).toEqual(
      rowsWhere((row) => row % 10 === 7 || row % 10 === 8),
    );
    expect(await found(columns, '__proto__', 'contains', '9', 's 1')).toEqual(
      rowsWhere((row) => row % 10 === 9 || row % 10 === 1),
    );
    expect(await found(columns, 'constructor', 'eq', 100)).toEqual([200]);
    expect(await found(columns, 'constructor', 'gt', 4_000)).toEqual(rowsWhere((row) => row > 8_000));
    expect(await found(columns, 'constructor', 'lt', 4)).toEqual(rowsWhere((row) => row < 8));
    expect(await found(columns, 'constructor', 'between', 4, 5)).toEqual([8, 10]);
    expect(await found(columns, 'parts', 'eq', 'b')).toEqual(rowsWhere((row) => row % 2 === 0));
  });

  it('are counted', async () => {
    const even = OrdinalSet.of(
      ROWS,
      rowsWhere((row) => row % 2 === 0 && row < 100),
    );
    const count = even.size;
    const seen: unknown[] = [];
    for await (const column of columns.all(table))
      seen.push([
        column.name,
        column.type === 'float' ? await column.range(even) : (await column.mostFrequent(even, 100)).values.slice(-2),
      ]);
    expect(seen).toEqual([
      [
        '__proto__',
        [
          { value: "it's 0", count: 6 },
          { value: "it's 6", count: 6 },
        ],
      ],
      ['constructor', { count, min: 1, max: 49 }],
      [
        'parts',
        [
          { value: 'a', count },
          { value: 'b', count },
        ],
      ],
    ]);
  });

  it('are undefined if no row has a value', async () => expect(await columns.one(table, 'toString')).toBeUndefined());
});

it('counts the most frequent of many values in any script', async () => {
  const texts = Array.from({ length: 3_000 }, (_, at) => `größer 日本語 🦩 ${String(at).padStart(4, '0')}`);
  const rows = [...texts, ...texts.slice(0, 3), texts[1]!].map((value) => ({
    customMetadata: [{ name: 'text', type: 'string', value } as const],
  }));
  const column = columnOf(rows, 'text')!;
  const all = OrdinalSet.all(rows.length);
  const four = [
    { value: texts[1], count: 3 },
    { value: texts[0], count: 2 },
    { value: texts[2], count: 2 },
    { value: texts[3], count: 1 },
  ];
  expect(await column.mostFrequent(all, 4)).toEqual({ values: four, total: 3_000 });
  const tens = { values: four.slice(0, 2), total: 10 };
  expect(await column.mostFrequent(all, 2, containing('GRÖSSER 日本語 🦩 000'))).toEqual({ values: [], total: 0 });
  expect(await column.mostFrequent(all, 2, containing('GRÖßER 日本語 🦩 000'))).toEqual(tens);
  expect([...(await column.matching(asked('contains', '🦩 2999', '日本語 🦩 0002'))).toArray()]).toEqual([
    2, 2_999, 3_002,
  ]);
});

const dated = ['2026-01-31T12:00:00.000Z', '2026-02-01T00:00:00.000Z'].map((value) => ({
  customMetadata: [{ name: 'taken', type: 'datetime', value } as const],
}));

it.each<[MetadataOp, string[], number[]]>([
  ['eq', ['2026-01-31T13:00:00+01:00'], [0]],
  ['gt', ['2026-01-31T12:00:00Z'], [1]],
  ['lt', ['2026-01-31T12:00:00Z'], []],
  ['between', ['2026-01-31T12:00:00Z', '2026-02-01T00:00:00Z'], [0, 1]],
])('a datetime is compared by %s in UTC', async (op, values, rows) => {
  const column = columnOf(dated, 'taken')!;
  expect([...(await column.matching(asked(op, ...values))).toArray()]).toEqual(rows);
});
