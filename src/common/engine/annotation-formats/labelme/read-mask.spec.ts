import sharp from 'sharp';
import { textOfRuns } from '../../annotations/mask-runs';
import { maskIn } from './read-mask';
import { pngOf } from './write-png';

const SIZE = { imageWidth: 5, imageHeight: 4 };
/** Of three by two pixels, as LabelMe and Pillow write them: in eight bits, and in one. */
const WRITTEN = [
  'iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAAAAAC4HznGAAAAEElEQVR4nGNkYGRgYGRgAAAAGQAEWfRoOgAAAABJRU5ErkJggg==',
  'iVBORw0KGgoAAAANSUhEUgAAAAMAAAACAQAAAAC1D1u3AAAADElEQVR4nGNIYFIAAAFIAIMySF1YAAAAAElFTkSuQmCC',
];
const shapeOf = (mask: unknown, first: readonly unknown[] = [1, 2]) => ({
  shape_type: 'mask',
  points: [first, [3, 3]],
  mask,
});

describe('masks of LabelMe', () => {
  it.each(WRITTEN)('are at their first point', async (mask) => {
    // In columns: the lower left, upper middle and upper right pixel of the part.
    const counts = textOfRuns([7, 1, 2, 1, 3, 1, 5]);
    expect(await maskIn(shapeOf(mask), SIZE)).toEqual({ width: 5, height: 4, counts });
    expect(await maskIn(shapeOf(mask, [1.9, 2.5]), SIZE)).toEqual({ width: 5, height: 4, counts });
  });

  it('are pictures that other programs read', async () => {
    const png = await pngOf([[1, 4]], 3, 2);
    const { data, info } = await sharp(png).extractChannel(0).raw().toBuffer({ resolveWithObject: true });
    expect([info.format, info.width, info.height, [...data]]).toEqual(['raw', 3, 2, [0, 1, 1, 1, 0, 0]]);
  });

  it.each([
    ['outside', shapeOf(WRITTEN[0], [3, 2]), SIZE, 'a mask is not inside its picture'],
    ['before the picture', shapeOf(WRITTEN[0], [-1, 0]), SIZE, 'a mask is not inside its picture'],
    ['of a picture without a size', shapeOf(WRITTEN[0]), {}, 'a mask is not inside its picture'],
    [
      'of a picture without end',
      shapeOf(WRITTEN[0]),
      { imageWidth: 1e308, imageHeight: 9 },
      'a mask is not inside its picture',
    ],
    ['without a place', { mask: WRITTEN[0] }, SIZE, 'a mask is not inside its picture'],
    ['half a file', shapeOf(WRITTEN[0]!.slice(0, 60)), SIZE, 'a mask is a damaged PNG'],
    ['text', shapeOf('none'), SIZE, 'a mask is not a PNG'],
    ['null', shapeOf(null), SIZE, 'a mask is not a PNG'],
    [
      'a drawing',
      shapeOf(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="3" height="2"/>').toString('base64')),
      SIZE,
      'a mask is not a PNG',
    ],
  ])('are named if they are %s', async (_what, shape, size, sentence) => {
    expect(await maskIn(shape, size)).toBe(sentence);
  });

  it('are not decoded if they claim too many pixels', async () => {
    const png = Buffer.from(WRITTEN[0]!, 'base64');
    png.writeUInt32BE(60_000, 16);
    png.writeUInt32BE(60_000, 20);
    expect(await maskIn(shapeOf(png.toString('base64')), SIZE)).toBe('a mask has too many pixels');
  });
});
