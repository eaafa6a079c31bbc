import { parquetWriteBuffer } from 'hyparquet-writer';

const TOLD_ROWS = 1_200_000;
/** As many as numbers of four bytes reach. */
const HELD_ROWS = 133_000_000;

/** As Thrift and the runs of Parquet write a number of rows. */
function varint(rows: number): Buffer {
  const bytes: number[] = [];
  for (let rest = 2 * rows; rest > 0; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | (rest >= 128 ? 128 : 0));
  return Buffer.from(bytes);
}

/** A few hundred bytes whose pages hold a hundred times the rows that the footer tells of. */
export function hostileParquet(...columns: readonly string[]): Buffer {
  const data = new Array<string>(TOLD_ROWS).fill('a.jpg');
  const whole = Buffer.from(
    parquetWriteBuffer({
      columnData: columns.map((name) => ({ name, data, type: 'STRING' as const })),
      rowGroupSize: TOLD_ROWS,
      pageSize: 2 ** 30,
      codec: 'UNCOMPRESSED',
    }),
  );
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
