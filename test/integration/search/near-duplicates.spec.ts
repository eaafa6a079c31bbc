import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import type { MediaRow } from '../../../src/common/engine/media-table/media-row';
import { similarityOf } from '../../../src/common/engine/similarity/near-duplicates';
import { Additions } from '../../support/additions';
import { pictureBytes } from '../../support/pictures';
import { SiteModels } from '../../support/site-models';
import { SnapshotClient } from '../../support/snapshot-client';
import { startTestApp, type TestApp } from '../../support/test-app';

const [COSINES, SCALED] = ['cosines_v00', 'scaled_v00'];
const LADDER = [0.999, 0.99, 0.9, 0.5, 0.1];
/** The cosine of near duplicates of the second model. */
const CUT = 0.7;
const PAIR = ['1.jpg', 'turned 1.jpg'];

interface Groups {
  readonly groups: { readonly members: { readonly original_uri: string; readonly similarity: number }[] }[];
}

const turned = async (seed: number): Promise<Buffer> =>
  sharp(await pictureBytes(seed))
    .rotate(4)
    .resize(160, 120, { fit: 'fill' })
    .jpeg()
    .toBuffer();

describe('near duplicates by a model that names their cosine', () => {
  let running: TestApp;
  let additions: Additions;
  let models: SiteModels;
  let id: string;

  beforeAll(async () => {
    models = await SiteModels.make();
    await models.addImageModel(COSINES, { calibration: { ladder: LADDER } });
    await models.addImageModel(SCALED, { calibration: { ladder: LADDER, nearDuplicates: CUT } });
    running = await startTestApp({ MODELS_DIR: models.folder, IMAGE_MODEL: COSINES });
    additions = new Additions(running);
    const folder = await additions.writeFolder('pictures', [0, 1, 2, 3]);
    await writeFile(join(folder, 'turned 1.jpg'), await turned(1));
    id = await additions.indexed('pictures', folder);
  });

  afterAll(async () => {
    await running.close();
    await models.remove();
  });

  const groupsAt = async (of: string, similarity: number): Promise<[string, number][][]> => {
    const path = `/api/v1/dataset/${of}/duplicates?duplicate_threshold=${similarity}`;
    const { groups } = await additions.api.must<Groups>(200, 'GET', path);
    return groups.map(({ members }) => members.map((each) => [each.original_uri, each.similarity]));
  };
  const filesAt = async (of: string, similarity: number): Promise<string[]> =>
    (await groupsAt(of, similarity)).flatMap((members) => members.map(([file]) => file)).sort();
  const cosine = ({ embedding: a }: MediaRow, { embedding: b }: MediaRow): number =>
    a!.reduce((sum, value, at) => sum + value * b![at]!, 0);
  const cosineOf = async (of: string, first: string, second: string): Promise<number> => {
    const rows = await additions.rows(of);
    const [a, b] = [first, second].map((name) => rows.find(({ fileName }) => fileName === name)!);
    return cosine(a!, b!);
  };
  /** The files that another file has at least this cosine with. */
  const filesNear = async (of: string, least: number): Promise<string[]> => {
    const rows = await additions.rows(of);
    const isNear = (row: MediaRow): boolean => rows.some((other) => other !== row && cosine(row, other) >= least);
    return rows
      .filter(isNear)
      .map(({ fileName }) => fileName)
      .sort();
  };

  it('are found from its cosine on, and shown with a similarity that means the same by every model', async () => {
    const copy = await cosineOf(id, '1.jpg', 'turned 1.jpg');
    expect(copy).toBeGreaterThan(CUT);
    expect(copy).toBeLessThan(0.95);
    expect(await groupsAt(id, 0.95)).toEqual([]);
    expect(await filesAt(id, 0.8)).toEqual(await filesNear(id, 0.8));

    const enrich = `/api/v1/dataset/${id}/enrich_dataset?in_place=true`;
    await additions.api.must(200, 'POST', enrich, { enrichment_models: { IMAGE_ENCODING: SCALED } });
    await additions.api.untilStatus(id, ['READY']);
    const [[[first, same], [second, similarity]]] = (await groupsAt(id, 0.95)) as [
      [[string, number], [string, number]],
    ];
    expect([first, second].sort()).toEqual(PAIR);
    expect(same).toBe(1);
    expect(similarity).toBeGreaterThanOrEqual(0.95);
    expect(similarity).toBeCloseTo(similarityOf(copy, CUT), 5);
    expect(await filesAt(id, 0.8)).toEqual(await filesNear(id, CUT - 0.15));
    const vql = (filter: object): string => `vql=${encodeURIComponent(JSON.stringify([filter]))}`;
    for (const query of [
      'duplicate_threshold=0.95',
      vql({ duplicates: { op: 'duplicates', value: 0.95 } }),
      vql({ issues: { op: 'issue', value: ['duplicates'], threshold: 0.95 } }),
    ])
      expect(await additions.filesFound(id, query)).toEqual(PAIR);
    const detail = await additions.detailOf<{ nearest_similarity: number }>(id, 'turned 1.jpg');
    expect(detail.nearest_similarity).toBeCloseTo(similarity, 5);
  });

  it('are found among added media', async () => {
    await additions.addUploads(id, [{ name: 'turned 2.jpg', bytes: await turned(2) }]);
    await additions.api.untilStatus(id, ['PARTIAL INDEX']);
    expect(await cosineOf(id, '2.jpg', 'turned 2.jpg')).toBeLessThan(0.95);
    expect(await filesAt(id, 0.95)).toEqual(['2.jpg', ...PAIR, 'turned 2.jpg'].sort());
    expect(await filesAt(id, 0.8)).toEqual(await filesNear(id, CUT - 0.15));
  });

  it('are those of the model after indexing anew, and in snapshots, clones and restored states', async () => {
    const snapshots = new SnapshotClient(additions.api);
    await additions.api.must(202, 'POST', `/api/v1/dataset/${id}/reindex`);
    await additions.api.untilStatus(id, ['READY']);
    const { snapshot_id: scaled } = await snapshots.keep(id);
    const found = await filesAt(id, 0.95);
    expect(await filesAt((await snapshots.clone(id, scaled)).id, 0.95)).toEqual(found);
    const before = (await snapshots.list(id)).find(({ description }) => description === `Before ${SCALED}`)!;
    await snapshots.restore(id, before.snapshot_id);
    expect(await filesAt(id, 0.95)).toEqual([]);
    await snapshots.restore(id, scaled);
    expect(await filesAt(id, 0.95)).toEqual(found);
  });
});
