import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { folderStore } from '../../../test/support/folder-store';
import { storedKeys } from '../../../test/support/stored-keys';
import type { ObjectStore } from '../../common/platform/storage/object-store';
import { CopyJournal, readJournals } from './copy-journal';
import type { CopiedObject } from './manifest';

const MIB = 1024 * 1024;

describe('the journal of a backup', () => {
  let folder: string;
  let target: ObjectStore;
  const owner = randomUUID();
  const said: string[] = [];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dms-journal-'));
    target = folderStore(folder);
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const object = (at: number, size: number): CopiedObject => ({
    key: `k${at}`,
    etag: 'e',
    size,
    sha256: 's',
    copy: 'c',
  });
  const write = async (backup: string, installation: string, count: number, size = 1): Promise<void> => {
    const journal = new CopyJournal(target, backup, installation);
    for (let at = 0; at < count; at += 1) await journal.add(object(at, size));
  };
  const read = async (): Promise<string[][]> => {
    const journals = await readJournals(target, owner, (line) => said.push(line));
    return Promise.all(
      journals.map(async (journal) => {
        const keys: string[] = [];
        for await (const { key } of journal) keys.push(key);
        return keys;
      }),
    );
  };
  const names = (count: number, from = 0): string[] => Array.from({ length: count }, (_, at) => `k${from + at}`);

  it('lists the copied objects, except the last few, in the order of copying', async () => {
    await write('a', owner, 300);
    await write('b', owner, 5, 100 * MIB);
    expect(await read()).toEqual([names(256), names(3)]);
  });

  it('is used only for its own installation, and for the latest eight backups', async () => {
    await write('other', randomUUID(), 128);
    for (let backup = 0; backup < 10; backup += 1) await write(String(backup), owner, 1, (backup + 300) * MIB);
    expect(await read()).toHaveLength(8);
  });

  it('reports an unreadable part, and continues with the next one', async () => {
    await write('a', owner, 300);
    const [first] = await storedKeys(join(folder, 'store'), 'backups');
    await truncate(join(folder, 'store', first!), 40);
    expect(await read()).toEqual([names(128, 128)]);
    expect(said).toEqual([
      expect.stringMatching(/^What backups\/a\/copied\/.*1\.ndjson\.gz lists is copied again, for it cannot be read: /),
    ]);
  });
});
