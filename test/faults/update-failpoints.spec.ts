import { failpointNames, type Failpoint } from '../../src/common/platform/config/failpoint';
import { runningHome } from '../support/running-home';
import {
  ADDITION_FAILPOINTS,
  allOr,
  AUTO_REINDEX_FAILPOINTS,
  COPYING_FAILPOINTS,
  EMBEDDING_FAILPOINTS,
  MERGE_FAILPOINT,
  MIGRATION_FAILPOINT,
  SOURCE_FAILPOINTS,
  ENRICHMENT_FAILPOINTS,
  EVALUATION_FAILPOINTS,
  EXPORT_FAILPOINTS,
  INDEXING_FAILPOINTS,
  REINDEX_FAILPOINTS,
  VIEW_FAILPOINTS,
  WEBHOOK_FAILPOINTS,
} from './failpoints';
import { UpdatedDataset, type Operation } from './updated-dataset';

const PER_KILL_MS = 30_000;
const SEEDS_EACH = 1_000;

const POINTS: Readonly<Record<Operation, readonly Failpoint[]>> = {
  folder: ADDITION_FAILPOINTS,
  upload: ADDITION_FAILPOINTS,
  copy: COPYING_FAILPOINTS,
  auto_reindex: AUTO_REINDEX_FAILPOINTS,
  reindex: REINDEX_FAILPOINTS,
};

/** All operations with FAILPOINTS=all. */
const OPERATIONS = allOr<Operation>(['folder', 'reindex'], ['folder', 'upload', 'copy', 'auto_reindex', 'reindex']);

/** One failpoint per operation; together they leave the most different states. */
const TELLING: Readonly<Record<Operation, Failpoint>> = {
  folder: 'chunk-journalled',
  upload: 'before-flip',
  copy: 'rows-appended',
  auto_reindex: 'generation-registered',
  reindex: 'before-flip',
};

describe('the program, killed at a failpoint while media are added', () => {
  const running = runningHome();

  it.each(OPERATIONS)(
    'resumes %s, with each file once and complete',
    async (operation) => {
      const home = running();
      const dataset = new UpdatedDataset(home, operation, 1 + OPERATIONS.indexOf(operation) * SEEDS_EACH);
      await dataset.create();
      for (const point of allOr([TELLING[operation]], POINTS[operation])) {
        await dataset.prepare();
        await home.dieAt(point, (api) => dataset.begin(api));
        await dataset.assertUpdated();
      }
    },
    60_000 + AUTO_REINDEX_FAILPOINTS.length * PER_KILL_MS,
  );

  it('is killed at every failpoint', () => {
    const points = new Set([
      ...INDEXING_FAILPOINTS,
      ...Object.values(POINTS).flat(),
      ...ENRICHMENT_FAILPOINTS,
      ...EMBEDDING_FAILPOINTS,
      ...SOURCE_FAILPOINTS,
      MERGE_FAILPOINT,
      MIGRATION_FAILPOINT,
      ...VIEW_FAILPOINTS,
      ...WEBHOOK_FAILPOINTS,
      ...EXPORT_FAILPOINTS,
      ...EVALUATION_FAILPOINTS,
    ]);
    expect([...points].sort()).toEqual([...failpointNames].sort());
  });
});
