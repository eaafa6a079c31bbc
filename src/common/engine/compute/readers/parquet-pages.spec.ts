import { parquetWriteBuffer } from 'hyparquet-writer';
import { compressors, footerOf, parquetLibrary, rootColumns } from './parquet-bytes';
import { assertSoundPages } from './parquet-pages';

const COUNT = 300;
const rows = <T>(value: (at: number) => T): T[] => Array.from({ length: COUNT }, (_, at) => value(at));

/** Pages with a dictionary, nulls, booleans and plain numbers. */
const FILE = Buffer.from(
  parquetWriteBuffer({
    columnData: [
      { name: 'name', data: rows((at) => `p${at % 7}.jpg`), type: 'STRING' },
      { name: 'label', data: rows((at) => (at % 5 === 0 ? null : 'cat')), type: 'STRING' },
      { name: 'crowd', data: rows((at) => at % 3 === 0), type: 'BOOLEAN' },
      { name: 'x', data: rows((at) => at), type: 'INT32' },
    ],
  }),
);

async function read(bytes: Buffer): Promise<readonly Record<string, unknown>[]> {
  const whole = new Uint8Array(bytes).buffer;
  const file = { byteLength: whole.byteLength, slice: (start: number, end?: number) => whole.slice(start, end) };
  const metadata = await footerOf(file);
  for (const group of metadata.row_groups) await assertSoundPages(whole, metadata, group, rootColumns(metadata));
  const { parquetReadObjects } = await parquetLibrary();
  return parquetReadObjects({ file, metadata, compressors });
}

describe('pages of Parquet', () => {
  it('are read if they are whole', async () => {
    const found = await read(FILE);
    expect(found[6]).toEqual({ name: 'p6.jpg', label: 'cat', crowd: true, x: 6 });
    expect(found).toHaveLength(COUNT);
  });

  it('with any byte changed are read or refused soon', async () => {
    let refused = 0;
    const last = FILE.length - FILE.readUInt32LE(FILE.length - 8) - 8;
    for (let at = 4; at < last; at++) {
      const bytes = Buffer.from(FILE);
      bytes[at] = [0x00, 0x7f, 0x80, 0xff][at % 4]!;
      const found = await read(bytes).catch((error: unknown) => error);
      if (found instanceof Error) refused += 1;
      else expect(found).toHaveLength(COUNT);
    }
    expect(refused).toBeGreaterThan(100);
  });
});
