import { freePort } from '../../support/program';
import { startTestApp, type TestApp } from '../../support/test-app';

describe.each(['all', 'worker'])('metrics on a separate port, with ROLE=%s', (role) => {
  let running: TestApp;
  let own: string;

  beforeAll(async () => {
    const port = await freePort();
    running = await startTestApp({ ROLE: role, METRICS_PORT: String(port) });
    own = `http://127.0.0.1:${port}`;
  });

  afterAll(() => running.close());

  it('are served there with health and nothing else', async () => {
    const metrics = await fetch(`${own}/metrics`);
    expect(metrics.status).toBe(200);
    expect(await metrics.text()).toContain('process_resident_memory_bytes');
    expect((await fetch(`${own}/health/live`)).status).toBe(200);
    const other = await fetch(`${own}/api/v1/datasets`);
    expect(other.status).toBe(404);
    expect(await other.json()).toHaveProperty('detail');
  });

  it.each(['/metrics', '/metrics/', '/Metrics', '/metrics?a=b'])(
    'are not served at %s of the main port',
    async (path) => {
      const answer = await fetch(`${running.url}${path}`);
      expect(answer.status).toBe(404);
      expect(await answer.text()).not.toContain('process_');
    },
  );
});
