import { DEFAULT_IMAGE_MODEL } from '../../../src/common/platform/config/runtime-settings.schema';
import type { ObjectStore } from '../../../src/common/platform/storage/object-store';
import { OBJECT_STORE } from '../../../src/common/platform/storage/storage.module';
import { defaultNearDuplicates } from '../../../src/modules/embeddings/domain/default-ladder';
import { Additions, type UpdateTask } from '../../support/additions';
import { filesForm } from '../../support/api-client';
import { ExportClient } from '../../support/export-client';
import { npyOf, vectorsForm, type SentVectors } from '../../support/npy-bytes';
import { pictureBytes } from '../../support/pictures';
import { SnapshotClient } from '../../support/snapshot-client';
import { runningApp } from '../../support/test-app';
import { waitUntil } from '../../support/wait-until';

const LADDER = [0.95, 0.9, 0.8, 0.5, 0.25];
const NAMES = ['0.jpg', '1.jpg', '2.jpg', '3.jpg'];
/** The first and the third are equal, the others are dissimilar to all. */
const VECTORS = [
  [3, 4, 0, 0],
  [0, 0, 1, 0],
  [6, 8, 0, 0],
  [0, 0, 0, 2],
];
const NO_MODEL =
  'The image vectors of this dataset were uploaded (own), and no model of this service describes other pictures by such vectors. Search by media of the dataset, or apply a model of IMAGE_ENCODING first';

