import fc from 'fast-check';
import { shapeKindOf, type Mask, type Shape } from '../annotations/annotation';
import { coveredBy, textOfRuns } from '../annotations/mask-runs';
import { areaOf, withArea } from '../annotations/shape-area';
import { EVERYTHING, PLAIN, type Holds } from './annotation-format';
import { cocoFormat } from './coco/write-coco';
import { cornersOf, enclosingBox, joined, ringsOfMask } from './convert-shapes';
import type { FileAnnotation } from './file-picture';
import { fitted, Losses } from './fit-annotations';
import { isModestInRows, maskOfRows } from './mask-rows';

const BOXES: Holds = {
  ...PLAIN,
  shapes: { label: null, box: 'box', polygon: 'box', mask: 'box', keypoints: 'box' },
};
const POLYGONS: Holds = { ...PLAIN, shapes: { ...EVERYTHING.shapes, mask: 'polygon', keypoints: null } };

/** Set in the box [40, 20, 20, 10]. */
const HALF = maskOfRows(
  Array.from({ length: 10 }, (_, row) => [(20 + row) * 100 + 40, (20 + row) * 100 + 60] as const),
  100,
  50,
)!;

function fit(annotations: readonly FileAnnotation[], holds: Holds) {
  const losses = new Losses();
  const picture = fitted({ path: 'a.jpg', annotations }, holds, losses);
  return { annotations: picture.annotations, losses: losses.list() };
}

const maskOf = (width: number, height: number, bits: readonly boolean[]) => {
  const runs: number[] = [0];
  let isSet = false;
  for (let at = 0; at < width * height; at++) {
    if (bits[at] !== isSet) {
      isSet = !isSet;
      runs.push(0);
    }
    runs[runs.length - 1]! += 1;
  }
  return { width, height, counts: textOfRuns(runs), runs };
};

/** Whether a point is inside by the number of edges to its left. */
function isInside(x: number, y: number, ring: readonly number[]): boolean {
  let inside = false;
  for (let at = 0; at < ring.length; at += 2) {
    const next = (at + 2) % ring.length;
    const [x0, y0, x1, y1] = [ring[at]!, ring[at + 1]!, ring[next]!, ring[next + 1]!];
    if (y0 > y !== y1 > y && x < ((x1 - x0) * (y - y0)) / (y1 - y0) + x0) inside = !inside;
  }
  return inside;
}

const mask = fc
  .tuple(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 1, max: 8 }))
  .chain(([width, height]) =>
    fc
      .array(fc.boolean(), { minLength: width * height, maxLength: width * height })
      .map((bits) => ({ bits, ...maskOf(width, height, bits) })),
  );

