import { zstdDecompressSync } from 'node:zlib';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { floatColumn, int32Column, optionalTextColumn, textColumn, textListColumn } from './parquet-column';
import { packGroup, ParquetFile } from './parquet-file';

interface Row {
  readonly name: string;
  readonly note: string | null;
  readonly words: readonly string[];
  readonly whole: number;
  readonly share: number;
}

const rowOf = (row: number): Row => ({
  name: ['', 'plain', 'größer', '日本語', '🦩', 'x'.repeat(70_000)][row % 6]!,
  note: row % 3 === 0 ? null : `note ${row}`,
  words: Array.from({ length: row % 4 }, (_, i) => `wörd ${row}/${i}`),
  whole: row % 2 === 0 ? -(2 ** 31) + row : 2 ** 31 - 1 - row,
  share: row / 8,
});

const COLUMNS = {
  name: textColumn('name'),
  note: optionalTextColumn('note'),
  words: textListColumn('words'),
  whole: int32Column('whole'),
  share: floatColumn('share'),
};

async function written(groups: readonly (readonly Row[])[]): Promise<ArrayBuffer> {
  const file = new ParquetFile(Object.values(COLUMNS), { info: 'größer' });
  const parts: Buffer[] = [];
  for (const rows of groups) {
    const pages = [
      COLUMNS.name.encode(rows.map(({ name }) => name)),
      COLUMNS.note.encode(rows.map(({ note }) => note)),
      COLUMNS.words.encode(rows.map(({ words }) => words)),
      COLUMNS.whole.encode(rows.map(({ whole }) => whole)),
      COLUMNS.share.encode(rows.map(({ share }) => share)),
    ];
    parts.push(file.add(await packGroup(rows.length, pages)));
  }
  return new Uint8Array(Buffer.concat([...parts, await file.end()])).buffer;
}

const read = (file: ArrayBuffer) =>
  parquetReadObjects({ file, compressors: { ZSTD: (bytes) => zstdDecompressSync(bytes) } });

describe('a Parquet file', () => {
  it('contains every kind of text, list and number, group by group', async () => {
    const rows = Array.from({ length: 50 }, (_, row) => rowOf(row));
    const file = await written([rows.slice(0, 1), rows.slice(1, 30), rows.slice(30)]);
    expect(await read(file)).toEqual(rows);
    const metadata = parquetMetadata(file);
    expect(metadata.row_groups.map((group) => Number(group.num_rows))).toEqual([1, 29, 20]);
    expect(metadata.key_value_metadata).toEqual([{ key: 'info', value: 'größer' }]);
  });

  it('supports columns with only nulls and empty lists', async () => {
    const rows = Array.from({ length: 9 }, (_, row) => ({ ...rowOf(row), note: null, words: [] }));
    expect(await read(await written([rows]))).toEqual(rows);
  });

  it('is valid without rows', async () => {
    expect(await read(await written([]))).toEqual([]);
  });
});
