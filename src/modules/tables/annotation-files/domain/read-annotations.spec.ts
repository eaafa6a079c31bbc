import { Readable } from 'node:stream';
import fc from 'fast-check';
import { parquetWriteBuffer } from 'hyparquet-writer';
import {
  ANNOTATION_FILE_NAMES,
  type AnnotationFile,
  type AnnotationFileName,
  AnnotationReadError,
} from './annotation-file';
import { readAnnotations, unknownFileWarnings } from './read-annotations';

function file(name: AnnotationFileName, content: string | Uint8Array, chunkBytes = 7): AnnotationFile {
  const bytes = Buffer.from(content);
  const chunks = function* (): Generator<Buffer> {
    for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
  };
  return { name, size: bytes.length, open: () => Promise.resolve(Readable.from(chunks())) };
}

const OBJECT_COLUMNS = ['filename', 'col_x', 'row_y', 'width', 'height', 'label'];
const images = (content: string) => readAnnotations([file('image_annotations.csv', content)]);
const objects = (content: string) => readAnnotations([file('object_annotations.csv', content)]);
const coco = (content: unknown) => readAnnotations([file('annotations.json', JSON.stringify(content))]);

function parquet(
  name: AnnotationFileName,
  columnData: Parameters<typeof parquetWriteBuffer>[0]['columnData'],
  rowGroupSize = 2,
): AnnotationFile {
  return file(name, new Uint8Array(parquetWriteBuffer({ columnData, rowGroupSize })), 1000);
}

describe('image_annotations.csv', () => {
  it('returns labels and captions by file', async () => {
    const { index, warnings } = await images(
      'filename,label,caption\na/b.jpg,cat,"A cat, ""asleep"""\nc.jpg,"[""x"",""y""]",\n',
    );
    expect(warnings).toEqual([]);
    expect(index.get('a/b.jpg')).toEqual({ labels: ['cat'], caption: 'A cat, "asleep"', objects: [] });
    expect(index.get('c.jpg')).toEqual({ labels: ['x', 'y'], caption: null, objects: [] });
    expect(index.get('d.jpg')).toBeUndefined();
  });

  it('reads a byte order mark, CRLF, names with line breaks and other columns in any order', async () => {
    const { index, warnings } = await images(
      '\ufeffscore,label,filename\r\n1,cat,"a\nb.jpg"\r\n\r\n2,"[\'p\', \'q\']",été 魚.jpg\r\n',
    );
    expect(warnings).toEqual([]);
    expect(index.get('a\nb.jpg')?.labels).toEqual(['cat']);
    expect(index.get('été 魚.jpg')?.labels).toEqual(['p', 'q']);
  });

  it('recognises a file for any notation of its path', async () => {
    const { index } = await images('filename,label\n./a//b.jpg,one\na\\b.jpg,two\ne\u0301.jpg,three\n');
    expect(index.get('a/b.jpg')?.labels).toEqual(['one', 'two']);
    expect(index.get('\u00e9.jpg')?.labels).toEqual(['three']);
    expect(index.fileCount).toBe(2);
  });

  it('merges the rows of a file, each label once, and keeps the first caption', async () => {
    const { index } = await images('filename,label,caption\na.jpg,x,\na.jpg,y,first\na.jpg,x,second\n');
    expect(index.get('a.jpg')).toEqual({ labels: ['x', 'y'], caption: 'first', objects: [] });
  });

  it('rejects rows without a file name, with one warning for all', async () => {
    const { index, warnings } = await images('filename,label\n,cat\na.jpg,dog\n ,cow\n');
    expect(index.fileCount).toBe(1);
    expect(warnings).toEqual(['image_annotations.csv: 2 rows (the first is number 2) left out: no filename.']);
  });

  it.each([
    ['', 'image_annotations.csv is not in the expected format: it is empty.'],
    ['\n\n', 'image_annotations.csv is not in the expected format: it is empty.'],
    [
      'name,label\na.jpg,cat\n',
      'image_annotations.csv is not in the expected format: it has no column filename; its columns are "name", "label".',
    ],
    [
      'filename;label\na.jpg;cat\n',
      'image_annotations.csv is not in the expected format: it has no column filename, label; its columns are "filename;label".',
    ],
  ])('warns of a file in another format: %j', async (content, warning) => {
    expect((await images(content)).warnings).toEqual([warning]);
  });

  it('keeps the rows before an unclosed quotation mark', async () => {
    const { index, warnings } = await images('filename,label\na.jpg,cat\nb.jpg,"dog\nc.jpg,cow\n');
    expect(index.get('a.jpg')?.labels).toEqual(['cat']);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatch(/^image_annotations\.csv is not in the expected format: Quote Not Closed/);
  });

  it('does not store an endless row in memory', async () => {
    const { warnings } = await readAnnotations([
      file('image_annotations.csv', `filename,label\n"${'x'.repeat(3 << 20)}`, 1 << 16),
    ]);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatch(/Max Record Size/);
  });
});

