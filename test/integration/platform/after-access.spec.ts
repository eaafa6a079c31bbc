import { join } from 'node:path';
import { EventStream, withFrequentChecks } from '../../support/event-stream';
import { ExportClient } from '../../support/export-client';
import { writePicture } from '../../support/pictures';
import { OIDC_VARIABLES, signedIn, type SignedIn } from '../../support/principals';
import { runningApp } from '../../support/test-app';
import { waitUntil } from '../../support/wait-until';

const STREAMS = 200;
const AT_ONCE = 50;

interface Explored {
  readonly clusters: readonly { readonly previews: readonly { readonly media_uri: string }[] }[];
}

/** What users can do after losing access, or when exceeding their share. */
describe('after access has ended', () => {
  const running = runningApp(OIDC_VARIABLES, withFrequentChecks);
  let owner: SignedIn;
  let colleague: SignedIn;
  let dataset: string;

  beforeAll(async () => {
    owner = await signedIn(running, { email: 'owner@example.com', role: 'editor' });
    colleague = await signedIn(running, { email: 'colleague@example.com', role: 'editor' });
    const folder = join(running.folder, 'pictures');
    for (let seed = 0; seed < 3; seed += 1) await writePicture(join(folder, `${seed}.jpg`), seed);
    dataset = await owner.api.indexed('Shared', folder);
  });

  const bearer = (someone: SignedIn) => ({ authorization: `Bearer ${someone.token()}` });
  const share = (): Promise<unknown> =>
    owner.api.must(200, 'PUT', `/api/v1/manage/${dataset}/invite`, { grant_to_user_email: colleague.email });
  const unshare = (): Promise<unknown> =>
    owner.api.must(200, 'DELETE', `/api/v1/manage/${dataset}/share?email=${colleague.email}`);
  const explored = (): Promise<Explored> => colleague.api.must(200, 'GET', `/api/v1/explore/${dataset}?threshold=0`);
  const statusOf = (url: string): Promise<number> => fetch(url, { method: 'HEAD' }).then(({ status }) => status);

  it('a key has at most twenty streams, and streams of others continue', async () => {
    const other = await EventStream.open(running.url, '', bearer(colleague));
    const open = new Set<EventStream>();
    for (let count = 0; count < STREAMS; count += AT_ONCE) {
      const more = Array.from({ length: AT_ONCE }, () => EventStream.open(running.url, '', bearer(owner)));
      for (const stream of await Promise.all(more))
        if (stream.head.startsWith('HTTP/1.1 200 ')) open.add(stream);
        else expect(stream.head).toMatch(/^HTTP\/1\.1 429 /);
    }
    expect(open.size).toBe(20);
    expect(other.isOver).toBe(false);
    for (const stream of [...open, other]) stream.close();
  });

  it('the streams of a revoked key end', async () => {
    const leaver = await signedIn(running, { email: 'leaver@example.com', role: 'viewer' });
    const stream = await EventStream.open(running.url, '', bearer(leaver));
    expect(stream.head).toContain('200 OK');
    await running.database.dataSource.query('DELETE FROM api_key WHERE api_key = $1', [leaver.apiKey]);
    await waitUntil(() => stream.isOver);
  });

  it('an export started before is inaccessible to the user, and stays with the dataset', async () => {
    await share();
    const exports = new ExportClient(colleague.api);
    const task = await exports.start(dataset, 'export_format=json&include_images=true');
    await unshare();
    const path = exports.statusPath(dataset, task);
    expect(await colleague.api.ask('GET', path)).toMatchObject({ status: 404 });
    expect(await colleague.api.ask('DELETE', path)).toMatchObject({ status: 404 });
    expect(await new ExportClient(owner.api).untilOver(dataset, task)).toMatchObject({ status: 'COMPLETED' });
  });

  it('a signed URL remains valid until it expires, even after sharing has ended or the dataset was deleted', async () => {
    await share();
    const { clusters } = await explored();
    const url = new URL(clusters[0]!.previews[0]!.media_uri, running.url);
    await unshare();
    expect(await colleague.api.ask('GET', `/api/v1/explore/${dataset}?threshold=0`)).toMatchObject({ status: 404 });
    await owner.api.must(204, 'DELETE', `/api/v1/dataset/${dataset}`);
    expect(await statusOf(url.href)).toBe(200);
    url.searchParams.set('expires', String(Math.floor(Date.now() / 1000) + 10 ** 6));
    expect(await statusOf(url.href)).toBe(403);
  });
});
