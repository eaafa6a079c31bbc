import { copyFile, mkdir, rename, rm, utimes, writeFile } from 'node:fs/promises';
import type { MediaRow } from '../../../src/common/engine/media-table/media-row';
import { GenerationSweep } from '../../../src/modules/ingestion/sweeps/table.sweeps';
import { Additions, type UpdateTask } from '../../support/additions';
import { pictureBytes, writePicture } from '../../support/pictures';
import { runningApp } from '../../support/test-app';

interface Cluster {
  readonly cluster_id: string;
  readonly previews: { readonly media_id: string; readonly original_uri: string }[];
}

describe('sync', () => {
  const running = runningApp();
  const additions = new Additions(running);

  const put = (name: string, path: string, seed: number): Promise<void> =>
    writePicture(additions.place(name, path), seed);
  const indexed = async (name: string, seeds: readonly number[], annotations?: string): Promise<string> => {
    for (const seed of seeds) await put(name, `${seed}.jpg`, seed);
    if (annotations !== undefined) await writeFile(additions.place(name, 'object_annotations.csv'), annotations);
    return created(name, additions.place(name));
  };
  const created = async (name: string, source: string): Promise<string> => {
    return additions.indexed(name, source);
  };
  const synced = async (id: string, query = ''): Promise<UpdateTask> => {
    const { task_id } = await additions.api.must<{ task_id: string }>(
      202,
      'POST',
      `/api/v1/dataset/${id}/sync${query}`,
    );
    const task = await additions.ended(id);
    expect(task).toMatchObject({ task_id, task_type: 'MEDIA_ADDITION' });
    return task;
  };
  const dataset = (id: string): Promise<Record<string, unknown>> =>
    additions.api.must(200, 'GET', `/api/v1/dataset/${id}`);
  const clustersOf = async (id: string, query: string): Promise<Cluster[]> =>
    (await additions.api.must<{ clusters: Cluster[] }>(200, 'GET', `/api/v1/explore/${id}?${query}`)).clusters;
  const groups = async (id: string, query: string): Promise<string[][]> => {
    const clusters = await clustersOf(id, query);
    return clusters.map(({ previews }) => previews.map(({ original_uri: uri }) => uri).sort());
  };
  const shown = async (id: string, query = 'threshold=4'): Promise<string[]> => (await groups(id, query)).flat().sort();
  const files = async (id: string): Promise<Map<string, MediaRow>> =>
    new Map((await additions.rows(id)).filter(({ kind }) => kind === 'IMAGE').map((row) => [row.path, row]));
  const tag = async (id: string, name: string, media: readonly string[]): Promise<string> => {
    const tags = `/api/v1/dataset/${id}/tags`;
    const { id: made } = await additions.api.must<{ id: string }>(200, 'POST', tags, { name });
    await additions.api.must(200, 'POST', `${tags}/${made}/assign`, {
      media_selection: [{ type: 'media', payload: { media_ids: media } }],
    });
    return made;
  };

  it('adds new media, replaces changed ones, and reports or removes missing ones', async () => {
    const id = await indexed(
      'base',
      [0, 1, 2, 3, 4, 5],
      'filename,col_x,row_y,width,height,label\n2.jpg,10,10,40,40,ball\n4.jpg,10,10,40,40,ball\n',
    );
    await copyFile(additions.place('base', '5.jpg'), additions.place('base', 'copy-of-5.jpg'));
    await synced(id);
    const before = await files(id);
    const kept = await tag(id, 'kept', [before.get('1.jpg')!.id, before.get('5.jpg')!.id, before.get('4.jpg')!.id]);

    await put('base', 'sub/new.jpg', 60);
    await put('base', '2.jpg', 61);
    await utimes(additions.place('base', '3.jpg'), new Date(), new Date());
    await rm(additions.place('base', '4.jpg'));
    expect(await synced(id)).toMatchObject({
      status: 'COMPLETED',
      warnings: ['1 file has changed and was replaced.', '1 file is gone from the source: 4.jpg.'],
    });
    expect(await dataset(id)).toMatchObject({ status_new: 'PARTIAL INDEX', n_images: 8, n_objects: 2 });
    const after = await files(id);
    expect([...after.keys()].sort()).toEqual([...before.keys(), 'sub/new.jpg'].sort());
    for (const [path, row] of before) {
      if (path === '2.jpg') expect(after.get(path)!.id).not.toBe(row.id);
      else expect(after.get(path)).toEqual(row);
    }
    expect(await shown(id)).toEqual([...after.keys()].sort());
    expect(await shown(id, `threshold=4&tags=[${kept}]`)).toEqual(['1.jpg', '4.jpg', '5.jpg']);
    expect(await groups(id, 'duplicate_threshold=1')).toEqual([['5.jpg', 'copy-of-5.jpg']]);
    const [group] = await clustersOf(id, 'duplicate_threshold=1');
    const membersOf = (cluster: Cluster): string => `/api/v1/explore/${id}/clusters/${cluster.cluster_id}`;
    await additions.api.must(200, 'GET', membersOf(group!));

    expect(await synced(id, '?prune=true')).toMatchObject({
      status: 'COMPLETED',
      warnings: ['1 file that is gone from the source was removed: 4.jpg.'],
    });
    expect(await dataset(id)).toMatchObject({ status_new: 'PARTIAL INDEX', n_images: 7, n_objects: 1 });
    const pruned = await files(id);
    after.delete('4.jpg');
    expect(pruned).toEqual(after);
    const rows = await additions.rows(id);
    expect(rows.filter(({ kind }) => kind === 'OBJECT').map(({ path, parentId }) => [path, parentId])).toEqual([
      ['2.jpg', pruned.get('2.jpg')!.id],
    ]);
    expect(await shown(id)).toEqual([...pruned.keys()].sort());
    expect(await shown(id, `threshold=4&tags=[${kept}]`)).toEqual(['1.jpg', '5.jpg']);
    expect(await groups(id, 'duplicate_threshold=1')).toEqual([['5.jpg', 'copy-of-5.jpg']]);
    // The rows have moved, so the former id could refer to other media.
    await additions.api.must(404, 'GET', membersOf(group!));
    await additions.api.must(200, 'GET', membersOf((await clustersOf(id, 'duplicate_threshold=1'))[0]!));

    await additions.reindex(id);
    expect(await additions.ended(id)).toMatchObject({ task_type: 'REINDEX', status: 'COMPLETED' });
    expect(await shown(id, `threshold=4&tags=[${kept}]`)).toEqual(['1.jpg', '5.jpg']);
  });

  it('changes nothing the second time', async () => {
    const id = await indexed('still', [0, 1, 2]);
    const { pointer } = await additions.get(id);
    expect(await synced(id)).toMatchObject({ status: 'COMPLETED', warnings: [] });
    expect(await dataset(id)).toMatchObject({ status_new: 'READY', n_images: 3, progress: 100 });
    await rm(additions.place('still', '0.jpg'));
    await put('still', '7.jpg', 7);
    await synced(id, '?prune=true');
    const { pointer: second } = await additions.get(id);
    expect(second).not.toEqual(pointer);
    expect(await synced(id, '?prune=true')).toMatchObject({ status: 'COMPLETED', warnings: [] });
    expect((await additions.get(id)).pointer).toEqual(second);
    await running.app.get(GenerationSweep).sweep(new Date());
    expect(await shown(id)).toEqual(['1.jpg', '2.jpg', '7.jpg']);
  });

  it('can replace all media', async () => {
    const id = await indexed('renewed', [0, 1, 2]);
    const before = await files(id);
    for (const seed of [0, 1, 2]) await put('renewed', `${seed}.jpg`, 70 + seed);
    expect(await synced(id)).toMatchObject({
      status: 'COMPLETED',
      warnings: ['3 files have changed and were replaced.'],
    });
    const after = await files(id);
    expect([...after.keys()].sort()).toEqual([...before.keys()].sort());
    for (const [path, { id: row }] of before) expect(after.get(path)!.id).not.toBe(row);
    expect(await shown(id)).toEqual(['0.jpg', '1.jpg', '2.jpg']);
  });

  it('keeps media added from elsewhere, and media hidden by the listing', async () => {
    const id = await indexed('own', [0, 1]);
    await put('elsewhere', '30.jpg', 30);
    await additions.addFolder(id, additions.place('elsewhere'));
    await additions.ended(id);
    await additions.addUploads(id, [{ name: 'uploaded.jpg', bytes: await pictureBytes(31) }]);
    await additions.ended(id);
    await put('own', '.hidden/32.jpg', 32);
    await writeFile(additions.place('list.txt'), `${additions.place('own', '.hidden', '32.jpg')}\n`);
    await additions.addFolder(id, additions.place('list.txt'));
    await additions.ended(id);
    await rm(additions.place('elsewhere'), { recursive: true });
    await rm(additions.place('own', '1.jpg'));
    expect(await synced(id, '?prune=true')).toMatchObject({
      status: 'COMPLETED',
      warnings: ['1 file that is gone from the source was removed: 1.jpg.'],
    });
    expect([...(await files(id)).keys()].sort()).toEqual(['0.jpg', '30.jpg', 'own/.hidden/32.jpg', 'uploaded.jpg']);
  });

  it('keeps the previous version of a changed file that is unreadable', async () => {
    const id = await indexed('torn', [0, 1]);
    const before = await files(id);
    await writeFile(additions.place('torn', '1.jpg'), 'no longer a picture');
    await writeFile(additions.place('torn', 'new.jpg'), 'never was one');
    expect(await synced(id, '?prune=true')).toMatchObject({ status: 'COMPLETED', quarantined_count: 2, warnings: [] });
    expect(await files(id)).toEqual(before);
    expect(await dataset(id)).toMatchObject({ status_new: 'READY' });
    const quarantine = `/api/v1/dataset/${id}/quarantine`;
    expect(await additions.api.must(200, 'GET', quarantine)).toMatchObject({ total: 2 });

    await put('torn', 'new.jpg', 5);
    expect(await synced(id)).toMatchObject({ status: 'COMPLETED', quarantined_count: 1 });
    expect(await additions.api.must(200, 'GET', quarantine)).toMatchObject({ total: 1, files: [{ file: '1.jpg' }] });
    expect([...(await files(id)).keys()].sort()).toEqual(['0.jpg', '1.jpg', 'new.jpg']);
  });

  it('synchronises with a manifest', async () => {
    for (const seed of [0, 1, 2, 3]) await put('listed', `${seed}.jpg`, seed);
    const manifest = additions.place('listed', 'list.txt');
    await writeFile(manifest, '0.jpg\n1.jpg\n2.jpg\n');
    const id = await created('listed', manifest);
    await additions.addFolder(id, additions.place('listed', '3.jpg'));
    await additions.ended(id);
    await put('listed', '1.jpg', 80);
    await put('listed', '4.jpg', 4);
    await rm(additions.place('listed', '2.jpg'));
    await writeFile(manifest, '1.jpg\n2.jpg\n4.jpg\n');
    expect(await synced(id, '?prune=true')).toMatchObject({
      status: 'COMPLETED',
      warnings: [
        '1 file has changed and was replaced.',
        expect.stringMatching(/^2 files that are gone from the source were removed: (0.jpg, 2.jpg|2.jpg, 0.jpg).$/),
      ],
    });
    expect([...(await files(id)).keys()].sort()).toEqual(['1.jpg', '3.jpg', '4.jpg']);
    expect(await synced(id, '?prune=true')).toMatchObject({ status: 'COMPLETED', warnings: [], quarantined_count: 1 });
  });

  it('changes nothing if its source is missing or looks empty', async () => {
    const id = await indexed('mounted', [0, 1]);
    const { pointer } = await additions.get(id);
    await rename(additions.place('mounted'), additions.place('unmounted'));
    expect(await synced(id, '?prune=true')).toMatchObject({
      status: 'FAILED',
      error_message: expect.stringMatching(/^Nothing is at /) as string,
    });
    await mkdir(additions.place('mounted'));
    expect(await synced(id, '?prune=true')).toMatchObject({
      status: 'FAILED',
      error_message: 'The source contains no supported image or video',
    });
    expect(await dataset(id)).toMatchObject({ status_new: 'READY', n_images: 2 });
    expect((await additions.get(id)).pointer).toEqual(pointer);
  });

  it('does not run concurrently, and requires a source', async () => {
    const id = await indexed('alone', [0, 1]);
    // Enough work that the other one starts meanwhile.
    for (let seed = 100; seed < 110; seed++) await put('alone', `${seed}.jpg`, seed);
    const path = `/api/v1/dataset/${id}/sync`;
    const answers = await Promise.all([additions.api.ask('POST', path), additions.api.ask('POST', path)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 409]);
    expect(answers.find(({ status }) => status === 409)!.body).toEqual({
      detail: "Operation 'sync' is blocked while MEDIA_ADDITION task is running",
    });
    await additions.ended(id);
    const uploads = await additions.api.must<{ dataset_id: string }>(
      200,
      'GET',
      '/api/v1/ingestion/new_dataset?dataset_name=uploads',
    );
    expect(await additions.api.must(400, 'POST', `/api/v1/dataset/${uploads.dataset_id}/sync`)).toEqual({
      detail: `Dataset ${uploads.dataset_id} was made by upload, so it has no source to sync with`,
    });
  });
});
