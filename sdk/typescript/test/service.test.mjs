import assert from 'node:assert/strict';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import {
  ConflictError,
  ConnectionError,
  InvalidRequestError,
  MediaService,
  NotFoundError,
  take,
  TaskFailedError,
} from 'dataset-media-service-sdk';
import { uploadFolder } from 'dataset-media-service-sdk/node';
import { picture, writePictures } from './pictures.mjs';
import { freePort, startService, until } from './program.mjs';

describe('the SDK with a running service', () => {
  let service;
  let dms;
  let pictures;
  let dataset;

  before(async () => {
    service = await startService();
    dms = new MediaService({ url: service.url });
    pictures = join(service.folder, 'pictures');
    await writePictures(pictures, 24);
    await writeFile(join(pictures, 'copy.png'), picture(3));
    await writeFile(join(pictures, 'notes.xyz'), 'no picture');
    await writeFile(join(pictures, 'more.xyz'), 'no picture');
  });

  after(() => service.stop());

  it('uploads a folder and lists the refused files', async () => {
    const seen = [];
    const journal = join(service.folder, 'journals', 'first.jsonl');
    const result = await uploadFolder(dms, pictures, {
      dataset: 'uploaded',
      journal,
      onProgress: (progress) => seen.push(progress),
    });
    dataset = result.dataset;
    assert.equal(result.files, 25);
    assert.deepEqual(result.refusedFiles.map(({ path }) => path).sort(), ['more.xyz', 'notes.xyz']);
    assert.equal(seen.at(-1).files, 25);
    assert.deepEqual(await readdir(join(service.folder, 'journals')), []);
    assert.equal((await dataset.waitUntilReady({ timeoutSeconds: 120 })).n_images, 25);
  });

  it('lists datasets, and finds them by name and by id', async () => {
    assert.deepEqual(
      (await dms.datasets()).map(({ display_name: name }) => name),
      ['uploaded'],
    );
    assert.equal((await dms.findDataset('uploaded')).id, dataset.id);
    assert.equal((await dms.findDataset(dataset.id)).id, dataset.id);
    await assert.rejects(dms.findDataset('nothing'), /There is no dataset "nothing"/);
  });

  it('pages through tasks, clusters and members', async () => {
    const [task] = await take(dms.tasks({ dataset_id: dataset.id }));
    assert.equal(task.task_type, 'DATASET_CREATION');
    assert.equal((await dms.waitFor(task.task_id)).status, 'COMPLETED');
    const clusters = await take(dataset.search({ threshold: 0 }));
    assert.equal(
      clusters.reduce((sum, { n_images: n }) => sum + n, 0),
      25,
    );
    const members = await take(dataset.members(clusters[0].cluster_id));
    assert.equal(members.length, clusters[0].n_images);
  });

  it('searches by filters, duplicates and a picture', async () => {
    const groups = await take(dataset.search({ duplicate_threshold: 1 }));
    assert.ok(groups.some(({ n_images: n }) => n === 2));
    const inFolder = await take(
      dataset.search({ vql: [{ folders: { op: 'one_of', value: ['part-1'] } }], threshold: 0 }),
    );
    assert.equal(
      inFolder.reduce((sum, { n_images: n }) => sum + n, 0),
      10,
    );
    const { anchor_media_id, anchor_type } = await dataset.uploadQueryImage(new Blob([picture(3)]));
    const [nearest] = await take(dataset.search({ entity_type: 'IMAGES', anchor_media_id, anchor_type }), 1);
    assert.ok(nearest.previews.length > 0);
    const { total } = await dataset.facets();
    assert.equal(total, 25);
    const media = nearest.previews[0].media_id;
    assert.equal((await dataset.media(media)).media_id, media);
    assert.equal((await dataset.similar(media, 3)).length, 3);
  });

  it('tags media', async () => {
    const [cluster] = await take(dataset.search(), 1);
    const tag = await dataset.createTag('chosen');
    assert.equal(await dataset.assignTag(tag.id, [cluster.previews[0].media_id]), 1);
    assert.equal((await dataset.tags())[0].n_items, 1);
    await assert.rejects(dataset.createTag('chosen'), ConflictError);
  });

  it('annotates media', async () => {
    const [cluster] = await take(dataset.search(), 1);
    const [{ media_id, original_uri: path }] = cluster.previews;
    const task = await dataset.annotate([
      { media_id, labels: ['seen'], caption: 'a drawing' },
      { file_name: 'gone.png', labels: ['seen'] },
    ]);
    const { warnings } = await dataset.waitFor(task);
    assert.match(warnings[0], /^1 of 2 annotations match no medium of the dataset: gone\.png\.$/);
    assert.deepEqual((await dataset.facets()).labels, [{ value: 'seen', count: 1, parents: [] }]);
    const file = new File([`filename,label\n${path},filed\n`], 'image_annotations.csv');
    const { warnings: none } = await dataset.waitFor(await dataset.annotateByFiles([file]));
    assert.deepEqual(none, []);
    assert.deepEqual((await dataset.facets()).labels.map(({ value }) => value).sort(), ['filed', 'seen']);
  });

  it('keeps annotations of sources', async () => {
    const [{ previews }] = await take(dataset.search());
    const { media_id: mediaId, file_name: fileName } = previews[0];
    const shape = { type: 'box', x: 1.5, y: 2, width: 10.25, height: 1 / 3 };
    const given = { media_id: mediaId, id: '1', label: 'cat', shape, confidence: 0.5 };
    const source = dataset.source('detector-a');
    const change = await source.push([given, { file_name: 'gone.jpg', label: 'cat' }], { modelId: 'detector_v1' });
    const { change_id: first, ...counts } = change;
    assert.deepEqual(counts, { added: 1, changed: 0, removed: 0, unmatched: [1] });
    await source.push([{ ...given, id: '2' }]);
    const mistake = await source.push([{ ...given, label: 'dog' }], { mode: 'merge' });
    const undone = await dataset.undo(mistake.change_id);
    assert.deepEqual([undone.added, undone.changed, undone.removed], [0, 1, 0]);
    const history = await take(dataset.annotationHistory({ source: 'detector-a', limit: 2 }));
    assert.deepEqual(
      history.map(({ mode, undone_by: by, added }) => [mode, by, added]),
      [
        ['undo', null, 0],
        ['merge', undone.change_id, 0],
        ['add', null, 1],
        ['add', null, 1],
      ],
    );
    assert.equal(history[3].change_id, first);
    assert.deepEqual([history[1].media[0].before[0].label, history[1].media[0].after[0].label], ['cat', 'dog']);
    const listed = await take(source.annotations({ limit: 1 }));
    assert.deepEqual(
      listed.map(({ id, shape: found, file_path: path }) => [id, found, path.endsWith(fileName)]),
      ['1', '2'].map((id) => [id, shape, true]),
    );
    await assert.rejects(source.push([{ ...given, version: 7 }], { mode: 'merge' }), ({ conflicts: [conflict] }) => {
      assert.deepEqual([conflict.sent_version, conflict.current.label], [7, 'cat']);
      return true;
    });
    const set = await dataset.setLabels([{ name: 'cat', hot_key: 'c' }], true);
    assert.deepEqual(set, await dataset.labelSet());
    assert.equal(set.labels[0].hot_key, 'c');
    await assert.rejects(dataset.source('ground_truth').push([{ ...given, label: 'dog' }]), /label set/);
    await dataset.setLabels([]);
    const renamed = await source.rename('a/b');
    const [details] = await dataset.sources();
    assert.deepEqual([details.name, details.n_boxes, details.model_id], ['a/b', 2, 'detector_v1']);
    await renamed.remove();
    assert.deepEqual(
      (await dataset.sources()).map(({ name }) => name),
      ['ground_truth'],
    );
  });

  it('adds media, restores and clones a snapshot', async () => {
    const snapshot = await dataset.createSnapshot({ name: 'before' });
    const more = join(service.folder, 'more');
    await writePictures(more, 3, 100);
    const added = await uploadFolder(dms, more, { dataset: 'uploaded', journal: join(service.folder, 'second.jsonl') });
    assert.equal(added.dataset.id, dataset.id);
    assert.equal((await dataset.get()).n_images, 28);
    assert.equal((await dms.waitFor(await dataset.reindex())).status, 'COMPLETED');
    await dms.waitFor(await dataset.restoreSnapshot(snapshot.snapshot_id));
    assert.equal((await dataset.get()).n_images, 25);
    const cloning = await dms.waitFor(await dataset.cloneSnapshot(snapshot.snapshot_id));
    assert.equal((await dms.dataset(cloning.dataset_id).get()).source_dataset_id, dataset.id);
    assert.equal((await dms.datasets()).length, 2);
  });

  it('replaces the image vectors', async () => {
    const { id } = (await dms.datasets()).find((each) => each.source_dataset_id === dataset.id);
    const clone = dms.dataset(id);
    const [{ previews }] = await take(clone.search(), 1);
    const header = `{'descr': '<f4', 'fortran_order': False, 'shape': (1, 2), }`.padEnd(117);
    const start = Uint8Array.of(0x93, ...Buffer.from('NUMPY'), 1, 0, 118, 0);
    const vectors = new File([start, `${header}\n`, Float32Array.of(3, 4)], 'vectors.npy');
    const mediaIds = [previews[0].media_id];
    const task = await clone.pushEmbeddings(vectors, {
      id: 'own',
      mediaIds,
      ladder: [1, 0.9, 0.8, 0.7, 0.6],
      allowMissing: true,
    });
    const { warnings } = await clone.waitFor(task);
    assert.match(warnings[0], /^24 of 25 media have no vector: /);
    await assert.rejects(clone.uploadQueryImage(new Blob([picture(3)])), ConflictError);
  });

  it('exports a dataset', async () => {
    const archive = await dataset.export({ format: 'json' });
    assert.ok((await archive.arrayBuffer()).byteLength > 100);
  });

  it('streams notifications', async () => {
    const stop = new AbortController();
    const opened = new Promise((resolve) => {
      void (async () => {
        const seen = [];
        for await (const each of dms.stream({
          datasetId: dataset.id,
          signal: stop.signal,
          onOpen: () => resolve(seen),
        }))
          seen.push(each);
      })();
    });
    const seen = await opened;
    const form = new FormData();
    form.set('name', 'everything');
    await dms.connection.request(`/api/v1/dataset/${dataset.id}/views?entity_type=IMAGES`, {
      method: 'POST',
      body: form,
    });
    const task = await dataset.add({ files: [new File([picture(500)], 'new.png')] });
    await dataset.waitFor(task);
    await until(() => seen.length > 0, 'A notification');
    stop.abort();
    assert.equal(seen[0].dataset_id, dataset.id);
  });

  it('throws an error class for each kind of failure', async () => {
    const nobody = dms.dataset('0f0e0d0c-0000-4000-8000-00000000000a');
    await assert.rejects(nobody.get(), (error) => {
      assert.ok(error instanceof NotFoundError);
      assert.deepEqual([error.status, error.message], [404, 'Dataset not found']);
      return true;
    });
    await assert.rejects(dms.dataset('no id').get(), (error) => {
      assert.ok(error instanceof InvalidRequestError);
      assert.match(error.message, /dataset_id: Input should be a valid UUID/);
      return error.items.length === 1;
    });
    const away = new MediaService({ url: `http://127.0.0.1:${await freePort()}`, retries: 0 });
    await assert.rejects(away.datasets(), ConnectionError);
  });

  it('rejects when a task fails', async () => {
    const empty = join(service.folder, 'broken');
    await mkdir(empty);
    await writeFile(join(empty, 'broken.jpg'), 'not a picture');
    const created = await dms.createDataset('broken', empty);
    const [task] = await take(created.tasks());
    await assert.rejects(dms.waitFor(task), TaskFailedError);
  });

  it('deletes a dataset', async () => {
    await dataset.waitUntilIdle();
    await dataset.delete();
    await assert.rejects(dataset.get(), NotFoundError);
  });
});