describe('annotations fitted to a format', () => {
  it('are as they were if the format holds everything', () => {
    const all: FileAnnotation[] = [
      {
        id: 'a',
        label: 'x',
        box: [1, 2, 3, 4],
        rotation: 30,
        confidence: 0.5,
        trackId: '1',
        crowd: true,
        ignored: true,
      },
      {
        id: 'b',
        label: 'x',
        polygon: [
          [0, 0, 9, 0, 9, 9],
          [2, 1, 4, 1, 4, 3],
        ],
        box: [0, 0, 10, 10],
        area: 7,
      },
      { id: 'c', label: 'x', keypoints: [1, 2, 2], attributes: { a: 1 } },
      { id: 'd', label: 'x' },
    ];
    expect(fit(all, EVERYTHING)).toEqual({ annotations: all, losses: [] });
  });

  it('become boxes, and are counted', () => {
    const { annotations, losses } = fit(
      [
        { label: 'x', polygon: [[3, 4, 9, 4, 9, 20]] },
        { label: 'x', keypoints: [5, 6, 2, 0, 0, 0, 1, 9, 1] },
        { label: 'x', box: [0, 0, 10, 10], rotation: 45, confidence: 1 },
        { label: 'x' },
      ],
      BOXES,
    );
    expect(annotations.map(({ box }) => box)).toEqual([
      [3, 4, 6, 16],
      [1, 6, 4, 3],
      [-2.071067812, -2.071067812, 14.142135624, 14.142135624],
    ]);
    expect(losses).toEqual([
      { what: 'polygons', count: 1, becomes: 'boxes' },
      { what: 'keypoints', count: 1, becomes: 'boxes' },
      { what: 'rotated boxes', count: 1, becomes: 'upright boxes' },
      { what: 'confidences', count: 1, becomes: null },
      { what: 'labels of whole pictures', count: 1, becomes: null },
    ]);
  });

  it('keep rotated boxes as polygons where there are polygons', () => {
    const { annotations, losses } = fit([{ label: 'x', box: [0, 0, 10, 10], rotation: 90 }], POLYGONS);
    expect(annotations[0]!.polygon).toEqual([[10, 0, 10, 10, 0, 10, 0, 0]]);
    expect(losses).toEqual([{ what: 'rotated boxes', count: 1, becomes: 'polygons' }]);
  });

  it('have tracks by number, where a format has no names for them', () => {
    const said: FileAnnotation[] = [
      { label: 'x', box: [0, 0, 1, 1], trackId: '7' },
      { label: 'x', box: [0, 0, 1, 1], trackId: 'red car' },
      { label: 'x', trackId: '7' },
    ];
    const { annotations, losses } = fit(said, { ...EVERYTHING, tracks: 'numbers' });
    expect(annotations.map(({ trackId }) => trackId)).toEqual(['7', 'red car', undefined]);
    expect(losses).toEqual([
      { what: 'names of tracks', count: 1, becomes: 'numbers' },
      { what: 'tracks', count: 1, becomes: null },
    ]);
  });

  it('keep masks in rows that are of their picture and have modest runs there', () => {
    const holds: Holds = { ...EVERYTHING, tracks: 'numbers', masks: 'in-rows' };
    const picture = { path: 'a.jpg', width: 400, height: 300 };
    const kept = (given: Mask, more: Partial<FileAnnotation> = {}) => {
      const losses = new Losses();
      const { annotations } = fitted(
        { ...picture, annotations: [{ label: 'x', mask: given, ...more }] },
        holds,
        losses,
      );
      return [shapeKindOf(annotations[0]!), losses.list()];
    };
    const all = maskOfRows([[0, 120_000]], 400, 300)!;
    const lost = ['polygon', [{ what: 'masks', count: 1, becomes: 'polygons' }]];
    expect(kept(all)).toEqual(['mask', []]);
    expect(kept(all, { trackId: '1' })).toEqual(lost);
    expect(kept(maskOfRows([[0, 9]], 300, 400)!)).toEqual(lost);
    const stripes = { width: 2_000, height: 2_000, counts: textOfRuns(Array.from({ length: 2_000 }, () => 2_000)) };
    expect(isModestInRows(stripes)).toBe(false);
  });

  it.each([
    [BOXES, { label: 'x', box: [80, 40, 40, 20] }],
    [POLYGONS, { label: 'x', polygon: [[80, 40, 120, 40, 120, 60, 80, 60]] }],
    [cocoFormat.holds, { label: 'x', polygon: [[80, 40, 120, 40, 120, 60, 80, 60]] }],
    [EVERYTHING, { label: 'x', mask: HALF }],
  ] as const)('stretch a mask of half the size over its picture', (holds, expected) => {
    const picture = { path: 'a.jpg', width: 200, height: 100, annotations: [{ label: 'x', mask: HALF }] };
    const [annotation] = fitted(picture, holds, new Losses()).annotations;
    expect(annotation).toMatchObject(expected);
    expect(areaOf(withArea({ mask: HALF }, picture))).toBe(800);
    if (annotation!.mask === undefined) expect(areaOf(annotation!)).toBe(800);
    expect(withArea({ mask: HALF, area: 3 }, picture).area).toBe(3);
    expect(withArea({ mask: HALF }, HALF)).toEqual({ mask: HALF });
  });

  it('leave out a mask without pixels', () => {
    expect(fit([{ label: 'x', mask: maskOf(2, 2, [false, false, false, false]) }], POLYGONS)).toEqual({
      annotations: [],
      losses: [{ what: 'masks', count: 1, becomes: null }],
    });
  });

  it('have exactly the pixels of a mask inside one ring', () => {
    fc.assert(
      fc.property(mask, ({ bits, width, height, counts, runs }) => {
        const rings = ringsOfMask({ width, height, counts });
        fc.pre(rings.length > 0);
        const ring = joined(rings);
        for (let x = 0; x < width; x++)
          for (let y = 0; y < height; y++) expect(isInside(x + 0.5, y + 0.5, ring)).toBe(bits[x * height + y]);
        expect(areaOf({ mask: { width, height, counts } })).toBe(coveredBy(runs));
      }),
    );
  });

  it('have the box around the pixels of a mask', () => {
    fc.assert(
      fc.property(mask, ({ bits, width, height, counts }) => {
        const set = bits.flatMap((bit, at) => (bit ? { x: Math.floor(at / height), y: at % height } : []));
        const xs = set.map(({ x }) => x);
        const ys = set.map(({ y }) => y);
        const [left, top] = [Math.min(...xs), Math.min(...ys)];
        const box = [left, top, Math.max(...xs) + 1 - left, Math.max(...ys) + 1 - top];
        expect(enclosingBox({ mask: { width, height, counts } })).toEqual(set.length === 0 ? undefined : box);
      }),
    );
  });

  it('keep a hole in a polygon of one ring', () => {
    const outer = cornersOf([0, 0, 10, 10]);
    const { annotations } = fit([{ label: 'x', polygon: [outer, cornersOf([2, 2, 4, 4])] }], POLYGONS);
    const [ring] = annotations[0]!.polygon!;
    expect([isInside(1, 1, ring!), isInside(3.5, 3.5, ring!), isInside(8, 8, ring!)]).toEqual([true, false, true]);
  });

  it('cuts shapes at the border of their picture, for a format that needs it', () => {
    const cut = (shapes: readonly Shape[], holds: Holds = { ...EVERYTHING, beyond: false }) => {
      const losses = new Losses();
      const annotations = shapes.map((shape) => ({ label: 'a', ...shape }));
      const picture = fitted({ path: 'a.jpg', width: 100, height: 50, annotations }, holds, losses);
      return { annotations: picture.annotations, losses: losses.list() };
    };
    const inside: Shape[] = [
      { box: [0, 0, 100, 50] },
      { box: [10, 10, 0, 0] },
      { polygon: [[0, 0, 100, 0, 100, 50]] },
      { keypoints: [0, 0, 2, 100, 50, 1, 900, 900, 0] },
      {},
    ];
    expect(cut(inside)).toEqual({ annotations: inside.map((shape) => ({ label: 'a', ...shape })), losses: [] });
    const beyond: Shape[] = [
      { box: [-10, 40, 30, 30] },
      { box: [100, 10, 5, 5] },
      { polygon: [[90, 40, 110, 40, 90, 60]] },
      { polygon: [[-5, -5, -1, -5, -1, -1]] },
      { box: [90, 0, 20, 10], keypoints: [95, 5, 2, 105, 5, 2] },
      { box: [0, 0, 20, 10], keypoints: [-5, 5, 2] },
    ];
    expect(cut(beyond)).toEqual({
      annotations: [
        { box: [0, 40, 20, 10] },
        { polygon: [[90, 40, 100, 40, 90, 50]] },
        { box: [90, 0, 10, 10], keypoints: [95, 5, 2, 0, 0, 0] },
        { box: [0, 0, 20, 10] },
      ].map((shape) => ({ label: 'a', ...shape })),
      losses: [
        { what: 'boxes that reach beyond their picture', count: 1, becomes: 'cut at its border' },
        { what: 'boxes outside of their picture', count: 1, becomes: null },
        { what: 'polygons that reach beyond their picture', count: 1, becomes: 'cut at its border' },
        { what: 'polygons outside of their picture', count: 1, becomes: null },
        { what: 'keypoints that reach beyond their picture', count: 2, becomes: 'cut at its border' },
      ],
    });
    expect(cut(beyond, EVERYTHING).losses).toEqual([]);
  });
});
