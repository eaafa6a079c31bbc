import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import type { FileAnnotation } from '../../src/common/engine/annotation-formats/file-picture';
import { Losses } from '../../src/common/engine/annotation-formats/fit-annotations';
import { shapeKindOf } from '../../src/common/engine/annotations/annotation';
import { textOfRuns } from '../../src/common/engine/annotations/mask-runs';
import type { ArchiveMember } from '../../src/common/platform/archives/zip-bytes';
import type { ExportInfo } from '../../src/modules/export/archive/archive-format';
import { annotationFormat, type ExportFormat } from '../../src/modules/export/archive/formats';
import { sourceFormat } from '../../src/modules/export/archive/source-format';
import type { MediaItem } from '../../src/modules/export/domain/media-item';
import { mediaRow } from '../support/media-rows';
import { pictureBytes } from '../support/pictures';

const [WIDTH, HEIGHT] = [160, 120];
const MASK_PIXELS = 1_000;
const MASK = { width: WIDTH, height: HEIGHT, counts: textOfRuns([200, MASK_PIXELS, WIDTH * HEIGHT - 1_200]) };

const INFO: ExportInfo = {
  datasetId: 'd0000000-0000-4000-8000-000000000000',
  datasetName: 'photos',
  datasetCreatedAt: new Date(0),
  exportedAt: new Date(0),
  exportedBy: 'someone',
  baseUrl: 'http://127.0.0.1:3000',
  items: 2,
  embeddingModel: null,
  fields: [],
  enrichments: {},
  source: 'shapes',
};

const BOX: FileAnnotation = { id: 'b', label: 'car', box: [16, 12, 40, 30] };
const SHAPES: readonly FileAnnotation[] = [
  BOX,
  { id: 'p', label: 'car', polygon: [[10, 10, 90, 10, 90, 50]], attributes: { occluded: true } },
];
const WITH_MASK: readonly FileAnnotation[] = [...SHAPES, { id: 'm', label: 'car', mask: MASK }];
const TRACKED: readonly FileAnnotation[] = [{ ...BOX, trackId: '7' }];

/** What is written in each format, and of what. */
const WRITTEN: Partial<Record<ExportFormat, readonly FileAnnotation[]>> = {
  coco: WITH_MASK,
  voc: SHAPES,
  labelme: WITH_MASK,
  cvat: WITH_MASK,
  datumaro: WITH_MASK,
  label_studio: [...WITH_MASK, { id: 'l', label: 'harbour' }, { ...BOX, id: 'c', confidence: 0.5 }],
  mot: TRACKED,
  imagefolder: [...SHAPES, { id: 'l', label: 'harbour' }],
  webdataset: WITH_MASK,
  yolo: [BOX],
};

/** Folders that Ultralytics reads. */
const YOLO: Readonly<Record<string, readonly FileAnnotation[]>> = {
  'yolo-detect': [BOX, { ...BOX, id: 'l', label: 'boat, "old"', box: [0, 0, 160, 120] }],
  'yolo-segment': SHAPES.concat({ id: 'm', label: 'sea', mask: MASK }),
  'yolo-pose': [
    { ...BOX, keypoints: [20, 20, 2, 30, 15, 1, 0, 0, 0] },
    { ...BOX, id: 'n', box: [0, 0, 80, 60] },
  ],
};

const itemOf = (path: string, annotations: readonly FileAnnotation[]): MediaItem => ({
  row: mediaRow(1, { path, fileName: path.split('/').at(-1)!, width: WIDTH, height: HEIGHT }),
  clusterId: null,
  objects: [],
  tags: [],
  annotations: annotations.map((each, at) => ({ id: `${at}`, version: 1, ...each })),
  duplicates: null,
  embedding: null,
  imageName: path.split('/').at(-1)!,
  imageError: null,
});

async function writeArchive(folder: string, format: ExportFormat, items: readonly MediaItem[]): Promise<void> {
  const counts = { label: 0, box: 0, polygon: 0, mask: 0, keypoints: 0 };
  for (const { annotations } of items) for (const each of annotations) counts[shapeKindOf(each)] += 1;
  const { members, imageAt, withImages } = sourceFormat(format, annotationFormat(format, counts), new Losses());
  const bytes = await pictureBytes(1, WIDTH, HEIGHT);
  const write = async (name: string, content: Uint8Array): Promise<void> => {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), content);
  };
  const writeAll = async (all: Iterable<ArchiveMember> | AsyncIterable<ArchiveMember>): Promise<void> => {
    for await (const member of all)
      await write(member.name, 'bytes' in member ? member.bytes : await buffer(Readable.from(member.stream)));
  };
  if (withImages !== undefined)
    return writeAll(withImages(INFO, Readable.from(items.map((item) => ({ item, bytes })))));
  await writeAll(
    members(INFO, async function* () {
      yield await Promise.resolve(items);
    }),
  );
  for (const item of items) await write(imageAt?.(item, item.imageName!) ?? `images/${item.imageName!}`, bytes);
}

