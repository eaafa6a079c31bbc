import { hash } from 'node:crypto';
import type { StubFindings } from '../support/stub-model-answers';
import { SiteModels } from '../support/site-models';
import { FAULTS, StubModelServer } from '../support/stub-model-server';

/** Ids of models by their type. */
export type Models = ReadonlyMap<string, string>;

export interface FailingModel {
  readonly id: string;
  recover(): void;
}

const STEADY: readonly (readonly [type: string, id: string, changes: object])[] = [
  ['CAPTION_IMAGES', 'captions-a', {}],
  ['CAPTION_IMAGES', 'captions-b', {}],
  ['IMAGE_TAGGING', 'labels-a', {}],
  ['IMAGE_TAGGING', 'labels-b', {}],
  ['MULTIMODEL_IMAGE_ENCODING', 'vectors-a', { outputs: { dimension: 4 } }],
  ['OBJECT_DETECTION', 'objects-a', {}],
  ['CAPTION_OBJECTS', 'object-captions-a', {}],
];
const ANSWER_MS = 15;

/** The findings depend on the picture and on the model only. */
const FINDINGS: StubFindings = {
  caption: ({ model, picture }) => `${model} ${hash('sha256', picture).slice(0, 16)}`,
  labels: (request) => [{ label: FINDINGS.caption(request), confidence: 0.9 }],
  objects: (request) => [{ label: FINDINGS.caption(request), confidence: 0.9, box: [0.1, 0.1, 0.9, 0.8] }],
  embedding: ({ picture }) => [...hash('sha256', picture, 'buffer').subarray(0, 4)].map((byte) => byte - 127.5),
  textEmbedding: () => [1, 0, 0, 0],
};

/** Models on servers that keep running when the program is killed. */
export class HistoryModels {
  private readonly servers: StubModelServer[] = [];
  private failing = 0;

  private constructor(private readonly site: SiteModels) {}

  static async make(): Promise<HistoryModels> {
    const models = new HistoryModels(await SiteModels.make());
    const server = await models.serve();
    for (const [type, id, changes] of STEADY) await models.add(type, id, server, changes);
    return models;
  }

  get folder(): string {
    return this.site.folder;
  }

  /** One to three types with a model each, and their dependencies unless these are in `applied`. */
  any(applied: Models): Models {
    const models = new Map<string, string>();
    for (let at = Math.ceil(Math.random() * 3); at > 0; at -= 1) {
      const [type, id] = STEADY[Math.floor(Math.random() * STEADY.length)]!;
      models.set(type, id);
    }
    if (models.has('CAPTION_OBJECTS') && !applied.has('OBJECT_DETECTION')) models.set('OBJECT_DETECTION', 'objects-a');
    return models;
  }

  /** A captioner whose server rejects all requests until it recovers. */
  async addFailing(): Promise<FailingModel> {
    this.failing += 1;
    const id = `captions-failing-${this.failing}`;
    const server = await this.serve();
    server.fail(FAULTS.status(401, 'Incorrect API key'));
    await this.add('CAPTION_IMAGES', id, server, {});
    return { id, recover: () => server.recover() };
  }

  async remove(): Promise<void> {
    for (const server of this.servers) await server.close();
    await this.site.remove();
  }

  private async serve(): Promise<StubModelServer> {
    const server = await StubModelServer.start({ ...FINDINGS, delayMs: ANSWER_MS });
    this.servers.push(server);
    return server;
  }

  private add(type: string, id: string, { url }: StubModelServer, changes: object): Promise<void> {
    return this.site.addCaptioner(id, url, {
      type,
      ...changes,
      server: { model: id, atOnce: 2, ...(type === 'OBJECT_DETECTION' ? { boxes: 'fractions' } : {}) },
    });
  }
}
