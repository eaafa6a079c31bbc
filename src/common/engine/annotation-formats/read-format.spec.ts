import { Readable } from 'node:stream';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { Random } from '../../../../test/support/random';
import { textOfRuns } from '../annotations/mask-runs';
import { faultOf, type FromFile } from './from-file';
import { membersOf } from './given-files';
import { MalformedFileError } from './malformed-file';
import { readFormat, READABLE_FORMATS, type ReadableFormat } from './read-format';

type Files = Readonly<Record<string, string | Buffer>>;

async function read(files: Files, format: ReadableFormat | null = null): Promise<FromFile[]> {
  const given = Object.entries(files).map(([name, text]) => ({
    name,
    open: () => Promise.resolve(Readable.from(chunksOf(Buffer.from(text)))),
  }));
  const found: FromFile[] = [];
  for await (const each of readFormat(membersOf(given), format)) found.push(each);
  return found;
}

const chunksOf = (bytes: Buffer): Buffer[] =>
  Array.from({ length: Math.ceil(bytes.length / 50) }, (_, at) => bytes.subarray(50 * at, 50 * at + 50));

/** Path and annotation of each; faults as they are. */
const briefly = (found: readonly FromFile[]): unknown[] =>
  found.flatMap((each): unknown[] =>
    'fault' in each ? [each.fault] : each.annotations.map((said) => [each.path, said]),
  );

