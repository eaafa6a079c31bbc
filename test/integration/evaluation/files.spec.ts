import type { EvaluationResult } from '../../../src/common/engine/evaluation/evaluation-result';
import { planOf, type EvaluationOptions, type Protocol } from '../../../src/common/engine/evaluation/plan';
import { Additions } from '../../support/additions';
import { filesForm, formOf, type UploadFile } from '../../support/api-client';
import { zipOf } from '../../support/archive-bytes';
import { evaluatePictures } from '../../support/evaluate-pictures';
import { EvaluationClient, type ShownEvaluation } from '../../support/evaluation-client';
import {
  drawnBoxes,
  drawnLabels,
  drawnPictureLabels,
  HIERARCHY,
  ANIMALS,
  namesOf,
} from '../../support/labelled-and-boxed';
import type { BoxedPicture } from '../../support/labelled-and-boxed';
import { startTestApp, type TestApp } from '../../support/test-app';

const PICTURES = 20;
const SEEDS = [0, 1, 2];
/** The order of their names is that of their numbers. */
const FIRST = 100;
const fileOf = (picture: number): string => `${FIRST + picture}.jpg`;

type Row = readonly (string | number)[];

/** A table as exports have it. */
const tableOf = (name: string, columns: Row, rows: readonly Row[]): UploadFile => ({
  name,
  bytes: Buffer.from([columns, ...rows].map((row) => `${row.join(',')}\n`).join('')),
});

const boxTable = (name: string, lists: readonly BoxedPicture['truth'][]): UploadFile =>
  tableOf(
    name,
    ['filename', 'label', 'col_x', 'row_y', 'width', 'height', 'confidence', 'crowd', 'ignored'],
    lists.flatMap((list, at) =>
      list.map(({ label, box = ['', '', '', ''], confidence = '', crowd = false, ignored = false }) => [
        ...[fileOf(at), label, ...box, confidence, String(crowd), String(ignored)],
      ]),
    ),
  );

/** A folder of PASCAL VOC, with a document for each picture. */
function vocArchive(lists: readonly BoxedPicture['truth'][]): UploadFile {
  const objectOf = ({ label, box, ignored }: BoxedPicture['truth'][number]): string => {
    const [x, y, width, height] = box!;
    const sides = { xmin: x, ymin: y, xmax: x + width, ymax: y + height };
    const bounds = Object.entries(sides).map(([side, value]) => `<${side}>${value}</${side}>`);
    const flags = `<truncated>1</truncated><difficult>${ignored === true ? 1 : 0}</difficult>`;
    return `<object><name>${label}</name>${flags}<bndbox>${bounds.join('')}</bndbox></object>`;
  };
  const members = lists.map((list, at) => {
    const text = `<annotation><filename>${fileOf(at)}</filename>${list.map(objectOf).join('')}</annotation>`;
    return { name: `VOC2012/Annotations/${FIRST + at}.xml`, bytes: Buffer.from(text) };
  });
  return { name: 'voc.zip', bytes: zipOf(members) };
}

function expectFigures(
  shown: ShownEvaluation,
  { metrics, perClass }: Pick<EvaluationResult, 'metrics' | 'perClass'>,
): void {
  const near = (figures: Readonly<Record<string, number | null>>): object =>
    Object.fromEntries(
      Object.entries(figures).map(([name, value]) => [
        name,
        value === null ? null : (expect.closeTo(value, 9) as unknown),
      ]),
    );
  expect(shown.metrics).toEqual(expect.objectContaining(near(metrics)));
  const labels = perClass.map(({ label, figures }) => expect.objectContaining({ label, ...near(figures) }) as unknown);
  expect(shown.per_class).toEqual(labels);
}

