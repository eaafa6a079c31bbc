import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { MediaSweep } from '../../src/modules/ingestion/sweeps/media.sweep';
import { WorkSweep } from '../../src/modules/ingestion/sweeps/work.sweep';
import { tarOf, zipOf } from '../support/archive-bytes';
import { multipartBytes, sendPart } from '../support/broken-request';
import { Additions } from '../support/additions';
import { pictureBytes, writePicture } from '../support/pictures';
import { ageKeys, storedKeys } from '../support/stored-keys';
import { runningApp } from '../support/test-app';
import { waitUntil } from '../support/wait-until';

const LOOKS = 5;
const CUTS = Number(process.env['CUTS'] ?? 20);
const AT_ONCE = 4;
/** Small members are written directly, large ones through a staged copy. */
const MEMBER_BYTES = [0, 300_000, 5_000_000, 0, 1_000_000];

describe('uploads whose client disconnects at a random moment', () => {
  const running = runningApp();
  const additions = new Additions(running);
  let store: string;
  let members: { name: string; bytes: Buffer }[];

  beforeAll(async () => {
    store = join(running.folder, 'data', 'store');
    members = await Promise.all(
      MEMBER_BYTES.map(async (more, at) => ({
        name: `${at}.jpg`,
        bytes: Buffer.concat([await pictureBytes(10 + at), Buffer.alloc(more, at)]),
      })),
    );
  });

  const kept = (): Promise<string[]> => storedKeys(store, 'blobs', 'staging', 'work', '.unfinished');
  const sweep = async (): Promise<void> => {
    await ageKeys(store, 'blobs');
    await running.app.get(WorkSweep).sweep(new Date());
    await running.app.get(MediaSweep).sweep(new Date());
  };
  const archive = (name: string, bytes: Buffer): Buffer => multipartBytes([{ name: 'archive', fileName: name, bytes }]);
  const bodies: Readonly<Record<string, () => Buffer>> = {
    files: () => multipartBytes(members.map(({ name, bytes }) => ({ name: 'files', fileName: name, bytes }))),
    zip: () => archive('a.zip', zipOf(members.map((member) => ({ ...member, isStored: true })))),
    'tar.gz': () => archive('a.tar.gz', gzipSync(tarOf(members), { level: 0 })),
  };

  it.each(Object.keys(bodies))('leave nothing behind: %s', async (kind) => {
    await writePicture(join(running.folder, kind, 'first.jpg'), 1);
    const id = await additions.api.indexed(kind, join(running.folder, kind));
    await sweep();
    const [before, dataset] = [await kept(), await additions.get(id)];
    const body = bodies[kind]!();
    const lengths = Array.from({ length: CUTS }, () => Math.floor(Math.random() * body.length));
    for (let at = 0; at < CUTS; at += AT_ONCE)
      await Promise.all(
        lengths
          .slice(at, at + AT_ONCE)
          .map((length) => sendPart(running.url, `/api/v1/dataset/${id}/add_media`, body, length)),
      );
    // The service may still be processing the data that arrived before it noticed, or be about to start.
    let quiet = 0;
    await waitUntil(async () => {
      await sweep();
      quiet = (await kept()).length <= before.length ? quiet + 1 : 0;
      return quiet === LOOKS;
    });
    const uploads = await running.database.dataSource.query<unknown[]>(
      'SELECT 1 FROM upload_transaction WHERE dataset_id = $1',
      [id],
    );
    expect({ lengths, kept: await kept(), uploads }).toEqual({ lengths, kept: before, uploads: [] });
    expect(await additions.tasks(id)).toMatchObject([{ task_type: 'DATASET_CREATION' }]);
    expect(await additions.get(id)).toEqual(dataset);
  });
});
