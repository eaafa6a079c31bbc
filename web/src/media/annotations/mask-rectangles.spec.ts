import { maskOf, rectanglesOf, spansOf, type Rectangle } from './mask-rectangles';

const PICTURE = { width: 4, height: 5 };

/** The bitmap in columns. */
function bitmapOf(rectangles: readonly Rectangle[], { width, height }: typeof PICTURE): string {
  const pixels = new Uint8Array(width * height);
  for (const [left, top, columns, rows] of rectangles)
    for (let x = left; x < left + columns; x++) for (let y = top; y < top + rows; y++) pixels[x * height + y]! += 1;
  return pixels.join('');
}

describe('the rectangles of a mask', () => {
  it('are those of the text that pycocotools writes', () => {
    // Runs of 3, 4, 5, 1 and 7 pixels.
    expect(bitmapOf(rectanglesOf({ ...PICTURE, counts: '345M2' }), PICTURE)).toBe('00011110000010000000');
  });

  it('are a few for a run over many columns', () => {
    const wide = { width: 65_535, height: 10 };
    // A run of 3 pixels outside, and then 655,347 inside: 3 is '3', 655347 is 'cioc0'.
    expect(rectanglesOf({ ...wide, counts: `3${textOf(655_347)}` })).toEqual([
      [0, 3, 1, 7],
      [1, 0, 65_534, 10],
    ]);
    const within = rectanglesOf({ ...PICTURE, counts: `${textOf(6)}${textOf(8)}${textOf(6)}` });
    expect(bitmapOf(within, PICTURE)).toBe('00000011111111000000');
    expect(rectanglesOf({ ...PICTURE, counts: `0${textOf(20)}` })).toEqual([[0, 0, 4, 5]]);
  });

  it('are none if the text does not fill the picture, has more than it, or has other characters', () => {
    for (const counts of ['345M', '345M3', '345M2P', '345é', 'oooooooooooo0', '', '1'.repeat(1_000_001)])
      expect(rectanglesOf({ ...PICTURE, counts })).toEqual([]);
  });
});

describe('the text of a mask', () => {
  it('is that of pycocotools', () => {
    const spans = spansOf({ ...PICTURE, counts: '345M2' });
    expect(spans).toEqual([3, 7, 12, 13]);
    expect(maskOf(spans!, PICTURE)).toEqual({ ...PICTURE, counts: '345M2' });
    expect(maskOf([], PICTURE)!.counts).toBe(textOf(20));
    expect(maskOf([0, 20], PICTURE)!.counts).toBe(`0${textOf(20)}`);
  });

  it('is the same after it was read, also of runs beyond 32 bits', () => {
    const large = { width: 65_535, height: 65_535 };
    for (const spans of [[1, 65_535 ** 2], [70_000, 4_000_000_000, 4_000_000_001, 4_000_000_033], []])
      expect(spansOf(maskOf(spans, large)!)).toEqual(spans);
  });

  it('has no more characters than the service takes', () => {
    const dots = Array.from({ length: 1_000_002 }, (_, at) => at);
    expect(maskOf(dots, { width: 2_000, height: 2_000 })).toBeUndefined();
  });
});

/** Of one run that is not a difference. */
function textOf(run: number): string {
  const digits: number[] = [];
  for (let rest = run; rest > 0 || (digits.at(-1) ?? 0x10) >= 0x10; rest = Math.floor(rest / 32))
    digits.push(rest % 32);
  return digits.map((digit, at) => String.fromCharCode(48 + digit + (at < digits.length - 1 ? 32 : 0))).join('');
}
