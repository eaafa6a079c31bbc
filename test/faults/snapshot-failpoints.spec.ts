import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiClient } from '../support/api-client';
import { writePicture } from '../support/pictures';
import { freePort, Program } from '../support/program';
import { SnapshotClient, type Tag } from '../support/snapshot-client';
import { allOr } from './failpoints';

const PICTURES = 4;
const POINTS = allOr(['before-flip'], ['before-flip', 'after-flip']);

describe('the program, killed as it shows what a snapshot kept', () => {
  let folder: string;
  let dataDir: string;
  let port: number;
  let dataset: string;
  let media: string[];
  let tag: Tag;
  let kept: string;
  const cloned = new Set<string>();

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dms-snapshots-'));
    dataDir = join(folder, 'data');
    port = await freePort();
    const source = join(folder, 'source');
    for (let i = 0; i < PICTURES; i += 1) await writePicture(join(source, `${i}.jpg`), i);
    await whileRunning(async (client) => {
      dataset = await client.indexed('Killed', source);
      media = await client.mediaIds(dataset);
      tag = await client.makeTag(dataset, 'then');
      await client.assign(dataset, tag, 'assign', media.slice(0, 2));
      kept = (await client.keep(dataset)).snapshot_id;
    });
  });

  afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));

  const whileRunning = async (work: (client: SnapshotClient, api: ApiClient) => Promise<void>): Promise<void> => {
    const program = await Program.start(dataDir, port);
    try {
      const api = new ApiClient(program.url);
      await work(new SnapshotClient(api), api);
    } finally {
      await program.stop();
    }
  };
  const dieOf = async (failpoint: string, path: string): Promise<void> => {
    const dying = await Program.start(dataDir, port, { env: { FAILPOINT: failpoint } });
    // The job may be faster than the answer.
    await new ApiClient(dying.url).ask('POST', `/api/v1/dataset/${dataset}/snapshot/${path}`).catch(() => undefined);
    expect(await dying.ended()).toBeNull();
  };

  it.each(POINTS)('restores all of it after %s', async (failpoint) => {
    await whileRunning(async (client, api) => {
      await api.must(200, 'PATCH', `/api/v1/dataset/${dataset}/tags/${tag.id}`, { name: 'now' });
      await client.assign(dataset, tag, 'assign', media);
      await client.keep(dataset);
    });
    await dieOf(failpoint, `${kept}/restore`);
    await whileRunning(async (client, api) => {
      await api.untilStatus(dataset, ['READY']);
      expect(await client.tags(dataset)).toEqual([{ id: tag.id, name: 'then', n_items: 2 }]);
      expect(await client.taggedWith(dataset, tag)).toEqual(media.slice(0, 2));
      expect(await client.mediaIds(dataset)).toEqual(media);
      const current = (await client.list(dataset)).filter((each) => each.is_current);
      expect(current).toMatchObject([{ snapshot_id: kept, is_restoring: false }]);
      const [task] = await client.tasks(dataset, 'SNAPSHOT_RESTORE');
      expect(task).toMatchObject({ status: 'COMPLETED' });
    });
  });

  it.each(POINTS)('clones all of it after %s, once', async (failpoint) => {
    const clones = async (api: ApiClient): Promise<string[]> =>
      (await api.must<{ id: string; source_dataset_id: string | null }[]>(200, 'GET', '/api/v1/datasets'))
        .filter((each) => each.source_dataset_id === dataset)
        .map(({ id }) => id);
    await dieOf(failpoint, `${kept}/clone`);
    await whileRunning(async (client, api) => {
      const made = (await clones(api)).filter((id) => !cloned.has(id));
      expect(made).toHaveLength(1);
      cloned.add(made[0]!);
      await api.untilStatus(made[0]!, ['READY']);
      expect(await client.mediaIds(made[0]!)).toEqual(media);
      expect(await client.tags(made[0]!)).toEqual([{ id: tag.id, name: 'then', n_items: 2 }]);
      expect(await client.list(made[0]!)).toMatchObject([{ reason: 'clone', is_current: true }]);
      expect(await client.tasks(made[0]!, 'SNAPSHOT_CLONE')).toMatchObject([{ status: 'COMPLETED' }]);
    });
  });
});
