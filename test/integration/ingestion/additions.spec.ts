import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hasVideoSupport } from '../../../src/common/engine/compute/video-tools';
import type { MediaRow } from '../../../src/common/engine/media-table/media-row';
import { Additions } from '../../support/additions';
import { pictureBytes, writePicture } from '../../support/pictures';
import { runningApp } from '../../support/test-app';

interface Cluster {
  readonly cluster_id: string;
  readonly n_images: number;
  readonly previews: {
    readonly media_id: string;
    readonly original_uri: string;
    readonly caption: string | null;
    readonly user_tags: Record<string, { name: string }> | null;
  }[];
}

describe('additions', () => {
  const running = runningApp();
  const additions = new Additions(running);

  const indexed = async (name: string, seeds: readonly number[], annotations?: string): Promise<string> => {
    const folder = await additions.writeFolder(name, seeds);
    if (annotations !== undefined) await writeFile(join(folder, 'image_annotations.csv'), annotations);
    return additions.indexed(name, folder);
  };
  const dataset = (id: string): Promise<Record<string, unknown>> =>
    additions.api.must(200, 'GET', `/api/v1/dataset/${id}`);
  const explore = async (id: string, query: string): Promise<Cluster[]> =>
    (await additions.api.must<{ clusters: Cluster[] }>(200, 'GET', `/api/v1/explore/${id}?${query}`)).clusters;
  const shown = async (id: string, query: string): Promise<string[]> =>
    (await explore(id, query)).flatMap(({ previews }) => previews.map(({ original_uri: uri }) => uri)).sort();
  const byPath = (rows: readonly MediaRow[]): Map<string, MediaRow> => new Map(rows.map((row) => [row.path, row]));
  const idsByPath = (rows: readonly MediaRow[]): Map<string, string> => new Map(rows.map(({ path, id }) => [path, id]));
  const expectNested = (rows: readonly MediaRow[]): void => {
    for (let level = 1; level < 5; level += 1) {
      const parents = new Map<number, number>();
      for (const { clusters } of rows) {
        const known = parents.get(clusters[level - 1]!);
        if (known !== undefined) expect(clusters[level]).toBe(known);
        parents.set(clusters[level - 1]!, clusters[level]!);
      }
    }
  };

  it('keep the state of the first indexing as a snapshot', async () => {
    const id = await indexed('first', [1]);
    const { currentSnapshotId, pointer } = await additions.get(id);
    const snapshots = await additions.sql('SELECT * FROM snapshot WHERE dataset_id = $1', [id]);
    expect(snapshots).toEqual([
      expect.objectContaining({
        id: currentSnapshotId,
        name: `first_snapshot_${currentSnapshotId!}`,
        description: '',
        reason: 'creation',
        created_by: 'admin@localhost',
        generation_id: pointer!.generation,
        table_version: pointer!.version,
        n_images: 1,
        tags: [],
      }),
    ]);
  });

  it('show added media immediately among their neighbours, and keep tags and labels', async () => {
    const seeds = [0, 1, 2, 3, 4, 5];
    const id = await indexed('base', seeds, 'filename,label,caption\n0.jpg,ball,a round ball\n');
    const before = byPath(await additions.rows(id));
    const { id: tag } = await additions.api.must<{ id: string }>(200, 'POST', `/api/v1/dataset/${id}/tags`, {
      name: 'kept',
    });
    const tagged = before.get('3.jpg')!.id;
    await additions.api.must(200, 'POST', `/api/v1/dataset/${id}/tags/${tag}/assign`, {
      media_selection: [{ type: 'media', payload: { media_ids: [tagged] } }],
    });

    await mkdir(additions.place('more'));
    await copyFile(additions.place('base', '2.jpg'), additions.place('more', 'copy-of-2.jpg'));
    await additions.writeFolder('more', [40, 41]);
    await copyFile(additions.place('more', '40.jpg'), additions.place('more', 'copy-of-40.jpg'));
    await writeFile(
      additions.place('more', 'image_annotations.csv'),
      'filename,label,caption\n40.jpg,disc,two flat discs\nnowhere.jpg,disc,\n',
    );
    await additions.addFolder(id, additions.place('more'));
    expect(await dataset(id)).toMatchObject({ status_new: 'READ ONLY', status: 'UPDATING' });
    expect(await additions.ended(id)).toMatchObject({
      task_type: 'MEDIA_ADDITION',
      status: 'COMPLETED',
      warnings: [expect.stringContaining('nowhere.jpg')],
    });
    expect(await dataset(id)).toMatchObject({ status_new: 'PARTIAL INDEX', n_images: 10, progress: 100 });

    const rows = await additions.rows(id);
    const after = byPath(rows);
    expect(rows).toHaveLength(10);
    for (const [path, row] of before) expect(after.get(path)).toEqual(row);
    const { clusters, nearestSimilarity } = after.get('copy-of-2.jpg')!;
    expect({ clusters, nearestSimilarity }).toEqual({ clusters: after.get('2.jpg')!.clusters, nearestSimilarity: 1 });
    const placeOf = (path: string): { x: number; y: number } => after.get(path)!.mapPlace!;
    const [copied, original] = [placeOf('copy-of-2.jpg'), placeOf('2.jpg')];
    const apart = Math.hypot(copied.x - original.x, copied.y - original.y);
    expect(apart).toBeGreaterThan(0);
    expect(apart).toBeLessThan(0.15);
    for (const path of ['40.jpg', '41.jpg', 'copy-of-40.jpg']) expect(placeOf(path)).not.toBeNull();
    expect(after.get('copy-of-40.jpg')!.clusters).toEqual(after.get('40.jpg')!.clusters);
    expectNested(rows);

    expect(await shown(id, 'threshold=4')).toEqual([...after.keys()].sort());
    expect(await shown(id, 'threshold=4&labels=[disc]')).toEqual(['40.jpg']);
    expect(await shown(id, `threshold=4&tags=[${tag}]`)).toEqual(['3.jpg']);
    expect(await shown(id, 'entity_type=IMAGES&threshold=4&caption=discs&textual_similarity_threshold=0.9')).toContain(
      '40.jpg',
    );
    const groups = (await explore(id, 'duplicate_threshold=1')).map(({ previews }) =>
      previews.map(({ original_uri: uri }) => uri).sort(),
    );
    expect(groups.sort()).toEqual([
      ['2.jpg', 'copy-of-2.jpg'],
      ['40.jpg', 'copy-of-40.jpg'],
    ]);
    await additions.api.must(
      409,
      'GET',
      `/api/v1/explore/${id}?entity_type=IMAGES&anchor_type=MEDIA&anchor_media_id=${tagged}`,
    );

    await additions.addUploads(id, [
      { name: 'late/one.jpg', bytes: await pictureBytes(90) },
      { name: 'late/copy-of-41.jpg', bytes: await readFile(additions.place('more', '41.jpg')) },
    ]);
    expect(await additions.ended(id)).toMatchObject({ status: 'COMPLETED', warnings: [] });
    expect(await dataset(id)).toMatchObject({ status_new: 'PARTIAL INDEX', n_images: 12 });
    const grown = await additions.rows(id);
    expect(byPath(grown).get('late/copy-of-41.jpg')!.clusters).toEqual(after.get('41.jpg')!.clusters);
    expect(new Set(grown.map(({ batchId }) => batchId)).size).toBe(3);

    await additions.reindex(id);
    expect(await additions.ended(id)).toMatchObject({ task_type: 'REINDEX', status: 'COMPLETED' });
    expect(await dataset(id)).toMatchObject({ status_new: 'READY', n_images: 12, progress: 100 });
    const reindexed = await additions.rows(id);
    expect(idsByPath(reindexed)).toEqual(idsByPath(grown));
    expectNested(reindexed);
    for (const row of reindexed) {
      const { embedding, labels, caption, captionEmbedding, thumbnailKey, batchId } = byPath(grown).get(row.path)!;
      expect(row).toMatchObject({ embedding, labels, caption, captionEmbedding, thumbnailKey, batchId });
    }
    expect(await shown(id, `threshold=4&tags=[${tag}]`)).toEqual(['3.jpg']);
    expect(await shown(id, 'threshold=4&labels=[disc]')).toEqual(['40.jpg']);
    expect(await explore(id, 'duplicate_threshold=1')).toHaveLength(3);
    await additions.api.must(
      200,
      'GET',
      `/api/v1/explore/${id}?entity_type=IMAGES&threshold=4&anchor_type=MEDIA&anchor_media_id=${tagged}`,
    );
  });

  it('reindex immediately with auto_reindex, from READY and from PARTIAL INDEX', async () => {
    const id = await indexed('auto', [0, 1, 2]);
    const before = idsByPath(await additions.rows(id));
    const { pointer } = await additions.get(id);
    await additions.addFolder(id, await additions.writeFolder('auto-more', [50, 51]), true);
    await additions.api.untilStatus(id, ['READY']);
    expect(await dataset(id)).toMatchObject({ status_new: 'READY', n_images: 5 });
    const grown = await additions.get(id);
    expect(grown.pointer!.generation).not.toBe(pointer!.generation);
    expect(grown.pointer!.clusteringId).not.toBe(pointer!.clusteringId);
    const after = idsByPath(await additions.rows(id));
    for (const [path, media] of before) expect(after.get(path)).toBe(media);
    expect(await shown(id, 'threshold=4')).toEqual(['0.jpg', '1.jpg', '2.jpg', '50.jpg', '51.jpg']);

    await additions.addFolder(id, await additions.writeFolder('auto-partial', [52]));
    await additions.api.untilStatus(id, ['PARTIAL INDEX']);
    await additions.addFolder(id, additions.place('auto-partial'), true);
    await additions.api.untilStatus(id, ['READY']);
    expect((await additions.tasks(id))[0]!.warnings).toEqual(['1 file was already in the dataset.']);
    expect(await dataset(id)).toMatchObject({ n_images: 6 });
    expectNested(await additions.rows(id));
  });

  it('add the same file only once', async () => {
    const id = await indexed('same', [0, 1, 2]);
    const { pointer } = await additions.get(id);
    await additions.addFolder(id, additions.place('same'));
    expect(await additions.ended(id)).toMatchObject({
      status: 'COMPLETED',
      warnings: ['3 files were already in the dataset.'],
    });
    expect(await dataset(id)).toMatchObject({ status_new: 'READY', n_images: 3, progress: 100 });
    expect((await additions.get(id)).pointer).toEqual(pointer);

    const bytes = await pictureBytes(60);
    await additions.addUploads(id, [{ name: 'a.jpg', bytes }]);
    await additions.ended(id);
    await additions.addUploads(id, [
      { name: 'a.jpg', bytes },
      { name: 'b.jpg', bytes },
      { name: '0.jpg', bytes: await readFile(additions.place('same', '0.jpg')) },
    ]);
    expect(await additions.ended(id)).toMatchObject({ warnings: ['1 file was already in the dataset.'] });
    expect((await additions.rows(id)).map(({ path }) => path).sort()).toEqual(
      ['0.jpg', '0.jpg', '1.jpg', '2.jpg', 'a.jpg', 'b.jpg'].sort(),
    );
    expect(await additions.sql('SELECT 1 FROM upload_file WHERE dataset_id = $1', [id])).toEqual([]);

    await additions.addFolder(id, await additions.writeFolder('same-more', [7]));
    await additions.ended(id);
    await writePicture(additions.place('same', '0.jpg'), 70);
    await additions.addFolder(id, additions.place('same'));
    expect(await additions.ended(id)).toMatchObject({ warnings: ['2 files were already in the dataset.'] });
    expect(await dataset(id)).toMatchObject({ n_images: 8 });
  });

  it('leave the dataset unchanged if no file is readable, and report the reason', async () => {
    const id = await indexed('sound', [0, 1]);
    const { pointer } = await additions.get(id);
    await mkdir(additions.place('torn'));
    for (const name of ['a.jpg', 'b.jpg']) await writeFile(additions.place('torn', name), 'no picture');
    for (const autoReindex of [false, true]) {
      await additions.addFolder(id, additions.place('torn'), autoReindex);
      expect(await additions.ended(id)).toMatchObject({
        status: 'FAILED',
        error_message: 'None of the 2 files could be read (2 are in quarantine, each with its reason)',
        quarantined_count: 2,
      });
      expect(await dataset(id)).toMatchObject({
        status_new: 'READY',
        n_images: 2,
        fatal_error_msg: null,
        progress: 100,
      });
      expect((await additions.get(id)).pointer).toEqual(pointer);
    }
    await additions.addFolder(id, additions.place('nowhere'));
    expect(await additions.ended(id)).toMatchObject({ status: 'FAILED' });
    await writePicture(additions.place('torn', 'good.jpg'), 9);
    await additions.addFolder(id, additions.place('torn'));
    expect(await additions.ended(id)).toMatchObject({ status: 'COMPLETED', quarantined_count: 2 });
    await additions.addFolder(id, additions.place('nowhere'));
    expect(await additions.ended(id)).toMatchObject({ status: 'FAILED' });
    expect(await dataset(id)).toMatchObject({ status_new: 'PARTIAL INDEX', n_images: 3 });
  });

  it('add objects, and videos with their frames', async () => {
    const id = await indexed('kinds', [0, 1]);
    await mkdir(additions.place('kinds-more'));
    await copyFile(join(__dirname, '..', '..', 'fixtures', 'clip.mp4'), additions.place('kinds-more', 'clip.mp4'));
    await additions.writeFolder('kinds-more', [2]);
    await writeFile(
      additions.place('kinds-more', 'object_annotations.csv'),
      'filename,col_x,row_y,width,height,label\n2.jpg,20,10,60,50,disc\n2.jpg,80,40,60,50,disc\n',
    );
    await additions.addFolder(id, additions.place('kinds-more'));
    await additions.ended(id);
    const { counts } = await additions.get(id);
    const videos = (await hasVideoSupport()) ? 1 : 0;
    expect(counts).toMatchObject({ images: 3, videos, objects: 2 });
    expect(counts.frames > 0).toBe(videos > 0);
    expect(await explore(id, 'entity_type=VIDEOS')).toHaveLength(videos);
    expect(await shown(id, 'entity_type=OBJECTS&threshold=4')).toEqual(['2.jpg', '2.jpg']);
    await additions.addFolder(id, additions.place('kinds-more'));
    expect(await additions.ended(id)).toMatchObject({
      warnings: [videos > 0 ? '2 files were already in the dataset.' : '1 file was already in the dataset.'],
    });
    await additions.reindex(id);
    await additions.api.untilStatus(id, ['READY']);
    expect((await additions.get(id)).counts).toEqual(counts);
    expect(await explore(id, 'entity_type=VIDEOS')).toHaveLength(videos);
    expect(await shown(id, 'entity_type=OBJECTS&threshold=4')).toEqual(['2.jpg', '2.jpg']);
  });

  it('write to a copy if the table belongs to another dataset, and overwrite rows that a crash left behind', async () => {
    const id = await indexed('shared', [0, 1, 2]);
    const { pointer } = await additions.get(id);
    await additions.addFolder(id, await additions.writeFolder('shared-more', [0, 30]));
    await additions.ended(id);
    const grown = await additions.get(id);
    expect(grown.pointer).toMatchObject({ generation: pointer!.generation, clusteringId: pointer!.clusteringId });

    // The state after restoring a snapshot: the table has rows beyond the pointer that no longer belong to the dataset.
    await additions.sql("UPDATE dataset SET table_version = $2, n_images = 3, status_new = 'READY' WHERE id = $1", [
      id,
      pointer!.version,
    ]);
    await additions.addFolder(id, await additions.writeFolder('shared-other', [1, 31]));
    await additions.ended(id);
    const over = await additions.get(id);
    expect(over.pointer!.generation).toBe(pointer!.generation);
    expect((await additions.rows(id)).map(({ source }) => source.split('/').slice(-2).join('/')).sort()).toEqual([
      'shared-other/1.jpg',
      'shared-other/31.jpg',
      'shared/0.jpg',
      'shared/1.jpg',
      'shared/2.jpg',
    ]);
    expect(await explore(id, 'duplicate_threshold=1')).toHaveLength(1);

    await additions.sql('UPDATE generation SET owner_dataset_id = gen_random_uuid() WHERE id = $1', [
      pointer!.generation,
    ]);
    await additions.addFolder(id, additions.place('shared-more'));
    await additions.ended(id);
    const copied = await additions.get(id);
    expect(copied.pointer!.generation).not.toBe(pointer!.generation);
    expect(copied.pointer!.clusteringId).toBe(pointer!.clusteringId);
    expect(await additions.rows(id)).toHaveLength(7);
    expect(await explore(id, 'duplicate_threshold=1')).toHaveLength(2);
    await additions.addFolder(id, await additions.writeFolder('shared-last', [33]));
    await additions.ended(id);
    expect((await additions.get(id)).pointer!.generation).toBe(copied.pointer!.generation);
  });
});
