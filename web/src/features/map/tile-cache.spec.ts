import { TileCache } from './tile-cache';
import { keyOf, type TileId } from './tile-tree';

const tile = (x: number, count = 100) => ({ id: { z: 8, x, y: 0 } satisfies TileId, count });

function cacheOf(mostPoints: number) {
  const evicted: string[] = [];
  return { cache: new TileCache<ReturnType<typeof tile>>(mostPoints, ({ id }) => evicted.push(keyOf(id))), evicted };
}

describe('TileCache', () => {
  it('keeps tiles up to a limit of points', () => {
    const { cache, evicted } = cacheOf(250);
    for (const x of [0, 1, 2]) cache.add(tile(x));
    cache.need(['8/2/0']);
    expect(evicted).toEqual(['8/0/0']);
    expect(cache.at('8/0/0')).toBeUndefined();
    expect(cache.at('8/1/0')).toBeDefined();
  });

  it('keeps the most recently used tiles', () => {
    const { cache, evicted } = cacheOf(250);
    for (const x of [0, 1]) cache.add(tile(x));
    cache.need(['8/0/0']);
    cache.add(tile(2));
    cache.need(['8/2/0']);
    expect(evicted).toEqual(['8/1/0']);
  });

  it('keeps all needed tiles, regardless of their points', () => {
    const { cache, evicted } = cacheOf(250);
    for (const x of [0, 1, 2, 3]) cache.add(tile(x));
    cache.need(['8/3/0', '8/2/0', '8/1/0', '8/0/0', '8/9/0']);
    expect(evicted).toEqual([]);
  });

  it('counts a repeated tile once', () => {
    const { cache, evicted } = cacheOf(600);
    for (const count of [100, 300]) cache.add(tile(0, count));
    evicted.length = 0;
    cache.add(tile(1, 300));
    cache.need([]);
    expect(evicted).toEqual([]);
  });

  it('limits tiles without points', () => {
    const { cache, evicted } = cacheOf(640);
    for (let x = 0; x < 20; x += 1) cache.add(tile(x, 0));
    cache.need([]);
    expect(evicted).toHaveLength(10);
  });

  it('releases all tiles at the end', () => {
    const { cache, evicted } = cacheOf(1_000);
    for (const x of [0, 1]) cache.add(tile(x));
    cache.clear();
    expect(evicted).toEqual(['8/0/0', '8/1/0']);
    expect(cache.at('8/0/0')).toBeUndefined();
  });
});
