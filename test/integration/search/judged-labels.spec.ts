import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { renderPicture, SAMPLE_FAMILIES, SeededRandom } from '#sample';
import { Additions } from '../../support/additions';
import { ExportClient } from '../../support/export-client';
import { drawJudged, SWAPPED, WRONG_OBJECT } from '../../support/judged-drawings';
import { runningApp } from '../../support/test-app';

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

describe('given labels', () => {
  const running = runningApp();
  const additions = new Additions(running);
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
    folder = additions.place('drawn');
    await drawJudged(folder);
    dataset = await additions.indexed('Judged', folder);
  });

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
