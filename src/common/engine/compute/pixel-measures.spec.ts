import type { Pixels } from '../models/picture-model';
import { measure } from './describe-pixels';

function picture(at: (x: number, y: number) => number, width = 120, height = 80): Pixels {
  const data = new Uint8Array(width * height * 3);
  for (let i = 0; i < width * height; i++) {
    data.fill(Math.max(0, Math.min(255, at(i % width, Math.floor(i / width)))), i * 3, i * 3 + 3);
  }
  return { data, width, height };
}

const bits = (a: string, b: string): number => {
  const differing = BigInt(`0x${a}`) ^ BigInt(`0x${b}`);
  return differing.toString(2).replaceAll('0', '').length;
};

const waves = (x: number, y: number): number => 128 + 60 * Math.sin(x / 9) * Math.cos(y / 7) + x / 4;

describe('measure', () => {
  it('measures a uniform picture as blurred, with its mean', () => {
    expect(measure(picture(() => 200))).toMatchObject({ sharpness: 0, meanIntensity: 200 });
  });

  it('computes the variance of a checkerboard', () => {
    const { sharpness } = measure(picture((x, y) => ((x + y) % 2 === 0 ? 100 : 110)));
    expect(sharpness).toBeCloseTo(40 * 40, 0);
  });

  it('computes the same hash for a darker copy, and a different one for another picture', () => {
    const { perceptualHash } = measure(picture(waves));
    expect(perceptualHash).toMatch(/^[0-9a-f]{16}$/);
    const darker = measure(picture((x, y) => 0.8 * waves(x, y))).perceptualHash;
    const other = measure(picture((x, y) => waves(y * 2, x / 3))).perceptualHash;
    expect(bits(perceptualHash, darker)).toBeLessThanOrEqual(4);
    expect(bits(perceptualHash, other)).toBeGreaterThan(12);
  });

  it('measures the smallest supported picture', () => {
    expect(measure(picture(waves, 10, 10)).perceptualHash).toHaveLength(16);
  });
});
