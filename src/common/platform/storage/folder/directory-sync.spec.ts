import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DirectorySync } from './atomic-files';
import { AWAITED_CALLS } from './file-calls';

describe('DirectorySync', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'directory-sync-'));
  });

  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('shares the next run among all callers during the current one', async () => {
    const sync = new DirectorySync(AWAITED_CALLS);
    const first = sync.sync(folder);
    const [second, third] = [sync.sync(folder), sync.sync(folder)];
    expect(second).not.toBe(first);
    expect(third).toBe(second);
    await Promise.all([first, second]);
    expect(sync.sync(folder)).not.toBe(second);
  });

  it('ignores a missing folder, and fails for other errors', async () => {
    const sync = new DirectorySync(AWAITED_CALLS);
    await expect(sync.sync(join(folder, 'gone'))).resolves.toBeUndefined();
    await expect(sync.sync('/dev/null/x')).rejects.toThrow('ENOTDIR');
    await expect(sync.sync(folder)).resolves.toBeUndefined();
  });
});
