import { MOST_PICTURED, placed, sideOf } from './thumbnail-layout';

describe('pictures on the map', () => {
  it('are shown for all media of a small dataset, smaller if more are visible', () => {
    expect([1, 60, 500].map(sideOf)).toEqual([104, 72, 48]);
    expect(MOST_PICTURED).toBeGreaterThan(500);
  });

  it('do not overlap', () => {
    const places = [
      { x: 0, y: 0 },
      { x: 67, y: 30 },
      { x: 68, y: 0 },
      { x: 30, y: 68 },
    ];
    expect(placed(places, 64, 4)).toEqual([places[0], places[2], places[3]]);
  });

  it('are shown once if many are at one place', () => {
    expect(
      placed(
        Array.from({ length: 50 }, () => ({ x: 5, y: 5 })),
        64,
        4,
      ),
    ).toHaveLength(1);
  });
});
