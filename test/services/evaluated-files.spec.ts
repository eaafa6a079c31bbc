import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { Additions } from '../support/additions';
import { filesForm, formOf } from '../support/api-client';
import { asFiles, type CocoFiles } from '../support/coco-files';
import { randomSet, SET_TASKS } from '../support/coco-sets';
import { figuresOfSets, type ToolFigures } from '../support/coco-tools';
import { EvaluationClient, type ShownEvaluation } from '../support/evaluation-client';
import { pictureBytes } from '../support/pictures';
import { startTestApp, type TestApp } from '../support/test-app';

const SETS = Number(process.env['SETS'] ?? 30);
const NEAR = 1e-9;

const jsonFile = (name: string, content: unknown) => ({ name, bytes: Buffer.from(JSON.stringify(content)) });

/** Those with some truth: an empty file is refused. */
const sets = Array.from({ length: SETS }, (_, seed) =>
  asFiles(randomSet(seed, SET_TASKS[seed % SET_TASKS.length]!), `set-${seed}`, seed),
).filter(({ truth }) => truth.annotations.length > 0);

describe('figures of files of COCO', () => {
  let running: TestApp;
  let additions: Additions;
  let dataset: string;
  let expected: readonly ToolFigures[];

  beforeAll(async () => {
    const { stdout: python } = await promisify(execFile)(join(__dirname, 'annotations-python.sh'));
    expected = await figuresOfSets(python.trim(), sets);
    running = await startTestApp();
    additions = new Additions(running);
    const folder = additions.place('Pictures');
    let seed = 0;
    for (const { file_name: name, width, height } of sets.flatMap(({ truth }) => truth.images)) {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), await pictureBytes(seed++, width, height));
    }
    dataset = await additions.indexed('Sets', folder);
  }, 900_000);

  afterAll(() => running.close());

  async function importFiles(source: string, kind: string, files: Parameters<typeof filesForm>[0]): Promise<void> {
    const form = formOf({ source, kind, mode: 'replace' });
    for (const [name, value] of filesForm(files)) form.append(name, value);
    const path = `/api/v1/dataset/${dataset}/annotations/files`;
    const { task_id: id } = await additions.api.must<{ task_id: string }>(202, 'POST', path, form);
    expect(await additions.ended(dataset, id)).toMatchObject({
      status: 'COMPLETED',
      error_message: null,
      warnings: [],
    });
  }

  async function evaluated({ task, truth, results }: CocoFiles, truthSource: string): Promise<ShownEvaluation> {
    await importFiles(truthSource, 'truth', [jsonFile('instances.json', truth)]);
    await importFiles('found', 'predictions', [jsonFile('results.json', results), jsonFile('instances.json', truth)]);
    return new EvaluationClient(additions.api, dataset).completed({ task, truth: truthSource, predictions: 'found' });
  }

  it.each([...sets.keys()])('are those of pycocotools: set %s', async (at) => {
    const set = sets[at]!;
    const { metrics, per_class: labels } = await evaluated(set, at % 2 === 0 ? 'people' : 'ground_truth');
    const { stats, classes } = expected[at]!;
    const figures = Object.entries(metrics!).slice(0, stats.length);
    const categories = set.truth.categories.toSorted((a, b) => a.id - b.id);
    const own = [
      ...figures,
      ...categories.map(({ name }) => [name, labels.find(({ label }) => label === name)?.AP ?? -1] as const),
    ];
    const differences = own.map(([name, value], place) => [name, Math.abs(value! - [...stats, ...classes][place]!)]);
    expect(differences.filter(([, difference]) => !(Number(difference) <= NEAR))).toEqual([]);
  });
});
