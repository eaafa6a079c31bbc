import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { formOf } from '../../support/api-client';
import { Additions } from '../../support/additions';
import { writePicture } from '../../support/pictures';
import { runningApp } from '../../support/test-app';

describe('manifests', () => {
  const running = runningApp();
  const additions = new Additions(running);
  let id: string;

  beforeAll(async () => {
    await writePicture(place('source', 'first.jpg'), 0);
    for (let seed = 1; seed < 8; seed += 1) await writePicture(place('lists', 'media', `${seed}.jpg`), seed);
    await writePicture(place('elsewhere', 'far.jpg'), 9);
    id = await additions.api.indexed('Listed', place('source'));
  });

  const place = (...parts: string[]): string => join(running.folder, ...parts);
  const list = async (name: string, content: string | Uint8Array): Promise<string> => {
    await writeFile(place('lists', name), content);
    return place('lists', name);
  };
  const add = (uri: string, status = 202): Promise<unknown> =>
    additions.api.must(status, 'POST', `/api/v1/dataset/${id}/add_media`, formOf({ s3_uri: uri }));
  const uris = async (): Promise<string[]> => (await additions.rows(id)).map(({ path }) => path).sort();

  it('of lines are added, and ignored lines are reported', async () => {
    const lines = [
      'media/1.jpg',
      './media/1.jpg',
      place('lists', 'media', '2.jpg'),
      place('elsewhere', 'far.jpg'),
      'media/missing.jpg',
      '../elsewhere/far.jpg',
      'media/notes.txt',
      '/etc/hostname.jpg',
    ];
    await add(await list('all.txt', `\ufeff${lines.join('\r\n')}\r\n`));
    const task = await additions.ended(id);
    expect(task).toMatchObject({ status: 'COMPLETED', quarantined_count: 2 });
    expect(task.warnings).toContainEqual(
      expect.stringMatching(
        /^2 entries of the manifest skipped: \.\.\/elsewhere\/far\.jpg \(leads through '\.\.'\), media\/notes\.txt \(is not in a supported format\)\.$/,
      ),
    );
    const far = place('elsewhere', 'far.jpg').slice(1);
    expect(await uris()).toEqual(['first.jpg', far, 'media/1.jpg', 'media/2.jpg'].sort());
    const { files } = await additions.api.must<{ files: { file: string; reason: string }[] }>(
      200,
      'GET',
      `/api/v1/dataset/${id}/quarantine`,
    );
    expect(files.map(({ file, reason }) => [file, reason]).sort()).toEqual([
      ['etc/hostname.jpg', 'unreadable'],
      ['media/missing.jpg', 'missing'],
    ]);
  });

  it('of rows are added, also by a file address', async () => {
    await add(`file://${await list('rows.csv', 'label,path\nx,media/3.jpg\n')}`);
    await additions.ended(id);
    await add(
      await list(
        'rows.parquet',
        new Uint8Array(parquetWriteBuffer({ columnData: [{ name: 'uri', data: ['media/4.jpg'] }] })),
      ),
    );
    await additions.ended(id);
    expect(await uris()).toEqual(expect.arrayContaining(['media/3.jpg', 'media/4.jpg']));
  });

  it('can also create datasets', async () => {
    const made = await additions.api.indexed('Made', await list('made.txt', 'media/5.jpg\nmedia/6.jpg\n'));
    expect((await additions.rows(made)).map(({ path }) => path).sort()).toEqual(['media/5.jpg', 'media/6.jpg']);
    const cut = formOf({ dataset_name: 'Cut', bucket_path: await list('cut.parquet', 'not a parquet file') });
    expect(await additions.api.must(400, 'POST', '/api/v1/dataset', cut)).toMatchObject({
      detail: expect.stringMatching(/^The manifest can't be read/) as string,
    });
  });

  it('without usable entries are refused', async () => {
    const store = place('data', 'store');
    const blob = `blobs/aa/${'aa'.repeat(32)}.jpg`;
    await writePicture(join(store, blob), 3);
    const outside = await mkdtemp(join(tmpdir(), 'dms-outside-'));
    try {
      await writePicture(join(outside, 'secret.jpg'), 4);
      await symlink(join(outside, 'secret.jpg'), place('lists', 'media', 'link.jpg'));
      for (const [name, content] of [
        ['empty.txt', ''],
        ['missing.txt', 'none.jpg\nnor-this.jpg'],
        ['climbing.txt', '../elsewhere/far.jpg\n'],
        ['outside.txt', join(outside, 'secret.jpg')],
        ['link.txt', 'media/link.jpg'],
        ['own.txt', join(store, blob)],
        ['scheme.csv', 'filename\nhttps://example.com/a.jpg\n'],
        ['broken.parquet', 'not a parquet file'],
        ['bucket.txt', 's3://not-allowed/a.jpg'],
      ] as const) {
        const { detail } = (await add(await list(name, content), 400)) as { detail: string };
        expect(detail).toMatch(/^Invalid S3 URI or no media files found at /);
      }
    } finally {
      await rm(outside, { recursive: true });
    }
  });
});
