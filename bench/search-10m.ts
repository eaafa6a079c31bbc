import type { Bench } from './bench';
import { searchLarge } from './support/large-search';

const ROWS = Number(process.env['ROWS'] ?? 10_000_000);
/** The default of the service, or less for fewer rows. */
const VECTOR_BYTES = Math.min(2 * 2 ** 30, ROWS * 256);
/** As recommended for ten million media in docs/scale.md: includes the cards of previews. */
const EXPLORE_BYTES = Math.max(2 ** 30, ROWS * 1024);

export const bench: Bench = {
  name: 'search-10m',
  summary: `one warm process, ten million media: browsing, a filter by label, search by picture, and their memory (ROWS=${ROWS})`,
  run: (report) =>
    searchLarge(report, {
      rows: ROWS,
      vectorBytes: VECTOR_BYTES,
      exploreBytes: EXPLORE_BYTES,
      reach: { browse: 20, labels: 80, anchor: 150, gib: 12 },
    }),
};
