import { once } from 'node:events';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { formOf } from '../../support/api-client';
import { writePicture } from '../../support/pictures';
import { OIDC_VARIABLES, signedIn, type SignedIn } from '../../support/principals';
import { startTestApp, type TestApp } from '../../support/test-app';

const PIPELINE_TOKEN = 'the-token-of-the-pipeline';

interface Place {
  readonly open: string;
  readonly closed: string;
  /** A local address that counts its requests. */
  readonly inner: string;
}

/** Addresses that a user could name to make the service read resources on their behalf. */
const ADDRESSES: readonly (readonly [string, (place: Place) => string])[] = [
  ['a file of the machine', () => '/etc/passwd'],
  ['a folder of the machine', () => '/etc'],
  ['all of the machine', () => '/'],
  ['its processes', () => '/proc/self/environ'],
  ['a folder beside the one that is open', ({ closed }) => closed],
  ['a file there', ({ closed }) => `${closed}/secret.jpg`],
  ['the way there by dots', ({ open }) => `${open}/../closed`],
  ['the way there by dots, as a file address', ({ open }) => `file://${open}/../closed/secret.jpg`],
  ['the way there by dots in percents', ({ open }) => `file://${open}/%2e%2e/closed`],
  ['the way there by a link', ({ open }) => `${open}/link`],
  ['through the link to a file', ({ open }) => `${open}/link/secret.jpg`],
  ['a file address', ({ closed }) => `file://${closed}`],
  ['a file of another host', () => 'file://other-host/etc/passwd'],
  ['an inner service', ({ inner }) => `${inner}/a.jpg`],
  ['the metadata of a cloud', () => 'http://169.254.169.254/latest/meta-data/'],
  ['a bucket that is not open', () => 's3://another-bucket/photos/'],
  ['a bucket by dots', () => 's3://../etc/passwd'],
  ['an address with a password', () => 's3://key:secret@another-bucket/photos/'],
  ['another protocol', () => 'ftp://127.0.0.1/a.jpg'],
  ['a share', () => '\\\\127.0.0.1\\share\\a.jpg'],
  ['a text with a null', ({ open }) => `${open}\0/../closed`],
];

describe('a source with sign-in enabled', () => {
  let running: TestApp;
  let work: string;
  let editor: SignedIn;
  let place: Place;
  let dataset: string;
  let server: Server;
  let asked = 0;

  beforeAll(async () => {
    server = createServer((_request, response) => {
      asked += 1;
      response.end();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    work = await mkdtemp(join(tmpdir(), 'dms-hostile-'));
    const [open, closed] = [join(work, 'open'), join(work, 'closed')];
    place = { open, closed, inner: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
    await writePicture(join(open, 'good.jpg'), 1);
    await writePicture(join(closed, 'secret.jpg'), 2);
    await symlink(closed, join(open, 'link'));
    running = await startTestApp({ ...OIDC_VARIABLES, PIPELINE_TOKEN, MEDIA_ROOTS: open });
    editor = await signedIn(running, { email: 'editor@example.com', role: 'editor' });
    dataset = await editor.api.indexed('Good', join(open, 'good.jpg'));
  });

  afterAll(async () => {
    await running.close();
    server.close();
    await rm(work, { recursive: true });
  });

  const process = async (path: string, parameters: Record<string, string>): Promise<Response> =>
    fetch(`${running.url}/api/v1/process${path}?${new URLSearchParams(parameters).toString()}`, {
      headers: { authorization: `Bearer ${PIPELINE_TOKEN}` },
    });

  it.each(ADDRESSES)('is refused when it names %s', async (_, addressIn) => {
    const address = addressIn(place);
    const made = formOf({ dataset_name: 'Stolen', bucket_path: address });
    const answers = [
      (await editor.api.ask('POST', '/api/v1/dataset', made)).status,
      (await editor.api.ask('POST', `/api/v1/dataset/${dataset}/add_media`, formOf({ s3_uri: address }))).status,
      (await process('', { path: address, name: 'Stolen' })).status,
      (await process('/add_media', { path: address, dataset_id: dataset })).status,
    ];
    // The specification returns 500 for an unreadable path, and 400 for media that cannot be added.
    expect([400, 422, 500]).toContain(answers[0]);
    for (const status of answers.slice(1)) expect([400, 422]).toContain(status);
  });

  it('does not give access to these addresses by a manifest', async () => {
    const lines = ADDRESSES.map(([, addressIn]) => addressIn(place)).filter((line) => !line.includes('\0'));
    const manifest = join(place.open, 'all.txt');
    await writeFile(manifest, `${[...lines, 'good.jpg'].join('\n')}\n`);
    const made = await editor.api.indexed('By manifest', manifest);
    const { n_images: images } = await editor.api.must<{ n_images: number }>(200, 'GET', `/api/v1/dataset/${made}`);
    expect(images).toBe(1);
  });

  it.each([
    'http://127.0.0.1/',
    'arn:aws:iam::123456789012:user/me',
    'arn:aws:iam::123456789012:role/../admin',
    'arn:aws:iam::123456789012:role/reader http://127.0.0.1/',
  ])('is refused with an invalid role such as %s', async (role) => {
    const form = formOf({ s3_uri: 's3://photos/', assume_role: role });
    const { status } = await editor.api.ask('POST', `/api/v1/dataset/${dataset}/add_media`, form);
    expect([400, 422]).toContain(status);
  });

  it('creates no dataset and sends no request if it is refused', async () => {
    const datasets = await editor.api.must<{ display_name: string }[]>(200, 'GET', '/api/v1/datasets');
    expect(datasets.map(({ display_name: name }) => name).sort()).toEqual(['By manifest', 'Good']);
    expect(asked).toBe(0);
  });
});
