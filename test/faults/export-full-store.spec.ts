import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { appendFile, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ApiClient } from '../support/api-client';
import { ExportClient } from '../support/export-client';
import { writePicture } from '../support/pictures';
import { SnapshotClient } from '../support/snapshot-client';
import { storedKeys } from '../support/stored-keys';
import { runningApp } from '../support/test-app';

const PICTURES = 8;
const BYTES_EACH = 2 ** 20;

// Only root may mount the small file system that the test needs; otherwise the test is skipped.
const store = mkdtempSync(join(tmpdir(), 'dms-full-export-'));
const mounted = (options: string): boolean =>
  spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', store]).status === 0;
const isMounted = mounted('size=6m');
const onSmallDisk = isMounted ? it : it.skip;

afterAll(() => {
  // Lazily, because the test process may still have open files there.
  if (isMounted) spawnSync('umount', ['--lazy', store]);
  rmSync(store, { recursive: true, force: true });
});

describe('an export to a store that becomes full', () => {
  const running = runningApp({ STORAGE_URL: pathToFileURL(store).href });

  onSmallDisk(
    'fails the export with the reason, leaves nothing behind, and accepts the next when there is space',
    async () => {
      const source = join(running.folder, 'source');
      for (let seed = 0; seed < PICTURES; seed += 1) {
        await writePicture(join(source, `${seed}.jpg`), seed);
        // Decoders ignore the bytes after the end of a JPEG, so they only make the file larger.
        await appendFile(join(source, `${seed}.jpg`), randomBytes(BYTES_EACH));
      }
      const api = new ApiClient(running.url);
      const client = new SnapshotClient(api);
      const exports = new ExportClient(api);
      const id = await client.indexed('Large', source);
      const reason = `The store ${store} is full: make room or give it more, then try again`;

      const refused = await exports.start(id, 'export_format=json&include_images=true');
      expect(await exports.untilOver(id, refused)).toMatchObject({
        status: 'FAILED',
        result_message: reason,
        download_uri: null,
      });
      expect(await client.tasks(id, 'EXPORT')).toMatchObject([{ status: 'FAILED', error_message: reason }]);
      expect(await storedKeys(store, 'exports', '.unfinished')).toEqual([]);
      expect(await readdir(store)).toContain('tables');

      expect(mounted('remount,size=64m')).toBe(true);
      const taken = await exports.start(id, 'export_format=json&include_images=true');
      const archive = await exports.archive(id, taken);
      expect([...archive.keys()].filter((name) => name.startsWith('images/'))).toHaveLength(PICTURES);
      expect((await storedKeys(store, 'exports')).map((key) => key.split('/')[1])).toEqual([taken.id]);
    },
  );
});
