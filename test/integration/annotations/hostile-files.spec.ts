import { Additions, type UpdateTask } from '../../support/additions';
import { zipOf } from '../../support/archive-bytes';
import { runningApp } from '../../support/test-app';

const LINE = 10 * 2 ** 20;
const DEEP = 200_000;
const nested = (open: string, close: string, inside = ''): string => open.repeat(DEEP) + inside + close.repeat(DEEP);
const json = (value: object): string => JSON.stringify(value).replaceAll('"@', '').replaceAll('@"', '');
/** A number that JSON.stringify does not write. */
const raw = (text: string): string => `@${text}@`;
const NUMBERS = ['1e308', '-1e308', '1e999', '-5', '9007199254740993', '1e-320'];

const coco = (annotations: readonly object[]): string =>
  json({
    images: [{ id: 1, file_name: '0.jpg', width: 160, height: 120 }],
    categories: [{ id: 1, name: 'cat' }],
    annotations: annotations.map((each) => ({ image_id: 1, category_id: 1, ...each })),
  });
const cvat = (inside: string, head = ''): string =>
  `<?xml version="1.0"?>${head}<annotations><image id="0" name="0.jpg" width="160" height="120">${inside}</image></annotations>`;
const voc = (inside: string, head = ''): string =>
  `${head}<annotation><filename>0.jpg</filename>${inside}</annotation>`;
const labelme = (shapes: readonly object[]): string =>
  json({ imagePath: '0.jpg', imageWidth: 160, imageHeight: 120, flags: {}, shapes });
const datumaro = (annotations: readonly object[]): string => {
  const labels = [
    { name: 'cat', parent: 'dog' },
    { name: 'dog', parent: 'cat' },
  ];
  const items = [{ id: '0', annotations, image: { path: '0.jpg' } }];
  return json({ infos: {}, categories: { label: { labels } }, items });
};
const labelStudio = (result: readonly object[]): string =>
  json([{ id: 1, data: { image: '0.jpg' }, annotations: [{ result }] }]);
const rectangle = (x: number) => {
  const value = { x, y: 2, width: 3, height: 4, rectanglelabels: ['cat'] };
  return { type: 'rectanglelabels', original_width: 160, original_height: 120, value };
};
const brush = (width: number, height: number) => {
  const rle = Array.from({ length: 100_000 }, (_, at) => at % 256);
  const value = { format: 'rle', rle, brushlabels: ['cat'] };
  return { type: 'brushlabels', original_width: width, original_height: height, value };
};
const boundsFrom = (left: string): string =>
  `<bndbox><xmin>${left}</xmin><ymin>1</ymin><xmax>9</xmax><ymax>9</ymax></bndbox>`;
const maskOf = (rle: string): string => `<mask label="cat" left="0" top="0" width="160" height="120" rle="${rle}"/>`;

/** Each stands for ten of the one before. */
const tenOf = (one: string): string => Array.from({ length: 10 }, () => one).join('');
const LAUGHS = `<!DOCTYPE a [<!ENTITY a0 "lol">${Array.from({ length: 8 }, (_, at) => `<!ENTITY a${at + 1} "${tenOf(`&a${at};`)}">`).join('')}]>`;
const YAML_LAUGHS = `b0: &b0 [x]\n${Array.from({ length: 12 }, (_, at) => `b${at + 1}: &b${at + 1} [${tenOf(`*b${at},`)}x]\n`).join('')}names: *b12\n`;

type Files = Readonly<Record<string, string>>;
/** Of what is read, and what is named of the rest. */
type Hostile = readonly [files: Files, read: number, named?: RegExp];

