import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import type { Operation } from '../../src/modules/tasks/domain/operation-conflicts';
import type { TaskType } from '../../src/modules/tasks/domain/task';
import { type ApiClient, filesForm, formOf, type Answer } from '../support/api-client';
import { ExportClient } from '../support/export-client';
import { npyOf, vectorsForm } from '../support/npy-bytes';
import { pictureBytes, writePicture } from '../support/pictures';
import { ProgramHome } from '../support/program-home';
import { SiteModels } from '../support/site-models';
import { SnapshotClient } from '../support/snapshot-client';
import { StubModelServer } from '../support/stub-model-server';
import { waitUntil } from '../support/wait-until';
import { WorkGates } from './work-gates';

const CAPTIONER = 'site-captioner_v00';

/** The value of `status_new`, and of the deprecated `status` in brackets. */
const [INDEXING, READY] = ['INDEXING (INDEXING)', 'READY (READY)'];
const [READ_ONLY, PARTIAL] = ['READ ONLY (UPDATING)', 'PARTIAL INDEX (PARTIAL_INDEX)'];
const REST = [READY, PARTIAL, 'ERROR (ERROR)'];

const NOT_THERE = [404, 'Snapshot not found'] as const;
const NOT_CLONED =
  "Operation 'snapshot_clone' needs a dataset that is READY or PARTIAL INDEX or ERROR; this one is READ ONLY";

/** Operations that are refused for a reason other than the running task. */
const REFUSED_FOR_ANOTHER_REASON: Readonly<
  Partial<Record<TaskType, Partial<Record<Operation, readonly [number, string]>>>>
> = {
  DATASET_CREATION: { snapshot_restore: NOT_THERE, snapshot_clone: NOT_THERE },
  MEDIA_ADDITION: { snapshot_clone: [409, NOT_CLONED] },
  REINDEX: { snapshot_clone: [409, NOT_CLONED] },
  ENRICHMENT: { snapshot_clone: [409, NOT_CLONED] },
  CUSTOM_METADATA: { snapshot_clone: [409, NOT_CLONED] },
  ANNOTATION: { snapshot_clone: [409, NOT_CLONED] },
  MEDIA_REMOVAL: { snapshot_clone: [409, NOT_CLONED] },
  DATASET_COPY: { snapshot_clone: [409, NOT_CLONED] },
  EMBEDDINGS: { snapshot_clone: [409, NOT_CLONED] },
  SNAPSHOT_RESTORE: { snapshot_clone: [409, NOT_CLONED] },
  SNAPSHOT_CLONE: {
    snapshot: [409, "Operation 'snapshot' needs a dataset that is READY; this one is INDEXING"],
  },
};

const embeddings = (ids: readonly string[]): FormData =>
  vectorsForm({ vectors: npyOf(ids.map((_, at) => [1, at])), names: ids, fields: { named_by: 'media_id' } });
const ANNOTATIONS = { annotations: [{ file_name: '1.jpg', labels: ['given'] }] };

