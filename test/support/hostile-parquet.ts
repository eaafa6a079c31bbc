import { parquetWriteBuffer } from 'hyparquet-writer';

const TOLD_ROWS = 1_200_000;
/** About the maximum for sizes with 32 bits. */
const HELD_ROWS = 133_000_000;

/** A number of rows in the encoding of Thrift and of Parquet's runs. */
function varint(rows: number): Buffer {
  const bytes: number[] = [];
  for (let rest = 2 * rows; rest > 0; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | (rest >= 128 ? 128 : 0));
  return Buffer.from(bytes);
}

/** A file of a few hundred bytes with many rows, which are all the same. */
export function longParquet(...columns: readonly string[]): Buffer {
  const data = new Array<string>(TOLD_ROWS).fill('a.jpg');
  return Buffer.from(
    parquetWriteBuffer({
      columnData: columns.map((name) => ({ name, data, type: 'STRING' as const })),
      rowGroupSize: TOLD_ROWS,
      pageSize: 2 ** 30,
      codec: 'UNCOMPRESSED',
    }),
  );
}

/** A file whose pages contain a hundred times the number of rows in the footer. */
export function hostileParquet(...columns: readonly string[]): Buffer {
  const whole = longParquet(...columns);
  const footer = whole.length - 8 - whole.readUInt32LE(whole.length - 8);
  const [told, held] = [varint(TOLD_ROWS), varint(HELD_ROWS)];
  let found = 0;
  for (let at = whole.indexOf(told); at !== -1 && at < footer; at = whole.indexOf(told, at + 1)) {
    held.copy(whole, at);
    found += 1;
  }
  if (found === 0) throw new Error('The writer no longer writes the number of rows into its pages.');
  return whole;
}
