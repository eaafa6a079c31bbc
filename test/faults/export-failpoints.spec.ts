import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiClient } from '../support/api-client';
import { ExportClient, type ExportTask } from '../support/export-client';
import { writePicture } from '../support/pictures';
import { freePort, Program } from '../support/program';
import { SnapshotClient } from '../support/snapshot-client';
import { storedKeys } from '../support/stored-keys';
import { allOr, EXPORT_FAILPOINTS } from './failpoints';

const PICTURES = 6;

describe('the program, killed while it exports', () => {
  let folder: string;
  let dataDir: string;
  let port: number;
  let dataset: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dms-export-'));
    dataDir = join(folder, 'data');
    port = await freePort();
    for (let i = 0; i < PICTURES; i += 1) await writePicture(join(folder, 'source', `${i}.jpg`), i);
    await whileRunning(async (api) => {
      dataset = await new SnapshotClient(api).indexed('Killed', join(folder, 'source'));
    });
  });

  afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));

  const whileRunning = async (work: (api: ApiClient) => Promise<void>): Promise<void> => {
    const program = await Program.start(dataDir, port);
    try {
      await work(new ApiClient(program.url));
    } finally {
      await program.stop();
    }
  };

  it.each(allOr(['archive-begun'], EXPORT_FAILPOINTS))('has one whole archive after %s', async (failpoint) => {
    const dying = await Program.start(dataDir, port, { env: { FAILPOINT: failpoint } });
    // The job may be faster than the answer.
    await new ExportClient(new ApiClient(dying.url))
      .start(dataset, 'export_format=json&include_images=true')
      .catch(() => undefined);
    expect(await dying.ended()).toBeNull();
    await whileRunning(async (api) => {
      const { tasks } = await api.must<{ tasks: { task_id: string; start_time: string }[] }>(
        200,
        'GET',
        `/api/v1/tasks?dataset_id=${dataset}&task_type=EXPORT`,
      );
      const [task] = tasks.map(({ task_id: id }) => ({ id }));
      const exports = new ExportClient(api);
      const over: ExportTask = await exports.untilCompleted(dataset, task!);
      expect(over).toMatchObject({ entities_count: PICTURES, progress: 100, result_message: null });
      const archive = await exports.archive(dataset, task!);
      expect([...archive.keys()].filter((name) => name.startsWith('images/'))).toHaveLength(PICTURES);
      const { media_items: items } = JSON.parse(archive.get('metadata.json')!.toString()) as { media_items: unknown[] };
      expect(items).toHaveLength(PICTURES);
      expect(await storedKeys(join(dataDir, 'store'), `exports/${task!.id}`)).toHaveLength(1);
    });
  });
});
