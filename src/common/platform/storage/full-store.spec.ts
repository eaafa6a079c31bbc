import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { FolderObjectStore } from './folder/folder-object-store';
import { StoreFullError } from './object-store';
import { UrlSigner } from './links/url-signer';

// Only root may mount the small file system that these tests need; for other users they are skipped.
const root = mkdtempSync(join(tmpdir(), 'full-store-'));
const isMounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', root]).status === 0;
const onSmallDisk = isMounted ? it : it.skip;

afterAll(() => {
  if (isMounted) spawnSync('umount', [root]);
  rmSync(root, { recursive: true, force: true });
});

describe('a folder store on a full disk', () => {
  const store = new FolderObjectStore({ root, signer: new UrlSigner(Buffer.alloc(32)), baseUrl: '' });

  onSmallDisk(
    'refuses a write with one sentence, leaves nothing behind, and recovers when there is space',
    async () => {
      const large = () => Readable.from([randomBytes(1 << 20), randomBytes(1 << 20), randomBytes(1 << 20)]);
      for (let i = 0; i < 3; i++) {
        const refusal = store.put('large', large());
        await expect(refusal).rejects.toBeInstanceOf(StoreFullError);
        await expect(refusal).rejects.toThrow(`The store ${root} is full: make room or give it more, then try again`);
      }
      expect(readdirSync(join(root, '.unfinished'))).toEqual([]);
      expect(await store.head('large')).toBeUndefined();
      await store.put('fits', randomBytes(1_200_000));
      await expect(store.copy('fits', 'copy')).rejects.toBeInstanceOf(StoreFullError);
      expect((await store.list('')).objects.map(({ key }) => key)).toEqual(['fits']);
      await store.delete(['fits']);
      await store.put('again', randomBytes(1_200_000));
    },
  );
});
