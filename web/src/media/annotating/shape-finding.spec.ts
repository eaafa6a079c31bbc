import type { Shape } from '../annotations/shapes';
import { handlesOf } from './shape-changes';
import { edgeAt, handleAt, shapeAt } from './shape-finding';

const SIZE = { width: 100, height: 100 };
const large: Shape = { type: 'box', x: 0, y: 0, width: 80, height: 80 };
const small: Shape = { type: 'box', x: 10, y: 10, width: 20, height: 10, rotation: 90 };
const ring: Shape = {
  type: 'polygon',
  rings: [
    [40, 40, 90, 40, 90, 90, 40, 90],
    [50, 50, 80, 50, 80, 80, 50, 80],
  ],
};
const said = [large, small, ring, null].map((shape) => ({ shape }));
const found = (x: number, y: number) => shapeAt(said, { x, y }, 2, SIZE)?.shape;

it('finds the smallest shape at a place', () => {
  expect(found(20, 15)).toBe(small);
  expect(found(11, 15)).toBe(large);
  expect(found(45, 45)).toBe(ring);
  expect(found(95, 95)).toBeUndefined();
  expect(found(91, 60)).toBe(ring);
});

it('finds nothing in the hole of a polygon', () => {
  expect(found(65, 65)).toBe(large);
  expect(shapeAt([{ shape: ring }], { x: 65, y: 65 }, 2, SIZE)).toBeUndefined();
});

it('finds keypoints by their points', () => {
  const points: Shape = { type: 'keypoints', points: [10, 10, 2, 90, 90, 1, 50, 50, 0] };
  const at = (x: number, y: number) => shapeAt([{ shape: points }], { x, y }, 3, SIZE)?.shape;
  expect([at(11, 12), at(89, 91), at(50, 50)]).toEqual([points, points, undefined]);
});

it('finds the nearest handle and the nearest edge within reach', () => {
  expect(handleAt(handlesOf(large, 9), { x: 78, y: 79 }, 5)?.handle).toEqual({ kind: 'side', across: 1, down: 1 });
  expect(handleAt(handlesOf(large, 9), { x: 60, y: 60 }, 5)).toBeUndefined();
  expect(edgeAt(ring, { x: 65, y: 51 }, 3)).toEqual({ ring: 1, at: 0 });
  expect(edgeAt(ring, { x: 39, y: 60 }, 3)).toEqual({ ring: 0, at: 3 });
  expect(edgeAt(ring, { x: 65, y: 65 }, 3)).toBeUndefined();
  expect(edgeAt(large, { x: 0, y: 0 }, 3)).toBeUndefined();
});