describe('statuses of a dataset', () => {
  let home: ProgramHome;
  let server: StubModelServer;
  let models: SiteModels;
  let api: ApiClient;
  let client: SnapshotClient;
  let sql: Client;
  let gates: WorkGates;
  let pictures = 0;

  beforeAll(async () => {
    server = await StubModelServer.start();
    models = await SiteModels.make();
    await models.addCaptioner(CAPTIONER, server.url);
    home = await ProgramHome.make({ MODELS_DIR: models.folder });
    await home.start();
    api = home.api;
    client = new SnapshotClient(api);
    sql = new Client({ connectionString: home.databaseUrl });
    await sql.connect();
    gates = await WorkGates.build(sql);
  });

  afterAll(async () => {
    await sql.end();
    await home.remove();
    await server.close();
    await models.remove();
  });

  const newFolder = async (): Promise<string> => {
    pictures += 1;
    const place = join(home.folder, `media-${pictures}`);
    for (const name of ['a', 'b']) await writePicture(join(place, `${pictures}${name}.jpg`), (pictures += 1));
    return place;
  };
  const indexed = async (name: string): Promise<string> => client.indexed(name, await newFolder());
  const path = (id: string, rest = ''): string => `/api/v1/dataset/${id}${rest}`;
  const add = async (id: string, fields: Record<string, string> = {}): Promise<string> => {
    await api.must(202, 'POST', path(id, '/add_media'), formOf({ s3_uri: await newFolder(), ...fields }));
    return id;
  };
  const reindex = async (id: string): Promise<string> => {
    await api.must(202, 'POST', path(id, '/reindex'));
    return id;
  };
  const enrich = async (id: string): Promise<string> => {
    await api.must(200, 'POST', path(id, '/enrich_dataset'), { enrichment_models: { CAPTION_IMAGES: CAPTIONER } });
    return id;
  };
  const annotate = async (id: string): Promise<string> => {
    await api.must(202, 'POST', path(id, '/annotations'), ANNOTATIONS);
    return id;
  };
  const sendValues = async (id: string): Promise<string> => {
    const tasks = `/api/v1/datasets/${id}/custom_metadata/tasks`;
    const field = { field_name: 'score', field_type: 'float' };
    const { task_id: task } = await api.must<{ task_id: string }>(200, 'POST', tasks, field);
    const [medium] = await client.mediaIds(id);
    await api.must(202, 'POST', `${tasks}/${task}`, [{ media_id: medium, value: 1 }]);
    return id;
  };
  const embed = async (id: string): Promise<string> => {
    await api.must(202, 'POST', path(id, '/embeddings'), embeddings(await client.mediaIds(id)));
    return id;
  };
  const choose = (id: string): Promise<Answer> => api.ask('POST', path(id, '/copy'), { search: {} });
  const copy = async (id: string): Promise<string> => {
    expect((await choose(id)).status).toBe(202);
    return id;
  };
  const removeMedia = async (id: string): Promise<string> => {
    const [medium] = await client.mediaIds(id);
    const media_selection = [{ type: 'media', payload: { media_ids: [medium] } }];
    await api.must(202, 'POST', path(id, '/remove_media'), { media_selection });
    return id;
  };
  const restore = async (id: string, snapshot = 'current'): Promise<string> => {
    await api.must(202, 'POST', path(id, `/snapshot/${snapshot}/restore`));
    return id;
  };
  const clone = async (id: string): Promise<string> => {
    const datasets = (): Promise<{ id: string }[]> => api.must(200, 'GET', '/api/v1/datasets');
    const known = new Set((await datasets()).map((each) => each.id));
    const [snapshot] = await client.list(id);
    await api.must(202, 'POST', path(id, `/snapshot/${snapshot!.snapshot_id}/clone`));
    return (await datasets()).find((each) => !known.has(each.id))!.id;
  };
  const partial = async (name: string): Promise<string> => {
    const id = await add(await indexed(name));
    await api.untilStatus(id, ['PARTIAL INDEX']);
    return id;
  };
  const seen = async (id: string): Promise<string> => {
    const dataset = await api.must<{ status: string; status_new: string }>(200, 'GET', path(id));
    return `${dataset.status_new} (${dataset.status})`;
  };
  const runningTasks = async (id: string): Promise<string[]> => {
    const { tasks } = await api.must<{ tasks: { task_type: string; status: string }[] }>(
      200,
      'GET',
      `/api/v1/tasks?dataset_id=${id}`,
    );
    return tasks.filter(({ status }) => ['INITIALIZING', 'RUNNING'].includes(status)).map((task) => task.task_type);
  };
  const untilAtRest = (id: string): Promise<void> => waitUntil(async () => REST.includes(await seen(id)));

  /** The statuses from the response to the end, in order. `held` runs before the job starts. */
  const journey = async (
    start: () => Promise<string>,
    held: (id: string) => Promise<void> = () => Promise.resolve(),
  ): Promise<string[]> => {
    const statuses: string[] = [];
    await gates.close();
    try {
      const id = await start();
      statuses.push(await seen(id));
      await held(id);
      await gates.open('start');
      await waitUntil(async () => REST.includes(await seen(id)) || (await gates.isWaitedAt('table')));
      statuses.push(await seen(id));
      await gates.open('table');
      await untilAtRest(id);
      statuses.push(await seen(id));
    } finally {
      await gates.openAll();
    }
    return statuses.filter((status, at) => status !== statuses[at - 1]);
  };

  describe('follow the specification', () => {
    it('when it is created from a folder', async () => {
      const start = async (): Promise<string> => api.createFromFolder('Made', await newFolder());
      const held = async (id: string): Promise<void> => expect(await runningTasks(id)).toEqual(['DATASET_CREATION']);
      expect(await journey(start, held)).toEqual([INDEXING, READY]);
    });

    it('when it is created from uploads', async () => {
      const { dataset_id: id } = await api.must<{ dataset_id: string }>(
        200,
        'GET',
        '/api/v1/ingestion/new_dataset?dataset_name=Uploaded',
      );
      expect(await seen(id)).toBe('DRAFT (DRAFT)');
      const transaction = await api.upload(id, [{ name: 'a.jpg', bytes: await pictureBytes(1) }]);
      const start = async (): Promise<string> => {
        await api.must(202, 'POST', `/api/v1/ingestion/${id}/process_files/${transaction}`);
        return id;
      };
      expect(await journey(start)).toEqual([INDEXING, READY]);
    });

    it('when no file is readable', async () => {
      const place = await newFolder();
      await rm(place, { recursive: true });
      await writeBroken(place);
      expect(await journey(() => api.createFromFolder('Unreadable', place))).toEqual([INDEXING, 'ERROR (ERROR)']);
    });

    it('when media are added, from READY and from PARTIAL INDEX', async () => {
      const id = await indexed('Added to');
      const held = async (): Promise<void> => {
        expect(await runningTasks(id)).toEqual(['MEDIA_ADDITION']);
        expect(await client.mediaIds(id)).not.toEqual([]);
      };
      expect(await journey(() => add(id), held)).toEqual([READ_ONLY, PARTIAL]);
      expect(await journey(() => add(id), held)).toEqual([READ_ONLY, PARTIAL]);
      expect(await client.dataset(id)).toMatchObject({ n_images: 6, progress: 100 });
    });

    it('when media are added with a reindex, from READY and from PARTIAL INDEX', async () => {
      const id = await indexed('Added to at once');
      expect(await journey(() => add(id, { auto_reindex: 'true' }))).toEqual([READ_ONLY, INDEXING, READY]);
      await add(id);
      await untilAtRest(id);
      expect(await seen(id)).toBe(PARTIAL);
      expect(await journey(() => add(id, { auto_reindex: 'true' }))).toEqual([READ_ONLY, INDEXING, READY]);
      expect(await client.dataset(id)).toMatchObject({ n_images: 8, progress: 100 });
    });

    it('when it is reindexed', async () => {
      const id = await partial('Indexed anew');
      const held = async (): Promise<void> => expect(await runningTasks(id)).toEqual(['REINDEX']);
      expect(await journey(() => reindex(id), held)).toEqual([READ_ONLY, INDEXING, READY]);
    });

    it('when it is synchronised with its source', async () => {
      const place = await newFolder();
      const id = await client.indexed('Synchronised', place);
      await writePicture(join(place, 'late.jpg'), (pictures += 1));
      const start = async (): Promise<string> => {
        await api.must(202, 'POST', path(id, '/sync'));
        return id;
      };
      expect(await journey(start)).toEqual([READ_ONLY, PARTIAL]);
      expect(await journey(start)).toEqual([READ_ONLY, PARTIAL]);
      await reindex(id);
      await untilAtRest(id);
      expect(await journey(start)).toEqual([READ_ONLY, READY]);
    });

    it('when an operation fails, back to the first status', async () => {
      const id = await indexed('Failed');
      const place = join(home.folder, 'broken');
      await writeBroken(place);
      for (const auto_reindex of ['false', 'true'])
        expect(await journey(() => add(id, { s3_uri: place, auto_reindex }))).toEqual([READ_ONLY, READY]);
      await add(id);
      await untilAtRest(id);
      expect(await journey(() => add(id, { s3_uri: place }))).toEqual([READ_ONLY, PARTIAL]);
      expect((await client.tasks(id, 'MEDIA_ADDITION')).map(({ status }) => status)).toEqual([
        'FAILED',
        'COMPLETED',
        'FAILED',
        'FAILED',
      ]);
    });

    it('when a snapshot is restored, with the former content until then', async () => {
      const id = await indexed('Restored');
      const [first] = await client.list(id);
      const before = await client.mediaIds(id);
      await add(id, { auto_reindex: 'true' });
      await untilAtRest(id);
      const after = await client.mediaIds(id);
      const held = async (): Promise<void> => {
        expect(await runningTasks(id)).toEqual(['SNAPSHOT_RESTORE']);
        expect((await client.list(id))[0]).toMatchObject({ is_restoring: true });
        expect(await client.mediaIds(id)).toEqual(after);
      };
      expect(await journey(() => restore(id, first!.snapshot_id), held)).toEqual([READ_ONLY, READY]);
      expect(await client.mediaIds(id)).toEqual(before);
      expect((await client.list(id))[0]).toMatchObject({ is_restoring: false, is_current: true });
      await add(id);
      await untilAtRest(id);
      expect(await journey(() => restore(id))).toEqual([READ_ONLY, READY]);
      expect(await client.mediaIds(id)).toEqual(before);
    });

    it('when it is cloned, without a change', async () => {
      const id = await indexed('Source');
      const held = async (copy: string): Promise<void> => {
        expect(await client.dataset(copy)).toMatchObject({ display_name: 'Source (cloned)', source_dataset_id: id });
        expect(await runningTasks(copy)).toEqual(['SNAPSHOT_CLONE']);
        expect(await seen(id)).toBe(READY);
        await client.keep(id);
        expect(await runningTasks(id)).toEqual([]);
      };
      expect(await journey(() => clone(id), held)).toEqual([INDEXING, READY]);
      expect(await seen(id)).toBe(READY);
    });
  });

  describe('refuse a second operation with the sentence of the specification', () => {
    type Start = readonly [(name: string) => Promise<string>, typeof reindex];
    /** The preparation and the start of each type of task. */
    const starts: Readonly<Record<Exclude<TaskType, 'EXPORT' | 'EVALUATION' | 'ANNOTATION_IMPORT'>, Start>> = {
      DATASET_CREATION: [newFolder, (place) => api.createFromFolder('Creation', place)],
      MEDIA_ADDITION: [indexed, (id) => add(id)],
      REINDEX: [partial, reindex],
      ENRICHMENT: [indexed, enrich],
      CUSTOM_METADATA: [indexed, sendValues],
      ANNOTATION: [indexed, annotate],
      MEDIA_REMOVAL: [indexed, removeMedia],
      DATASET_COPY: [indexed, copy],
      EMBEDDINGS: [indexed, embed],
      SNAPSHOT_RESTORE: [indexed, (id) => restore(id)],
      SNAPSHOT_CLONE: [indexed, clone],
    };

    const ofSnapshot = async (id: string, verb: string): Promise<Answer> => {
      const [snapshot] = await client.list(id);
      return api.ask('POST', path(id, `/snapshot/${snapshot?.snapshot_id ?? id}/${verb}`));
    };
    const operations: Readonly<Record<Operation, (id: string) => Promise<Answer>>> = {
      add_media: async (id) =>
        api.ask('POST', path(id, '/add_media'), filesForm([{ name: 'a.jpg', bytes: await pictureBytes(1) }])),
      reindex: (id) => api.ask('POST', path(id, '/reindex')),
      sync: (id) => api.ask('POST', path(id, '/sync')),
      enrich_dataset: (id) => api.ask('POST', path(id, '/enrich_dataset'), { enrichment_models: {} }),
      annotate: (id) => api.ask('POST', path(id, '/annotations'), ANNOTATIONS),
      import_annotations: (id) => api.ask('POST', path(id, '/annotations/files'), formOf({ source: 'a' })),
      remove_media: (id) => api.ask('POST', path(id, '/remove_media'), { search: {} }),
      copy_dataset: choose,
      upload_embeddings: (id) => api.ask('POST', path(id, '/embeddings'), embeddings([id])),
      snapshot: (id) => api.ask('POST', path(id, '/snapshot')),
      snapshot_restore: (id) => ofSnapshot(id, 'restore'),
      snapshot_clone: (id) => ofSnapshot(id, 'clone'),
      delete_dataset: (id) => api.ask('DELETE', path(id)),
    };

    it.each(Object.entries(starts) as [TaskType, Start][])('while a %s task runs', async (type, [prepare, start]) => {
      const held = async (id: string): Promise<void> => {
        const [status, tasks] = [await seen(id), await runningTasks(id)];
        for (const operation of Object.keys(operations) as Operation[]) {
          const [code, detail] = REFUSED_FOR_ANOTHER_REASON[type]?.[operation] ?? [
            409,
            `Operation '${operation}' is blocked while ${type} task is running`,
          ];
          const answer = await operations[operation](id);
          expect({ operation, status: answer.status, body: answer.body }).toEqual({
            operation,
            status: code,
            body: { detail },
          });
        }
        expect([await seen(id), await runningTasks(id)]).toEqual([status, tasks]);
        expect(tasks).toEqual([type]);
      };
      const before = await prepare(type);
      const statuses = await journey(() => start(before), held);
      expect(REST).toContain(statuses.at(-1));
    });

    it.each([
      ['add_media', 202, [READ_ONLY, PARTIAL]],
      ['sync', 202, [READ_ONLY, READY]],
      ['snapshot', 200, [READY]],
      ['snapshot_restore', 202, [READ_ONLY, READY]],
      ['snapshot_clone', 202, [READY]],
    ] as const)(
      'while an EXPORT task runs only where the dataset would go: %s may begin',
      async (operation, status, statuses) => {
        const exports = new ExportClient(api);
        const id = await indexed(`Exported before ${operation}`);
        let exported: { id: string } = { id };
        const start = async (): Promise<string> => {
          exported = await exports.start(id, 'export_format=json&include_images=false');
          expect(await seen(id)).toBe(READY);
          expect(await runningTasks(id)).toEqual(['EXPORT']);
          expect(await operations.delete_dataset(id)).toMatchObject({
            status: 409,
            body: { detail: "Operation 'delete_dataset' is blocked while EXPORT task is running" },
          });
          expect(await operations[operation](id)).toMatchObject({ status });
          return id;
        };
        expect(await journey(start)).toEqual(statuses);
        expect(await exports.untilCompleted(id, exported)).toMatchObject({ entities_count: 2 });
      },
    );
  });

  async function writeBroken(place: string): Promise<void> {
    await writePicture(join(place, 'a.jpg'), 1);
    await writeFile(join(place, 'a.jpg'), 'no picture');
  }
});
