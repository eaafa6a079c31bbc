import type { AsyncBuffer, FileMetaData, RowGroup } from 'hyparquet';
import {
  compressors,
  footerOf,
  isParseError,
  parquetLibrary,
  rangesOf,
  rootColumns,
  type RangedFile,
} from '../../../common/engine/compute/readers/parquet-bytes';
import type { Naming } from '../domain/embedding-upload';
import { assertDimension } from '../domain/npy-layout';
import { checkedName, type NamedVectors, VectorBlockBuilder, type VectorBlock } from './vector-block';
import { VectorFault } from '../domain/unit-vector';

/** Reading a group of this many numbers takes some 800 MB. */
const MAX_GROUP_NUMBERS = 20_000_000;

const VECTOR_COLUMNS = ['embedding', 'vector'];
/** In order of preference. */
const NAME_COLUMNS: readonly (readonly [string, Naming])[] = [
  ['media_id', 'media_id'],
  ['file_path', 'file_name'],
  ['file_name', 'file_name'],
  ['filename', 'file_name'],
  ['path', 'file_name'],
  ['name', 'file_name'],
];

interface Columns {
  readonly name: string;
  readonly vector: string;
}

interface NamedVector {
  readonly name: string;
  readonly vector: readonly number[];
}

/** The rows of a Parquet file that have a vector, named by a column of it. */
export async function parquetVectors(file: RangedFile): Promise<NamedVectors> {
  const bytes = rangesOf(file);
  const metadata = await parsed(() => footerOf(bytes));
  const names = rootColumns(metadata);
  const naming = NAME_COLUMNS.find(([column]) => names.includes(column));
  const vector = VECTOR_COLUMNS.find((column) => names.includes(column));
  if (naming === undefined || vector === undefined) throw noColumn(naming === undefined, names);
  const columns = { name: naming[0], vector };
  const rows = rowsOf(bytes, metadata, columns);
  const first = await rows.next();
  if (first.done === true) throw new VectorFault('holds no vector');
  const dimension = first.value.vector.length;
  assertDimension(dimension);
  return {
    naming: naming[1],
    dimension,
    rows: Number(metadata.num_rows),
    blocks: () => blocksOf(first.value, rows, dimension),
  };
}

async function* blocksOf(
  first: NamedVector,
  others: AsyncGenerator<NamedVector>,
  dimension: number,
): AsyncGenerator<VectorBlock, undefined> {
  const block = new VectorBlockBuilder(dimension);
  block.add(first.name, first.vector, 0);
  for await (const { name, vector } of others) {
    if (vector.length !== dimension)
      throw new VectorFault(`has ${vector.length} numbers in the vector of "${name}", and ${dimension} in the first`);
    block.add(name, vector, 0);
    if (block.isFull) yield block.take();
  }
  yield block.take();
}

/** Without rows that have no vector. */
async function* rowsOf(
  file: AsyncBuffer,
  metadata: FileMetaData,
  { name, vector }: Columns,
): AsyncGenerator<NamedVector, undefined> {
  const { parquetReadObjects } = await parquetLibrary();
  let rowStart = 0;
  for (const group of metadata.row_groups) {
    assertModest(group, vector);
    const rowEnd = rowStart + Number(group.num_rows);
    const wanted = { file, metadata, columns: [name, vector], rowStart, rowEnd, compressors };
    for (const [i, row] of (await parsed(() => parquetReadObjects(wanted))).entries()) {
      const [named, numbers] = [row[name] as unknown, numbersOf(row[vector], vector, rowStart + i)];
      if (numbers.length === 0) continue;
      if (typeof named !== 'string')
        throw new VectorFault(`has no text in the column ${name} of row ${rowStart + i + 1}`);
      yield { name: checkedName(named), vector: numbers };
    }
    rowStart = rowEnd;
  }
}

function numbersOf(value: unknown, column: string, row: number): readonly number[] {
  if (value === null || value === undefined) return [];
  if (Array.isArray(value) && value.every((each) => typeof each === 'number')) return value;
  throw new VectorFault(`has no list of floating-point numbers in the column ${column} of row ${row + 1}`);
}

function noColumn(ofNames: boolean, columns: readonly string[]): VectorFault {
  const wanted = ofNames ? 'media_id, file_path or file_name' : VECTOR_COLUMNS.join(' or ');
  const there = columns.slice(0, 12).map((column) => JSON.stringify(column.slice(0, 40)));
  return new VectorFault(`has no column ${wanted}; its columns are ${there.join(', ') || 'none'}`);
}

function assertModest({ num_rows: rows, columns }: RowGroup, vector: string): void {
  const numbers = columns
    .filter(({ meta_data: data }) => data?.path_in_schema[0] === vector)
    .reduce((sum, { meta_data: data }) => sum + Number(data?.num_values ?? 0), 0);
  if (numbers > MAX_GROUP_NUMBERS || rows < 0)
    throw new VectorFault('has a row group that is too large: write it with row_group_size=4000, or as .npy');
}

async function parsed<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!isParseError(error) || error instanceof VectorFault) throw error;
    throw new VectorFault(`can't be read as Parquet: ${error.message}`);
  }
}
