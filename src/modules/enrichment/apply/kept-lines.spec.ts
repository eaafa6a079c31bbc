import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KeptLines } from './enriched-rows';

describe('lines on disk', () => {
  let folder: string;

  beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'kept-lines-'))));
  afterEach(() => rm(folder, { recursive: true, force: true }));

  async function* given(lines: readonly string[]): AsyncGenerator<string> {
    for (const line of lines) yield await Promise.resolve(line);
  }

  it('are read by their number, and leave no files', async () => {
    const lines = ['one', '', 'zwölf €', 'x'.repeat(700_000), 'y'.repeat(900_000), '{"id":"a"}', ''];
    const kept = await KeptLines.of(join(folder, 'spool'), given(lines), lines.length);
    for (const number of [6, 4, 2, 0, 1, 3, 5]) expect(await kept.line(number)).toBe(lines[number]);
    expect(await readdir(join(folder, 'spool'))).toEqual([]);
    await kept.close();
  });

  it.each([
    [0, 1],
    [3, 2],
    [2, 3],
  ])('are refused if there are %d instead of %d', async (there, expected) => {
    const lines = given(Array.from({ length: there }, () => 'line'));
    await expect(KeptLines.of(folder, lines, expected)).rejects.toThrow(
      `There are ${there} lines instead of ${expected}`,
    );
  });
});
