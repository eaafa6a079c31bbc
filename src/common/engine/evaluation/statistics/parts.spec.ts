import { boundsOfParts, sampled } from './parts';

describe('boundsOfParts', () => {
  it('divides numbers into parts of about the same size', () => {
    const numbers = Float64Array.from({ length: 101 }, (_, at) => (at * 37) % 101);
    expect(boundsOfParts(numbers, 4)).toEqual([
      [0, 25],
      [25, 50],
      [50, 75],
      [75, 100],
    ]);
  });

  it('has fewer parts where many numbers are the same, and none where all are', () => {
    expect(boundsOfParts(Float64Array.of(0, 0, 0, 4, 4, 6, 6, 6, 6), 4)).toEqual([
      [0, 4],
      [4, 6],
    ]);
    expect(boundsOfParts(Float64Array.of(3, 3, 3), 4)).toEqual([]);
    expect(boundsOfParts(new Float64Array(), 4)).toEqual([]);
  });
});

describe('sampled', () => {
  it('returns few numbers as they are, and of many some that are spread over all', () => {
    const few = Int32Array.of(1, 2, 3);
    expect(sampled(few)).toBe(few);
    const some = sampled(Int32Array.from({ length: 200_000 }, (_, at) => at));
    expect(some.length).toBe(2 ** 16);
    expect(some.every((number, at) => at === 0 || number - some[at - 1]! <= 4)).toBe(true);
    expect(some.at(-1)).toBeGreaterThan(199_990);
  });
});
