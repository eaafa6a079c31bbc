import { Readable } from 'node:stream';
import type { Quarantined } from '../../../common/engine/compute/media-analysis';
import type { Box } from '../../../common/engine/media-table/media-row';
import { byFile, OncePerFile, type RowOfFile } from './once-per-file';
import type { SeenRow } from './seen-pictures';

const signal = new AbortController().signal;
const boxes = Array.from({ length: 20 }, (_, at): Box => ({ x: at / 20, y: 0, width: 0.05, height: 1 }));
const row = (source: string, box: Box | null): SeenRow => ({
  id: '',
  kind: box === null ? 'IMAGE' : 'OBJECT',
  fileName: '',
  path: '',
  source,
  box,
  mimeType: '',
  sizeBytes: 0,
  width: 1,
  height: 1,
  sha256: '',
  batchId: '',
});
const grouped = async (rows: readonly SeenRow[]): Promise<RowOfFile[]> => {
  const found: RowOfFile[] = [];
  for await (const each of byFile(Readable.from(rows))) found.push(each);
  return found;
};

describe('objects of one file', () => {
  it('are requested together if they are consecutive', async () => {
    const rows = [
      row('a', null),
      row('a', boxes[0]!),
      row('a', boxes[1]!),
      row('b', boxes[0]!),
      row('a', boxes[2]!),
      ...boxes.map((box) => row('c', box)),
    ];
    const found = await grouped(rows);
    expect(found.map(({ row: each }) => each)).toEqual(rows);
    expect(found.map(({ regions }) => regions?.length)).toEqual([
      ...[undefined, 2, 2, undefined, undefined],
      ...Array<number>(16).fill(16),
      ...Array<number>(4).fill(4),
    ]);

    const asked: number[] = [];
    const once = new OncePerFile((_file, regions) => {
      asked.push(regions.length);
      return Promise.resolve({ kind: 'FOUND', regions } as const);
    });
    for (const { row: each, regions } of found) {
      const [result, at] = await once.of({ source: each.source, region: each.box, regions }, signal);
      expect('regions' in result && result.regions[at]).toBe(each.box);
    }
    expect(asked).toEqual([1, 2, 1, 1, 16, 4]);
  });

  it.each([
    ['crashed', 4],
    ['timed_out', 4],
    ['missing', 1],
    ['changed', 1],
  ] as const)(
    'are asked for alone if together they %s only where one of them may be the reason',
    async (reason, times) => {
      const quarantined: Quarantined = { kind: 'QUARANTINED', reason, detail: '' };
      const asked: number[] = [];
      const once = new OncePerFile((_file, regions) => {
        asked.push(regions.length);
        return Promise.resolve(regions.length > 1 ? quarantined : ({ kind: 'FOUND' } as const));
      });
      const rows = await grouped(boxes.slice(0, 3).map((box) => row('a', box)));
      for (const { row: each, regions } of rows) {
        const [result] = await once.of({ source: each.source, region: each.box, regions }, signal);
        expect(result.kind).toBe(times === 1 ? 'QUARANTINED' : 'FOUND');
      }
      expect(asked).toHaveLength(times);
    },
  );
});
