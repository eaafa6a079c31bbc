import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Additions } from '../../support/additions';
import { SiteModels } from '../../support/site-models';
import { FAULTS, StubModelServer } from '../../support/stub-model-server';
import { startTestApp, type TestApp } from '../../support/test-app';

const CAPTIONER = 'object-captioner_v00';

interface QuarantinedFile {
  readonly file: string;
  readonly reason: string;
  readonly detail: string;
}

describe('objects in pictures that a model gets no result for', () => {
  let running: TestApp;
  let additions: Additions;
  let server: StubModelServer;
  let models: SiteModels;
  let source: string;

  beforeAll(async () => {
    server = await StubModelServer.start();
    models = await SiteModels.make();
    await models.addCaptioner(CAPTIONER, server.url, { type: 'CAPTION_OBJECTS', dependencies: null });
    running = await startTestApp({ MODELS_DIR: models.folder });
    additions = new Additions(running);
    const folder = await additions.writeFolder('source', [0, 1]);
    await writeFile(
      join(folder, 'object_annotations.csv'),
      'filename,col_x,row_y,width,height,label\n0.jpg,40,30,80,61,ball\n0.jpg,0,0,20,20,toy\n1.jpg,0,0,20,20,toy\n',
    );
    source = await additions.indexed('Source', folder);
  });

  afterAll(async () => {
    await running.close();
    await server.close();
    await models.remove();
  });

  const enrich = async (enrichments: object): Promise<string> => {
    const { dataset_id: copy } = await additions.api.must<{ dataset_id: string }>(
      200,
      'POST',
      `/api/v1/dataset/${source}/enrich_dataset`,
      { enrichment_models: enrichments },
    );
    await additions.api.untilStatus(copy, ['READY']);
    return copy;
  };
  const quarantine = async (id: string): Promise<readonly QuarantinedFile[]> =>
    (
      await additions.api.must<{ files: readonly QuarantinedFile[] }>(200, 'GET', `/api/v1/dataset/${id}/quarantine`)
    ).files.toSorted((a, b) => a.file.localeCompare(b.file));

  it('leave their picture in quarantine once, also if several are refused', async () => {
    server.fail(FAULTS.status(400, 'The picture is too small'), 2);
    // Whichever two are refused, a third one is not, so the model is not taken for the wrong one.
    const copy = await enrich({ CAPTION_OBJECTS: CAPTIONER });
    const files = await quarantine(copy);
    expect(new Set(files.map(({ file }) => file)).size).toBe(files.length);
    expect(files.every(({ reason }) => reason === 'refused_by_model')).toBe(true);
    const uncaptioned = (await additions.rows(copy)).filter((row) => row.kind === 'OBJECT' && !row.generatedCaption);
    expect(uncaptioned).toHaveLength(2);
    expect(new Set(uncaptioned.map(({ path }) => path))).toEqual(new Set(files.map(({ file }) => file)));
  });
});
