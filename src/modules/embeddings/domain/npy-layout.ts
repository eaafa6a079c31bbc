import { MAX_DIMENSION } from '../../../common/engine/media-table/media-row';
import { VectorFault } from './unit-vector';

/** How an .npy file holds an array of floating-point numbers with two dimensions. */
export interface NpyLayout {
  readonly rows: number;
  readonly dimension: number;
  readonly bytesEach: 2 | 4 | 8;
  readonly isBigEndian: boolean;
  /** The place of the first number. */
  readonly start: number;
}

/** More than the header of any such array. */
export const MAX_HEADER_BYTES = 64 * 1024;

const MAGIC = Buffer.from('\x93NUMPY', 'latin1');
const FLOATS: Readonly<Record<string, NpyLayout['bytesEach']>> = { f2: 2, f4: 4, f8: 8 };

/** `head` is the beginning of the file, which has `size` bytes. Throws VectorFault if it can't be read. */
export function npyLayout(head: Buffer, size: number): NpyLayout {
  const { text, start } = headerOf(head);
  const [, descr] = /'descr':\s*'([^']*)'/.exec(text) ?? [];
  const [, order] = /'fortran_order':\s*(True|False)/.exec(text) ?? [];
  const [, shape] = /'shape':\s*\(([^()]*)\)/.exec(text) ?? [];
  const [, byteOrder, type] = /^([<>|=]?)(\w+)$/.exec(descr ?? '') ?? [];
  const bytesEach = FLOATS[type ?? ''];
  if (bytesEach === undefined)
    throw new VectorFault(`holds numbers of the type ${descr ?? 'object'}: write float16, float32 or float64`);
  if (order !== 'False') throw new VectorFault('is in Fortran order: write it with numpy.ascontiguousarray');
  const { rows, dimension } = shapeOf(shape ?? '');
  const [said, there] = [rows * dimension * bytesEach, size - start];
  if (said !== there)
    throw new VectorFault(
      `is not whole: its header says ${rows} vectors of ${dimension} numbers, which take ${said} bytes, and ${there} follow`,
    );
  return { rows, dimension, bytesEach, isBigEndian: byteOrder === '>', start };
}

function headerOf(head: Buffer): { text: string; start: number } {
  if (head.length < 12 || !head.subarray(0, MAGIC.length).equals(MAGIC))
    throw new VectorFault('does not begin like an .npy file');
  const [version, first] = head[6] === 1 ? [head.readUInt16LE(8), 10] : [head.readUInt32LE(8), 12];
  const start = first + version;
  if (start > head.length) throw new VectorFault('has a header that is too long');
  return { text: head.toString('latin1', first, start), start };
}

function shapeOf(shape: string): { rows: number; dimension: number } {
  const sides = shape.split(',').map((side) => side.trim());
  const numbers = sides.filter((side) => side !== '').map((side) => (/^\d{1,15}$/.test(side) ? Number(side) : NaN));
  const [rows, dimension] = numbers;
  if (numbers.length !== 2 || rows === undefined || dimension === undefined || Number.isNaN(rows + dimension))
    throw new VectorFault(`has the shape (${shape.slice(0, 100)}), where (media, numbers) is required`);
  if (rows === 0) throw new VectorFault('holds no vector');
  assertDimension(dimension);
  return { rows, dimension };
}

export function assertDimension(dimension: number): void {
  if (dimension < 1 || dimension > MAX_DIMENSION)
    throw new VectorFault(`has vectors of ${dimension} numbers, where 1 to ${MAX_DIMENSION} are possible`);
}