describe('object_annotations.csv', () => {
  const HEADER = 'filename,col_x,row_y,width,height,label\n';

  it('returns boxes in pixels, in order', async () => {
    const { index, warnings } = await objects(`${HEADER}a.jpg,1,2,30,40,boat\na.jpg,0.5, 7 ,3.25,1e1,fish\n`);
    expect(warnings).toEqual([]);
    expect(index.get('a.jpg')).toEqual({
      labels: [],
      caption: null,
      objects: [
        { x: 1, y: 2, width: 30, height: 40, label: 'boat' },
        { x: 0.5, y: 7, width: 3.25, height: 10, label: 'fish' },
      ],
    });
    expect(index.objectCount).toBe(2);
  });

  it('rejects invalid boxes, with the reason', async () => {
    const rows = [
      'a.jpg,1,2,0,4,x',
      'a.jpg,1,2,3,-4,x',
      'a.jpg,,2,3,4,x',
      'a.jpg,1,2,Infinity,4,x',
      'a.jpg,one,2,3,4,x',
      'a.jpg,1,2,3,4,',
      'a.jpg,1,2',
    ];
    const { index, warnings } = await objects(`${HEADER}${rows.join('\n')}\nb.jpg,1,2,3,4,x\n`);
    expect(index.get('a.jpg')).toBeUndefined();
    expect(index.objectCount).toBe(1);
    expect(warnings).toEqual([
      'object_annotations.csv: 2 rows (the first is number 2) left out: width and height must be above 0.',
      'object_annotations.csv: 4 rows (the first is number 4) left out: a coordinate is not a number of pixels.',
      'object_annotations.csv: 1 row (number 7) left out: no label.',
    ]);
  });

  it('does not accept swapped columns', async () => {
    const { index, warnings } = await objects('filename,row_x,col_y,width,height,label\na.jpg,1,2,3,4,x\n');
    expect(index.objectCount).toBe(0);
    expect(warnings[0]).toContain('it has no column col_x, row_y; its columns are "filename", "row_x", "col_y"');
  });

  it('warns of more objects than the limit, but not at the limit', async () => {
    const rows = `${HEADER}${'a.jpg,1,2,3,4,x\n'.repeat(5)}`;
    const few = await readAnnotations([file('object_annotations.csv', rows)], { objects: 4, bytes: 1e6 });
    expect(few.index.objectCount).toBe(4);
    expect(few.warnings).toEqual(['The annotation files hold more than 4 objects: those beyond are left out.']);
    const enough = await readAnnotations([file('object_annotations.csv', rows)], { objects: 5, bytes: 1e6 });
    expect(enough.warnings).toEqual([]);
  });

  it('stops at the memory limit', async () => {
    const rows = Array.from({ length: 20_000 }, (_, i) => `${i}.jpg,cat\n`).join('');
    const { index, warnings } = await readAnnotations([file('image_annotations.csv', `filename,label\n${rows}`)], {
      objects: 9,
      bytes: 1024 * 1024,
    });
    expect(index.fileCount).toBeLessThan(15_000);
    expect(warnings).toEqual([
      'The annotation files hold more than 1 MB of names, labels, captions and fields: those beyond are left out.',
    ]);
  });
});

