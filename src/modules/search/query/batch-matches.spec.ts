import fc from 'fast-check';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  anyFilter,
  BATCHES,
  filterableDataset,
  FilterableEncoder,
  kindOf,
  madeRow,
  NAME_PARTS,
  share,
  similarTo,
  type FilterableDataset,
} from '../../../../test/support/filterable-dataset';
import { idOf } from '../../../../test/support/media-rows';
import type { EntityKind } from '../../../common/engine/media-table/media-row';
import { ENTITY_TYPES } from '../../versions';
import type { MatchCounts } from './batch-matches';
import type { Filter } from './domain/filter';
import type { SearchQuery } from './domain/search-query';

/** The number of queries; set another one with `FUZZ_RUNS=10000 npm test -- batch-matches`. */
const RUNS = Number(process.env['FUZZ_RUNS'] ?? 150);
/** Views of a dataset are also counted together. */
const TOGETHER = 5;
const MS_A_RUN = 400;

const DATASET = randomUUID();

const query: fc.Arbitrary<SearchQuery> = fc.record(
  {
    entityType: fc.constantFrom(...ENTITY_TYPES),
    level: fc.constant(0),
    filters: fc.array(anyFilter, { maxLength: 3 }),
    ranking: fc.record({ ...similarTo, maxDistance: share }, { requiredKeys: ['kind', 'by', 'text'] }),
  },
  { requiredKeys: ['entityType', 'level', 'filters'] },
);

describe.each(['captions', 'captions and pictures'])(
  'a batch of a dataset whose texts are compared with %s',
  (which) => {
    const folder = mkdtempSync(join(tmpdir(), 'batch-matches-'));
    let encoder: FilterableEncoder | undefined;
    let pointer: FilterableDataset['pointer'];
    let search: FilterableDataset['search'];

    beforeAll(async () => {
      if (which === 'captions and pictures') encoder = await FilterableEncoder.start();
      ({ pointer, search } = await filterableDataset(folder, encoder));
    });

    afterAll(async () => {
      await encoder?.close();
      rmSync(folder, { recursive: true, force: true });
    });

    async function explored(asked: SearchQuery): Promise<MatchCounts> {
      using version = await search.versions.open(pointer);
      const rows = await search.engine.rowsOf(DATASET, version, asked);
      const found = [...rows.toArray()];
      const of = (kind: EntityKind): number => found.filter((row) => kindOf(row) === kind).length;
      const shown = new Set(found.filter((row) => kindOf(row) === 'FRAME').map((row) => madeRow(row).parentId));
      const videosWithoutFrames = found.filter(
        (row) => kindOf(row) === 'VIDEO' && !shown.has(idOf(`image_${row}.jpg`)),
      ).length;
      return { images: of('IMAGE'), objects: of('OBJECT'), frames: of('FRAME'), videosWithoutFrames };
    }

    async function watched(queries: readonly SearchQuery[]): Promise<MatchCounts[]> {
      const { signal } = new AbortController();
      const sums = queries.map(() => ({ images: 0, objects: 0, frames: 0, videosWithoutFrames: 0 }));
      for (const batchId of BATCHES) {
        for (const [i, counts] of (
          await search.matches.count({ datasetId: DATASET, pointer, batchId, queries, signal })
        ).entries()) {
          if (counts instanceof Error) throw counts;
          for (const what of Object.keys(counts) as (keyof MatchCounts)[]) sums[i]![what] += counts[what];
        }
      }
      return sums;
    }

    async function agree(queries: readonly SearchQuery[]): Promise<void> {
      const sums = await watched(queries);
      for (const [i, asked] of queries.entries()) expect([asked, sums[i]]).toEqual([asked, await explored(asked)]);
    }

    it(
      'counts the same total over all batches as a search of the whole version',
      () =>
        fc.assert(fc.asyncProperty(fc.array(query, { minLength: TOGETHER, maxLength: TOGETHER }), agree), {
          numRuns: Math.ceil(RUNS / TOGETHER),
        }),
      RUNS * MS_A_RUN,
    );

    it('refuses an evaluation that is gone, as a search does', async () => {
      const gone: Filter = { kind: 'evaluation', evaluation: idOf('gone'), outcomes: ['fp'] };
      const asked: SearchQuery = { entityType: 'IMAGES', level: 0, filters: [gone] };
      const reason = `The dataset has no evaluation ${idOf('gone')}.`;
      await expect(watched([asked])).rejects.toThrow(reason);
      await expect(explored(asked)).rejects.toThrow(reason);
    });

    it.each(['files', 'folders'] as const)(
      'counts the same as a search for every text condition on %s',
      async (kind) => {
        const ops = ['one_of', 'starts_with', 'ends_with', 'contains'] as const;
        const filters = ops.flatMap((op) => NAME_PARTS.map((value): Filter => ({ kind, op, values: [value] })));
        await agree(filters.map((each) => ({ entityType: 'IMAGES', level: 0, filters: [each] })));
      },
    );
  },
);
