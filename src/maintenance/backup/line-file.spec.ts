import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { folderStore } from '../../../test/support/folder-store';
import { waitUntil } from '../../../test/support/wait-until';
import type { ObjectStore } from '../../common/platform/storage/object-store';
import { readLines, writeLines } from './line-file';

const LINES = Array.from({ length: 60 }, () => randomBytes(100_000).toString('base64'));

describe('a file of lines', () => {
  let folder: string;
  let open = 0;
  let target: ObjectStore;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dms-lines-'));
    target = new Proxy(folderStore(folder), {
      get: (store, name: keyof ObjectStore) =>
        name === 'get'
          ? async (...asked: Parameters<ObjectStore['get']>) => {
              const stream = await store.get(...asked);
              open += 1;
              return stream.once('close', () => (open -= 1));
            }
          : (store[name] as (...args: unknown[]) => unknown).bind(store),
    });
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('is read as it was written, without an open stream while the reader is busy', async () => {
    const file = await writeLines(target, 'lines.gz', LINES);
    expect(file.size).toBeGreaterThan(5_000_000);
    const read: string[] = [];
    for await (const line of readLines(target, file)) {
      read.push(line);
      // Servers close a download that is not read for hours.
      if (read.length === 1) await waitUntil(() => open === 0);
    }
    expect(read).toEqual(LINES);
    expect(open).toBe(0);
  });

  it('is reported as damaged if it is missing, truncated or replaced', async () => {
    const file = await writeLines(target, 'damaged.gz', LINES.slice(0, 3));
    const all = async (asked: typeof file): Promise<void> => {
      for await (const line of readLines(target, asked)) expect(line).toBeDefined();
    };
    await expect(all({ ...file, file: 'gone.gz' })).rejects.toThrow('The backup is damaged: gone.gz');
    await expect(all({ ...file, sha256: 'other' })).rejects.toThrow('its checksum differs');
    await truncate(join(folder, 'store', file.file), file.size - 5);
    await expect(all(file)).rejects.toThrow('The backup is damaged: damaged.gz');
  });
});