describe('Parquet tables', () => {
  it('have the same rows as the CSV tables, over several row groups', async () => {
    const { index, warnings } = await readAnnotations([
      parquet('image_annotations.parquet', [
        { name: 'extra', data: [1, 2, 3] },
        { name: 'filename', data: ['a.jpg', './b.jpg', 'c.jpg'] },
        { name: 'label', data: ['cat', '["x","y"]', "['z']"] },
        { name: 'caption', data: ['A cat', null, ''] },
      ]),
      parquet('object_annotations.parquet', [
        { name: 'filename', data: ['a.jpg', 'a.jpg', 'b.jpg'] },
        { name: 'col_x', data: [1, 2, 3] },
        { name: 'row_y', data: [1.5, 2.5, 3.5] },
        { name: 'width', data: new BigInt64Array([10n, 0n, 30n]) },
        { name: 'height', data: [4, 5, 6] },
        { name: 'label', data: ['boat', 'boat', 'fish'] },
      ]),
    ]);
    expect(warnings).toEqual([
      'object_annotations.parquet: 1 row (number 2) left out: width and height must be above 0.',
    ]);
    expect(index.get('a.jpg')).toEqual({
      labels: ['cat'],
      caption: 'A cat',
      objects: [{ x: 1, y: 1.5, width: 10, height: 4, label: 'boat' }],
    });
    expect(index.get('b.jpg')).toEqual({
      labels: ['x', 'y'],
      caption: null,
      objects: [{ x: 3, y: 3.5, width: 30, height: 6, label: 'fish' }],
    });
    expect(index.get('c.jpg')?.labels).toEqual(['z']);
  });

  it('warn of a missing column and of invalid Parquet', async () => {
    const missing = await readAnnotations([
      parquet('image_annotations.parquet', [{ name: 'filename', data: ['a.jpg'] }]),
    ]);
    expect(missing.warnings).toEqual([
      'image_annotations.parquet is not in the expected format: it has no column label; its columns are "filename".',
    ]);
    const other = await readAnnotations([file('object_annotations.parquet', 'filename,label\n')]);
    expect(other.warnings).toHaveLength(1);
    expect(other.warnings[0]).toMatch(/^object_annotations\.parquet is not in the expected format: /);
  });
});

