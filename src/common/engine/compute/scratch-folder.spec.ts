import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { newScratchFolder, sweepScratchFolders } from './scratch-folder';

describe('the scratch folder', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'scratch-'));

  afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

  it('is in the data folder, and is removed when its process has ended', async () => {
    await sweepScratchFolders(dataDir);
    const ours = newScratchFolder(dataDir);
    expect(ours.startsWith(`${dataDir}/`)).toBe(true);
    mkdirSync(ours, { recursive: true });
    const { pid } = spawnSync('true');
    mkdirSync(join(dirname(ours), `compute-${pid}-${randomUUID()}`));
    await sweepScratchFolders(dataDir);
    expect(readdirSync(dirname(ours)).map((name) => join(dirname(ours), name))).toEqual([ours]);
  });
});
