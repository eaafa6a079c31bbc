import type { Bench } from './bench';
import { searchLarge } from './support/large-search';

const ROWS = Number(process.env['ROWS'] ?? 1_000_000);
/** A quarter of the size of the vectors. */
const VECTOR_BYTES = ROWS * 256;

export const bench: Bench = {
  name: 'approximate',
  summary: `search by picture where vectors take four times the memory that there is for them (ROWS=${ROWS})`,
  run: (report) => searchLarge(report, { rows: ROWS, vectorBytes: VECTOR_BYTES, reach: { anchor: 300, gib: 12 } }),
};
