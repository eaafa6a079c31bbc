import { fromRows, fromScores } from './ultralytics-detector';

const LIMITS = { threshold: 0.25, iou: 0.45 };

/** In the layout of the output: all numbers of one kind, then those of the next. */
const output = (boxes: readonly (readonly number[])[]): Float32Array =>
  Float32Array.from(boxes[0]!.flatMap((_, kind) => boxes.map((box) => box[kind]!)));

const found = (boxes: readonly (readonly number[])[], limits = LIMITS): ReturnType<typeof fromScores> =>
  fromScores(output(boxes), boxes[0]!.length - 4, boxes.length, limits);

describe('boxes with scores', () => {
  it('have the label with the highest score, ordered by confidence', () => {
    const objects = found([
      [10, 10, 4, 2, 0.3, 0.1],
      [50, 50, 4, 2, 0.5, 0.75],
      [90, 90, 4, 2, 0.25, 0.25],
    ]);
    expect(objects).toEqual([
      { label: 1, confidence: 0.75, corners: [48, 49, 52, 51] },
      { label: 0, confidence: expect.closeTo(0.3) as number, corners: [8, 9, 12, 11] },
    ]);
  });

  it('are ignored if a more confident one of the same label overlaps by more than the limit', () => {
    const boxes = [
      [10, 10, 10, 10, 0.5, 0],
      [12, 10, 10, 10, 0.75, 0],
      [10, 10, 10, 10, 0, 0.5],
      [40, 40, 0, 0, 0.5, 0],
      [40, 40, 0, 0, 0.5, 0],
    ];
    expect(found(boxes).map(({ label, confidence }) => [label, confidence])).toEqual([
      [0, 0.75],
      [1, 0.5],
      [0, 0.5],
      [0, 0.5],
    ]);
    // The intersection is 80 of a union of 120.
    expect(found(boxes, { threshold: 0.25, iou: 0.67 })).toHaveLength(5);
  });

  it('that are not numbers are ignored', () => {
    const objects = found([
      [NaN, 10, 4, 2, 0.9],
      [10, 10, Infinity, 2, 0.9],
      [10, 10, 4, 2, NaN],
      [10, 10, 4, 2, -1],
      [10, 10, 4, 2, 0.9],
    ]);
    expect(objects).toHaveLength(1);
  });

  it('are limited to 300', () => {
    const count = 200_000;
    const data = new Float32Array(5 * count);
    data.fill(4, 2 * count, 4 * count);
    for (let at = 0; at < count; at++) {
      data[at] = at * 10;
      data[4 * count + at] = 0.5 + at / count / 2;
    }
    const objects = fromScores(data, 1, count, LIMITS);
    expect(objects).toHaveLength(300);
    expect(objects[0]!.corners[0]).toBeGreaterThan(objects[299]!.corners[0]);
  });

  it('can be empty', () => {
    expect(fromScores(new Float32Array(), 3, 0, LIMITS)).toEqual([]);
    expect(fromRows(new Float32Array(), LIMITS)).toEqual([]);
  });
});

describe('rows', () => {
  it('are kept even if they overlap, up to the 300 most confident above the threshold', () => {
    const rows = Array.from({ length: 400 }, (_, at) => [0, 0, 10, 10, 0.2 + at / 1000, 1]);
    const objects = fromRows(Float32Array.from([...rows, [0, 0, NaN, 10, 0.9, 1], [0, 0, 0, 0, 0, 0]].flat()), LIMITS);
    expect(objects).toHaveLength(300);
    expect(objects[0]).toEqual({ label: 1, confidence: expect.closeTo(0.599) as number, corners: [0, 0, 10, 10] });
  });
});