const YOLO = {
  'data.yaml': 'path: ../x\ntrain: images/train\nnames:\n  0: cat\n  1: dog\nkpt_shape: [2, 3]\n',
  'labels/train/a.txt': '0 0.5 0.5 0.2 0.4\n1 0.1 0.1 0.2 0.2 0.9\n\n0 0 0 1 0 1 1\n',
  'labels/val/b.txt': '1 0.5 0.5 0.2 0.4 0.1 0.2 2 0.3 0.4 1\n7 0 0 1 1\n0 0.5\n0 a 0 1 1\n',
};
const VOC = {
  'Annotations/a.xml': `<annotation verified="yes"><folder>JPEGImages</folder><filename>a.jpg</filename>
<size><width>500</width><height>375</height><depth>3</depth></size>
<object><name>dog &amp; cat</name><pose>Left</pose><truncated>1</truncated><difficult>0</difficult><bndbox><xmin>10</xmin><ymin>20.5</ymin><xmax>30</xmax><ymax>60</ymax></bndbox></object>
<object><name>cat</name><pose>Unspecified</pose><difficult>1</difficult><bndbox><xmin>1</xmin><ymin>2</ymin><xmax>3</xmax><ymax>4</ymax></bndbox></object>
</annotation>`,
  'Annotations/b.xml': '<!DOCTYPE a [<!ENTITY b "c">]><annotation><filename>&b;</filename></annotation>',
};
const LABELME = {
  'a.json': JSON.stringify({
    version: '5.5.0',
    flags: { night: true, day: false },
    shapes: [
      {
        label: 'cat',
        points: [
          [30, 40],
          [10, 20],
        ],
        group_id: 3,
        shape_type: 'rectangle',
        flags: {},
      },
      {
        label: 'dog',
        points: [
          [1, 1],
          [5, 1],
          [5, 5],
        ],
        group_id: null,
        shape_type: 'polygon',
        flags: {},
      },
      { label: 'eye', points: [[7, 8]], group_id: null, shape_type: 'point', flags: {} },
      {
        label: 'sun',
        points: [
          [7, 8],
          [9, 9],
        ],
        group_id: null,
        shape_type: 'linestrip',
        flags: {},
      },
    ],
    imagePath: '..\\images\\a.jpg',
    imageData: null,
  }),
};
const CVAT = {
  'annotations.xml': `<?xml version="1.0" encoding="utf-8"?><annotations><version>1.1</version><meta><task><labels><label><name>cat</name></label></labels></task></meta>
<image id="0" name="a.jpg" width="4" height="3">
<box label="cat" source="manual" occluded="1" xtl="1.50" ytl="2" xbr="3" ybr="2.5" rotation="30" z_order="0"><attribute name="old">true</attribute></box>
<polygon label="dog" occluded="0" points="0,0;2,0;2,2"></polygon>
<mask label="cat" occluded="0" rle="1, 2, 1" left="1" top="1" width="2" height="2"></mask>
<tag label="night"/><polyline label="road" points="0,0;1,1"/>
</image><image id="1" name="empty.jpg" width="4" height="3"/>
<track id="5" label="car"><box frame="0" outside="0" occluded="0" xtl="0" ytl="0" xbr="1" ybr="1"></box><box frame="1" outside="1" occluded="0" xtl="0" ytl="0" xbr="1" ybr="1"></box></track>
</annotations>`,
};
const DATUMARO = {
  'annotations/train.json': JSON.stringify({
    dm_format_version: '1.0',
    items: [
      {
        id: 'a',
        annotations: [
          { id: 1, type: 'bbox', label_id: 0, bbox: [1, 2, 3, 4], attributes: { occluded: false, score: 0.5 } },
          { id: 2, type: 'polygon', label_id: 1, points: [0, 0, 2, 0, 2, 2], attributes: { is_crowd: true } },
          { id: 3, type: 'mask', label_id: 1, rle: { counts: textOfRuns([1, 2, 5]), size: [2, 4] }, attributes: {} },
          { id: 4, type: 'points', label_id: 0, points: [1, 2, 3, 4], visibility: [2, 1], attributes: {} },
          { id: 5, type: 'caption', caption: 'x', attributes: {} },
        ],
        image: { path: 'a.jpg', size: [2, 4] },
      },
    ],
    categories: {
      label: {
        labels: [
          { name: 'cat', parent: '' },
          { name: 'dog', parent: '' },
        ],
      },
    },
  }),
};
const LABEL_STUDIO = {
  'tasks.json': JSON.stringify([
    {
      id: 1,
      data: { image: '/data/upload/1/0123abcd-a%20b.jpg' },
      annotations: [
        {
          result: [
            {
              id: 'x1',
              type: 'rectanglelabels',
              original_width: 200,
              original_height: 100,
              value: { x: 10, y: 20, width: 30, height: 40, rotation: 0, rectanglelabels: ['cat'] },
            },
            { id: 'x2', type: 'brushlabels', value: { format: 'rle', rle: [1], brushlabels: ['cat'] } },
          ],
        },
      ],
      predictions: [{ score: 0.7, result: [{ id: 'x3', type: 'choices', value: { choices: ['night'] } }] }],
    },
  ]),
};
const MOT = {
  'MOT17-02/gt/gt.txt': '1,3,10,20,30,40,1,1,0.8\n1,4,1,2,3,4,0,3,1\n',
  'MOT17-02/det/det.txt': '2,-1,1,2,3,4,0.75\nx,1,2\n',
};
const PARQUET = Buffer.from(
  parquetWriteBuffer({
    columnData: [
      { name: 'file_name', data: ['c.jpg', 'd.jpg'], type: 'STRING' },
      { name: 'label', data: ['cow', 'hen'], type: 'STRING' },
      { name: 'shape', data: [null, '{"type":"box","x":1,"y":2,"width":3,"height":4}'], type: 'STRING' },
      { name: 'confidence', data: [0.5, null], type: 'DOUBLE' },
      { name: 'id', data: [7n, 8n], type: 'INT64' },
    ],
  }),
);
const IMAGEFOLDER = {
  'val/metadata.parquet': PARQUET,
  'train/metadata.jsonl':
    '{"file_name":"a.jpg","label":"night","objects":{"bbox":[[1,2,3,4]],"categories":["cat"]}}\nnothing\n' +
    '{"file_name":"b.jpg","annotations":"[{\\"label\\":\\"dog\\",\\"shape\\":{\\"type\\":\\"box\\",\\"x\\":1,\\"y\\":2,\\"width\\":3,\\"height\\":4}}]"}\n',
};
const WEBDATASET = { '000.cls': '7', '001.json': '{"file_name":"b.jpg","label":"dog"}', '002.json': '{' };
const TABLE = {
  'metadata.csv': 'of,media\n1,2\n',
  'rows.parquet': PARQUET,
  'rows.csv':
    'filename,source,id,label,col_x,row_y,width,height,shape,confidence\na.jpg,s,1,cat,1,2,3,4,,0.5\n' +
    'a.jpg,s,2,dog,,,,,"{""type"":""polygon"",""rings"":[[0,0,1,0,1,1]]}",\n',
};
const COCO = {
  'coco.json': JSON.stringify({
    annotations: [{ id: 1, image_id: 1, category_id: 1, bbox: [1, 2, 3, 4], segmentation: [[0, 0, 1, 0, 1, 1]] }],
    images: [{ id: 1, file_name: 'a.jpg' }],
    categories: [{ id: 1, name: 'cat' }],
  }),
};
const FOLDERS = { 'train/cat/1.jpg': 'x', '2.jpg': 'x' };

