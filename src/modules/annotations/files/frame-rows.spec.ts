import { mediaRow } from '../../../../test/support/media-rows';
import type { MediaRow } from '../../../common/engine/media-table/media-row';
import type { OpenedVersion } from '../../versions';
import { FrameRows } from './frame-rows';

const rowsOf = (rows: readonly Partial<MediaRow>[]): Promise<FrameRows> =>
  FrameRows.of({
    table: {
      async *readRows() {
        yield await Promise.resolve(rows.map((row, at) => mediaRow(at, row)));
      },
    },
  } as unknown as OpenedVersion);

const frame = (path: string, frameTimestamp: number): Partial<MediaRow> => ({ kind: 'FRAME', path, frameTimestamp });

describe('frames', () => {
  it('of a video are found by their time, if the file tells the rate', async () => {
    const rows = await rowsOf([
      { kind: 'VIDEO', path: 'day/v.mp4', durationSeconds: 10 },
      frame('day/v.mp4/output_000001.jpg', 0),
      frame('day/v.mp4/output_000002.jpg', 2.4),
      frame('day/v.mp4/output_000003.jpg', 9.96),
    ]);
    const find = (of: string, number: number, rest = {}): number => rows.find({ of, number, ...rest });
    expect([0, 60, 249, 61, 30].map((number) => find('v.mp4', number, { rate: 25 }))).toEqual([1, 2, 3, -1, -1]);
    expect([0, 60, 249].map((number) => find('day/v', number, { total: 250 }))).toEqual([1, 2, 3]);
    expect([0, 1, 2, 3].map((number) => find('export/v.mp4', number))).toEqual([1, 2, 3, -1]);
    expect(find('w.mp4', 0)).toBe(-1);
  });

  it('of a folder are found by the number in their name', async () => {
    const rows = await rowsOf([
      { path: 'a/7.jpg' },
      { path: 'a/8.jpg' },
      { path: 'b/x/0.jpg' },
      { path: 'c/x/1.jpg' },
      { path: 'top1.jpg' },
      { path: 'd/left-1.jpg' },
      { path: 'd/right-1.jpg' },
    ]);
    const find = (of: string, number: number): number => rows.find({ of, number });
    expect([find('a', 6), find('a', 7), find('a', 0)]).toEqual([0, 1, -1]);
    // Two folders have the name x.
    expect([find('x', 0), find('b/x', 0), find('c/x', 0)]).toEqual([-1, 2, 3]);
    expect([find('_', 0), find('frames', 0)]).toEqual([4, 4]);
    // Two pictures have the number 1.
    expect(find('d', 0)).toBe(-1);
  });
});
