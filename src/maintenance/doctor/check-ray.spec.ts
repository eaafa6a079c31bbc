import { StubRay } from '../../../test/support/stub-ray';
import type { Configuration } from '../../common/platform/config/configuration';
import { checkRay } from './check-provider';

describe('the check of a Ray cluster', () => {
  let ray: StubRay;

  beforeEach(async () => {
    ray = await StubRay.start();
  });

  afterEach(() => ray.stop());

  const says = (token: string | null = null): ReturnType<typeof checkRay> =>
    checkRay({ ray: { address: ray.url, token }, callTimeoutMs: 200 } as Configuration);

  it('is not needed with the local engine', async () => {
    expect(await checkRay({ ray: null } as Configuration)).toMatchObject({ state: 'ok' });
  });

  it('reports the version, or what must be corrected', async () => {
    ray.token = 'word';
    expect(await says('word')).toEqual({ state: 'ok', says: `Ray 2.60.0 at ${ray.url}` });
    expect(await says()).toMatchObject({
      state: 'broken',
      says: expect.stringContaining('set RAY_AUTH_TOKEN') as string,
    });
    ray.version = '1.13.0';
    expect(await says('word')).toMatchObject({
      state: 'broken',
      says: expect.stringContaining('runs Ray 1.13.0') as string,
    });
    ray.faults = { silent: true };
    expect(await says('word')).toMatchObject({
      state: 'broken',
      says: expect.stringContaining('does not answer') as string,
    });
    expect(ray.jobs.size).toBe(0);
  });
});
