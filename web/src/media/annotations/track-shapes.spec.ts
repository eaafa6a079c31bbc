import type { Shape, ShownAnnotation } from './shapes';
import { trackShapesAt } from './track-shapes';

const frames = [0, 1, 2, 4, 8].map((seconds) => ({ id: `at ${seconds}`, seconds, width: 100, height: 50 }));

const said = (seconds: number, shape: Shape | null, rest: Partial<ShownAnnotation> = {}): ShownAnnotation => ({
  ...{ id: '1', key: `${seconds}`, media_id: `at ${seconds}`, source: 'a', label: 'car', shape, track_id: '7' },
  ...{ confidence: 0.5, area: null, attributes: {}, crowd: false, ignored: false, version: 1 },
  ...rest,
});
const box = (x: number, rotation?: number): Shape => ({
  ...{ type: 'box', x, y: 2 * x, width: 10, height: 10 + x },
  ...(rotation !== undefined && { rotation }),
});
const polygon = (...rings: number[][]): Shape => ({ type: 'polygon', rings });

function at(seconds: number, ...around: ShownAnnotation[]) {
  const frame = frames.find((each) => each.seconds === seconds)!;
  const here = around.filter(({ media_id: id }) => id === frame.id);
  return trackShapesAt(frame, frames, { here, around });
}
const between = (from: Shape | null, to: Shape | null) => at(1, said(0, from), said(4, to)).map(({ shape }) => shape);

describe('a track in a frame without it', () => {
  it('is between the shapes of the nearest frames, by time', () => {
    const around = [said(0, box(90)), said(1, box(0)), said(8, box(90)), said(4, box(30))];
    expect(at(2, ...around)).toEqual([
      { ...said(1, null), confidence: null, shape: { type: 'box', x: 10, y: 20, width: 10, height: 20, rotation: 0 } },
    ]);
    expect(at(2, ...around.reverse()).map(({ shape }) => shape)).toMatchObject([{ x: 10 }]);
  });

  it('is not there before the first shape, after the last, or beside one that is stored', () => {
    expect([at(0, said(1, box(0)), said(2, box(1))), at(8, said(1, box(0)), said(2, box(1)))]).toEqual([[], []]);
    expect(at(2, said(1, box(0)), said(2, null), said(4, box(3)))).toEqual([]);
  });

  it.each([{ source: 'b' }, { track_id: '8' }, { track_id: null }, { label: 'van' }])('is not that of %j', (other) =>
    expect(at(2, said(1, box(0)), said(4, box(3), other), said(2, box(5), { track_id: '9' }))).toEqual([]),
  );

  it('turns the shorter way', () => {
    expect(between(box(0, 350), box(0, 10))).toMatchObject([{ rotation: 355 }]);
    expect(between(box(0, 10), box(0, 350))).toMatchObject([{ rotation: 5 }]);
    expect(between(box(0), box(0, 40))).toMatchObject([{ rotation: 10 }]);
  });

  it('may be a polygon or keypoints with the same number of points', () => {
    expect(
      between(polygon([0, 0, 4, 0, 4, 4], [1, 1, 2, 1, 2, 2]), polygon([4, 4, 8, 4, 8, 8], [1, 1, 2, 1, 2, 6])),
    ).toEqual([polygon([1, 1, 5, 1, 5, 5], [1, 1, 2, 1, 2, 3])]);
    expect(between(polygon([0, 0, 4, 0, 4, 4]), polygon([0, 0, 4, 0, 4, 4, 0, 4]))).toEqual([]);
    expect(between(polygon([0, 0, 4, 0, 4, 4]), polygon([0, 0, 4, 0, 4, 4], [1, 1, 2, 1, 2, 2]))).toEqual([]);
    const points = (...numbers: number[]): Shape => ({ type: 'keypoints', points: numbers });
    expect(between(points(0, 0, 2, 8, 8, 2, 0, 0, 0), points(4, 8, 2, 8, 8, 1, 4, 4, 2))).toEqual([
      points(1, 2, 2, 8, 8, 1, 1, 1, 0),
    ]);
    expect(between(points(0, 0, 2), points(0, 0, 2, 1, 1, 2))).toEqual([]);
  });

  it('is left out for masks, labels and shapes of two kinds', () => {
    const mask: Shape = { type: 'mask', width: 1, height: 1, counts: '01' };
    expect([between(mask, mask), between(null, null), between(box(0), polygon([0, 0, 1, 0, 1, 1]))]).toEqual([
      [],
      [],
      [],
    ]);
  });
});
