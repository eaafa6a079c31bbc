import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Failpoint } from '../../src/common/platform/config/failpoint';
import { ApiClient } from '../support/api-client';
import { writePicture } from '../support/pictures';
import { freePort, Program } from '../support/program';
import { expireLeases, ProgramHome } from '../support/program-home';
import { SiteModels } from '../support/site-models';
import { FAULTS, StubModelServer } from '../support/stub-model-server';
import { waitUntil } from '../support/wait-until';
import { allOr, OBJECT_FAILPOINTS } from './failpoints';

const secretKey = randomBytes(32).toString('base64');
const [DETECTOR, CAPTIONER] = ['site-detector_v00', 'object-captioner_v00'];
const ENRICHMENTS = { enrichment_models: { OBJECT_DETECTION: DETECTOR, CAPTION_OBJECTS: CAPTIONER } };
const PICTURES = 6;
const KILLS = 3;

interface Preview {
  readonly file_name: string;
  readonly caption: string | null;
}

describe('an enrichment by two processes', () => {
  let home: ProgramHome;
  let server: StubModelServer;
  let models: SiteModels;
  let captions = 0;

  beforeAll(async () => {
    server = await StubModelServer.start({ delayMs: 100, caption: () => `Caption ${(captions += 1)}` });
    models = await SiteModels.make();
    await models.addCaptioner(DETECTOR, server.url, { type: 'OBJECT_DETECTION', server: { boxes: 'fractions' } });
    await models.addCaptioner(CAPTIONER, server.url, { type: 'CAPTION_OBJECTS' });
  });

  beforeEach(async () => {
    home = await ProgramHome.make({
      ...{ FAILPOINT_SIGNAL: 'SIGSTOP', LOG_LEVEL: 'INFO', SECRET_KEY: secretKey, MODELS_DIR: models.folder },
    });
    await home.start();
  });

  afterEach(() => home.remove());

  afterAll(async () => {
    await server.close();
    await models.remove();
  });

  const startOther = async (): Promise<Program> =>
    Program.start(join(home.folder, 'other-data'), await freePort(), {
      env: {
        DATABASE_URL: home.databaseUrl,
        STORAGE_URL: pathToFileURL(home.store).href,
        MEDIA_ROOTS: home.folder,
        SECRET_KEY: secretKey,
        MODELS_DIR: models.folder,
      },
    });
  const indexed = async (): Promise<string> => {
    const folder = join(home.folder, 'source');
    for (let seed = 0; seed < PICTURES; seed += 1) await writePicture(join(folder, `${seed}.jpg`), seed);
    return home.api.indexed('Source', folder);
  };
  const isDone = async (id: string): Promise<boolean> =>
    (await home.api.must<{ status_new: string }>(200, 'GET', `/api/v1/dataset/${id}`)).status_new === 'READY';
  const copyOf = async (api: ApiClient, source: string): Promise<string> => {
    const listed = await api.must<{ id: string; source_dataset_id: string | null }[]>(200, 'GET', '/api/v1/datasets');
    const copies = listed.filter((dataset) => dataset.source_dataset_id === source);
    expect(copies).toHaveLength(1);
    return copies[0]!.id;
  };
  /** Each picture has one object with its own caption, and no temporary data is left. */
  const expectWhole = async (api: ApiClient, source: string): Promise<void> => {
    const copy = await copyOf(api, source);
    const { clusters } = await api.must<{ clusters: { previews: Preview[] }[] }>(
      200,
      'GET',
      `/api/v1/explore/${copy}?threshold=4&entity_type=OBJECTS`,
    );
    const found = clusters.flatMap(({ previews }) => previews);
    expect(found.map(({ file_name: name }) => name).sort()).toEqual(
      Array.from({ length: PICTURES }, (_, seed) => `${seed}.jpg`),
    );
    expect(new Set(found.map(({ caption }) => caption)).size).toBe(PICTURES);
    expect(found.every(({ caption }) => caption !== null)).toBe(true);
    expect(await api.must(200, 'GET', `/api/v1/dataset/${copy}`)).toMatchObject({
      status_new: 'READY',
      n_objects: PICTURES,
    });
    expect(await api.must(200, 'GET', `/api/v1/dataset/${source}`)).toMatchObject({
      status_new: 'READY',
      n_objects: 0,
    });
    const { tasks } = await api.must<{ tasks: object[] }>(200, 'GET', `/api/v1/tasks?dataset_id=${source}`);
    expect(tasks[0]).toMatchObject({ task_type: 'ENRICHMENT', status: 'COMPLETED', quarantined_count: 0 });
  };

  it.each(
    allOr<Failpoint>(
      ['findings-stored'],
      OBJECT_FAILPOINTS.filter((point) => point !== 'after-flip'),
    ),
  )(
    'publish one result when one of them was suspended beyond its lease at %s',
    async (point) => {
      const paused = home.program;
      const source = await indexed();
      await home.arm(point);
      await home.api.must(200, 'POST', `/api/v1/dataset/${source}/enrich_dataset`, ENRICHMENTS);
      await waitUntil(async () => !(await paused.answers()));
      await expireLeases(home.databaseUrl);
      const other = await startOther();
      try {
        const api = new ApiClient(other.url);
        await api.untilStatus(source, ['READY']);
        await expectWhole(api, source);
        paused.signal('SIGCONT');
        await waitUntil(() => paused.output.includes('was lost'));
        await expectWhole(api, source);
      } finally {
        await other.stop();
        paused.signal('SIGCONT');
        await paused.stop();
      }
    },
    180_000,
  );

  it('loses nothing when the processes are killed alternately', async () => {
    const source = await indexed();
    let other = await startOther();
    try {
      await home.api.must(200, 'POST', `/api/v1/dataset/${source}/enrich_dataset`, ENRICHMENTS);
      for (let kill = 0; kill < KILLS; kill += 1) {
        const asked = server.requests;
        await waitUntil(async () => server.requests > asked + 2 || (await isDone(source)));
        // The remaining process must not finish before the next kill.
        server.fail(FAULTS.status(503));
        if (kill % 2 === 0) {
          await home.program.stop('SIGKILL');
          await expireLeases(home.databaseUrl);
          await home.start();
        } else {
          await other.stop('SIGKILL');
          await expireLeases(home.databaseUrl);
          other = await startOther();
        }
        server.recover();
      }
      await home.api.untilStatus(source, ['READY']);
      await expectWhole(home.api, source);
    } finally {
      await other.stop();
    }
  });
});
