import assert from 'node:assert/strict';
import { copyFile, readdir, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { ApiError, ConflictError, MediaService, NotFoundError, take } from 'dataset-media-service-sdk';
import { vectorsFile, writePictures } from './pictures.mjs';
import { startService, until } from './program.mjs';

const ADMIN = '00000000-0000-0000-0000-000000000001';
const CAPTIONER = 'drawn-world_captioner_v00';

/** Operations without a method in the SDK. */
describe('the typed client with a running service', () => {
  let service;
  let dms;
  let api;
  let dataset;
  let path;

  const write = async (name, count, seed = 0) => {
    const folder = join(service.folder, name);
    await writePictures(folder, count, seed);
    return folder;
  };

  const mediaIds = async () => {
    const { data } = await api.GET('/api/v1/dataset/{dataset_id}/export_media_id', {
      params: { path },
      parseAs: 'text',
    });
    const [, ...lines] = data.trim().split('\n');
    return lines.map((line) => line.split(',')).map(([filename, id]) => ({ filename, id }));
  };

  /** Sends a form that starts a task of the dataset, and waits for the task. */
  const started = async (route, body) => {
    const response = await dms.connection.request(`/api/v1/dataset/${dataset.id}/${route}`, { method: 'POST', body });
    const { task_id: task } = await response.json();
    assert.equal((await dms.waitFor(task)).status, 'COMPLETED');
  };

  before(async () => {
    service = await startService({ WEBHOOK_HOSTS: 'hooks.example.com', ENRICHMENT_PREVIEW_SERVICE_ENABLED: 'true' });
    dms = new MediaService({ url: service.url });
    api = dms.api;
    const folder = await write('pictures', 6);
    await writeFile(join(folder, 'notes.png'), 'no picture');
    dataset = await dms.createDataset('operations', folder);
    await dataset.waitUntilReady({ timeoutSeconds: 120 });
    path = { dataset_id: dataset.id };
  });

  after(() => service.stop());

  it('reads workspaces, members and organizations', async () => {
    const { data: me } = await api.GET('/api/v1/me');
    assert.equal(me.user_id, ADMIN);
    const { data } = await api.GET('/api/v1/workspaces');
    const [workspace] = data.workspaces;
    const one = await api.GET('/api/v1/workspaces/{workspace_id}', {
      params: { path: { workspace_id: workspace.id } },
    });
    assert.deepEqual(one.data, workspace);
    assert.equal((await api.GET('/api/v1/workspace/members')).data.total, 1);
    assert.equal((await api.GET('/api/v1/workspace/settings/access')).data.role, 'admin');
    const { organizations } = (await api.GET('/api/v1/organizations')).data;
    const organization = await api.GET('/api/v1/organizations/{organization_id}', {
      params: { path: { organization_id: organizations[0].id } },
    });
    assert.equal(organization.data.name, organizations[0].name);
  });

  it('reads and changes settings, and reads the audit log', async () => {
    const query = { key: 'MAX_NUM_OF_IMAGES' };
    const changed = await api.POST('/api/v1/admin/settings', { body: { key: query.key, value: 5000 } });
    assert.deepEqual(changed.data, { value: '5000' });
    assert.deepEqual((await api.GET('/api/v1/admin/settings', { params: { query } })).data, { value: '5000' });
    const { settings } = (await api.GET('/api/v1/admin/settings/list')).data;
    assert.equal(settings.find(({ key }) => key === query.key).overridden, true);
    const reset = await api.DELETE('/api/v1/admin/settings', { params: { query } });
    assert.notDeepEqual(reset.data, { value: '5000' });
    const audit = await api.GET('/api/v1/admin/audit', { params: { query: { subject: query.key } } });
    assert.deepEqual(
      audit.data.entries.map(({ action }) => action),
      ['setting_changed', 'setting_changed'],
    );
  });

  it('creates, reads and deletes webhooks', async () => {
    const url = 'https://hooks.example.com/dms';
    const made = await api.POST('/api/v1/dataset/{dataset_id}/webhooks', {
      params: { path },
      body: { url, events: ['task.failed'] },
    });
    const { secret, ...webhook } = made.data;
    assert.ok(secret.length > 20);
    const listed = await api.GET('/api/v1/dataset/{dataset_id}/webhooks', { params: { path } });
    assert.deepEqual(listed.data, { webhooks: [webhook] });
    const at = { params: { path: { ...path, webhook_id: webhook.id } } };
    assert.deepEqual((await api.GET('/api/v1/dataset/{dataset_id}/webhooks/{webhook_id}', at)).data, webhook);
    const sent = await api.GET('/api/v1/dataset/{dataset_id}/webhooks/{webhook_id}/deliveries', at);
    assert.deepEqual(sent.data, { deliveries: [], total: 0, has_more: false });
    await api.DELETE('/api/v1/dataset/{dataset_id}/webhooks/{webhook_id}', at);
    await assert.rejects(api.GET('/api/v1/dataset/{dataset_id}/webhooks/{webhook_id}', at), NotFoundError);
  });

  it('shares a dataset with existing users', async () => {
    const body = { grant_to_user_email: 'admin@localhost' };
    await api.PUT('/api/v1/manage/{dataset_id}/invite', { params: { path }, body });
    const { data } = await api.GET('/api/v1/manage/{dataset_id}/share', { params: { path } });
    assert.deepEqual(data, [{ email: 'admin@localhost', role: 'owner' }]);
    const query = { email: 'nobody@example.com' };
    await assert.rejects(api.DELETE('/api/v1/manage/{dataset_id}/share', { params: { path, query } }), NotFoundError);
  });

  it('aborts and retries a task', async () => {
    const folder = await write('many', 40, 200);
    const first = await dms.createDataset('first', folder);
    const second = await dms.createDataset('second', folder);
    const [task] = await take(dms.tasks({ dataset_id: second.id }));
    const at = { params: { path: { task_id: task.task_id } } };
    assert.equal((await api.POST('/api/v1/tasks/{task_id}/abort', at)).data.task_id, task.task_id);
    await until(async () => (await take(dms.tasks({ dataset_id: second.id })))[0].status === 'ABORTED', 'The abort');
    assert.equal((await api.POST('/api/v1/tasks/{task_id}/retry', at)).data.dataset_id, second.id);
    await dms.waitFor(task.task_id);
    await first.waitUntilReady({ timeoutSeconds: 120 });
    const filters = await api.GET('/api/v1/tasks/filters');
    assert.deepEqual(filters.data.task_types, ['DATASET_CREATION']);
  });

  it('reads refused files and the progress of a dataset', async () => {
    const refused = await api.GET('/api/v1/dataset/{dataset_id}/quarantine', { params: { path } });
    assert.equal(refused.data.files[0].file, 'notes.png');
    const status = await api.GET('/api/v1/datasets/{dataset_id}/creation-status', { params: { path } });
    assert.deepEqual(status.data, { status: 'READY', progress: 100 });
    assert.equal((await mediaIds()).length, 6);
    const models = await api.GET('/api/v1/vector_search/{dataset_id}/embedding_models', { params: { path } });
    assert.deepEqual(models.data, []);
  });

  it('reads the bytes of a picture', async () => {
    const [cluster] = await take(dataset.search(), 1);
    const bytes = await (await fetch(cluster.previews[0].media_uri)).arrayBuffer();
    assert.ok(bytes.byteLength > 0);
  });

  it('reads a tile of a picture', async () => {
    const [cluster] = await take(dataset.search(), 1);
    const place = { media_id: cluster.previews[0].media_id, level: 0, column: 0, row: 0 };
    const { data } = await api.GET('/api/v1/dataset/{dataset_id}/media/{media_id}/tiles/{level}/{column}/{row}', {
      params: { path: { ...path, ...place } },
      parseAs: 'arrayBuffer',
    });
    assert.deepEqual([...new Uint8Array(data, 0, 2)], [0xff, 0xd8]);
  });

  it('previews the results of models, and reads the context of an enrichment', async () => {
    const models = await api.GET('/api/v1/enrichment/{dataset_id}/list_models', { params: { path } });
    assert.ok(models.data.some(({ id }) => id === CAPTIONER));
    const { data } = await api.GET('/api/v1/enrichment/{dataset_id}/context', { params: { path } });
    const at = { params: { path: { ...path, enrichment_context_id: data.enrichment_context_id } } };
    const route = '/api/v1/enrichment/{dataset_id}/{enrichment_context_id}';
    const body = { enrichment_models: { CAPTION_IMAGES: CAPTIONER } };
    const { previews } = (await api.POST(`${route}/previews_enrichment_result`, { ...at, body })).data;
    assert.ok(previews[0].results.CAPTION_IMAGES.caption);
    assert.equal((await api.GET(`${route}/status`, at)).data.status, 'NEW');
    const found = await api.GET('/api/v1/enrichment/{dataset_id}/findings', { params: { path } });
    assert.equal(found.data.captions.count, 0);
    assert.equal((await api.DELETE(`${route}/abort`, at)).data.status, 'NEW');
  });

  it('synchronises with the source', async () => {
    const { data } = await api.POST('/api/v1/dataset/{dataset_id}/sync', { params: { path } });
    assert.equal((await dms.waitFor(data.task_id)).status, 'COMPLETED');
  });

  it('renames, compares and deletes snapshots', async () => {
    const route = '/api/v1/dataset/{dataset_id}/snapshot/{snapshot_id}';
    const { snapshot_id: old } = await dataset.createSnapshot({ name: 'old' });
    await dataset.createSnapshot({ name: 'new' });
    const at = { params: { path: { ...path, snapshot_id: old } } };
    assert.equal((await api.PATCH(route, { ...at, body: { name: 'older' } })).data.snapshot_name, 'older');
    assert.equal((await api.GET(`${route}/diff`, at)).data.added.count, 0);
    await api.DELETE(route, { ...at, parseAs: 'text' });
    const { data } = await api.GET('/api/v1/dataset/{dataset_id}/snapshot', { params: { path } });
    assert.deepEqual(
      data.filter(({ reason }) => reason === 'manual').map(({ snapshot_name: name }) => name),
      ['new'],
    );
  });

  it('counts what a format cannot hold', async () => {
    const { data } = await api.GET('/api/v1/dataset/{dataset_id}/export_preview', {
      params: { path, query: { export_format: 'voc' } },
    });
    assert.ok(Array.isArray(data.losses));
  });

  it('refuses to cancel an export that has ended', async () => {
    const query = { file_name: 'all.zip', export_format: 'json' };
    const route = '/api/v1/dataset/{dataset_id}/export_status';
    const { data } = await api.GET('/api/v1/dataset/{dataset_id}/export_context_async', { params: { path, query } });
    const at = { params: { path, query: { export_task_id: data.id } } };
    await until(async () => (await api.GET(route, at)).data.status === 'COMPLETED', 'The export');
    await assert.rejects(api.DELETE(route, at), ConflictError);
  });

  it('annotates media with a file', async () => {
    const [{ filename }] = await mediaIds();
    const form = new FormData();
    form.append('files', new Blob([`filename,label\n${filename},boat\n`]), 'image_annotations.csv');
    await started('annotations/files', form);
    assert.deepEqual((await dataset.facets()).labels, [{ value: 'boat', count: 1, parents: [] }]);
    assert.deepEqual((await dataset.facets({}, 'OA')).labels, [{ value: 'boat', count: 1, parents: [] }]);
    assert.deepEqual((await dataset.facets({}, 'car')).labels, []);
  });

  it('labels images with the names of their folders, at creation and afterwards', async () => {
    await write('by-folder', 2);
    const parent = join(service.folder, 'by-folder');
    const route = '/api/v1/ingestion/folder_labels';
    const { data } = await api.GET(route, { params: { query: { bucket_path: parent } } });
    assert.deepEqual(data.labels, [{ value: 'part-0', count: 2 }]);
    const found = data.labels.map((label) => ({ ...label, parents: [] }));
    const labelled = await dms.createDataset('by folder', parent, { labelsFromFolders: true });
    await labelled.waitUntilReady({ timeoutSeconds: 120 });
    assert.deepEqual((await labelled.facets()).labels, found);
    const plain = await dms.createDataset('without labels', parent);
    await plain.waitUntilReady({ timeoutSeconds: 120 });
    assert.deepEqual((await plain.facets()).labels, []);
    await dms.waitFor(await plain.annotateByFolders(), { timeoutSeconds: 120 });
    assert.deepEqual((await plain.facets()).labels, found);
  });

  it('declares a custom field, sets and reads its values', async () => {
    const [{ id }] = await mediaIds();
    const task = await dataset.declareField({ field_name: 'weather', field_type: 'enum', enum_options: ['sun'] });
    const route = '/api/v1/datasets/{dataset_id}/custom_metadata/tasks/{task_id}';
    const at = { params: { path: { ...path, task_id: task } } };
    const body = [
      { media_id: id, value: 'sun' },
      { media_id: id, value: 'snow' },
    ];
    assert.equal((await api.POST(route, { ...at, body })).data.status, 'RUNNING');
    await dataset.waitUntilReady();
    const { data } = await api.GET(`${route}/status`, at);
    assert.deepEqual([data.status, data.inserted_rows, data.error_count], ['COMPLETED_WITH_ERRORS', 1, 1]);
    assert.deepEqual(await dataset.fields(), [
      { field_name: 'weather', field_type: 'enum', enum_options: ['sun'], is_multi: false },
    ]);
    const image = await api.GET('/api/v1/datasets/{dataset_id}/image/{image_id}/custom_metadata', {
      params: { path: { ...path, image_id: id } },
    });
    assert.deepEqual(image.data, [{ field_name: 'weather', field_type: 'enum', value: 'sun' }]);
  });

  it('replaces the image vectors', async () => {
    const all = await mediaIds();
    const form = new FormData();
    form.append('id', 'own');
    form.append('named_by', 'media_id');
    form.append('names', new Blob([all.map(({ id }) => id).join('\n')]), 'names.txt');
    form.append('vectors', new Blob([vectorsFile(all.length, 8)]), 'vectors.npy');
    await started('embeddings', form);
    assert.equal((await dataset.similar(all[0].id, 2)).length, 2);
  });

  it('reads several media at once', async () => {
    const ids = (await mediaIds()).map(({ id }) => id);
    const asked = ids.slice(0, 2).reverse();
    const { data } = await api.GET('/api/v1/dataset/{dataset_id}/media', {
      params: { path, query: { media_ids: asked.join(), with_objects: true } },
    });
    assert.deepEqual(
      data.media.map(({ media_id: id, objects }) => [id, objects.length]),
      asked.map((id) => [id, 0]),
    );
  });

  it('reads the map, its points and their media', async () => {
    const route = '/api/v1/dataset/{dataset_id}/map';
    const { data: map } = await api.GET(route, { params: { path } });
    assert.ok(map.placed_media > 0);
    const query = { map_version: map.map_version };
    const { data: tile } = await api.GET(`${route}/tiles/{z}/{x}/{y}`, {
      params: { path: { ...path, z: 0, x: 0, y: 0 }, query },
      parseAs: 'arrayBuffer',
    });
    const view = new DataView(tile);
    assert.deepEqual([view.getUint32(4, true), view.getUint32(8, true)], [map.placed_media, map.placed_media]);
    const row = view.getUint32(16, true);
    const { data: found } = await api.GET(`${route}/media`, { params: { path, query: { ...query, rows: `${row}` } } });
    assert.equal(found.media[0].row, row);
  });

  it('records decisions on groups of near duplicates', async () => {
    const folder = await write('duplicates', 2, 400);
    const picture = (await readdir(folder, { recursive: true })).find((name) => extname(name) !== '');
    await copyFile(join(folder, picture), join(folder, `copy${extname(picture)}`));
    const copies = await dms.createDataset('with a copy', folder);
    await copies.waitUntilReady({ timeoutSeconds: 120 });
    const path = { dataset_id: copies.id };
    const route = '/api/v1/dataset/{dataset_id}/duplicates';
    const query = { duplicate_threshold: '1' };
    const { data: found } = await api.GET(route, { params: { path, query } });
    assert.equal(found.open_groups, 1);
    const { data: overview } = await api.GET(`${route}/overview`, { params: { path, query } });
    assert.equal(overview.removed, 1);
    const { data: ruled } = await api.POST(`${route}/decisions/by_rule`, {
      params: { path },
      body: { duplicate_threshold: 1, rule: 'oldest' },
    });
    assert.equal(ruled.decisions, 1);
    const undone = await api.DELETE(`${route}/decisions`, { params: { path, query: { batch_id: ruled.batch_id } } });
    assert.equal(undone.data.count, 1);
    const [keep, ...remove] = found.groups[0].members.map(({ media_id: id }) => id);
    await api.POST(`${route}/decisions`, { params: { path }, body: { decisions: [{ keep: [keep], remove }] } });
    const { data: decisions } = await api.GET(`${route}/decisions`, { params: { path } });
    assert.equal(decisions.total, 1);
    const { data: csv } = await api.GET(`${route}/removals.csv`, { params: { path }, parseAs: 'text' });
    assert.equal(csv.trim().split('\n').length, 2);
    const { data: script } = await api.GET(`${route}/removals.sh`, { params: { path }, parseAs: 'text' });
    assert.match(script, /^delete_file '/m);
    const { data: carried } = await api.POST(`${route}/carry_annotations`, { params: { path } });
    assert.equal(carried.task_id, null);
  });

  it('keeps labels that look wrong, and takes over what is suggested', async () => {
    const [, second] = await mediaIds();
    await dataset.source('ground_truth').push([{ media_id: second.id, label: 'cat' }]);
    const route = '/api/v1/dataset/{dataset_id}/label_suggestions';
    const { data: pairs } = await api.GET(route, { params: { path } });
    assert.equal(pairs.total, 0);
    const { data: page } = await api.GET(`${route}/media`, { params: { path, query: { label: 'cat' } } });
    assert.deepEqual(page.media, []);
    const keep = [{ media_id: second.id, label: 'cat', suggested: 'dog' }];
    const { data: decided } = await api.POST(`${route}/decisions`, { params: { path }, body: { keep } });
    assert.equal(decided.n_kept, 1);
    const body = { decision_id: decided.decision_id };
    const { data: undone } = await api.POST(`${route}/undo`, { params: { path }, body });
    assert.equal(undone.count, 1);
    const { data: taken } = await api.POST(`${route}/decisions/by_confidence`, {
      params: { path },
      body: { confidence: 0.9 },
    });
    assert.equal(taken.n_taken_over, 0);
  });

  it('evaluates a source, and files that are imported into it', async () => {
    const [first, second] = await mediaIds();
    const shape = { type: 'box', x: 8, y: 8, width: 40, height: 40 };
    const said = [
      { media_id: first.id, label: 'boat', shape },
      { media_id: second.id, label: 'car', shape },
    ];
    await dataset.source('people').push(said, { kind: 'truth' });
    await dataset.source('detector').push([{ ...said[0], confidence: 0.75 }]);
    const asked = { predictions: 'detector', truth: 'people', options: { confidence: 0.5, pictures: 'with_truth' } };
    const evaluation = await dataset.evaluate({ ...asked, name: 'First' });
    const { status, metrics, n_pictures: pictures, per_class: labels } = await evaluation.get();
    assert.deepEqual([status, pictures, metrics.precision, metrics.recall], ['COMPLETED', 2, 1, 0.5]);
    assert.deepEqual([labels[0].label, labels[0].n_truth], ['boat', 1]);
    const counts = await evaluation.counts({ confidence: 0.8, label: 'boat' });
    assert.deepEqual([counts.tp, counts.fp, counts.fn], [0, 0, 1]);
    const { cells } = await evaluation.confusion({ labels: ['boat', 'car'] });
    assert.deepEqual(
      cells.map(({ truth, predicted, count }) => [truth, predicted, count]),
      [
        ['boat', 'boat', 1],
        ['car', null, 1],
      ],
    );
    const missed = await take(dataset.search({ vql: cells[1].vql }));
    assert.equal(missed[0].previews[0].media_id, second.id);
    assert.equal((await evaluation.curves({ precision: 0.9 })).for_precision.confidence, 0.75);
    assert.equal((await evaluation.picture(first.id)).truth[0].outcome, 'tp');
    const slices = await take(evaluation.slices({ by: 'label', all: true }));
    assert.deepEqual(
      slices.map(({ conditions: [{ value }], figure, n_truth: truth }) => [value, figure, truth]),
      [
        ['car', 0, 1],
        ['boat', 1, 1],
      ],
    );
    const other = await dataset.evaluate({ ...asked, options: { ...asked.options, confidence: 0.8 } });
    const { a_right_b_wrong: lost } = await evaluation.compare(other);
    assert.deepEqual([lost.count, lost.n_media], [1, 1]);
    // One picture is like no other.
    assert.deepEqual(await evaluation.failures({ outcome: 'fn' }), []);
    await other.delete();
    await dataset.source('detector').push([{ ...said[1], confidence: 0.7 }]);
    assert.deepEqual((await evaluation.get()).changed, ['predictions']);
    await evaluation.runAgain();
    const again = await evaluation.wait({ timeoutSeconds: 120 });
    assert.deepEqual([again.metrics.recall, again.previous_metrics.recall], [1, 0.5]);
    assert.equal((await evaluation.rename('Second')).name, 'Second');
    assert.equal((await evaluation.keepUpToDate()).keep_up_to_date, true);
    assert.equal((await evaluation.keepUpToDate(false)).keep_up_to_date, false);
    const rows = [
      { filename: first.filename, col_x: 8, row_y: 8, width: 40, height: 40, label: 'boat', confidence: 1 },
    ];
    const csv = [Object.keys(rows[0]).join(), ...rows.map((row) => Object.values(row).join())].join('\n');
    const imported = await dataset.importAndEvaluate([new File([csv], 'found.csv')], asked, { mode: 'replace' });
    assert.equal((await dataset.waitFor(imported.taskId)).task_type, 'ANNOTATION_IMPORT');
    assert.equal((await imported.wait({ timeoutSeconds: 120 })).metrics.recall, 0.5);
    const named = (await take(dataset.evaluations({ truth: 'people' }))).map(({ name }) => name);
    assert.deepEqual(named, ['detector', 'Second']);
    await imported.delete();
    await assert.rejects(imported.get(), NotFoundError);
  });

  it('makes review queues, answers their items, and comments', async () => {
    const queues = '/api/v1/dataset/{dataset_id}/review_queues';
    const item = `${queues}/{queue_id}/items/{item_id}`;
    const asked = { name: 'Doubtful', query: {}, question: { type: 'labels', options: ['boat', 'house'] } };
    const queue = await dataset.makeReviewQueue(asked);
    assert.deepEqual(await dataset.reviewQueues(), [queue]);
    const at = { ...path, queue_id: queue.id };
    const { items, finished } = (await api.POST(`${queues}/{queue_id}/next`, { params: { path: at }, body: {} })).data;
    assert.deepEqual([items.length, finished], [1, false]);
    const of = { params: { path: { ...at, item_id: items[0].item_id } } };
    await api.POST(`${item}/decision`, { ...of, body: { verdict: 'answer', labels: ['house'] } });
    assert.equal((await api.DELETE(`${item}/decision`, of)).data.undone, true);
    const decided = await api.POST(`${item}/decision`, { ...of, body: { verdict: 'answer', labels: ['boat'] } });
    assert.equal(decided.data.state, 'done');
    await assert.rejects(api.POST(`${item}/review`, { ...of, body: { accepted: true } }), ConflictError);
    await api.POST(`${item}/comments`, { ...of, body: { text: 'A raft?' } });
    assert.equal((await api.GET(`${item}/comments`, of)).data.comments[0].text, 'A raft?');
    const query = { state: 'done' };
    const listed = await api.GET(`${queues}/{queue_id}/items`, { params: { path: at, query } });
    assert.deepEqual(listed.data.items, [decided.data]);
    const decisions = await take(dataset.reviewDecisions(queue.id));
    assert.deepEqual(
      decisions.map(({ verdict, answer }) => [verdict, answer]),
      [['answer', { labels: ['boat'] }]],
    );
    const changed = await api.PATCH(`${queues}/{queue_id}`, { params: { path: at }, body: { paused: true } });
    assert.equal(changed.data.paused, true);
    assert.equal((await dataset.reviewProgress(queue.id)).states.done, 1);
    await api.DELETE(`${queues}/{queue_id}`, { params: { path: at } });
    assert.deepEqual(await dataset.reviewQueues(), []);
  });

  it('starts operations through the pipeline interface', async () => {
    const folder = await write('scripts', 2, 300);
    const asked = { path: folder, name: 'by a script' };
    const { data } = await api.GET('/api/v1/process', { params: { query: asked } });
    const script = dms.dataset(data.dataset_id);
    await script.waitUntilReady({ timeoutSeconds: 120 });
    const posted = await api.POST('/api/v1/process', { body: { ...asked, name: 'by another' } });
    assert.equal(posted.data.status, 'success');
    const add = { dataset_id: script.id };
    const partial = () => until(async () => (await script.get()).status_new === 'PARTIAL INDEX', 'The addition');
    const ready = () => until(async () => (await script.get()).status_new === 'READY', 'The reindexing');
    await api.GET('/api/v1/process/add_media', { params: { query: { ...add, path: await write('one', 1, 310) } } });
    await partial();
    await until(() => api.GET('/api/v1/process/reindex', { params: { query: add } }).catch(() => undefined), 'A start');
    await ready();
    await api.POST('/api/v1/process/add_media', { body: { ...add, path: await write('two', 1, 320) } });
    await partial();
    await until(() => api.POST('/api/v1/process/reindex', { body: add }).catch(() => undefined), 'A start');
    await ready();
    assert.equal((await script.get()).n_images, 4);
  });

  it('reports routes that require an identity provider', async () => {
    const user = { params: { path: { user_id: ADMIN } } };
    const users = '/api/v1/idp/admin/users';
    const newUser = { username: 'ben@example.com', password: 'a-long-password', firstName: 'Ben', lastName: 'Okoro' };
    const calls = [
      () => api.GET('/api/v1/api_credentials'),
      () => api.GET('/api/v1/api_credentials/list'),
      () => api.DELETE('/api/v1/api_credentials/{api_key}', { params: { path: { api_key: 'dms_0' } } }),
      () => api.GET('/api/v1/oidc/login'),
      () => api.GET('/api/v1/oidc/callback'),
      () => api.GET('/api/v1/oidc/logout'),
      () => api.POST('/api/v1/oidc/logout'),
      () => api.POST('/api/v1/oidc/backchannel-logout', { body: { logout_token: 'none' } }),
      () => api.GET(users),
      () => api.POST(users, { body: newUser }),
      () => api.GET(`${users}/{user_id}`, user),
      () => api.PATCH(`${users}/{user_id}`, { ...user, body: { enabled: false } }),
      () => api.DELETE(`${users}/{user_id}`, user),
      () => api.POST(`${users}/{user_id}/reset-password`, { ...user, body: { password: 'a-long-password' } }),
      () => api.POST(`${users}/{user_id}/logout`, user),
      () => api.GET(`${users}/{user_id}/sessions`, user),
      () => api.PUT(`${users}/{user_id}/roles`, { ...user, body: { roles: [] } }),
      () =>
        api.PUT('/api/v1/workspace/members/{member_user_id}/role', {
          params: { path: { member_user_id: ADMIN } },
          body: { role: 'editor' },
        }),
    ];
    for (const call of calls) await assert.rejects(call(), ApiError, String(call));
  });
});
