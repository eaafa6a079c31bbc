import { promisify } from 'node:util';
import { constants, zstdCompress } from 'node:zlib';
import type { ColumnChunk } from 'hyparquet';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import type { ColumnPage, ParquetColumn } from './parquet-column';

interface DataPageHeader {
  readonly rows: number;
  /** Includes nulls and empty lists. */
  readonly values: number;
  readonly nulls: number;
  readonly repetitionBytes: number;
  readonly definitionBytes: number;
  readonly valueBytes: number;
  readonly compressedValueBytes: number;
}

const DATA_PAGE_V2 = 3;
const PLAIN = 0;

// Thrift's compact protocol: the distance to the number of the field before, and the type.
const NEXT_INTEGER = 0x15;
const FIFTH_NEXT_STRUCT = 0x5c;
const END_OF_STRUCT = 0;

interface PackedPage extends ColumnPage {
  readonly packed: Uint8Array;
}

export interface PackedGroup {
  readonly rows: number;
  readonly pages: readonly PackedPage[];
}

const compress = promisify(zstdCompress);
const LEAST_CHUNK_BYTES = 16 * 1024;

/** Runs in the thread pool, with one output chunk large enough for all. */
const pack = (values: Uint8Array): Promise<Uint8Array> =>
  compress(values, {
    chunkSize: Math.max(LEAST_CHUNK_BYTES, values.length),
    params: { [constants.ZSTD_c_compressionLevel]: 1 },
  });

/** Zstd compresses better than Snappy. */
export const packGroup = async (rows: number, pages: readonly ColumnPage[]): Promise<PackedGroup> => ({
  rows,
  pages: await Promise.all(pages.map(async (page) => ({ ...page, packed: await pack(page.values) }))),
});

type ColumnShape = Pick<ParquetColumn<never>, 'schema' | 'path' | 'type'>;

/** Writes row groups one after the other, with one page for each column. */
export class ParquetFile {
  private readonly bytes = new ByteWriter();
  private readonly file: ParquetWriter;

  constructor(
    private readonly columns: readonly ColumnShape[],
    metadata: Readonly<Record<string, string>>,
  ) {
    this.file = new ParquetWriter({
      writer: this.bytes,
      schema: [{ name: 'root', num_children: columns.length }, ...columns.flatMap(({ schema }) => schema)],
      createdBy: 'dataset-media-service',
      kvMetadata: Object.entries(metadata).map(([key, value]) => ({ key, value })),
    });
  }

  add({ rows, pages }: PackedGroup): Buffer {
    const start = this.bytes.offset;
    const columns = pages.map((page, at) => this.writeColumn(this.columns[at]!, page, rows));
    this.file.row_groups.push({
      columns,
      num_rows: BigInt(rows),
      total_byte_size: columns.reduce((sum, { meta_data: data }) => sum + data!.total_uncompressed_size, 0n),
      total_compressed_size: BigInt(this.bytes.offset - start),
    });
    this.file.num_rows += BigInt(rows);
    return this.taken();
  }

  async end(): Promise<Buffer> {
    await this.file.finish();
    return this.taken();
  }

  private writeColumn({ path, type }: ColumnShape, page: PackedPage, rows: number): ColumnChunk {
    const { bytes } = this;
    const start = bytes.offset;
    const levelBytes = page.repetitionLevels.length + page.definitionLevels.length;
    writePageHeader(bytes, {
      rows,
      values: page.count,
      nulls: page.nulls,
      repetitionBytes: page.repetitionLevels.length,
      definitionBytes: page.definitionLevels.length,
      valueBytes: page.values.length,
      compressedValueBytes: page.packed.length,
    });
    const headerBytes = bytes.offset - start;
    for (const part of [page.repetitionLevels, page.definitionLevels, page.packed]) bytes.appendBytes(part);
    return {
      file_offset: BigInt(start),
      meta_data: {
        type,
        encodings: ['PLAIN', 'RLE'],
        path_in_schema: [...path],
        codec: 'ZSTD',
        num_values: BigInt(page.count),
        total_uncompressed_size: BigInt(headerBytes + levelBytes + page.values.length),
        total_compressed_size: BigInt(bytes.offset - start),
        data_page_offset: BigInt(start),
      },
    };
  }

  private taken(): Buffer {
    const bytes = Buffer.from(this.bytes.getBuffer());
    this.bytes.index = 0;
    return bytes;
  }
}

/** A `PageHeader` whose eighth field is the `DataPageHeaderV2`. Values are compressed unless it says otherwise. */
function writePageHeader(bytes: ByteWriter, header: DataPageHeader): void {
  const { rows, values, nulls, repetitionBytes, definitionBytes, valueBytes, compressedValueBytes } = header;
  const levelBytes = repetitionBytes + definitionBytes;
  writeIntegers(bytes, [DATA_PAGE_V2, levelBytes + valueBytes, levelBytes + compressedValueBytes]);
  bytes.appendUint8(FIFTH_NEXT_STRUCT);
  writeIntegers(bytes, [values, nulls, rows, PLAIN, definitionBytes, repetitionBytes]);
  bytes.appendUint8(END_OF_STRUCT);
  bytes.appendUint8(END_OF_STRUCT);
}

function writeIntegers(bytes: ByteWriter, values: readonly number[]): void {
  for (const value of values) {
    bytes.appendUint8(NEXT_INTEGER);
    bytes.appendZigZag(value);
  }
}
