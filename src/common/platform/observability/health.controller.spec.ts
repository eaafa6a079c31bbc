import type { Response } from 'express';
import { waitUntil } from '../../../../test/support/wait-until';
import { HealthController } from './health.controller';
import { Metrics } from './metrics';

describe('HealthController', () => {
  let checks: number;
  let readings: number;
  let failing: boolean;
  let health: HealthController;

  beforeEach(() => {
    [checks, readings, failing] = [0, 0, false];
    const metrics = new Metrics();
    metrics.gauge('readings', 'How often it was read', [], () => [{ labels: {}, value: (readings += 1) }]);
    const check = (): Promise<void> => {
      checks += 1;
      return failing ? Promise.reject(new Error('gone')) : Promise.resolve();
    };
    health = new HealthController([{ part: 'store', check }], metrics);
  });

  const ready = async (): Promise<[number, string]> => {
    let given = 0;
    const response = { status: (code: number) => void (given = code) } as unknown as Response;
    const { status } = await health.ready(response);
    return [given, status];
  };

  it('renders the metrics once for concurrent requests', async () => {
    const texts = await Promise.all(Array.from({ length: 100 }, () => health.scrape()));
    expect(new Set([...texts, await health.scrape()]).size).toBe(1);
    expect(readings).toBe(1);
  });

  it('checks each part once for concurrent requests, and is not ready as soon as the process stops', async () => {
    expect(await Promise.all(Array.from({ length: 100 }, ready))).toEqual(Array(100).fill([200, 'ok']));
    expect(checks).toBe(1);
    health.leave();
    expect(await ready()).toEqual([503, 'unavailable']);
  });

  it('checks again later', async () => {
    await ready();
    failing = true;
    await waitUntil(async () => (await ready())[0] === 503);
    expect(checks).toBe(2);
  });
});
