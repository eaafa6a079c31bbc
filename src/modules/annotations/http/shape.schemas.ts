import { z } from 'zod';
import { shapeKindOf, type Shape } from '../../../common/engine/annotations/annotation';
import { runsOf } from '../../../common/engine/annotations/mask-runs';
import { MAX_SIDE } from '../../../common/engine/annotation-formats/mask-rows';

const MAX_RINGS = 1_000;
const MAX_NUMBERS = 40_000;
const MAX_COUNTS = 1_000_000;
const MAX_COORDINATE = 1e7;
const TRIPLE = 3;

const coordinate = z.number().min(-MAX_COORDINATE).max(MAX_COORDINATE);
const extent = coordinate.min(0);
const side = z.int().min(1).max(MAX_SIDE);

const isWhole = (part: number) => (numbers: readonly number[]) => numbers.length > 0 && numbers.length % part === 0;

const box = z.strictObject({
  type: z.literal('box'),
  x: coordinate,
  y: coordinate,
  width: extent,
  height: extent,
  rotation: z.number().min(-360).max(360).optional().describe('Degrees clockwise around the centre.'),
});

const polygon = z.strictObject({
  type: z.literal('polygon'),
  rings: z
    .array(
      z
        .array(coordinate)
        .min(6, { error: 'Input should have three points or more' })
        .max(MAX_NUMBERS)
        .refine(isWhole(2), { error: 'Input should have an x and a y for each point' }),
    )
    .min(1)
    .max(MAX_RINGS)
    .refine((rings) => rings.reduce((sum, ring) => sum + ring.length, 0) <= MAX_NUMBERS, {
      error: `Input should have at most ${MAX_NUMBERS / 2} points`,
    })
    .describe(
      'Alternating x and y. A point is inside if it is inside an odd number of rings, so a ring in another one is a hole.',
    ),
});

const mask = z
  .strictObject({
    type: z.literal('mask'),
    width: side,
    height: side,
    counts: z.string().max(MAX_COUNTS).describe('Run lengths as in the compressed texts of COCO.'),
  })
  .refine((given) => runsOf(given) !== undefined, {
    path: ['counts'],
    error: 'Input should be run lengths that fill the width and height, as COCO compresses them',
  });

const keypoints = z.strictObject({
  type: z.literal('keypoints'),
  points: z
    .array(coordinate)
    .max(MAX_NUMBERS)
    .refine(isWhole(TRIPLE), { error: 'Input should have x, y and visibility for each point' })
    .refine((points) => points.every((value, at) => at % TRIPLE !== 2 || [0, 1, 2].includes(value)), {
      error: 'Input should have a visibility of 0, 1 or 2 for each point',
    })
    .describe('x, y and visibility of each point: 0 not labelled, 1 hidden, 2 visible.'),
});

export const shape = z.discriminatedUnion('type', [box, polygon, mask, keypoints]);
export type GivenShape = z.output<typeof shape>;

export type Size = { readonly width: number; readonly height: number };

/** In pixels, if the coordinates are fractions of this size. */
export function shapeOf(given: GivenShape | null | undefined, { width, height }: Size): Shape {
  switch (given?.type) {
    case undefined:
      return {};
    case 'box': {
      const { rotation } = given;
      const numbers = [given.x * width, given.y * height, given.width * width, given.height * height] as const;
      return { box: numbers, ...(rotation !== undefined && { rotation }) };
    }
    case 'polygon':
      return { polygon: given.rings.map((ring) => ring.map((value, at) => value * (at % 2 === 0 ? width : height))) };
    case 'mask':
      return { mask: { width: given.width, height: given.height, counts: given.counts } };
    case 'keypoints':
      return { keypoints: given.points.map((value, at) => value * ([width, height][at % TRIPLE] ?? 1)) };
  }
}

export function presentShape(given: Shape): GivenShape | null {
  const { box: numbers, rotation, polygon: rings, mask: bitmap, keypoints: points } = given;
  switch (shapeKindOf(given)) {
    case 'label':
      return null;
    case 'box': {
      const [x, y, width, height] = numbers!;
      return { type: 'box', x, y, width, height, ...(rotation !== undefined && { rotation }) };
    }
    case 'polygon':
      return { type: 'polygon', rings: rings!.map((ring) => [...ring]) };
    case 'mask':
      return { type: 'mask', ...bitmap! };
    case 'keypoints':
      return { type: 'keypoints', points: [...points!] };
  }
}
