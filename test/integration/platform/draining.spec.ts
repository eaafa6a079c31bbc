import { Agent, request, type IncomingMessage } from 'node:http';
import { freePort } from '../../support/program';
import { startTestApp, type TestApp } from '../../support/test-app';

interface Answer {
  readonly status: number | undefined;
  readonly connection: string | undefined;
  readonly body: string;
}

const PIPELINE_TOKEN = 'pipeline-token-of-the-test-0123456789';

describe('a service that is about to stop', () => {
  let running: TestApp;
  let pipelineUrl: string;
  const agent = new Agent({ keepAlive: true });

  beforeAll(async () => {
    const port = await freePort();
    pipelineUrl = `http://127.0.0.1:${port}`;
    running = await startTestApp({ DRAIN_SECONDS: '1', PIPELINE_PORT: String(port), PIPELINE_TOKEN });
  });

  afterAll(async () => {
    agent.destroy();
    await running.close();
  });

  const ask = async (url: string): Promise<Answer> => {
    const response = await new Promise<IncomingMessage>((resolve, reject) =>
      request(url, { agent }, resolve).on('error', reject).end(),
    );
    let body = '';
    for await (const chunk of response) body += String(chunk);
    return { status: response.statusCode, connection: response.headers.connection, body };
  };

  it('continues to serve, reports that it is not ready, and ends each connection with a response', async () => {
    const places = [`${running.url}/api/v1/datasets`, `${pipelineUrl}/health/live`];
    for (const place of places) expect(await ask(place)).toMatchObject({ status: 200, connection: 'keep-alive' });
    const started = performance.now();
    const drained = running.drain();
    for (const place of places) expect(await ask(place)).toMatchObject({ status: 200, connection: 'close' });
    expect(await ask(`${running.url}/health/live`)).toMatchObject({ status: 200 });
    for (const url of [running.url, pipelineUrl]) {
      const { status, body } = await ask(`${url}/health/ready`);
      expect(status).toBe(503);
      expect(JSON.parse(body)).toMatchObject({ status: 'unavailable', parts: { process: 'down: it is stopping' } });
    }
    await drained;
    expect(performance.now() - started).toBeGreaterThan(990);
  });
});
