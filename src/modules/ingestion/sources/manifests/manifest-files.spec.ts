import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { foreignFilesOf } from '../../../../../test/support/foreign-files-of';
import { hostileParquet } from '../../../../../test/support/hostile-parquet';
import type { ForeignFiles } from '../../../../common/engine/compute/readers/foreign-files';
import { ManifestFiles } from './manifest-files';

const MEGABYTE = 1024 * 1024;

describe('reading manifests in a child process', () => {
  let folder: string;
  let files: ForeignFiles;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'manifest-files-'));
    files = foreignFilesOf(folder, { memoryBytes: 320 * MEGABYTE, seconds: 5 });
  });

  afterAll(async () => {
    files.stop();
    await rm(folder, { recursive: true });
  });

  async function entries(name: string, kind: 'txt' | 'csv' | 'parquet', content: string | Buffer): Promise<string[]> {
    await writeFile(join(folder, name), content);
    const found: string[] = [];
    const manifest = { kind, uri: join(folder, name), size: 355 };
    for await (const entry of new ManifestFiles(files).entriesOf(manifest)) found.push(entry);
    return found;
  }

  it('yields their entries in order, or reports errors', async () => {
    const names = Array.from({ length: 2500 }, (_, i) => `${i}.jpg`);
    expect(await entries('list.txt', 'txt', names.join('\n'))).toEqual(names);
    await expect(entries('long.txt', 'txt', 'x'.repeat(300_000))).rejects.toThrow(
      "The manifest can't be read: one of its lines is too long",
    );
    const repeated = 'same.jpg\n'.repeat(3);
    const all = `${repeated}other.jpg\n${repeated}`;
    expect(await entries('repeated.txt', 'txt', all)).toEqual(['same.jpg', 'other.jpg']);
    await expect(entries('bomb.parquet', 'parquet', hostileParquet('filename', 'label'))).rejects.toThrow(
      "The manifest can't be read: it needs more than 320 MB of memory to be read",
    );
  });
});
