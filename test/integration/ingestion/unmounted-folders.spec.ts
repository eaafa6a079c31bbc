import { mkdir, mkdtemp, realpath, rename, rm, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ComputePool } from '../../../src/common/engine/compute/compute-pool';
import { Additions } from '../../support/additions';
import { writePicture } from '../../support/pictures';
import { startTestApp, type TestApp } from '../../support/test-app';
import { waitUntil } from '../../support/wait-until';

describe('a media folder that is not mounted', () => {
  let running: TestApp;
  let additions: Additions;
  let share: string;
  beforeAll(async () => {
    share = join(await realpath(await mkdtemp(join(tmpdir(), 'dms-share-'))), 'share');
    await mkdir(share);
    running = await startTestApp({ MEDIA_ROOTS: share });
    additions = new Additions(running);
  });
  afterAll(async () => {
    await running.close();
    await rm(dirname(share), { recursive: true });
  });

  const writePictures = async (name: string): Promise<string> => {
    for (let seed = 0; seed < 3; seed += 1) await writePicture(join(share, name, `${seed}.jpg`), seed);
    return join(share, name);
  };
  const untilWaiting = (id: string): Promise<void> =>
    waitUntil(async () => {
      const { tasks } = await additions.api.must<{ tasks: { status_message: string }[] }>(
        200,
        'GET',
        `/api/v1/tasks?dataset_id=${id}`,
      );
      return tasks[0]!.status_message.startsWith(`Waiting for the media folder ${share} since `);
    });

  it('is waited for while indexing after its files were listed', async () => {
    const folder = await writePictures('cats');
    // Delays the listed files until they are removed.
    const analyze = jest.spyOn(running.app.get(ComputePool), 'analyze').mockImplementation(async function (
      this: ComputePool,
      ...request
    ) {
      analyze.mockRestore();
      await rename(share, `${share}-away`);
      await mkdir(share);
      return this.analyze(...request);
    });
    const id = await additions.api.createFromFolder('Cats', folder);
    await untilWaiting(id);
    await rmdir(share);
    await rename(`${share}-away`, share);
    expect(await additions.api.untilStatus(id, ['READY'])).toMatchObject({ n_images: 3 });
    expect(await additions.ended(id)).toMatchObject({ status: 'COMPLETED', quarantined_count: 0 });
  });

  it('is waited for by a sync, which removes nothing', async () => {
    const id = await additions.indexed('Dogs', await writePictures('dogs'));
    await rename(share, `${share}-away`);
    await additions.api.must(202, 'POST', `/api/v1/dataset/${id}/sync?prune=true`);
    await untilWaiting(id);
    await rename(`${share}-away`, share);
    await rm(join(share, 'dogs', '1.jpg'));
    await additions.ended(id);
    expect(await additions.api.must(200, 'GET', `/api/v1/dataset/${id}`)).toMatchObject({ n_images: 2 });
  });
});
