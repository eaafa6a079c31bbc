import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { isOnPath } from './program-on-path';

describe('isOnPath', () => {
  let folder: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'programs-'));
    mkdirSync(join(folder, 'empty'));
    writeFileSync(join(folder, 'program'), '', { mode: 0o700 });
    writeFileSync(join(folder, 'text'), '', { mode: 0o600 });
    process.env['PATH'] = [join(folder, 'empty'), join(folder, 'missing'), folder].join(delimiter);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('finds a program in any of the folders', async () => {
    expect(await isOnPath('program')).toBe(true);
  });

  it.each(['text', 'other'])('does not find %s, which is not executable', async (name) => {
    expect(await isOnPath(name)).toBe(false);
  });

  it('finds nothing without PATH', async () => {
    delete process.env['PATH'];
    expect(await isOnPath('program')).toBe(false);
  });
});
