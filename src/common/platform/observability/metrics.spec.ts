import { Readable } from 'node:stream';
import { DatabaseOutageError, ObjectStoreOutageError } from '../outage/outage';
import { Reachability } from '../outage/reachability';
import { ObjectExistsError, ObjectNotFoundError, type ObjectStore } from '../storage/object-store';
import { ObservedObjectStore } from '../storage/storage.module';
import { BoundedCache } from '../cache/bounded-cache';
import { waitUntil } from '../../../../test/support/wait-until';
import { CacheMetrics, Metrics } from './metrics';
import { CallMetrics, OutageMetrics } from './gauges';

const linesOf = async (metrics: Metrics, name: string): Promise<string[]> =>
  (await metrics.registry.getSingleMetricAsString(name)).split('\n').filter((line) => line.startsWith(name));

describe('metrics', () => {
  it('omit values that cannot be read', async () => {
    const metrics = new Metrics();
    metrics.gauge('away', 'Away', ['type'], () => Promise.reject(new DatabaseOutageError('gone', undefined)));
    metrics.gauge('there', 'There', [], () => [{ labels: {}, value: 1 }]);
    const text = await metrics.registry.metrics();
    expect(text).toContain('\nthere 1\n');
    expect(text).not.toContain('\naway');
    expect(await linesOf(metrics, 'metrics_unreadable_total')).toEqual(['metrics_unreadable_total{metric="away"} 1']);
  });

  it('count the hits and misses of all caches with the same name', async () => {
    const metrics = new Metrics();
    const cache = new BoundedCache<string>(100, (text) => text.length);
    const caches = new CacheMetrics(metrics);
    caches.add('texts', () => cache.usage);
    caches.add('texts', () => ({ hits: 1, misses: 2, bytes: 3 }));
    for (const key of ['a', 'b', 'a', 'a']) await cache.getOrLoad(key, () => Promise.resolve('four'));
    expect(await linesOf(metrics, 'cache_hits_total')).toEqual(['cache_hits_total{cache="texts"} 3']);
    expect(await linesOf(metrics, 'cache_misses_total')).toEqual(['cache_misses_total{cache="texts"} 4']);
    expect(await linesOf(metrics, 'cache_bytes')).toEqual(['cache_bytes{cache="texts"} 11']);
  });

  it('show when an outage begins and when it ends', async () => {
    const metrics = new Metrics();
    const outages = new OutageMetrics(metrics);
    let isAway = true;
    const part = new Reachability(
      'Store',
      () => (isAway ? Promise.reject(new Error('x')) : Promise.resolve()),
      undefined,
      1,
    );
    const active = (value: number) =>
      waitUntil(async () => (await linesOf(metrics, 'outage_active')).includes(`outage_active{part="store"} ${value}`));
    await active(0);
    part.reportFailure(new ObjectStoreOutageError('gone'));
    await active(1);
    isAway = false;
    await active(0);
    expect(await linesOf(metrics, 'outages_total')).toEqual([
      'outages_total{part="postgres"} 0',
      'outages_total{part="store"} 1',
    ]);
    outages.onModuleDestroy();
  });

  it('have the outcomes of calls to the store', async () => {
    const metrics = new Metrics();
    const calls = new CallMetrics(metrics);
    const errors: Error[] = [
      new ObjectNotFoundError('a'),
      new ObjectExistsError('a'),
      new ObjectStoreOutageError('gone'),
      new Error('other'),
    ];
    const refusing = { get: () => Promise.reject(errors.shift()!) } as unknown as ObjectStore;
    const store = new ObservedObjectStore(refusing);
    while (errors.length > 0) await expect(store.get('a')).rejects.toThrow();
    const fine = { get: () => Promise.resolve(Readable.from([])) } as unknown as ObjectStore;
    await new ObservedObjectStore(fine).get('a');
    const counts = (await linesOf(metrics, 'store_call_duration_seconds')).filter((line) => line.includes('_count'));
    expect(counts.map((line) => /outcome="(\w+)"\} (\d+)/.exec(line)?.slice(1))).toEqual([
      ['not_found', '1'],
      ['exists', '1'],
      ['outage', '1'],
      ['failed', '1'],
      ['ok', '1'],
    ]);
    calls.onModuleDestroy();
  });
});
