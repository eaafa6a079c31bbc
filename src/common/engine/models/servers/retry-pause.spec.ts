import { retryAfterMs, retryPauseMs } from './model-server';

const NOW = Date.parse('2026-01-01T00:00:00Z');

describe('retryAfterMs', () => {
  it.each([
    [undefined, 0],
    ['', 0],
    ['7', 7_000],
    ['0.5', 500],
    ['-3', 0],
    ['86400', 60_000],
    ['Thu, 01 Jan 2026 00:00:09 GMT', 9_000],
    ['Thu, 01 Jan 2026 09:00:00 GMT', 60_000],
    ['Wed, 31 Dec 2025 00:00:00 GMT', 0],
    ['soon', 0],
  ])('reads %p as %i', (header, ms) => expect(retryAfterMs(header, NOW)).toBe(ms));
});

describe('retryPauseMs', () => {
  it.each([
    [1, 500, 0, 250, 500],
    [3, 500, 0, 1_000, 2_000],
    [30, 500, 0, 15_000, 30_000],
    [1, 500, 4_000, 4_250, 4_500],
  ])('is for failure %i, from %i, asked for %i, between %i and %i', (failures, first, asked, least, most) => {
    for (let each = 0; each < 50; each++) {
      const pause = retryPauseMs(failures, first, asked);
      expect(pause).toBeGreaterThanOrEqual(least);
      expect(pause).toBeLessThanOrEqual(most);
    }
  });
});
