import fc from 'fast-check';
import { InvalidRegionError, parseRegion } from './anchor';

describe('the region of a search image', () => {
  it('is parsed from JSON', () => {
    expect(parseRegion('{"x":0.25,"y":0,"width":0.5,"height":1}')).toEqual({ x: 0.25, y: 0, width: 0.5, height: 1 });
  });

  it('is clipped to the image within the rounding tolerance', () => {
    const { x, width } = parseRegion('{"x":0.7,"y":0,"width":0.3000000001,"height":1}');
    expect(x + width).toBeLessThanOrEqual(1);
  });

  it.each([
    '',
    'x',
    'null',
    '1',
    '[0,0,1,1]',
    '0,0,2048,1536',
    '{}',
    '{"x":0,"y":0,"width":1}',
    '{"x":"0","y":0,"width":1,"height":1}',
    '{"x":-0.1,"y":0,"width":1,"height":1}',
    '{"x":0,"y":0,"width":1.1,"height":1}',
    '{"x":0,"y":0,"width":0,"height":1}',
    '{"x":0,"y":0,"width":1,"height":0}',
    '{"x":0.6,"y":0,"width":0.5,"height":1}',
    '{"x":0,"y":0.6,"width":0.5,"height":0.5}',
    '{"x":1,"y":0,"width":0.0000001,"height":1}',
    '{"x":1e999,"y":0,"width":1,"height":1}',
  ])('is refused: %s', (text) => {
    expect(() => parseRegion(text)).toThrow(InvalidRegionError);
  });

  it('is refused if it exceeds the image', () => {
    const number = fc.double({ min: -0.5, max: 1.5, noNaN: true });
    fc.assert(
      fc.property(fc.record({ x: number, y: number, width: number, height: number }), (drawn) => {
        try {
          const { x, y, width, height } = parseRegion(JSON.stringify(drawn));
          expect(Math.min(x, y)).toBeGreaterThanOrEqual(0);
          expect(Math.min(width, height)).toBeGreaterThan(0);
          expect(Math.max(x + width, y + height)).toBeLessThanOrEqual(1);
        } catch (error) {
          expect(error).toBeInstanceOf(InvalidRegionError);
        }
      }),
    );
  });
});