const SAMPLES: Readonly<Record<ReadableFormat, Files>> = {
  coco: COCO,
  yolo: YOLO,
  voc: VOC,
  labelme: LABELME,
  cvat: CVAT,
  datumaro: DATUMARO,
  'label-studio': LABEL_STUDIO,
  mot: MOT,
  imagefolder: IMAGEFOLDER,
  webdataset: WEBDATASET,
  'class-folders': FOLDERS,
  table: TABLE,
};

const EXPECTED: Readonly<Partial<Record<ReadableFormat, unknown[]>>> = {
  yolo: [
    ['images/train/a', { label: 'cat', box: [0.4, 0.3, 0.2, 0.4], unit: 'fractions' }],
    ['images/train/a', { label: 'dog', box: [0, 0, 0.2, 0.2], confidence: 0.9, unit: 'fractions' }],
    ['images/train/a', { label: 'cat', polygon: [[0, 0, 1, 0, 1, 1]], unit: 'fractions' }],
    [
      'images/val/b',
      { label: 'dog', box: [0.4, 0.3, 0.2, 0.4], keypoints: [0.1, 0.2, 2, 0.3, 0.4, 1], unit: 'fractions' },
    ],
    { file: 'labels/val/b.txt', line: 2, message: 'class 7 has no name' },
    { file: 'labels/val/b.txt', line: 3, message: '1 values are neither a box nor a segment' },
    { file: 'labels/val/b.txt', line: 4, message: 'a value is not a number' },
  ],
  voc: [
    ['a.jpg', { label: 'dog & cat', box: [10, 20.5, 20, 39.5], attributes: { truncated: true, pose: 'Left' } }],
    ['a.jpg', { label: 'cat', box: [1, 2, 2, 2], ignored: true }],
    { file: 'Annotations/b.xml', message: 'it has a document type, which is not read' },
  ],
  labelme: [
    ['../images/a.jpg', { label: 'night' }],
    ['../images/a.jpg', { label: 'cat', box: [10, 20, 20, 20], attributes: { group_id: 3 } }],
    ['../images/a.jpg', { label: 'dog', polygon: [[1, 1, 5, 1, 5, 5]] }],
    ['../images/a.jpg', { label: 'eye', keypoints: [7, 8, 2] }],
    {
      file: 'a.json',
      entry: 4,
      field: 'shape_type',
      message: 'linestrip is not a rectangle, a polygon, a circle, a mask or points',
    },
  ],
  cvat: [
    ['a.jpg', { label: 'cat', box: [1.5, 2, 1.5, 0.5], rotation: 30, attributes: { occluded: true, old: true } }],
    ['a.jpg', { label: 'dog', polygon: [[0, 0, 2, 0, 2, 2]] }],
    // Set are the right pixel of the upper row of the part, and the left one of the lower.
    ['a.jpg', { label: 'cat', mask: { width: 4, height: 3, counts: textOfRuns([5, 1, 1, 1, 4]) } }],
    ['a.jpg', { label: 'night' }],
    { file: 'annotations.xml', line: 2, field: 'image', message: 'a polyline is not read' },
    ['frame_000000', { label: 'car', box: [0, 0, 1, 1], trackId: '5' }],
  ],
  datumaro: [
    ['a.jpg', { label: 'cat', box: [1, 2, 3, 4], confidence: 0.5, attributes: { occluded: false } }],
    ['a.jpg', { label: 'dog', polygon: [[0, 0, 2, 0, 2, 2]], crowd: true }],
    ['a.jpg', { label: 'dog', mask: { width: 4, height: 2, counts: '125' } }],
    ['a.jpg', { label: 'cat', keypoints: [1, 2, 2, 3, 4, 1] }],
    { file: 'annotations/train.json', entry: 1, field: 'type', message: 'caption is not read' },
  ],
  'label-studio': [
    ['a b.jpg', { id: 'x1', label: 'cat', box: [20, 20, 60, 40] }],
    { file: 'tasks.json', entry: 1, field: 'type', message: 'a brush does not fill its picture' },
    ['a b.jpg', { id: 'x3', label: 'night', confidence: 0.7 }],
  ],
  mot: [
    ['MOT17-02/img1/000001', { label: 'pedestrian', box: [10, 20, 30, 40], trackId: '3' }],
    ['MOT17-02/img1/000001', { label: 'car', box: [1, 2, 3, 4], ignored: true, trackId: '4' }],
    ['MOT17-02/img1/000002', { label: 'pedestrian', box: [1, 2, 3, 4], confidence: 0.75 }],
    {
      file: 'MOT17-02/det/det.txt',
      line: 2,
      message: 'it is not frame, track, left, top, width, height and so on',
    },
  ],
  imagefolder: [
    ['val/c.jpg', { label: 'cow' }],
    ['val/d.jpg', { label: 'hen' }],
    ['train/a.jpg', { label: 'night' }],
    ['train/a.jpg', { label: 'cat', box: [1, 2, 3, 4] }],
    { file: 'train/metadata.jsonl', line: 2, field: 'file_name', message: 'there is no name of a file' },
    ['train/b.jpg', { label: 'dog', box: [1, 2, 3, 4] }],
  ],
  webdataset: [
    ['000', { label: '7' }],
    ['b.jpg', { label: 'dog' }],
    { file: '002.json', message: 'it is not a JSON object' },
  ],
  'class-folders': [['train/cat/1.jpg', { label: 'cat' }]],
  table: [
    ['c.jpg', { id: '7', label: 'cow', confidence: 0.5 }],
    ['d.jpg', { id: '8', label: 'hen', box: [1, 2, 3, 4] }],
    ['a.jpg', { id: '1', label: 'cat', box: [1, 2, 3, 4], confidence: 0.5 }],
    ['a.jpg', { id: '2', label: 'dog', polygon: [[0, 0, 1, 0, 1, 1]] }],
  ],
  coco: [['a.jpg', { id: '1', label: 'cat', box: [1, 2, 3, 4], polygon: [[0, 0, 1, 0, 1, 1]] }]],
};

