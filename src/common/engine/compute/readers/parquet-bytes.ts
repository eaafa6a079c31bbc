import { buffer } from 'node:stream/consumers';
import type { Readable } from 'node:stream';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import type { AsyncBuffer, Compressors, FileMetaData } from 'hyparquet';

const MAX_FOOTER_BYTES = 64 * 1024 * 1024;

/** A file of which ranges can be read. */
export interface RangedFile {
  /** In bytes. */
  readonly size: number;
  open(range?: { readonly start: number; readonly end: number }): Promise<Readable>;
}

/** Loaded on demand, because most files are of other kinds. */
export const parquetLibrary = () => import('hyparquet');

/** Snappy is built into the reader. No page may decompress to more than its declared size. */
export const compressors: Compressors = {
  GZIP: (input, length) => gunzipSync(input, { maxOutputLength: Math.max(1, length) }),
  BROTLI: (input, length) => brotliDecompressSync(input, { maxOutputLength: Math.max(1, length) }),
  ZSTD: (input, length) => zstdDecompressSync(input, { maxOutputLength: Math.max(1, length) }),
};

export const rangesOf = (file: RangedFile): AsyncBuffer => ({
  byteLength: file.size,
  slice: async (start, end = file.size) => {
    const from = start < 0 ? Math.max(0, file.size + start) : start;
    const to = end < 0 ? file.size + end : Math.min(end, file.size);
    if (to <= from) return new ArrayBuffer(0);
    const read = await buffer(await file.open({ start: from, end: to - 1 }));
    return new Uint8Array(read).buffer;
  },
});

/** Throws a plain Error if there is no footer. */
export async function footerOf(bytes: AsyncBuffer): Promise<FileMetaData> {
  const tail = new DataView(await bytes.slice(-8));
  if (tail.byteLength < 8 || tail.getUint32(0, true) > MAX_FOOTER_BYTES)
    throw new Error('it does not end like a Parquet file: it may be truncated');
  const { parquetMetadataAsync } = await parquetLibrary();
  return parquetMetadataAsync(bytes);
}

/** Whether the parser threw the error for an invalid file. Errors of stores and disks have a code. */
export const isParseError = (error: unknown): error is Error => error instanceof Error && !('code' in error);

export function rootColumns({ schema }: FileMetaData): string[] {
  const names: string[] = [];
  let at = 1;
  const skip = (): void => {
    const children = schema[at]?.num_children ?? 0;
    at += 1;
    for (let i = 0; i < children && at < schema.length; i++) skip();
  };
  while (at < schema.length) {
    names.push(schema[at]?.name ?? '');
    skip();
  }
  return names;
}