describe('uploaded image vectors', () => {
  const running = runningApp();
  const additions = new Additions(running);
  let snapshots: SnapshotClient;
  let source: string;

  beforeAll(async () => {
    snapshots = new SnapshotClient(additions.api);
    source = await additions.writeFolder('Vectors', [0, 1, 2, 3]);
  });

  const send = async (id: string, sent: SentVectors): Promise<string> =>
    (await additions.api.must<{ task_id: string }>(202, 'POST', `/api/v1/dataset/${id}/embeddings`, vectorsForm(sent)))
      .task_id;
  const given = async (id: string, sent: SentVectors): Promise<UpdateTask> => {
    const task = await send(id, sent);
    await additions.api.untilStatus(id, ['READY']);
    return (await additions.tasks(id)).find(({ task_id: each }) => each === task)!;
  };
  const shown = async (id: string): Promise<Record<string, number[] | null>> =>
    Object.fromEntries(
      (await additions.rows(id)).map(({ fileName, embedding }) => [fileName, embedding && [...embedding]]),
    );
  const namesOf = async (id: string, query: string): Promise<string[][]> => {
    const { clusters } = await additions.api.must<{ clusters: { previews: { file_name: string }[] }[] }>(
      200,
      'GET',
      `/api/v1/explore/${id}?${query}`,
    );
    return clusters.map(({ previews }) => previews.map(({ file_name: name }) => name).sort());
  };
  const close = (values: readonly number[]): unknown[] => values.map((value) => expect.closeTo(value, 5) as unknown);

  it('are used to compare, cluster and search media', async () => {
    const id = await additions.indexed('Own', source);
    const media = new Map((await additions.rows(id)).map((row) => [row.fileName, row.id]));
    const tags = `/api/v1/dataset/${id}/tags`;
    const { id: tag } = await additions.api.must<{ id: string }>(200, 'POST', tags, { name: 'kept' });
    await additions.api.must(200, 'POST', `${tags}/${tag}/assign`, {
      media_selection: [{ type: 'media', payload: { media_ids: [media.get('3.jpg')] } }],
    });
    const fields = { ladder: LADDER.join(',') };
    expect(await given(id, { vectors: npyOf(VECTORS), names: NAMES, fields })).toMatchObject({
      task_type: 'EMBEDDINGS',
      status: 'COMPLETED',
      warnings: [],
    });

    // Two of the four vectors have a cosine of 1, and all others of 0.
    const nearDuplicates = expect.closeTo(defaultNearDuplicates(1 / 6)) as unknown;
    const { pointer } = await additions.get(id);
    expect(pointer).toMatchObject({ modelId: 'uploaded:own', ladder: LADDER, nearDuplicates });
    expect(await shown(id)).toEqual({
      '0.jpg': close([0.6, 0.8, 0, 0]),
      '1.jpg': close([0, 0, 1, 0]),
      '2.jpg': close([0.6, 0.8, 0, 0]),
      '3.jpg': close([0, 0, 0, 1]),
    });
    expect((await namesOf(id, 'threshold=0')).sort()).toEqual([['0.jpg', '2.jpg'], ['1.jpg'], ['3.jpg']]);
    expect(await namesOf(id, 'threshold=0&duplicate_threshold=0.999')).toEqual([['0.jpg', '2.jpg']]);
    expect(await namesOf(id, `threshold=0&tags=[${tag}]`)).toEqual([['3.jpg']]);
    const { similar } = await additions.api.must<{ similar: { media_id: string }[] }>(
      200,
      'GET',
      `/api/v1/dataset/${id}/media/${media.get('2.jpg')}/similar?limit=1`,
    );
    expect(similar.map(({ media_id: each }) => each)).toEqual([media.get('0.jpg')]);
    const anchor = `anchor_media_id=${media.get('0.jpg')}&anchor_type=MEDIA&entity_type=IMAGES&threshold=0`;
    expect((await namesOf(id, anchor))[0]).toContain('2.jpg');
    expect(await additions.api.must(200, 'GET', `/api/v1/enrichment/${id}/context`)).toMatchObject({
      dataset_enrichment_models: { enrichment_models: { IMAGE_ENCODING: 'uploaded:own' } },
    });
    const store = running.app.get<ObjectStore>(OBJECT_STORE);
    await waitUntil(async () => (await store.list('work/')).objects.length === 0);
  });

  it('cannot be compared with other pictures, which is reported immediately', async () => {
    const id = await additions.indexed('Closed', source);
    await given(id, { vectors: npyOf(VECTORS), names: NAMES });
    const picture = { name: 'other.jpg', bytes: await pictureBytes(9) };
    const path = `/api/v1/dataset/${id}`;
    const asked: readonly (readonly [string, FormData | object | undefined])[] = [
      [`${path}/search-image-similarity?entity_type=IMAGES&threshold=0`, filesForm([picture], 'file')],
      [`${path}/add_media`, filesForm([picture])],
      [`${path}/sync`, undefined],
      [`${path}/enrich_dataset`, { enrichment_models: { OBJECT_DETECTION: 'drawn-world_detector_v00' } }],
    ];
    for (const [route, body] of asked)
      expect(await additions.api.ask('POST', route, body)).toMatchObject({ status: 409, body: { detail: NO_MODEL } });
    expect((await additions.tasks(id)).map(({ task_type: type }) => type)).toEqual(['EMBEDDINGS', 'DATASET_CREATION']);
    await additions.api.must(200, 'POST', `${path}/enrich_dataset?in_place=true`, {
      enrichment_models: { IMAGE_ENCODING: DEFAULT_IMAGE_MODEL },
    });
    await additions.api.untilStatus(id, ['READY']);
    await additions.api.must(202, 'POST', `${path}/add_media`, filesForm([picture]));
    expect(await additions.ended(id)).toMatchObject({ status: 'COMPLETED', error_message: null });
  });

  it('are kept in clones and snapshots, and can be undone by a restore', async () => {
    const id = await additions.indexed('Kept', source);
    const before = await shown(id);
    await given(id, { vectors: npyOf(VECTORS), names: NAMES });
    const after = await shown(id);
    const [made, first] = await snapshots.list(id);
    expect(made).toMatchObject({ description: 'Before the vectors own', reason: 'enrichment' });
    expect(first).toMatchObject({ reason: 'creation' });
    const { id: clone } = await snapshots.clone(id, (await snapshots.keep(id)).snapshot_id);
    expect(await shown(clone)).toEqual(after);
    expect((await additions.get(clone)).pointer).toMatchObject({ modelId: 'uploaded:own' });
    await snapshots.restore(id, made!.snapshot_id);
    expect(await shown(id)).toEqual(before);
    expect((await additions.get(id)).pointer).toMatchObject({ modelId: DEFAULT_IMAGE_MODEL });
  });

  it('can be exported and uploaded again unchanged, by media ids', async () => {
    const id = await additions.indexed('Returned', source);
    const before = await shown(id);
    const exports = new ExportClient(additions.api);
    const exported = async (): Promise<Buffer> => {
      const task = await exports.start(id, 'export_format=parquet&with_embeddings=true');
      return (await exports.archive(id, task)).get('metadata.parquet')!;
    };
    const file = await exported();
    await given(id, { vectors: npyOf(VECTORS), names: NAMES });
    expect(await given(id, { vectors: file, name: 'metadata.parquet', fields: { id: 'returned' } })).toMatchObject({
      status: 'COMPLETED',
      warnings: [],
    });
    const after = await shown(id);
    for (const name of NAMES) expect(after[name]).toEqual(close(before[name]!));
    expect((await exported()).toString('latin1')).toContain('uploaded:returned');
  });

  it('are refused for unknown names, and may be missing for media only if allowed', async () => {
    const id = await additions.indexed('Partly', source);
    const sent = { vectors: npyOf(VECTORS), names: ['./0.jpg', '1.jpg', '2.jpg', 'elsewhere.jpg'] };
    expect(await given(id, { ...sent, fields: { allow_missing: 'true' } })).toMatchObject({
      status: 'COMPLETED',
      warnings: [
        '1 of 4 vectors belong to no medium of the dataset: elsewhere.jpg.',
        '1 of 4 media have no vector: 3.jpg. They are like no other.',
      ],
    });
    expect((await shown(id))['3.jpg']).toBeNull();
    expect(await namesOf(id, 'threshold=4')).toEqual(expect.arrayContaining([['3.jpg']]));
  });

  it('leave the dataset unchanged when the task is aborted', async () => {
    const id = await additions.indexed('Aborted', source);
    const { pointer } = await additions.get(id);
    const held = running.database.dataSource.createQueryRunner();
    await held.startTransaction();
    try {
      // Locks like a sweep, which every job that writes media waits for.
      await held.query("SELECT pg_advisory_xact_lock(hashtextextended('blob-sweep', 2))");
      const task = await send(id, { vectors: npyOf(VECTORS), names: NAMES });
      await additions.api.must(200, 'POST', `/api/v1/tasks/${task}/abort`);
    } finally {
      await held.rollbackTransaction();
      await held.release();
    }
    expect(await additions.ended(id)).toMatchObject({ status: 'ABORTED' });
    expect(await additions.get(id)).toMatchObject({ status: 'READY', progress: 100, pointer });
    expect(await given(id, { vectors: npyOf(VECTORS), names: NAMES })).toMatchObject({ status: 'COMPLETED' });
  });

  describe('that are invalid', () => {
    let id: string;

    beforeAll(async () => {
      id = await additions.indexed('Refused', source);
    });

    const faults: readonly (readonly [string, SentVectors, string])[] = [
      [
        'lack media',
        { vectors: npyOf(VECTORS.slice(0, 2)), names: NAMES.slice(0, 2) },
        '2 of 4 media have no vector: 2.jpg, 3.jpg. Send one for each image, frame and object, or send allow_missing=true: media without a vector are like no other.',
      ],
      [
        'are of no medium at all',
        { vectors: npyOf(VECTORS), names: ['a', 'b', 'c', 'd'], fields: { allow_missing: 'true' } },
        'None of the 4 names belongs to a medium of the dataset: a, b, c, d.',
      ],
      [
        'name a medium twice',
        { vectors: npyOf(VECTORS), names: ['0.jpg', '1.jpg', './0.jpg', '3.jpg'] },
        '1 media have more than one vector: ./0.jpg. Leave one of each.',
      ],
      [
        'have no direction',
        { vectors: npyOf([...VECTORS.slice(0, 3), [0, 0, 0, 0]]), names: NAMES },
        `The file of vectors has only zeros in the vector of "3.jpg" (vector 4), which can't be compared with others.`,
      ],
      [
        'have a lying header',
        { vectors: npyOf(VECTORS).subarray(0, -4), names: NAMES },
        'The file of vectors is not whole: its header says 4 vectors of 4 numbers, which take 64 bytes, and 60 follow.',
      ],
    ];

    it.each(faults)('are refused because they %s, and the dataset is unchanged', async (_, sent, sentence) => {
      const { pointer } = await additions.get(id);
      const kept = await snapshots.list(id);
      expect(await given(id, sent)).toMatchObject({ status: 'FAILED', error_message: sentence });
      expect(await additions.get(id)).toMatchObject({ status: 'READY', progress: 100, pointer });
      expect(await snapshots.list(id)).toEqual(kept);
    });
  });
});
