import { childrenOf, isInSight, keyOf, levelOf, planOf, squareOf, TILE_PX, type KnownTile } from './tile-tree';

const ALL = { left: 0, top: 0, right: 1, bottom: 1 };

interface Named extends KnownTile {
  readonly key: string;
}

function having(keys: Readonly<Record<string, 'complete' | 'partial' | 'crowded'>>) {
  const tiles = new Map<string, Named>(
    Object.entries(keys).map(([key, how]) => [
      key,
      { key, isComplete: how === 'complete', isCrowded: how === 'crowded' },
    ]),
  );
  return (key: string) => tiles.get(key);
}

const keysOf = (tiles: readonly Named[]): readonly string[] => tiles.map(({ key }) => key);

describe('map tiles', () => {
  it('halve at each level', () => {
    expect(childrenOf({ z: 1, x: 1, y: 0 }).map(keyOf)).toEqual(['2/2/0', '2/3/0', '2/2/1', '2/3/1']);
    expect(squareOf({ z: 2, x: 3, y: 0 })).toEqual({ left: 0.75, top: 0, right: 1, bottom: 0.25 });
  });

  it('are chosen at a level that fits the scale', () => {
    expect([100, TILE_PX, TILE_PX + 1, TILE_PX * 4, 1e12].map((scale) => levelOf(scale, 14))).toEqual([0, 0, 1, 2, 14]);
  });

  it('are visible if they touch the visible part', () => {
    const sight = { left: 0.3, top: 0.3, right: 0.45, bottom: 0.45 };
    expect(isInSight({ z: 1, x: 0, y: 0 }, sight)).toBe(true);
    expect(isInSight({ z: 1, x: 1, y: 0 }, sight)).toBe(false);
  });

  it('are requested from the coarsest level on', () => {
    const { draw, want } = planOf(having({}), ALL, 3, 14);
    expect(draw).toEqual([]);
    expect(want.map(keyOf)).toEqual(['0/0/0']);
  });

  it('are not requested at finer levels if all points are loaded', () => {
    const { draw, want } = planOf(having({ '0/0/0': 'complete' }), ALL, 3, 14);
    expect(keysOf(draw)).toEqual(['0/0/0']);
    expect(want).toEqual([]);
  });

  it('are shown until their children are loaded', () => {
    const some = { '0/0/0': 'partial', '1/0/0': 'partial', '1/1/0': 'complete' } as const;
    const waiting = planOf(having(some), ALL, 1, 14);
    expect(keysOf(waiting.draw)).toEqual(['0/0/0', '1/0/0', '1/1/0']);
    expect(waiting.want.map(keyOf).toSorted()).toEqual(['1/0/1', '1/1/1']);
    const whole = planOf(having({ ...some, '1/0/1': 'complete', '1/1/1': 'partial' }), ALL, 1, 14);
    expect(keysOf(whole.draw)).toEqual(['1/0/0', '1/1/0', '1/0/1', '1/1/1']);
    expect(whole.want).toEqual([]);
  });

  it('are shown a level finer if they are crowded, down to the finest level', () => {
    const crowded = having({ '0/0/0': 'crowded', '1/0/0': 'crowded' });
    expect(planOf(crowded, ALL, 0, 14).want.map(keyOf).toSorted()).toEqual(['1/0/1', '1/1/0', '1/1/1']);
    expect(planOf(crowded, ALL, 0, 0).want).toEqual([]);
  });

  it('are requested only if they are visible', () => {
    const corner = { left: 0.9, top: 0.9, right: 0.95, bottom: 0.95 };
    const { want, needed } = planOf(having({ '0/0/0': 'partial', '1/1/1': 'partial' }), corner, 2, 14);
    expect(want.map(keyOf)).toEqual(['2/3/3']);
    expect(needed).toEqual(['0/0/0', '1/1/1', '2/3/3']);
  });

  it('are requested from the centre outwards', () => {
    const sight = { left: 0, top: 0, right: 0.8, bottom: 0.8 };
    const { want } = planOf(having({ '0/0/0': 'partial' }), sight, 1, 14);
    expect(keyOf(want[0]!)).toBe('1/0/0');
  });
});
