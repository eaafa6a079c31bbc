import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { zstdDecompressSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { parquetReadObjects } from 'hyparquet';
import { load } from 'js-yaml';
import type { Box, TextLine } from '../../../src/common/engine/media-table/media-row';
import type { ExportInfo } from '../../../src/modules/export/archive/archive-format';
import type { MetadataField } from '../../../src/modules/datasets';
import { TABLE_FORMATS, type TableFormat } from '../../../src/modules/export/archive/formats';
import { ImageNames, labelFileName } from '../../../src/modules/export/domain/image-names';
import type { MediaItem, MediaObject } from '../../../src/modules/export/domain/media-item';
import { normalizedPath } from '../../../src/modules/tables/annotation-files/domain/annotation-index';
import { readAnnotations } from '../../../src/modules/tables/annotation-files/domain/read-annotations';

const FIELDS: readonly MetadataField[] = [
  { name: 'checked', type: 'boolean', enumOptions: null, isMulti: false },
  { name: 'parts', type: 'enum', enumOptions: ['a', '=b'], isMulti: true },
  { name: 'score', type: 'float', enumOptions: null, isMulti: false },
  { name: 'site, "=1', type: 'string', enumOptions: null, isMulti: false },
  { name: 'taken', type: 'datetime', enumOptions: null, isMulti: false },
];

const READER = 'reader_v00';

const INFO: ExportInfo = {
  datasetId: 'd0d5be0e-0000-4000-8000-000000000000',
  datasetName: '"=1+1,\n',
  datasetCreatedAt: new Date(0),
  exportedAt: new Date(0),
  exportedBy: 'someone@example.com',
  baseUrl: 'http://127.0.0.1:3000',
  items: 0,
  embeddingModel: null,
  enrichments: { TEXT_RECOGNITION: { id: READER, metadata: {} } },
  fields: FIELDS,
  source: null,
};

const HOSTILE = [
  '=cmd|" /C calc"!A0',
  "'quoted",
  '@SUM(1)',
  '-1+1',
  '＝1',
  'a;b',
  'a,b',
  'a"b',
  'two\nlines',
  'two\r\nlines',
  'a\u0085b\u2028c',
  '\u007f\u0000\u001b[31m',
  '\ufeffmark',
  '["a","b"]',
  '{"a":1}',
  '- a: b # c',
  'null',
  '~',
  '1e3',
  '__proto__',
  'größer 日本語 🦩',
  'x'.repeat(5_000),
];

/** Texts as the service stores labels and captions: not empty, without surrounding blanks and lone surrogates. */
const kept = fc
  .oneof(fc.constantFrom(...HOSTILE), fc.string({ unit: 'binary', minLength: 1, maxLength: 20 }))
  .map((text) => text.trim())
  .filter((text) => text !== '');
const fileName = fc
  .oneof(fc.constantFrom(...HOSTILE), fc.string({ unit: 'binary', minLength: 1, maxLength: 20 }))
  .map((text) => `${text.replaceAll(/[/\\]/g, '_')}.jpg`);

const share = (max: number) => fc.double({ min: 0, max, noNaN: true });
const boxOf = fc
  .tuple(share(0.999), share(0.999), share(1), share(1))
  .map(([x, y, w, h]): Box => ({ x, y, width: Math.max(w, 1e-6) * (1 - x), height: Math.max(h, 1e-6) * (1 - y) }));

const lineOf = fc
  .record({ text: kept, confidence: share(1), box: boxOf })
  .map(({ text, confidence, box: { x, y, width, height } }): TextLine => ({
    text,
    confidence,
    corners: [
      { x, y },
      { x: x + width, y },
      { x: x + width, y: y + height },
      { x, y: y + height },
    ],
  }));
const textsOf = ({ row: { textLines } }: MediaItem): string[] => (textLines ?? []).map(({ text }) => text);

const scores = {
  blurConfidence: 0,
  darkConfidence: 0.5,
  brightConfidence: 0,
  outlierConfidence: 0.25,
  mislabelConfidence: null,
  suggestedLabel: null,
  classOutlierConfidence: null,
  uniqueness: 0.5,
};
const named = (names: readonly string[]) =>
  names.map((name) => ({ id: name, name, createdBy: name, createdAt: '1970-01-01T00:00:00.000000' }));

const itemOf = fc
  .record({
    folder: fc.constantFrom('', 'a/', 'ü=/b '),
    fileName,
    width: fc.integer({ min: 1, max: 30_000 }),
    height: fc.integer({ min: 1, max: 30_000 }),
    caption: fc.option(kept),
    textLines: fc.option(fc.array(lineOf, { maxLength: 3 })),
    embedding: fc.option(fc.float32Array({ minLength: 4, maxLength: 4, noNaN: true })),
    labels: fc.uniqueArray(kept, { maxLength: 4 }),
    tags: fc.uniqueArray(kept, { maxLength: 3 }),
    fields: fc.tuple(
      fc.option(fc.boolean()),
      fc.option(fc.subarray(['a', '=b'], { minLength: 1 })),
      fc.option(fc.double({ noNaN: true, noDefaultInfinity: true })),
      fc.option(kept),
      fc.option(fc.date({ noInvalidDate: true }).map((date) => date.toISOString())),
    ),
    boxes: fc.array(fc.record({ box: boxOf, label: kept, isFound: fc.boolean() }), { maxLength: 4 }),
  })
  .map(({ folder, boxes, tags, embedding, fields, ...row }, at?: number): MediaItem => {
    const id = `${String(at ?? 0).padStart(8, '0')}-0000-4000-8000-${Math.random().toString(16).slice(2, 14).padEnd(12, '0')}`;
    return {
      row: {
        ...row,
        ...scores,
        id,
        kind: 'IMAGE',
        parentId: null,
        path: `${folder}${row.fileName}`,
        source: 'file:x',
        sizeBytes: 1_000,
        frameTimestamp: null,
        generatedCaption: null,
        generatedLabels: null,
        customMetadata: fields.flatMap((value, n) =>
          value === null ? [] : [{ name: FIELDS[n]!.name, type: FIELDS[n]!.type, value }],
        ),
        clusters: [-1, -1, -1, -1, -1],
      },
      clusterId: null,
      objects: boxes.map(({ box, label, isFound }, n): MediaObject => ({
        row: {
          ...scores,
          id: `${id}-${n}`,
          box,
          caption: null,
          generatedCaption: isFound ? label : null,
          labels: [label],
          customMetadata: null,
          generatedLabels: isFound ? [{ label, confidence: 0.5, given: false }] : null,
          objectSource: null,
        },
        tags: [],
      })),
      tags: named(tags),
      annotations: [],
      duplicates: null,
      embedding,
      imageName: null,
      imageError: null,
    };
  });

const itemsOf = fc.uniqueArray(itemOf, {
  maxLength: 6,
  selector: ({ row }) => normalizedPath(row.path),
});

const inBatches = (items: readonly MediaItem[]) =>
  async function* () {
    for (let at = 0; at < items.length; at += 2) yield await Promise.resolve(items.slice(at, at + 2));
  };

async function filesOf(
  format: TableFormat,
  info: ExportInfo,
  items: readonly MediaItem[],
): Promise<[string, Buffer][]> {
  const files: [string, Buffer][] = [];
  for await (const member of TABLE_FORMATS[format].members(info, inBatches(items)))
    files.push([
      member.name,
      'bytes' in member ? Buffer.from(member.bytes) : await buffer(Readable.from(member.stream)),
    ]);
  return files;
}

async function onlyFile(format: TableFormat, info: ExportInfo, items: readonly MediaItem[]): Promise<Buffer> {
  const files = await filesOf(format, info, items);
  expect(files).toHaveLength(1);
  return files[0]![1];
}

async function holds(property: (items: readonly MediaItem[]) => Promise<void>): Promise<void> {
  await fc.assert(fc.asyncProperty(itemsOf, property), { numRuns: 200 });
}

const near = (box: Box, { row }: MediaItem) => ({
  x: expect.closeTo(box.x * row.width, 6) as number,
  y: expect.closeTo(box.y * row.height, 6) as number,
  width: expect.closeTo(box.width * row.width, 6) as number,
  height: expect.closeTo(box.height * row.height, 6) as number,
});

const inPixels = ({ text, confidence, corners }: TextLine, { row }: MediaItem) => ({
  text,
  score: confidence,
  source: READER,
  polygon: corners.flatMap(({ x, y }) => [
    expect.closeTo(x * row.width, 6) as number,
    expect.closeTo(y * row.height, 6) as number,
  ]),
});

/** Removes the escaping as the documentation tells readers of the file. */
const unguarded = (text: string): string => (text.startsWith("'") ? text.slice(1) : text);

/** The reader of each format. */
const READ_BACK: Readonly<Record<TableFormat, readonly [how: string, (items: readonly MediaItem[]) => Promise<void>]>> =
  {
    json: [
      'as JSON',
      async (items) => {
        const written = await onlyFile('json', INFO, items);
        const { media_items: media } = JSON.parse(written.toString()) as {
          media_items: { file_path: string; metadata_items: { type: string; properties: Record<string, unknown> }[] }[];
        };
        expect(media).toHaveLength(items.length);
        for (const [at, { row, objects, tags }] of items.entries()) {
          const { file_path: path, metadata_items: all } = media[at]!;
          const of = (type: string) => all.filter((each) => each.type === type).map(({ properties }) => properties);
          expect(path).toBe(row.path);
          expect(of('image_label').map((each) => each['category_name'])).toEqual(row.labels);
          expect(of('caption').map((each) => each['text'])).toEqual(row.caption === null ? [] : [row.caption]);
          expect(of('text_line')).toEqual(
            (row.textLines ?? []).map((line) => ({
              ...line,
              confidence: expect.closeTo(line.confidence, 5) as number,
              source: READER,
            })),
          );
          expect(of('user_tag').map((each) => each['tag_name'])).toEqual(tags.map(({ name }) => name));
          expect(of('object_label').map((each) => [each['category_name'], each['bounding_box']])).toEqual(
            objects.map((object) => [object.row.labels[0], object.row.box]),
          );
        }
      },
    ],
    parquet: [
      'as Parquet',
      async (items) => {
        const written = await onlyFile('parquet', { ...INFO, embeddingModel: 'a-model' }, items);
        const rows = await parquetReadObjects({
          file: new Uint8Array(written).buffer,
          compressors: { ZSTD: (bytes) => zstdDecompressSync(bytes) },
        });
        expect(rows).toHaveLength(items.length);
        const valueOf = ({ row }: MediaItem, { name, type, isMulti }: MetadataField): unknown => {
          const found = row.customMetadata?.find((each) => each.name === name)?.value ?? (isMulti ? [] : null);
          return type === 'datetime' && typeof found === 'string' ? new Date(found) : found;
        };
        for (const [at, item] of items.entries()) {
          const { row, embedding } = item;
          // This reader removes a byte order mark.
          const read = (text: string): string => text.replace(/^\ufeff/, '');
          expect(rows[at]).toMatchObject({
            file_name: read(row.fileName),
            file_path: read(row.path),
            caption: row.caption,
            text_lines: textsOf(item).map(read),
            labels: row.labels,
            embedding: [...(embedding ?? [])],
          });
          for (const field of FIELDS) {
            const expected = valueOf(item, field);
            expect(rows[at]![`metadata.${field.name}`]).toEqual(
              typeof expected === 'string' ? read(expected) : expected,
            );
          }
        }
      },
    ],
    csv: [
      'as CSV, without a cell that a spreadsheet would run',
      async (items) => {
        const written = (await onlyFile('csv', INFO, items)).toString();
        const rows = parse(written, { columns: true, record_delimiter: '\n' }) as unknown as Record<string, string>[];
        expect(rows).toHaveLength(items.length);
        for (const [at, item] of items.entries()) {
          const { row, objects, tags } = item;
          const read = rows[at]!;
          // A negative number is not a formula.
          for (const cell of Object.values(read).filter((each) => Number.isNaN(Number(each))))
            expect(cell).not.toMatch(/^[=+\-@\t\r\n＋－＝＠]/);
          expect(unguarded(read['file_path']!)).toBe(row.path);
          expect(unguarded(read['caption']!)).toBe(row.caption ?? '');
          expect(JSON.parse(read['text_lines']!)).toEqual(textsOf(item));
          expect(JSON.parse(read['labels']!)).toEqual(row.labels);
          expect(JSON.parse(read['tags']!)).toEqual(tags.map(({ name }) => name));
          for (const { name, type, isMulti } of FIELDS) {
            const value = row.customMetadata?.find((each) => each.name === name)?.value;
            const cell = read[`metadata.${name}`]!;
            if (value === undefined) expect(cell).toBe('');
            else if (isMulti) expect(JSON.parse(cell)).toEqual(value);
            else if (type === 'float') expect(Number(cell)).toBe(Number(value) + 0);
            else expect(unguarded(cell)).toBe(String(value));
          }
          expect(JSON.parse(read['object_labels']!)).toEqual(objects.flatMap((object) => object.row.labels));
        }
      },
    ],
    coco: [
      'as COCO, by the reader of annotations itself',
      async (items) => {
        const bytes = await onlyFile('coco', INFO, items);
        const { index, warnings } = await readAnnotations([
          { name: 'annotations.json', size: bytes.length, open: () => Promise.resolve(Readable.from([bytes])) },
        ]);
        const isDescribed = items.some(
          ({ row, objects }) => row.caption !== null || row.labels.length + objects.length > 0,
        );
        expect(warnings).toHaveLength(isDescribed ? 0 : 1);
        const { images } = JSON.parse(bytes.toString()) as { images: { text_lines?: object[] }[] };
        for (const [at, item] of items.entries()) {
          const { row, objects } = item;
          expect(images[at]!.text_lines).toEqual(row.textLines?.map((line) => inPixels(line, item)));
          expect(index.get(row.path) ?? { labels: [], caption: null, objects: [] }).toEqual({
            labels: row.labels,
            caption: row.caption,
            objects: objects.map((object) => ({ label: object.row.labels[0], ...near(object.row.box!, item) })),
          });
        }
      },
    ],
    yolo: [
      'as YOLO, as far as it has room: boxes and their labels',
      async (items) => {
        const members = new Map<string, string>();
        for (const [name, bytes] of await filesOf('yolo', INFO, items)) members.set(name, bytes.toString());
        const { names } = load(members.get('data.yaml')!) as { names: Record<string, string> };
        // eslint-disable-next-line no-control-regex
        expect(members.get('classes.txt')!.split(/[\n\v\f\r\u001c-\u001e\u0085\u2028\u2029]/)).toHaveLength(
          Object.keys(names).length + 1,
        );
        const imageNames = new ImageNames();
        for (const { row, objects } of items) {
          const lines = members.get(`labels/${labelFileName(imageNames.of(row.id, row.fileName))}`)!.split('\n');
          const read = lines.slice(0, -1).map((line) => {
            const [number, x, y, width, height] = line.split(' ').map(Number) as [
              number,
              number,
              number,
              number,
              number,
            ];
            return { label: names[number], x: x - width / 2, y: y - height / 2, width, height };
          });
          expect(read).toEqual(
            objects.map((object) => {
              const { x, y, width, height } = object.row.box!;
              const close = (value: number): unknown => expect.closeTo(value, 11);
              return {
                label: object.row.labels[0],
                x: close(x),
                y: close(y),
                width: close(width),
                height: close(height),
              };
            }),
          );
        }
      },
    ],
  };

describe('exported files can be read back completely', () => {
  it.each(Object.values(READ_BACK))('%s', (_, readBack) => holds(readBack));

  it('with names that every file system accepts', () => {
    const names = new ImageNames();
    const long = `${'ü'.repeat(300)}.jpg`;
    const given = ['a.jpg', 'A.JPG', 'u\u0308.png', '\u00fc.png', long, long].map((name, at) =>
      names.of(`id${at}`, name),
    );
    expect(given.every((name) => Buffer.byteLength(name) <= 255)).toBe(true);
    expect(new Set(given.map((name) => name.normalize('NFC').toLowerCase())).size).toBe(given.length);
    expect(given.at(-1)).toMatch(/^id5_ü+\.jpg$/);
  });
});
