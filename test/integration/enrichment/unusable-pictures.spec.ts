import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { MediaRow } from '../../../src/common/engine/media-table/media-row';
import { Additions } from '../../support/additions';
import { writePicture } from '../../support/pictures';
import { SiteModels } from '../../support/site-models';
import { FAULTS, StubModelServer } from '../../support/stub-model-server';
import { startTestApp, type TestApp } from '../../support/test-app';

const DETECTOR = 'site-detector_v00';
const CAPTIONER = 'object-captioner_v00';
const CHANGED = 'The file has changed since it was indexed. Synchronise the dataset to read it again.';

interface QuarantinedFile {
  readonly file: string;
  readonly reason: string;
  readonly detail: string;
}

describe('objects in pictures without a model result', () => {
  let running: TestApp;
  let additions: Additions;
  let server: StubModelServer;
  let models: SiteModels;
  let folder: string;
  let source: string;

  beforeAll(async () => {
    server = await StubModelServer.start();
    models = await SiteModels.make();
    await models.addCaptioner(DETECTOR, server.url, { type: 'OBJECT_DETECTION', server: { boxes: 'fractions' } });
    await models.addCaptioner(CAPTIONER, server.url, { type: 'CAPTION_OBJECTS', dependencies: null });
    running = await startTestApp({ MODELS_DIR: models.folder, ENRICHMENT_PREVIEW_SERVICE_ENABLED: 'true' });
    additions = new Additions(running);
    folder = await additions.writeFolder('source', [0, 1]);
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
    return additions.api.enriched(source, enrichments);
  };
  const quarantine = async (id: string): Promise<readonly QuarantinedFile[]> =>
    (
      await additions.api.must<{ files: readonly QuarantinedFile[] }>(200, 'GET', `/api/v1/dataset/${id}/quarantine`)
    ).files.toSorted((a, b) => a.file.localeCompare(b.file));
  const objectsOf = async (id: string, path: string): Promise<MediaRow[]> =>
    (await additions.rows(id)).filter((row) => row.kind === 'OBJECT' && row.path === path);

  it('quarantine their picture once, even if several are refused', async () => {
    server.fail(FAULTS.status(400, 'The picture is too small'), 2);
    // A third object is accepted whichever two are refused, so the model itself does not count as broken.
    const copy = await enrich({ CAPTION_OBJECTS: CAPTIONER });
    const files = await quarantine(copy);
    expect(new Set(files.map(({ file }) => file)).size).toBe(files.length);
    expect(files.every(({ reason }) => reason === 'refused_by_model')).toBe(true);
    const uncaptioned = (await additions.rows(copy)).filter((row) => row.kind === 'OBJECT' && !row.generatedCaption);
    expect(uncaptioned).toHaveLength(2);
    expect(new Set(uncaptioned.map(({ path }) => path))).toEqual(new Set(files.map(({ file }) => file)));
  });

  it('are not detected or captioned if the file changed after indexing', async () => {
    await writePicture(join(folder, '0.jpg'), 8);
    await writePicture(join(folder, '1.jpg'), 1);
    const captioned = await enrich({ CAPTION_OBJECTS: CAPTIONER });
    const searched = await enrich({ OBJECT_DETECTION: DETECTOR });
    const { enrichment_context_id: context } = await additions.api.must<{ enrichment_context_id: string }>(
      200,
      'GET',
      `/api/v1/enrichment/${source}/context`,
    );
    const { previews } = await additions.api.must<{ previews: { file_name: string; results: object }[] }>(
      200,
      'POST',
      `/api/v1/enrichment/${source}/${context}/previews_enrichment_result`,
      { enrichment_models: { CAPTION_OBJECTS: CAPTIONER } },
    );
    await writePicture(join(folder, '0.jpg'), 0);

    const captionsOf = async (path: string): Promise<unknown[]> =>
      (await objectsOf(captioned, path)).map(({ generatedCaption }) => generatedCaption);
    expect(await captionsOf('0.jpg')).toEqual([null, null]);
    expect(await captionsOf('1.jpg')).toEqual(['a picture']);
    expect(await quarantine(captioned)).toEqual([
      expect.objectContaining({
        file: '0.jpg',
        reason: 'changed',
        detail: `CAPTION_OBJECTS by ${CAPTIONER}: ${CHANGED}`,
      }),
    ]);
    expect(await objectsOf(searched, '0.jpg')).toHaveLength(2);
    expect(await objectsOf(searched, '1.jpg')).toHaveLength(2);
    expect(await quarantine(searched)).toEqual([
      expect.objectContaining({
        file: '0.jpg',
        reason: 'changed',
        detail: `OBJECT_DETECTION by ${DETECTOR}: ${CHANGED}`,
      }),
    ]);
    expect(previews.find(({ file_name: name }) => name === '0.jpg')).toMatchObject({
      results: { CAPTION_OBJECTS: { objects: [{ error: CHANGED }, { error: CHANGED }] } },
    });
  });
});
