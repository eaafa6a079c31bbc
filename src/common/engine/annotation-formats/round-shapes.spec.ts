import { Readable } from 'node:stream';
import fc from 'fast-check';
import { textOfRuns } from '../annotations/mask-runs';
import { areaOf } from '../annotations/shape-area';
import { enclosingBox } from './convert-shapes';
import type { FileAnnotation } from './file-picture';
import { membersOf } from './given-files';
import { brushMask } from './label-studio/brush-mask';
import { readFormat, type ReadableFormat } from './read-format';

async function shapeIn(format: ReadableFormat, name: string, text: string): Promise<FileAnnotation> {
  const members = membersOf([{ name, open: () => Promise.resolve(Readable.from([Buffer.from(text)])) }]);
  for await (const found of readFormat(members, format)) if ('annotations' in found) return found.annotations[0]!;
  throw new Error('There is no annotation');
}

/** Packs values as a brush of Label Studio does, in runs of one value or of single values. */
function packed(values: readonly number[], runsAreSingle: boolean): Uint8Array {
  let bits = values.length.toString(2).padStart(32, '0') + '00111' + '0010' + '0011' + '0111' + '1111';
  const ends = values.flatMap((value, at) => (value === values[at + 1] && (at + 1) % 200 !== 0 ? [] : [at + 1]));
  let start = 0;
  for (const end of ends) {
    const own = values.slice(start, end);
    bits += `${runsAreSingle ? 0 : 1}10${(end - start - 1).toString(2).padStart(8, '0')}`;
    for (const value of runsAreSingle ? own : own.slice(0, 1)) bits += value.toString(2).padStart(8, '0');
    start = end;
  }
  return Uint8Array.from(bits.match(/.{1,8}/g)!, (byte) => Number.parseInt(byte.padEnd(8, '0'), 2));
}

describe('shapes that other tools have', () => {
  it.each([
    [
      'a circle',
      'labelme',
      'a.json',
      JSON.stringify({
        shapes: [
          {
            label: 'x',
            points: [
              [50, 40],
              [50, 50],
            ],
            shape_type: 'circle',
          },
        ],
      }),
      [40, 30, 20, 20],
    ],
    [
      'an ellipse',
      'cvat',
      'a.xml',
      '<annotations><image name="a.jpg"><ellipse label="x" cx="50" cy="40" rx="10" ry="5"/></image></annotations>',
      [40, 35, 20, 10],
    ],
    [
      'a turned ellipse',
      'cvat',
      'a.xml',
      '<annotations><image name="a.jpg"><ellipse label="x" cx="50" cy="40" rx="10" ry="5" rotation="90"/></image></annotations>',
      [45, 30, 10, 20],
    ],
    [
      'an ellipse of fractions',
      'label-studio',
      'a.json',
      JSON.stringify([
        {
          data: { image: 'a.jpg' },
          annotations: [
            {
              result: [
                {
                  type: 'ellipselabels',
                  original_width: 200,
                  original_height: 100,
                  value: { x: 25, y: 40, radiusX: 5, radiusY: 5, rotation: 0, ellipselabels: ['x'] },
                },
              ],
            },
          ],
        },
      ]),
      [40, 35, 20, 10],
    ],
  ] as const)('become a polygon: %s', async (_what, format, name, text, box) => {
    const shape = await shapeIn(format, name, text);
    const around = enclosingBox(shape)!;
    for (const [at, side] of box.entries()) expect(around[at]).toBeCloseTo(side, 6);
    const area = (Math.PI * box[2] * box[3]) / 4;
    expect(Math.abs(areaOf(shape) - area) / area).toBeLessThan(0.002);
  });

  it('become a mask of the same pixels: a brush', () => {
    const size = fc.record({ width: fc.integer({ min: 1, max: 20 }), height: fc.integer({ min: 1, max: 20 }) });
    const picture = size.chain(({ width, height }) =>
      fc
        .array(fc.constantFrom(0, 100, 200, 255), { minLength: width * height, maxLength: width * height })
        .map((alpha) => ({ width, height, alpha })),
    );
    fc.assert(
      fc.property(picture, fc.boolean(), ({ width, height, alpha }, isSingle) => {
        const runs: number[] = [0];
        for (let x = 0, isSet = false; x < width; x++)
          for (let y = 0; y < height; y++) {
            if (alpha[y * width + x]! >= 128 !== isSet) {
              isSet = !isSet;
              runs.push(0);
            }
            runs[runs.length - 1]! += 1;
          }
        const bytes = packed(
          alpha.flatMap((value) => [value, value, value, value]),
          isSingle,
        );
        expect(brushMask(bytes, width, height)).toEqual({ width, height, counts: textOfRuns(runs) });
        expect(brushMask(bytes.subarray(0, bytes.length - 2), width, height)).toBeUndefined();
        expect(brushMask(bytes, width, height + 1)).toBeUndefined();
      }),
    );
  });

  it('are nothing if a brush is not a packed one', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        const head = Buffer.alloc(4);
        head.writeUInt32BE(4 * 30 * 20);
        const mask = brushMask(Uint8Array.from([...head, ...bytes]), 30, 20);
        expect(mask === undefined || (mask.width === 30 && mask.height === 20)).toBe(true);
      }),
    );
  });
});