describe('files of annotations', () => {
  it.each(READABLE_FORMATS)('in the format %s are told by their content, and read', async (format) => {
    expect(briefly(await read(SAMPLES[format]))).toEqual(EXPECTED[format]);
  });

  it.each([
    ['bbox', 'x'],
    ['bbox', [1, 2]],
    ['segmentation', 7],
    ['keypoints', 'x'],
  ])('of COCO with %s %j have a fault, instead of a label of the whole picture', async (field, value) => {
    const file = {
      images: [{ id: 1, file_name: 'a.jpg' }],
      categories: [{ id: 1, name: 'cat' }],
      annotations: [{ id: 1, image_id: 1, category_id: 1, [field]: value }],
    };
    const found = await read({ 'coco.json': JSON.stringify(file) });
    const annotations = found.flatMap((each) => ('fault' in each ? [] : each.annotations));
    expect(annotations.map((said) => faultOf(said) !== undefined)).toEqual([true]);
  });

  it.each([
    [-4, -3],
    [2.5, 4],
    [70_000, 1],
  ])('with a mask of %d x %d have a fault', (width, height) => {
    const mask = { width, height, counts: textOfRuns([width * height]) };
    expect(faultOf({ label: 'x', mask })?.field).toBe('mask');
  });

  it('of no format are refused', async () => {
    await expect(read({ 'a.doc': 'x' })).rejects.toThrow(MalformedFileError);
  });

  it('with any bytes changed are read, or have a named fault', async () => {
    const random = new Random(43);
    const pick = (below: number): number => Math.floor(random.between(0, below));
    let [whole, faulty] = [0, 0];
    for (let round = 0; round < 2_000; round++) {
      const format = READABLE_FORMATS[round % READABLE_FORMATS.length]!;
      const files = Object.entries(SAMPLES[format]).map(([name, text]) => {
        const bytes = Buffer.from(text);
        for (let change = pick(4); change > 0; change--) bytes[pick(bytes.length)] = pick(256);
        return [name, pick(5) === 0 ? bytes.subarray(0, pick(bytes.length)) : bytes] as const;
      });
      try {
        for (const each of await read(Object.fromEntries(files), format)) {
          const faults = 'fault' in each ? [each.fault] : each.annotations.flatMap((said) => faultOf(said) ?? []);
          if (faults.some(({ message }) => message === '')) throw new Error(`round ${round}: a fault without a name`);
          if (faults.length > 0) faulty += 1;
        }
        whole += 1;
      } catch (error) {
        if (!(error instanceof MalformedFileError) || error.message === '') throw error;
        faulty += 1;
      }
    }
    expect(whole).toBeGreaterThan(100);
    expect(faulty).toBeGreaterThan(100);
  });
});
