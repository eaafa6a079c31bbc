import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serialize } from 'node:v8';
import fc from 'fast-check';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { foreignFilesOf, readerConfig } from '../../../../test/support/foreign-files-of';
import { longParquet } from '../../../../test/support/hostile-parquet';
import type { ForeignFiles } from '../../../common/engine/compute/readers/foreign-files';
import { createStorage } from '../../../common/platform/storage/create-storage';
import { AnnotationFiles } from './annotation-files';
import { read as readAnnotationFile, type AnnotationSource } from './annotation-files.reader';
import { AnnotationReadError } from './domain/annotation-file';

const MEGABYTE = 1024 * 1024;

describe('reading annotations in a child process', () => {
  let folder: string;
  let files: ForeignFiles;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'foreign-readers-'));
    files = foreignFilesOf(folder, { memoryBytes: 320 * MEGABYTE, seconds: 5 });
    await writeFile(join(folder, 'image_annotations.parquet'), longParquet('filename', 'label', 'caption'));
  });

  afterAll(async () => {
    files.stop();
    await rm(folder, { recursive: true });
  });

  async function written(name: AnnotationSource['name'], content: string): Promise<AnnotationSource> {
    await writeFile(join(folder, name), content);
    return { name, source: join(folder, name), size: content.length };
  }

  it('returns the same as in this process, for any size', async () => {
    const objects = Array.from({ length: 4500 }, (_, i) => ({ image_id: 1, category_id: 1, bbox: [i, 0, 1, 1] }));
    const coco = {
      images: [{ id: 1, file_name: 'a.jpg' }],
      categories: [{ id: 1, name: 'cat' }],
      annotations: [...objects, { image_id: 2, category_id: 1 }],
    };
    const { index, warnings } = await new AnnotationFiles(files).read([
      await written('annotations.json', JSON.stringify(coco)),
      await written('image_annotations.csv', 'filename,label,caption\na.jpg,pet,A cat\nb.jpg,pet,\n'),
    ]);
    expect(index.get('a.jpg')?.objects.map(({ x }) => x)).toEqual(objects.map((_, i) => i));
    expect(index.get('a.jpg')).toMatchObject({ labels: ['pet'], caption: 'A cat' });
    expect(index.get('b.jpg')).toEqual({ labels: ['pet'], caption: null, objects: [] });
    expect(warnings).toEqual([expect.stringContaining('its image_id is not among the images')]);
  });

  it('uses messages of limited size, even for long texts of many files, or many texts of one file', async () => {
    const label = 'x'.repeat(60_000);
    const images = Array.from({ length: 1000 }, (_, id) => ({ id, file_name: `${id}.jpg` }));
    const labels = Array.from({ length: 5000 }, (_, at) => `label ${at}`);
    const coco = {
      images: [...images, { id: 1000, file_name: 'many.jpg', labels }],
      categories: [{ id: 1, name: label }],
      annotations: images.map(({ id }) => ({ image_id: id, category_id: 1 })),
    };
    const { index, warnings } = await new AnnotationFiles(files).read([
      await written('annotations.json', JSON.stringify(coco)),
    ]);
    expect(warnings).toEqual([]);
    expect(index.get('999.jpg')?.labels).toEqual([label]);
    expect(index.get('many.jpg')?.labels).toEqual(labels);
  });

  it('sends each label once for any number of files', async () => {
    const label = 'x'.repeat(60_000);
    const objects = Array.from({ length: 3000 }, (_, id) => ({ image_id: id, category_id: 1, bbox: [1, 1, 2, 2] }));
    const { name, source, size } = await written(
      'annotations.json',
      JSON.stringify({
        images: objects.map((_, id) => ({ id, file_name: `${id}.jpg`, labels: ['a'] })),
        categories: [{ id: 1, name: label }],
        annotations: objects,
      }),
    );
    const { sources } = createStorage({ ...readerConfig(folder), secretKey: new Uint8Array(32) });
    const pieces = readAnnotationFile({ name, source, size }, sources);
    let sent = 0;
    for await (const piece of pieces) sent += serialize(piece).length;
    expect(sent).toBeLessThan(10 * label.length);
    const { index } = await new AnnotationFiles(files).read([{ name, source, size }]);
    expect(index.get('2999.jpg')).toMatchObject({ labels: ['a'], objects: [{ label, x: 1 }] });
  });

  it('skips a file that ends the child, with the reason, and reads the others', async () => {
    const { index, warnings } = await new AnnotationFiles(files).read([
      { name: 'image_annotations.parquet', source: join(folder, 'image_annotations.parquet'), size: 355 },
      await written('image_annotations.csv', 'filename,label\nb.jpg,pet\n'),
    ]);
    expect(index.fileCount).toBe(1);
    expect(warnings).toEqual([
      'image_annotations.parquet is left out: it needs more than 320 MB of memory to be read.',
    ]);
  });

  it('reads up to the total memory limit, with a warning', async () => {
    const rows = (name: string, count: number): string =>
      Array.from({ length: count }, (_, at) => `${name}-${at}.jpg,cat,${'x'.repeat(1000)}\n`).join('');
    const csv = await written('image_annotations.csv', `filename,label,caption\n${rows('a', 600)}`);
    const coco = await written(
      'annotations.json',
      JSON.stringify({
        images: Array.from({ length: 5000 }, (_, id) => ({ id, file_name: `b-${id}.jpg`, caption: 'x'.repeat(1000) })),
      }),
    );
    const { index, warnings } = await new AnnotationFiles(files).read([csv, coco, csv], {
      objects: 10,
      bytes: MEGABYTE,
    });
    expect(index.get('a-599.jpg')?.caption).toHaveLength(1000);
    expect(index.fileCount).toBeGreaterThan(700);
    // The last message may exceed the limit by up to a megabyte.
    expect(index.fileCount).toBeLessThan(2000);
    expect(warnings).toEqual([
      'The annotation files hold more than 1 MB of names, labels, captions and fields: those beyond are left out.',
    ]);
  });

  it('reads a corrupted Parquet file or warns of it', async () => {
    const seed = Buffer.from(
      parquetWriteBuffer({
        columnData: [
          { name: 'filename', data: ['a.jpg', 'b.jpg'] },
          { name: 'label', data: ['x', 'y'] },
        ],
      }),
    );
    const place = join(folder, 'changed.parquet');
    const edits = fc.array(fc.record({ at: fc.nat(seed.length - 1), value: fc.nat(255) }), {
      minLength: 1,
      maxLength: 6,
    });
    const property = fc.asyncProperty(edits, async (list) => {
      const bytes = Buffer.from(seed);
      for (const { at, value } of list) bytes[at] = value;
      await writeFile(place, bytes);
      const source: AnnotationSource = { name: 'image_annotations.parquet', source: place, size: bytes.length };
      const { warnings } = await new AnnotationFiles(files).read([source]);
      for (const warning of warnings) expect(warning).toMatch(/^[^\n]+\.$/);
    });
    await fc.assert(property, { numRuns: 6 });
  });

  it('fails if the bytes cannot be read', async () => {
    const missing: AnnotationSource = { name: 'annotations.json', source: join(folder, 'no.json'), size: 9 };
    await expect(new AnnotationFiles(files).read([missing])).rejects.toThrow(AnnotationReadError);
    await expect(new AnnotationFiles(files).read([missing])).rejects.toMatchObject({
      cause: expect.objectContaining({ message: expect.stringContaining('no.json') as string }) as Error,
    });
  });
});