describe('figures of files are those of what was written into them', () => {
  let running: TestApp;
  let additions: Additions;
  let dataset: string;

  beforeAll(async () => {
    running = await startTestApp();
    additions = new Additions(running);
    const folder = await additions.writeFolder(
      'Pictures',
      Array.from({ length: PICTURES }, (_, at) => FIRST + at),
    );
    dataset = await additions.indexed('Files', folder);
  });

  afterAll(() => running.close());

  async function importFile(source: string, kind: string, file: UploadFile): Promise<void> {
    const form = formOf({ source, kind, mode: 'replace' });
    for (const [name, value] of filesForm([file])) form.append(name, value);
    const path = `/api/v1/dataset/${dataset}/annotations/files`;
    const { task_id: id } = await additions.api.must<{ task_id: string }>(202, 'POST', path, form);
    expect(await additions.ended(dataset, id)).toMatchObject({ status: 'COMPLETED', warnings: [] });
  }

  async function evaluated(truth: UploadFile, predictions: UploadFile, asked: object): Promise<ShownEvaluation> {
    await importFile('people', 'truth', truth);
    await importFile('found', 'predictions', predictions);
    return new EvaluationClient(additions.api, dataset).completed({ ...asked, truth: 'people', predictions: 'found' });
  }

  async function expectBoxes(
    protocol: Protocol,
    options: Partial<EvaluationOptions>,
    { pictures }: { readonly pictures: readonly BoxedPicture[] },
    truth: UploadFile,
  ): Promise<void> {
    const { vocPoints, hierarchy, verified } = options;
    const asked = {
      ...(vocPoints && { voc_points: vocPoints }),
      ...(hierarchy && { hierarchy }),
      ...(verified && { verified }),
    };
    const predictions = boxTable(
      'found.csv',
      pictures.map((picture) => picture.predictions),
    );
    const shown = await evaluated(truth, predictions, { task: 'detection', protocol, options: asked });
    expectFigures(shown, evaluatePictures(planOf('detection', protocol, options), pictures));
  }

  it.each(SEEDS)('of PASCAL VOC, seed %s', async (seed) => {
    const drawn = drawnBoxes(seed, namesOf(2 + seed));
    const truth = vocArchive(drawn.pictures.map((picture) => picture.truth));
    await expectBoxes('voc', { vocPoints: seed === 0 ? '11' : 'all' }, drawn, truth);
  });

  it.each(SEEDS)('of Open Images, seed %s', async (seed) => {
    const drawn = drawnBoxes(seed, ANIMALS, 0.2);
    const truth = boxTable(
      'truth.csv',
      drawn.pictures.map((picture) => picture.truth),
    );
    await expectBoxes('open_images', seed === 0 ? {} : { hierarchy: HIERARCHY }, drawn, truth);
  });

  it('of Open Images with labels of pictures that people have looked for', async () => {
    const drawn = drawnBoxes(7, ANIMALS, 0.2);
    const said = drawnPictureLabels(7, drawn);
    const pictures = drawn.pictures.map((picture, at) => ({ ...picture, truth: [...picture.truth, ...said[at]!] }));
    const truth = boxTable(
      'truth.csv',
      pictures.map((picture) => picture.truth),
    );
    await expectBoxes('open_images', { hierarchy: HIERARCHY, verified: true }, { pictures }, truth);
  });

  it.each([
    ['single', 0],
    ['single', 1],
    ['multi', 0],
    ['multi', 1],
  ] as const)('of %s labels, seed %s', async (labels, seed) => {
    const pictures = drawnLabels(labels, seed).pictures.slice(0, PICTURES);
    const rows = pictures.flatMap(({ truth }, at) => truth.map((label) => [fileOf(at), label]));
    const truth = tableOf('labels.csv', ['filename', 'label'], rows);
    const scores = pictures.flatMap((picture, at) =>
      Object.entries(picture.scores).map(([label, score]) => [fileOf(at), label, score]),
    );
    const predictions = tableOf('scores.csv', ['filename', 'label', 'confidence'], scores);
    const shown = await evaluated(truth, predictions, { task: 'classification', options: { labels, k: [1, 2, 5] } });
    const given = pictures.map((picture) => ({
      truth: picture.truth.map((label) => ({ label })),
      predictions: Object.entries(picture.scores).map(([label, confidence]) => ({ label, confidence })),
    }));
    expectFigures(shown, evaluatePictures(planOf('classification', 'coco', { labels, k: [1, 2, 5] }), given));
  });
});
