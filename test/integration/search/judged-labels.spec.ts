import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { renderPicture, SAMPLE_FAMILIES, SeededRandom } from '#sample';
import { Additions } from '../../support/additions';
import { ExportClient } from '../../support/export-client';
import { startTestApp, type TestApp } from '../../support/test-app';

const FAMILIES = ['flowers', 'gradient-bands', 'stripes'];
const OF_EACH = 14;

interface Preview {
  readonly media_id: string;
  readonly file_name: string;
}
interface Issue {
  readonly issue: string;
  readonly confidence: number;
  readonly issues_description?: string;
}
type Exported = readonly { readonly type: string; readonly properties: Readonly<Record<string, unknown>> }[];

const fileOf = (family: string, number: number): string => `${family} ${number}.jpg`;

/** Families have distinct drawings; one picture of each has the label of the next. */
const SWAPPED = FAMILIES.map((family, at) => ({
  file: fileOf(family, 3 + at),
  right: family,
  wrong: FAMILIES[(at + 1) % FAMILIES.length]!,
}));
const labelOf = (family: string, file: string): string => SWAPPED.find((each) => each.file === file)?.wrong ?? family;

/** An object with a wrong label, in a picture whose label is right. */
const WRONG_OBJECT = { file: fileOf('stripes', 8), right: 'stripes', wrong: 'flowers' };

async function draw(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const name of FAMILIES) {
    const family = SAMPLE_FAMILIES.find((each) => each.name === name)!;
    for (let number = 0; number < OF_EACH; number++) {
      const file = fileOf(name, number);
      const scene = family.draw(new SeededRandom(`judged ${file}`));
      await writeFile(join(folder, file), await renderPicture(scene, 'none', '.jpg', file));
    }
  }
}

async function label(folder: string): Promise<void> {
  const lines = FAMILIES.flatMap((family) =>
    Array.from({ length: OF_EACH }, (_, number) => {
      const file = fileOf(family, number);
      return `${file},"['${labelOf(family, file)}']"\n`;
    }),
  );
  await writeFile(join(folder, 'image_annotations.csv'), `filename,label\n${lines.join('')}`);
  const boxes = FAMILIES.flatMap((family) =>
    Array.from({ length: OF_EACH }, (_, number) => {
      const file = fileOf(family, number);
      return `${file},10,10,300,250,${file === WRONG_OBJECT.file ? WRONG_OBJECT.wrong : family}\n`;
    }),
  );
  await writeFile(join(folder, 'object_annotations.csv'), `filename,col_x,row_y,width,height,label\n${boxes.join('')}`);
}