describe('annotations that other programs read', () => {
  let folder: string;
  let read: Record<string, { readonly found?: readonly Record<string, unknown>[]; readonly error?: string }>;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'foreign-annotations-'));
    for (const [format, annotations] of Object.entries(WRITTEN)) {
      const paths = format === 'mot' ? ['clip/000001.jpg', 'clip/000002.jpg'] : ['1.jpg', '2.jpg'];
      const items = paths.map((path, at) => itemOf(path, at === 0 ? annotations : []));
      await writeArchive(join(folder, format), format as ExportFormat, items);
    }
    for (const [name, annotations] of Object.entries(YOLO))
      await writeArchive(join(folder, name), 'yolo', [itemOf('1.jpg', annotations), itemOf('2.jpg', [])]);
    const run = promisify(execFile);
    const { stdout: python } = await run(join(__dirname, 'annotations-python.sh'));
    const { stdout } = await run(python.trim(), [join(__dirname, 'read-annotations.py'), folder], {
      maxBuffer: 2 ** 26,
      env: { ...process.env, HF_HUB_OFFLINE: '1', HF_HOME: join(folder, '..', 'hf') },
    });
    read = JSON.parse(stdout.trim().split('\n').at(-1)!) as typeof read;
  }, 900_000);

  afterAll(() => rm(folder, { recursive: true, force: true }));

  const found = (format: string): readonly Record<string, unknown>[] => {
    const { error, found: all } = read[format]!;
    expect(error).toBeUndefined();
    return all!;
  };

  it('are those of pycocotools, with the same pixels', () => {
    expect(found('coco')).toEqual([
      expect.objectContaining({ path: '1.jpg', label: 'car', bbox: [16, 12, 40, 30], iscrowd: 0, area: 1_200 }),
      expect.objectContaining({ bbox: [10, 10, 80, 40], area: 1_600 }),
      expect.objectContaining({ pixels: MASK_PIXELS, area: MASK_PIXELS }),
    ]);
  });

  it('are those of Datumaro', () => {
    const boxes: unknown[] = [
      expect.objectContaining({ label: 'car', type: 'bbox', bbox: [16, 12, 40, 30] }),
      expect.objectContaining({ label: 'car', bbox: [10, 10, 80, 40] }),
    ];
    const withMask = [...boxes, expect.objectContaining({ type: 'mask', pixels: MASK_PIXELS })];
    expect(found('datumaro')).toEqual(withMask);
    expect(found('cvat')).toEqual(withMask);
    expect(found('voc')).toEqual(boxes);
    expect(found('yolo')).toEqual(boxes.slice(0, 1));
    expect(found('mot')).toEqual(boxes.slice(0, 1));
  });

  it('are those of Ultralytics', () => {
    const [car, corners] = [
      { label: 'car', bbox: [16, 12, 40, 30] },
      {
        label: 'car',
        points: [
          [16, 12],
          [56, 12],
          [56, 42],
          [16, 42],
        ],
      },
    ];
    expect(found('yolo-detect')).toEqual([car, { label: 'boat, "old"', bbox: [0, 0, 160, 120] }]);
    expect(found('yolo-segment')).toEqual([
      { ...car, ...corners },
      {
        label: 'car',
        bbox: [10, 10, 80, 40],
        points: [
          [10, 10],
          [90, 10],
          [90, 50],
        ],
      },
      // The first of its columns begins at the pixel 80, and the last ends before it.
      expect.objectContaining({ label: 'sea', bbox: [1, 0, 9, 120] }),
    ]);
    expect(found('yolo-pose')).toEqual([
      {
        ...car,
        points: [
          [20, 20, 2],
          [30, 15, 1],
          [0, 0, 0],
        ],
      },
      {
        label: 'car',
        bbox: [0, 0, 80, 60],
        points: [
          [0, 0, 0],
          [0, 0, 0],
          [0, 0, 0],
        ],
      },
    ]);
  });

  it('are those of LabelMe and Label Studio', () => {
    expect(found('labelme')).toEqual([
      {
        path: '1.jpg',
        label: 'car',
        type: 'rectangle',
        points: [
          [16, 12],
          [56, 42],
        ],
      },
      {
        path: '1.jpg',
        label: 'car',
        type: 'polygon',
        points: [
          [10, 10],
          [90, 10],
          [90, 50],
        ],
      },
      expect.objectContaining({ type: 'mask', pixels: MASK_PIXELS }),
    ]);
    expect(found('label_studio').map(({ type, pixels }) => pixels ?? type)).toEqual([
      'rectanglelabels',
      'polygonlabels',
      MASK_PIXELS,
      'choices',
      'rectanglelabels',
    ]);
  });

  it('are those of Hugging Face and WebDataset', () => {
    expect(found('imagefolder')).toEqual([
      {
        size: [160, 120],
        labels: ['harbour'],
        bbox: [
          [16, 12, 40, 30],
          [10, 10, 80, 40],
        ],
        categories: ['car', 'car'],
      },
      { size: [160, 120], labels: [], bbox: [], categories: [] },
    ]);
    expect(found('webdataset')).toEqual([
      { path: '1.jpg', size: [160, 120], count: 3 },
      { path: '2.jpg', size: [160, 120], count: 0 },
    ]);
  });
});
