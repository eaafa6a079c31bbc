import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { MultimodalTexts } from '../../../src/common/engine/compute/multimodal-texts';
import { ChangedModelError, MissingModelError } from '../../../src/common/engine/models/model-error';
import { ModelRegistry } from '../../../src/common/engine/models/model-registry';
import { ModelServerOutageError } from '../../../src/common/engine/models/servers/model-server-errors';
import { ComputeBench } from '../../support/compute';
import { FORMAT_FIXTURES, furthest, readJson } from '../../support/format-fixtures';
import { failure } from '../../support/failure';
import { SiteModels } from '../../support/site-models';
import { FAULTS, StubModelServer } from '../../support/stub-model-server';

const SERVED = 'served_v00';
const LOCAL = 'own-clip_v00';

describe('vectors of search texts', () => {
  let server: StubModelServer;
  let site: SiteModels;
  let bench: ComputeBench;
  let registry: ModelRegistry;

  beforeAll(async () => {
    server = await StubModelServer.start({ textEmbedding: ({ prompt }) => [prompt.length, 0] });
    site = await SiteModels.make();
    await site.addEncoder(SERVED, server.url, { server: { retries: 1 } });
    await site.addCopy(join(FORMAT_FIXTURES, 'clip'), { id: LOCAL });
    bench = await ComputeBench.open(1, {}, [], site.folder);
    registry = await ModelRegistry.load(site.folder);
  });
  afterEach(() => server.recover());
  afterAll(async () => {
    await bench.close();
    await server.close();
    await site.remove();
  });

  const textsWithin = (limitMs?: number): MultimodalTexts => new MultimodalTexts(registry, bench.pool, limitMs);
  const failureOf = (texts: MultimodalTexts, id: string, text: string, dimension: number): Promise<Error> =>
    failure(texts.model(id, dimension).then((model) => texts.embed(model, text)));

  it('come from the server, requested once per text', async () => {
    const texts = textsWithin();
    const model = await texts.model(SERVED, 2);
    server.requests = 0;
    const vectors = await Promise.all(['dog', 'dog', 'cat'].map((text) => texts.embed(model, text)));
    expect(vectors).toEqual(vectors.map(() => Float32Array.of(1, 0)));
    await texts.embed(model, 'dog');
    expect(server.requests).toBe(2);
  });

  it('come from a compute child', async () => {
    const texts = textsWithin();
    const reference = await readJson<{ texts: string[]; text_embeddings: number[][] }>(
      FORMAT_FIXTURES,
      'clip',
      'reference.json',
    );
    const vector = await texts.embed(await texts.model(LOCAL, 32), reference.texts[0]!);
    expect(furthest(vector, reference.text_embeddings[0]!)).toBeLessThan(1e-3);
  });

  it('are missing while the server is unavailable, and requested again afterwards', async () => {
    const texts = textsWithin();
    server.fail(FAULTS.status(503));
    expect(await failureOf(texts, SERVED, 'bird', 2)).toBeInstanceOf(ModelServerOutageError);
    server.recover();
    expect(await texts.embed(await texts.model(SERVED, 2), 'bird')).toEqual(Float32Array.of(1, 0));
  });

  it('time out if a server is slow', async () => {
    server.fail(FAULTS.hang());
    expect(await failureOf(textsWithin(50), SERVED, 'slow', 2)).toMatchObject({
      status: 503,
      detail: `The model ${SERVED} did not describe the text within 0.05 seconds. Try again`,
    });
  });

  it('time out if a compute child is slow', async () => {
    const texts = textsWithin();
    await texts.embed(await texts.model(LOCAL, 32), 'a child that has the model');
    const children = bench.pool.childPids;
    for (const child of children) process.kill(child, 'SIGSTOP');
    try {
      expect(await failureOf(textsWithin(50), LOCAL, 'slow', 32)).toMatchObject({
        status: 503,
        detail: `The model ${LOCAL} did not describe the text within 0.05 seconds. Try again`,
      });
    } finally {
      for (const child of children) if (bench.pool.childPids.includes(child)) process.kill(child, 'SIGCONT');
    }
  });

  it('are refused with the reason of the server', async () => {
    server.fail(FAULTS.status(400, 'too long'));
    expect(await failureOf(textsWithin(), SERVED, 'a long text', 2)).toMatchObject({
      status: 400,
      detail: expect.stringMatching(/ refused the text with 400: too long\.$/) as unknown,
    });
  });

  it('require the model that encoded the pictures', async () => {
    const texts = textsWithin();
    expect(await failureOf(texts, 'gone_v00', 'dog', 2)).toBeInstanceOf(MissingModelError);
    expect(await failureOf(texts, SERVED, 'dog', 3)).toBeInstanceOf(ChangedModelError);
    await site.addEncoder('later_v00', server.url);
    await texts.model('later_v00', 2);
  });

  it('require the files of the model', async () => {
    const id = 'emptied_v00';
    const folder = await site.addCopy(join(FORMAT_FIXTURES, 'clip'), { id });
    const texts = textsWithin();
    await texts.model(id, 32);
    await rm(join(folder, 'tokenizer.json'));
    expect(await failureOf(texts, id, 'dog', 32)).toMatchObject({
      status: 409,
      message: expect.stringMatching(
        /^The file tokenizer\.json is missing in emptied_v00\. Export the model .* again\.$/,
      ) as unknown,
    });
  });
});