describe('given labels', () => {
  let running: TestApp;
  let additions: Additions;
  let folder: string;
  let dataset: string;

  const previews = async (id: string, vql: object[]): Promise<Preview[]> => {
    const { clusters } = await additions.api.must<{ clusters: { previews: Preview[] }[] }>(
      200,
      'GET',
      `/api/v1/explore/${id}?entity_type=IMAGES&threshold=0&vql=${encodeURIComponent(JSON.stringify(vql))}`,
    );
    return clusters.flatMap((cluster) => cluster.previews);
  };
  const found = async (id: string, value: string, threshold?: number): Promise<string[]> => {
    const filter = { op: 'issue', value, ...(threshold === undefined ? {} : { threshold }) };
    return (await previews(id, [{ issues: filter }])).map(({ file_name: name }) => name).sort();
  };
  const issuesOf = async (id: string, file: string): Promise<readonly Issue[]> => {
    const [preview] = await previews(id, [{ files: { op: 'one_of', value: [file] } }]);
    const detail = await additions.api.must<{ issues: Issue[] }>(
      200,
      'GET',
      `/api/v1/dataset/${id}/media/${preview!.media_id}`,
    );
    return detail.issues;
  };
  const facet = async (id: string, issue: string): Promise<number> => {
    const { issues } = await additions.api.must<{ issues: { issue: string; count: number }[] }>(
      200,
      'GET',
      `/api/v1/dataset/${id}/facets?entity_type=IMAGES`,
    );
    return issues.find((each) => each.issue === issue)!.count;
  };
  const exported = async (id: string): Promise<Map<string, Exported>> => {
    const client = new ExportClient(additions.api);
    const archive = await client.archive(id, await client.start(id, 'export_format=json'));
    const { media_items: items } = JSON.parse([...archive.values()][0]!.toString()) as {
      media_items: { file_name: string; metadata_items: Exported }[];
    };
    return new Map(items.map((item) => [item.file_name, item.metadata_items]));
  };

  beforeAll(async () => {
    running = await startTestApp();
    additions = new Additions(running);
    folder = additions.place('drawn');
    await draw(folder);
    await label(folder);
    dataset = await additions.indexed('Judged', folder);
  });

  afterAll(() => running.close());

  const swappedFiles = SWAPPED.map(({ file }) => file).sort();

  it('are found by the issue and counted if they are wrong', async () => {
    expect(await found(dataset, 'mislabels')).toEqual(swappedFiles);
    expect(await facet(dataset, 'mislabels')).toBe(swappedFiles.length);
    const others = await previews(dataset, [{ issues: { op: 'issue', value: 'mislabels', mode: 'not_in' } }]);
    expect(others.filter(({ file_name: name }) => swappedFiles.includes(name))).toEqual([]);
    expect(await found(dataset, 'mislabels', 1)).toEqual([]);
    expect((await found(dataset, 'class_outliers')).length).toBe(await facet(dataset, 'class_outliers'));
  });

  it.each(SWAPPED)('are shown with the label of similar media: $file', async ({ file, right }) => {
    expect(await issuesOf(dataset, file)).toContainEqual({
      issue: 'mislabels',
      confidence: expect.any(Number) as unknown,
      issues_description: right,
    });
  });

  it('are exported with the confidence of the issue', async () => {
    const items = await exported(dataset);
    for (const { file, right, wrong } of SWAPPED) {
      const item = items.get(file)!;
      const judged = item.find(({ properties }) => properties['issue_type'] === 'mislabels')!;
      expect(judged.properties).toMatchObject({ issues_description: right });
      expect(judged.properties['confidence']).toBeGreaterThanOrEqual(0.5);
      expect(item.find(({ type }) => type === 'image_label')!.properties).toMatchObject({ category_name: wrong });
    }
  });

  it('of objects are compared among objects', async () => {
    const vql = JSON.stringify([{ issues: { op: 'issue', value: 'mislabels' } }]);
    const { clusters } = await additions.api.must<{ clusters: { previews: (Preview & { label: string })[] }[] }>(
      200,
      'GET',
      `/api/v1/explore/${dataset}?entity_type=OBJECTS&threshold=0&vql=${encodeURIComponent(vql)}`,
    );
    const [object, ...others] = clusters.flatMap((cluster) => cluster.previews);
    expect(others).toEqual([]);
    const detail = await additions.api.must<{ issues: Issue[]; parent: Preview }>(
      200,
      'GET',
      `/api/v1/dataset/${dataset}/media/${object!.media_id}`,
    );
    expect(detail.parent.file_name).toBe(WRONG_OBJECT.file);
    expect(detail.issues).toContainEqual(
      expect.objectContaining({ issue: 'mislabels', issues_description: WRONG_OBJECT.right }),
    );
    const label = (await exported(dataset)).get(WRONG_OBJECT.file)!.find(({ type }) => type === 'object_label')!;
    expect(label.properties['metadata_items']).toContainEqual({
      type: 'issue',
      properties: expect.objectContaining({
        issue_type: 'mislabels',
        issues_description: WRONG_OBJECT.right,
      }) as object,
    });
  });

  it('are judged again on reindexing, together with new media', async () => {
    const added = additions.place('added');
    await mkdir(added);
    const scene = SAMPLE_FAMILIES.find(({ name }) => name === 'flowers')!.draw(new SeededRandom('judged later'));
    await writeFile(join(added, 'later.jpg'), await renderPicture(scene, 'none', '.jpg', 'later'));
    await writeFile(join(added, 'image_annotations.csv'), `filename,label\nlater.jpg,"['stripes']"\n`);
    await additions.addFolder(dataset, added);
    await additions.api.untilStatus(dataset, ['PARTIAL INDEX']);
    expect(await found(dataset, 'mislabels')).toEqual(swappedFiles);
    await additions.reindex(dataset);
    await additions.api.untilStatus(dataset, ['READY']);
    expect(await found(dataset, 'mislabels')).toEqual([...swappedFiles, 'later.jpg'].sort());
  });
});
