import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zipOf } from '../../../../test/support/archive-bytes';
import { foreignFilesOf } from '../../../../test/support/foreign-files-of';
import { longParquet } from '../../../../test/support/hostile-parquet';
import { SourceFilePieces } from './source-file-pieces';

describe('annotation files in a child process', () => {
  it('that are malformed are named, also in an archive', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'source-files-'));
    const files = foreignFilesOf(folder, { memoryBytes: 2 ** 30, seconds: 60 });
    const members = [
      { name: 'a/first.json', bytes: Buffer.from('{"images":[],"annotations":[],"categories":[]}') },
      { name: 'a/second.json', bytes: Buffer.from('{"images":[],"annotations":[') },
    ];
    try {
      await writeFile(join(folder, 'coco.zip'), zipOf(members));
      const given = { format: null, files: [{ name: 'coco.zip', source: join(folder, 'coco.zip') }] };
      const read = async (): Promise<void> => {
        for await (const piece of new SourceFilePieces(files).read(given)) expect(piece).toBeDefined();
      };
      await expect(read()).rejects.toThrow(
        /^coco\.zip cannot be read: a\/second\.json: it ends in the middle\. Nothing was changed\.$/,
      );
    } finally {
      files.stop();
      await rm(folder, { recursive: true });
    }
  });

  it('that need too much memory are refused with a sentence', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'source-files-'));
    const files = foreignFilesOf(folder, { memoryBytes: 320 * 2 ** 20, seconds: 5 });
    try {
      await writeFile(join(folder, 'a.parquet'), longParquet('filename', 'label', 'caption'));
      const given = { format: null, files: [{ name: 'a.parquet', source: join(folder, 'a.parquet') }] };
      const read = async (): Promise<void> => {
        for await (const piece of new SourceFilePieces(files).read(given)) expect(piece).toBeDefined();
      };
      await expect(read()).rejects.toThrow(
        /^a\.parquet needs more than .* to be read: divide it\. Nothing was changed\.$/,
      );
    } finally {
      files.stop();
      await rm(folder, { recursive: true });
    }
  });
});
