import { Additions } from '../../support/additions';
import { freePort } from '../../support/free-port';
import { SiteModels } from '../../support/site-models';
import { StubCollector, type CollectedSpan } from '../../support/stub-collector';
import { StubModelServer } from '../../support/stub-model-server';
import { startTestApp, type TestApp } from '../../support/test-app';

const CAPTIONER = 'site-captioner_v00';
const TRACE = '0af7651916cd43dd8448eb211c80319c';
const CALLER = 'b7ad6b7169203331';

describe('traces', () => {
  let collector: StubCollector;
  let server: StubModelServer;
  let models: SiteModels;
  const parents: unknown[] = [];

  beforeAll(async () => {
    collector = await StubCollector.start();
    server = await StubModelServer.start({
      caption: ({ headers }) => `caption ${parents.push(headers['traceparent'])}`,
    });
    models = await SiteModels.make();
    await models.addCaptioner(CAPTIONER, server.url);
  });

  afterAll(async () => {
    await server.close();
    await models.remove();
    await collector.close();
  });

  const started = (variables: Readonly<Record<string, string>>): Promise<TestApp> =>
    startTestApp({ MODELS_DIR: models.folder, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ...variables });

  /** Requests captions for a new dataset within a trace of the caller. */
  const enrich = async (running: TestApp): Promise<void> => {
    const additions = new Additions(running);
    const source = await additions.indexed('Source', await additions.writeFolder('source', [0, 1]));
    const response = await fetch(`${running.url}/api/v1/dataset/${source}/enrich_dataset`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', traceparent: `00-${TRACE}-${CALLER}-01` },
      body: JSON.stringify({ enrichment_models: { CAPTION_IMAGES: CAPTIONER } }),
    });
    expect(response.status).toBe(200);
    const { dataset_id: copy } = (await response.json()) as { dataset_id: string };
    await additions.api.untilStatus(copy, ['READY']);
  };

  it('contain a request, its job, the steps and the calls of a model', async () => {
    const running = await started({});
    try {
      await enrich(running);
    } finally {
      // Flushes the remaining spans.
      await running.close();
    }
    expect([...collector.paths]).toEqual(['/v1/traces']);
    const spans = collector.spans.filter(({ traceId }) => traceId === TRACE);
    const named = (name: string): CollectedSpan[] => spans.filter((span) => span.name === name);
    const one = (name: string): CollectedSpan => {
      expect(named(name)).toHaveLength(1);
      return named(name)[0]!;
    };
    const request = one('POST /api/v1/dataset/:dataset_id/enrich_dataset');
    expect(request.parentId).toBe(CALLER);
    const job = one('job enrich-dataset');
    expect(job.parentId).toBe(request.spanId);
    const apply = one('step apply-model');
    expect(apply.parentId).toBe(job.spanId);
    expect(one('step publish').parentId).toBe(job.spanId);
    const calls = named(`model ${CAPTIONER}`);
    expect(calls.map(({ parentId }) => parentId)).toEqual([apply.spanId, apply.spanId]);
    expect(new Set(parents)).toEqual(new Set(calls.map(({ spanId }) => `00-${TRACE}-${spanId}-01`)));
  });

  it('can be lost by a collector without other effects', async () => {
    collector.isBroken = true;
    const requests = collector.requests;
    const running = await started({});
    try {
      await enrich(running);
    } finally {
      await running.close();
    }
    expect(collector.requests).toBeGreaterThan(requests);
  });

  it('have no other effects while the collector is unavailable', async () => {
    const away = `http://127.0.0.1:${await freePort()}`;
    const running = await started({ OTEL_EXPORTER_OTLP_ENDPOINT: away });
    try {
      await enrich(running);
    } finally {
      await running.close();
    }
  });

  it.each([
    ['OTEL_SDK_DISABLED', 'true'],
    ['OTEL_TRACES_EXPORTER', 'none'],
    ['OTEL_TRACES_SAMPLER', 'always_off'],
  ])('are not sent with %s=%s', async (name, value) => {
    const requests = collector.requests;
    const running = await started({ [name]: value });
    await fetch(`${running.url}/api/v1/datasets`);
    await running.close();
    expect(collector.requests).toBe(requests);
  });

  it('prevent the start if their configuration is invalid', async () => {
    await expect(started({ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' })).rejects.toThrow(
      'OTEL_EXPORTER_OTLP_PROTOCOL=grpc is not valid: it must be http/protobuf, the protocol of this service.',
    );
    await expect(started({ OTEL_TRACES_SAMPLER_ARG: '2' })).rejects.toThrow('must be a number from 0 to 1');
  });
});