const pixels = /coordinate is not a number of pixels/;
const EACH_NUMBER = [...NUMBERS, 'NaN', 'Infinity'];
const HOSTILE: Readonly<Record<string, Hostile>> = {
  'COCO with numbers without end': [
    { 'a.json': coco(NUMBERS.map((number) => ({ bbox: [raw(number), 1, 2, 3] }))) },
    2,
    pixels,
  ],
  'COCO with NaN': [
    { 'a.json': coco([{ bbox: [raw('NaN'), 1, 2, 3] }]) },
    0,
    /^given\.zip cannot be read: a\.json: .*NaN.* is not JSON/,
  ],
  'COCO with ids that are none': [
    {
      'a.json': coco(
        [raw('1e400'), raw('9007199254740993'), 'x'.repeat(1_000), { $ne: 1 }, 7].map((id) => ({
          id,
          bbox: [1, 2, 3, 4],
        })),
      ),
    },
    1,
    /a\.json, entry 1 and 3 more are left out: id: /,
  ],
  'COCO with the same id again': [
    { 'a.json': coco([7, 7, 7].map((id) => ({ id, bbox: [1, 2, 3, 4] }))) },
    1,
    /^2 annotations are left out: their picture has others with the same ids before them/,
  ],
  'COCO with names of a prototype': [
    {
      'a.json': coco([{ bbox: [1, 2, 3, 4], attributes: { proto: 'x', toString: 1 } }]).replace(
        '"proto"',
        '"__proto__"',
      ),
    },
    1,
  ],
  'COCO with runs without end': [
    {
      'a.json': coco([
        { segmentation: { size: [120, 160], counts: [raw('1e308'), raw('-1e308')] } },
        { segmentation: { size: [raw('4294967296'), raw('4294967296')], counts: [1] } },
        { segmentation: { size: [120, 160], counts: 'ooooooooooooooooo0' } },
        { segmentation: { size: [120, 160], counts: '0'.repeat(2_000_000) } },
      ]),
    },
    0,
    /run lengths do not fill/,
  ],
  'COCO in too many brackets': [
    { 'a.json': coco([{ bbox: raw(nested('[', ']')) }]) },
    0,
    /a\.json: it is nested too deeply/,
  ],
  'YOLO with numbers without end': [
    {
      'data.yaml': 'names: [cat]\n',
      'labels/0.txt': EACH_NUMBER.map((number) => `0 ${number} 0.5 0.1 0.1\n`).join(''),
    },
    2,
    pixels,
  ],
  'YOLO in one line': [
    { 'data.yaml': 'names: [cat]\n', 'labels/0.txt': `0 ${'0.5 '.repeat(LINE / 4)}` },
    0,
    /labels\/0\.txt, line 1 is left out: polygon/,
  ],
  'YOLO with names of names': [
    { 'data.yaml': YAML_LAUGHS, 'labels/0.txt': '0 0.5 0.5 0.1 0.1\n' },
    0,
    /label: there is no label/,
  ],
  'YOLO in too many brackets': [
    { 'data.yaml': `names: ${nested('[', ']')}\n`, 'labels/0.txt': '' },
    0,
    /data\.yaml is not YAML/,
  ],
  'VOC with entities of entities': [
    { '0.xml': voc('<object><name>&a8;</name></object>', LAUGHS) },
    0,
    /0\.xml is left out: it has a document type/,
  ],
  'VOC in too many elements': [
    { '0.xml': voc(nested('<object>', '</object>')) },
    0,
    /0\.xml is left out: it is not XML/,
  ],
  'VOC with numbers without end': [
    { '0.xml': voc(EACH_NUMBER.map((number) => `<object><name>cat</name>${boundsFrom(number)}</object>`).join('')) },
    2,
    pixels,
  ],
  'LabelMe with numbers without end': [
    {
      'a.json': labelme(
        NUMBERS.map((number) => ({
          label: 'cat',
          shape_type: 'rectangle',
          points: [
            [raw(number), 1],
            [2, 3],
          ],
        })),
      ),
    },
    2,
    pixels,
  ],
  'CVAT with entities of entities': [{ 'a.xml': cvat('<tag label="&a8;"/>', LAUGHS) }, 1],
  'CVAT in too many elements': [
    { 'a.xml': cvat(nested('<box>', '</box>')) },
    0,
    /a\.xml, line 1 is left out: image: it is not XML/,
  ],
  'CVAT with runs without end': [
    {
      'a.xml': cvat(
        ['1e308, 5', `${2 ** 53}, ${2 ** 53}`, '-1, 3', '0.5', 'x', '1,'.repeat(1_000_000)].map(maskOf).join(''),
      ),
    },
    0,
    /a\.xml, line 1 and 5 more are left out: image: a mask is not inside its picture/,
  ],
  'CVAT without an end': [
    { 'a.xml': cvat(`<box label="cat"${' '.repeat(LINE)}`).slice(0, -40) },
    0,
    /a\.xml ends in the middle of line 1/,
  ],
  'Datumaro with labels that are parents of each other': [
    { 'a.json': datumaro([{ type: 'bbox', label_id: 0, bbox: [1, 2, 3, 4] }]) },
    1,
  ],
  'Datumaro with numbers without end': [
    {
      'a.json': datumaro([
        ...NUMBERS.map((number) => ({ type: 'bbox', label_id: 0, bbox: [raw(number), 1, 2, 3] })),
        { type: 'bbox', label_id: raw('1e308'), bbox: [1, 2, 3, 4] },
        { type: 'mask', label_id: 0, rle: { counts: 'ooooooooooooooooo0', size: [120, 160] } },
      ]),
    },
    2,
    pixels,
  ],
  'Label Studio with results that are parents of each other': [
    {
      'a.json': labelStudio([
        { id: 'a', parentID: 'b', type: 'relation' },
        { id: 'b', parentID: 'a', ...rectangle(1) },
      ]),
    },
    1,
    /a\.json, entry 1 is left out: type: relation is not read/,
  ],
  'Label Studio with a brush without end': [
    { 'a.json': labelStudio([brush(160, 120), brush(65_000, 65_000)]) },
    0,
    /a\.json, entry 1 and 1 more are left out: type: a brush does not fill its picture/,
  ],
  'MOT with numbers without end': [
    { 'gt/gt.txt': EACH_NUMBER.map((number) => `${number},1,${number},2,3,4,1,1,1\n`).join('') },
    0,
    /gt\/gt\.txt, line 1 and 1 more are left out/,
  ],
  'imagefolder with objects that are lists': [
    { 'metadata.jsonl': `{"file_name":"0.jpg","objects":${nested('[', ']')}}\n` },
    0,
    /metadata\.jsonl, line 1 is left out: objects: it is a list/,
  ],
  'WebDataset in too many brackets': [
    { '0.jpg': 'x', '0.json': nested('[', ']'), '0.cls': 'cat' },
    1,
    /0\.json is left out: it is not a JSON object/,
  ],
  'a table with numbers without end': [
    {
      'a.csv': `filename,label,col_x,row_y,width,height\n${NUMBERS.map((number) => `0.jpg,cat,${number},1,2,3\n`).join('')}`,
    },
    2,
    pixels,
  ],
  'a table with a quote without end': [
    { 'a.csv': `filename,label\n0.jpg,"${'x'.repeat(LINE)}\n` },
    0,
    /a\.csv: Quote Not Closed/,
  ],
  'names out of the archive': [{ '../../a.xml': cvat('<tag label="cat"/>') }, 1],
};

