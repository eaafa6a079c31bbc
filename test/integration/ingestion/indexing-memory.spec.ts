import { copyFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ApiClient } from '../../support/api-client';
import { writePicture } from '../../support/pictures';
import { SnapshotClient } from '../../support/snapshot-client';
import { startTestApp, type TestApp } from '../../support/test-app';

const PICTURES = 36;
const COPIES = 4;

async function withApp<T>(
  bytes: number | undefined,
  use: (running: TestApp, client: SnapshotClient) => Promise<T>,
): Promise<T> {
  const running = await startTestApp(bytes === undefined ? {} : { INDEXING_MEMORY_BYTES: String(bytes) });
  try {
    const source = join(running.folder, 'source');
    for (let seed = 0; seed < PICTURES; seed += 1) await writePicture(join(source, `${seed}.jpg`), seed);
    for (let seed = 0; seed < COPIES; seed += 1)
      await copyFile(join(source, `${seed}.jpg`), join(source, `copy-${seed}.jpg`));
    return await use(running, new SnapshotClient(new ApiClient(running.url)));
  } finally {
    await running.close();
  }
}

/** The cluster sizes of each level, and the pictures of each group of duplicates. */
async function structureOf(running: TestApp, client: SnapshotClient): Promise<unknown> {
  const api = new ApiClient(running.url);
  const id = await client.indexed('Pictures', join(running.folder, 'source'));
  const levels = [];
  for (const threshold of [0, 1, 2, 3, 4]) {
    const { clusters } = await api.must<{ clusters: { n_images: number }[] }>(
      200,
      'GET',
      `/api/v1/explore/${id}?threshold=${threshold}`,
    );
    levels.push(clusters.map(({ n_images }) => n_images));
  }
  const { groups } = await api.must<{ groups: { members: { original_uri: string }[] }[] }>(
    200,
    'GET',
    `/api/v1/dataset/${id}/duplicates?duplicate_threshold=0.9&limit=100`,
  );
  return { levels, groups: groups.map(({ members }) => members.map((member) => member.original_uri).sort()).sort() };
}

describe('memory for comparing vectors', () => {
  it('does not affect the result if vectors are collected in a file', async () => {
    const expected = await withApp(undefined, structureOf);
    const found = await withApp(73_000, async (running, client) => {
      const structure = await structureOf(running, client);
      expect(await readdir(join(running.folder, 'data', 'spool'))).toEqual([]);
      return structure;
    });
    expect(found).toEqual(expected);
  });

  it('fails a dataset that needs more, and reports the required amount', async () => {
    await withApp(20_000, async (running, client) => {
      const id = await new ApiClient(running.url).createFromFolder('Too large', join(running.folder, 'source'));
      await new ApiClient(running.url).untilStatus(id, ['ERROR']);
      expect((await client.dataset(id)).fatal_error_msg).toMatch(
        /^Comparing 40 vectors of 192 numbers takes at least \d+ bytes of memory, but INDEXING_MEMORY_BYTES is 20000\. Raise it, then try again\.$/,
      );
    });
  });
});