describe('annotations.json', () => {
  const IMAGES = [
    { id: 1, width: 640, height: 480, file_name: 'a.jpg' },
    { id: 'two', width: 640, height: 480, file_name: 'sub/b.jpg' },
  ];
  const CATEGORIES = [
    { id: 7, name: 'boat' },
    { id: 8, name: 'sea' },
  ];
  const ANNOTATIONS = [
    { id: 1, image_id: 1, category_id: 7, bbox: [1, 2, 30, 40], segmentation: [[1, 2, 3, 4]], iscrowd: 0 },
    { id: 2, image_id: 1, category_id: 8 },
    { id: 3, image_id: 'two', category_id: 8, bbox: null },
    { id: 4, image_id: 'two', category_id: 7, bbox: [0.5, 0, 1, 1] },
  ];

  it.each([
    { images: IMAGES, categories: CATEGORIES, annotations: ANNOTATIONS },
    { info: { a: [1, { b: 2 }] }, annotations: ANNOTATIONS, licenses: [{}], categories: CATEGORIES, images: IMAGES },
  ])('returns boxes and image labels, in any order of the lists', async (content) => {
    const { index, warnings } = await coco(content);
    expect(warnings).toEqual([]);
    expect(index.get('a.jpg')).toEqual({
      labels: ['sea'],
      caption: null,
      objects: [{ x: 1, y: 2, width: 30, height: 40, label: 'boat' }],
    });
    expect(index.get('sub/b.jpg')).toEqual({
      labels: ['sea'],
      caption: null,
      objects: [{ x: 0.5, y: 0, width: 1, height: 1, label: 'boat' }],
    });
  });

  it('reads labels and captions of images, and caption annotations', async () => {
    const { index, warnings } = await coco({
      images: [
        { id: 1, file_name: 'a.jpg', labels: ['sea', ' sun '], caption: 'A bay.' },
        { id: 2, file_name: 'b.jpg', labels: [], caption: null },
        { id: 3, file_name: ' c.jpg', labels: [1, {}, null], caption: '' },
      ],
      annotations: [
        { image_id: 2, caption: 'A boat.' },
        { image_id: 2, caption: 'Another.' },
      ],
    });
    expect(warnings).toEqual([]);
    expect(index.get('a.jpg')).toEqual({ labels: ['sea', 'sun'], caption: 'A bay.', objects: [] });
    expect(index.get('b.jpg')).toEqual({ labels: [], caption: 'A boat.', objects: [] });
    expect(index.get(' c.jpg')).toBeUndefined();
  });

  it('finds the files in an adjacent folder of images', async () => {
    const { index } = await coco({ images: IMAGES, categories: CATEGORIES, annotations: ANNOTATIONS });
    expect(index.get('images/sub/b.jpg')?.labels).toEqual(['sea']);
    expect(await unknownFileWarnings(index, ['images/a.jpg', 'images/sub/b.jpg'])).toEqual([]);
  });

  it('accepts a byte order mark and surrounding space', async () => {
    const text = `\ufeff\n ${JSON.stringify({ images: IMAGES, categories: CATEGORIES, annotations: ANNOTATIONS }, null, 2)}\r\n\n`;
    expect((await readAnnotations([file('annotations.json', text)])).warnings).toEqual([]);
  });

  it('rejects dangling references and boxes without area', async () => {
    const annotations = [
      { image_id: 99, category_id: 7, bbox: [1, 2, 3, 4] },
      { image_id: 1, category_id: 99 },
      { image_id: 1, category_id: 7, bbox: [1, 2, 0, 4] },
      { image_id: 1, category_id: 7, bbox: [1, 2, 3] },
      { image_id: 1, category_id: 7, bbox: [1, 2, 'x', 4] },
      { category_id: 7 },
      null,
      'text',
    ];
    const { index, warnings } = await coco({ images: IMAGES, categories: [...CATEGORIES, { id: 9 }], annotations });
    expect(index.fileCount).toBe(0);
    expect(warnings).toHaveLength(6);
    expect(warnings).toContain(
      'annotations.json: 1 element (number 1) left out: its image_id is not among the images.',
    );
    expect(warnings).toContain(
      'annotations.json: 3 elements (the first is number 6) left out: an annotation has no image_id or no category_id.',
    );
  });

  it.each([
    ['[]', 'it is not one JSON object'],
    ['{"images":[]}', 'its list of images and of categories and of annotations is missing or empty'],
    ['', 'it ends in the middle'],
    ['{"images":[{"id":1,', 'it ends in the middle'],
    ['{"images":[{"id":1,"file_name":"a"}]', 'it ends in the middle'],
    ['{"images":[{"id":1,"file_name":"a"},]}', 'stray comma'],
    ['{"images":[{"id":1,"file_name":"a"},,{}]}', 'stray comma'],
    ['{"images":[{"id":1 "a":2}]}', '"{\\"id\\":1 \\"a\\":2}" is not JSON'],
    ['{"images":[{"id":[1}]}', 'its brackets do not match'],
    ['{} {}', 'it is not one JSON object'],
    ['{[1]}', 'a value where a name is due'],
    ['{"images":[}', 'its brackets do not match'],
    ['{"images": [] // a comment\n}', 'it holds a comment'],
    ['not json', 'it is not one JSON object'],
  ])('warns of an invalid COCO file: %j', async (content, reason) => {
    const { warnings } = await readAnnotations([file('annotations.json', content)]);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatch(/^annotations\.json is not in the expected format: /);
    expect(warnings[0]).toContain(reason);
  });
});

