import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Failpoint } from '../../src/common/platform/config/failpoint';
import { ApiClient } from '../support/api-client';
import { embeddedUrl, freePort, Program } from '../support/program';
import { allOr, INDEXING_FAILPOINTS } from './failpoints';
import { assertWhole, writeMedia, type AcknowledgedDataset } from './indexing-journal';

/** More than one part of a list, so that the parts are separate jobs. */
const MANY = 150;
const FEW = 30;

describe('the program, killed at a failpoint of indexing', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dms-failpoints-'));
  });

  afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));

  it.each(allOr<Failpoint>(['chunk-journalled'], INDEXING_FAILPOINTS).flatMap((name) => cases(name)))(
    'resumes after %s in %d files, with each file once and complete',
    async (name, count) => {
      const dataDir = join(folder, `${name}-${count}`, 'data');
      const port = await freePort();
      const source = join(folder, `${name}-${count}`, 'source');
      const { paths, broken } = await writeMedia(source, count, 1);

      const failpointFile = join(folder, 'failpoint');
      await writeFile(failpointFile, name);
      const dying = await Program.start(dataDir, port, { env: { FAILPOINT_FILE: failpointFile } });
      const id = await new ApiClient(dying.url).createFromFolder(name, source);
      const acknowledged: AcknowledgedDataset = { id, paths, broken };
      expect(await dying.ended()).toBeNull();

      const surviving = await Program.start(dataDir, port);
      try {
        const api = new ApiClient(surviving.url);
        await api.untilStatus(id, ['READY']);
        await assertWhole(acknowledged, await embeddedUrl(dataDir), join(dataDir, 'store', 'tables'));
        const { tasks } = await api.must<{ tasks: unknown[] }>(200, 'GET', `/api/v1/tasks?dataset_id=${id}`);
        expect(tasks).toEqual([
          expect.objectContaining({ status: 'COMPLETED', quarantined_count: broken.length, progress_percentage: 100 }),
        ]);
      } finally {
        await surviving.stop();
      }
    },
  );
});

function cases(name: Failpoint): [Failpoint, number][] {
  const counts = name.startsWith('chunk-') ? [FEW, MANY] : [FEW];
  return counts.map((count) => [name, count]);
}