describe('hostile files of annotations', () => {
  const running = runningApp();
  const additions = new Additions(running);
  let dataset: string;

  beforeAll(async () => {
    // A picture of 160 by 120 pixels.
    dataset = await additions.indexed('Hostile', await additions.writeFolder('Pictures', [0]));
  });

  const path = (rest: string): string => `/api/v1/dataset/${dataset}/${rest}`;
  const sent = async (source: string, files: Files): Promise<UpdateTask> => {
    const form = new FormData();
    form.set('source', source);
    const members = Object.entries(files).map(([name, text]) => ({ name, bytes: Buffer.from(text) }));
    form.append('files', new Blob([new Uint8Array(zipOf(members))]), 'given.zip');
    const { task_id: task } = await additions.api.must<{ task_id: string }>(
      202,
      'POST',
      path('annotations/files'),
      form,
    );
    return additions.ended(dataset, task);
  };

  it.each(Object.keys(HOSTILE))('are read as far as they can be, and the rest is named: %s', async (what) => {
    const [files, read, named] = HOSTILE[what]!;
    const { status, error_message: message, warnings } = await sent(what, files);
    const told = [message ?? [], warnings].flat().join(' ');
    expect([status, told]).toEqual([
      read > 0 || message === null ? 'COMPLETED' : 'FAILED',
      named === undefined ? '' : expect.stringMatching(named),
    ]);
    const { annotations } = await additions.api.must<{ annotations: object[] }>(
      200,
      'GET',
      path(`annotations?source=${encodeURIComponent(what)}`),
    );
    expect(annotations).toHaveLength(read);
  });
});