describe('several annotation files', () => {
  it('are merged, with a warning for files that the dataset does not have', async () => {
    const { index } = await readAnnotations([
      file('image_annotations.csv', 'filename,label\na.jpg,cat\nb.jpg,dog\nc.jpg,cow\nd.jpg,pig\ne.jpg,hen\n'),
      file('object_annotations.csv', 'filename,col_x,row_y,width,height,label\na.jpg,1,2,3,4,boat\n'),
    ]);
    expect(index.get('a.jpg')?.objects).toHaveLength(1);
    expect(await unknownFileWarnings(index, ['a.jpg', 'z.jpg'])).toEqual([
      '4 annotated files not in the dataset: "b.jpg", "c.jpg", "d.jpg" and others.',
    ]);
    expect(await unknownFileWarnings(index, ['a.jpg', 'b.jpg', 'c.jpg', 'd.jpg'])).toEqual([
      '1 annotated file not in the dataset: "e.jpg".',
    ]);
    expect(await unknownFileWarnings(index, ['a.jpg', 'b.jpg', 'c.jpg', './d.jpg', 'e.jpg'])).toEqual([]);
  });

  it('throw if their bytes cannot be read', async () => {
    for (const name of ANNOTATION_FILE_NAMES) {
      const refused = { name, size: 1, open: () => Promise.reject(new Error('connection refused')) };
      await expect(readAnnotations([refused])).rejects.toThrow(AnnotationReadError);
      const chunks = function* (): Generator<Buffer> {
        yield Buffer.from('  ');
        throw new Error('connection lost');
      };
      await expect(
        readAnnotations([{ name, size: 9, open: () => Promise.resolve(Readable.from(chunks())) }]),
      ).rejects.toThrow(AnnotationReadError);
    }
  });
});

describe('arbitrary bytes', () => {
  const seeds: Record<AnnotationFileName, Buffer> = {
    'image_annotations.csv': Buffer.from('filename,label,caption\na.jpg,"[""x"",\'y\']","c"\nb.jpg,\'z\',\n'),
    'object_annotations.csv': Buffer.from('filename,col_x,row_y,width,height,label\na.jpg,1,2,3,4,"x"\n'),
    'annotations.json': Buffer.from(
      '{"images":[{"id":1,"file_name":"a"}],"categories":[{"id":1,"name":"c"}],"annotations":[{"image_id":1,"category_id":1,"bbox":[1,2,3,4]}]}',
    ),
    'image_annotations.parquet': Buffer.from(
      parquetWriteBuffer({
        columnData: [
          { name: 'filename', data: ['a.jpg', 'b.jpg'] },
          { name: 'label', data: ['x', 'y'] },
        ],
      }),
    ),
    'object_annotations.parquet': Buffer.from(
      parquetWriteBuffer({ columnData: OBJECT_COLUMNS.map((name) => ({ name, data: ['1', '2'] })) }),
    ),
  };

  it.each(ANNOTATION_FILE_NAMES)('%s never throws', async (name) => {
    // A corrupted Parquet file may expand to a hundred million values; such files are read in a child process with limits, and tested there.
    const isCut = name.endsWith('.parquet');
    const edit = { at: fc.nat(2000), value: fc.nat(isCut ? 19 : 255), cut: isCut ? fc.constant(true) : fc.boolean() };
    const edits = fc.array(fc.record(edit), { maxLength: 6 });
    const mutated = edits.map((list) => {
      let bytes: Uint8Array = Buffer.from(seeds[name]);
      for (const { at, value, cut } of list) {
        const place = at % Math.max(1, bytes.length);
        if (cut && value < 20) bytes = bytes.subarray(0, place);
        else if (bytes.length > 0) bytes[place] = value;
      }
      return bytes;
    });
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(mutated, fc.uint8Array({ maxLength: 300 })),
        fc.integer({ min: 1, max: 64 }),
        async (bytes, chunk) => {
          const { index, warnings } = await readAnnotations([file(name, bytes, chunk)]);
          expect(index.get('a.jpg')?.objects.every(({ width, height }) => width > 0 && height > 0)).not.toBe(false);
          for (const warning of warnings) expect(warning).toMatch(/^[^\n]+\.$/);
        },
      ),
      { numRuns: 300 },
    );
  });
});
