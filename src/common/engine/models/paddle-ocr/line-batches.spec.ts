import { batchValues, lineBatches } from './line-batches';

describe('the batches of lines', () => {
  it('have lines of similar widths, and bounded columns', () => {
    const widths = [900, 100, 3000, 320, 950, 400, 2500, 200];
    const batches = lineBatches(widths);
    expect(batches.flatMap(({ lines }) => lines).sort((a, b) => a - b)).toEqual(widths.map((_, line) => line));
    for (const { lines, columns } of batches) {
      for (const line of lines) expect(widths[line]).toBeLessThanOrEqual(columns);
      expect(columns).toBeGreaterThanOrEqual(320);
      if (lines.length > 1) expect(lines.length * columns).toBeLessThanOrEqual(4096);
    }
    expect(batches.find(({ lines }) => lines.includes(2))!.lines).toEqual([2]);
    expect(lineBatches([])).toEqual([]);
  });

  it('pad lines to the right', () => {
    const lines = [
      { values: Float32Array.of(1, 2, 3), width: 1, height: 1 },
      { values: Float32Array.of(4, 5, 6, 7, 8, 9), width: 2, height: 1 },
    ];
    expect([...batchValues(lines, 1, 2)]).toEqual([1, 0, 2, 0, 3, 0, 4, 5, 6, 7, 8, 9]);
  });
});
