import type { ColumnMetaData, FileMetaData, RowGroup, SchemaTree } from 'hyparquet';
import { compressors, parquetLibrary } from './parquet-bytes';
import { pageHeaderAt, type PageHeader } from './parquet-page-header';

const MAX_PAGE_BYTES = 512 * 2 ** 20;
/** Of the items of lists in a row group. */
const MAX_ITEMS = 2 ** 26;
/** Packed values come in groups of so many; some programs write more groups than there are values. */
const PACKED = 8;
const MOST_PADDING = 63 * PACKED;
const VARINT_BITS = 35;

/** Types of pages and encodings. */
const [DICTIONARY, SECOND, RUNS] = [2, 3, 3];
const BY_DICTIONARY = [2, 8];

type Unpack = (packed: Uint8Array, size: number) => Uint8Array;

type Levels = readonly [repetition: number, definition: number];

const isCount = (value: unknown, most: number): value is number =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) <= most;

function assertSound(condition: boolean): asserts condition {
  if (!condition) throw new Error('a page declares more values than it can have: the file is damaged');
}

/**
 * Compares what the pages of columns declare with their bytes and with the rows of their group, because the parser repeats a value as often as a
 * damaged count says. Throws a plain Error.
 */
export async function assertSoundPages(
  file: ArrayBuffer,
  metadata: FileMetaData,
  group: RowGroup,
  columns: readonly string[],
): Promise<void> {
  const { parquetSchema, snappyUncompress } = await parquetLibrary();
  const schema = parquetSchema(metadata);
  for (const { meta_data: column } of group.columns) {
    if (column === undefined || !columns.includes(column.path_in_schema[0] ?? '')) continue;
    const levels = levelsOf(schema, column.path_in_schema);
    const unpack: Unpack = (packed, size) => {
      if (column.codec === 'UNCOMPRESSED') return packed;
      const own = compressors[column.codec];
      if (own !== undefined) return own(packed, size);
      const unpacked = new Uint8Array(size);
      snappyUncompress(packed, unpacked);
      return unpacked;
    };
    assertSoundColumn(
      new Uint8Array(file),
      column,
      levels,
      levels[0] === 0 ? Number(group.num_rows) : MAX_ITEMS,
      unpack,
    );
  }
}

function levelsOf(schema: SchemaTree, path: readonly string[]): Levels {
  let [repetition, definition, place]: [number, number, SchemaTree | undefined] = [0, 0, schema];
  for (const name of path) {
    place = place.children.find(({ element }) => element.name === name);
    if (place === undefined) throw new Error('a column is not in the schema: the file is damaged');
    if (place.element.repetition_type === 'REPEATED') repetition += 1;
    if (place.element.repetition_type !== 'REQUIRED') definition += 1;
  }
  return [repetition, definition];
}

function assertSoundColumn(
  whole: Uint8Array,
  column: ColumnMetaData,
  levels: Levels,
  most: number,
  unpack: Unpack,
): void {
  const start = Number(column.dictionary_page_offset || column.data_page_offset);
  const length = Number(column.total_compressed_size);
  assertSound(isCount(start, whole.length) && isCount(length, whole.length - start));
  const chunk = whole.subarray(start, start + length);
  for (let [values, at] = [0, 0]; values < most && at < length - 1;) {
    const header = pageHeaderAt(chunk, at);
    assertSound(isCount(header.packedBytes, length - header.end) && isCount(header.unpackedBytes, MAX_PAGE_BYTES));
    at = header.end + header.packedBytes;
    const bytes = chunk.subarray(header.end, at);
    if (header.type === DICTIONARY) assertSound(isCount(header.values, PACKED * header.unpackedBytes));
    else {
      assertSound(isCount(header.values, most - values));
      values += header.values;
      if (header.type === SECOND) assertSoundPageV2(bytes, header, column, levels, unpack);
      else assertSoundPage(unpack(bytes, header.unpackedBytes), header, column, levels);
    }
  }
}

function assertSoundPage(bytes: Uint8Array, page: PageHeader, column: ColumnMetaData, levels: Levels): void {
  let at = 0;
  for (const level of levels) if (level > 0) at = endOfRuns(bytes, at, widthOf(level), page.values, true);
  assertSoundValues(bytes.subarray(at), page, column, page.values);
}

function assertSoundPageV2(
  bytes: Uint8Array,
  page: PageHeader,
  column: ColumnMetaData,
  levels: Levels,
  unpack: Unpack,
): void {
  const { values, nulls, rows, repetitionBytes: first, definitionBytes: second, unpackedBytes } = page;
  assertSound(isCount(nulls, values) && isCount(rows, values));
  assertSound(isCount(first, bytes.length) && isCount(second, bytes.length - first) && first + second <= unpackedBytes);
  if (levels[0] > 0) assertRuns(bytes.subarray(0, first), widthOf(levels[0]), values, true);
  if (levels[1] > 0) assertRuns(bytes.subarray(first, first + second), widthOf(levels[1]), values, true);
  const rest = bytes.subarray(first + second);
  assertSoundValues(page.isPacked ? unpack(rest, unpackedBytes - first - second) : rest, page, column, values - nulls);
}

function assertSoundValues(bytes: Uint8Array, { encoding }: PageHeader, { type }: ColumnMetaData, count: number): void {
  if (encoding === RUNS) {
    if (count > 0) endOfRuns(bytes, 0, 1, count, false);
  } else if (BY_DICTIONARY.includes(encoding) && type !== 'BOOLEAN' && count > 0) {
    assertSound(bytes.length > 0);
    if (bytes[0]! > 0) assertRuns(bytes.subarray(1), bytes[0]!, count, false);
  }
}

const widthOf = (level: number): number => 32 - Math.clz32(level);

/** Runs after their length in bytes. */
function endOfRuns(bytes: Uint8Array, at: number, width: number, count: number, isWhole: boolean): number {
  assertSound(bytes.length >= at + 4);
  const length = new DataView(bytes.buffer, bytes.byteOffset + at).getUint32(0, true);
  assertSound(length <= bytes.length - at - 4);
  assertRuns(bytes.subarray(at + 4, at + 4 + length), width, count, isWhole);
  return at + 4 + length;
}

/** Runs of one value and of packed values, each after its length. Values may end before `count`, because some are null; levels are whole. */
function assertRuns(bytes: Uint8Array, width: number, count: number, isWhole: boolean): void {
  assertSound(width <= 32);
  let at = 0;
  for (let seen = 0; seen < count;) {
    if (!isWhole && at >= bytes.length) return;
    let head = 0;
    for (let shift = 0, more = true; more; shift += 7) {
      const byte = bytes[at++];
      assertSound(byte !== undefined && shift < VARINT_BITS);
      head += (byte & 0x7f) * 2 ** shift;
      more = (byte & 0x80) !== 0;
    }
    const isPacked = head % 2 === 1;
    const length = Math.floor(head / 2) * (isPacked ? PACKED : 1);
    assertSound(length <= count - seen + (isPacked ? MOST_PADDING : 0));
    at += isPacked ? (length * width) / PACKED : Math.ceil(width / PACKED);
    seen += length;
  }
}
