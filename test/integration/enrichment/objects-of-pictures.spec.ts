import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ComputePool } from '../../../src/common/engine/compute/compute-pool';
import type { EncodedImage } from '../../../src/common/engine/compute/media-analysis';
import type { Box } from '../../../src/common/engine/media-table/media-row';
import { MediaTableStore } from '../../../src/common/engine/media-table/media-table-store';
import { ObjectOrder } from '../../../src/modules/enrichment/apply/found-objects';
import { picturesOfTable } from '../../../src/modules/enrichment/apply/seen-pictures';
import { Additions } from '../../support/additions';
import { SiteModels } from '../../support/site-models';
import { StubModelServer } from '../../support/stub-model-server';
import { startTestApp, type TestApp } from '../../support/test-app';

const CAPTIONER = 'object-captioner_v00';
const ENCODER = 'object-encoder_v00';
const PICTURES = 6;
/** Nearly the same positions in each picture, so that objects of different pictures are clustered together. */
const BOXES = [0, 1, 2, 3].map((box) => ({ x: (box % 2) * 80, y: Math.floor(box / 2) * 60 }));

const KINDS = ['IMAGE', 'OBJECT'] as const;

const numberOf = (bytes: Uint8Array): number => createHash('sha256').update(bytes).digest().readUInt16BE() + 1;
const nameOf = (file: string, region: Box | null): string => `${file} ${JSON.stringify(region)}`;

describe('models applied to existing objects', () => {
  let running: TestApp;
  let additions: Additions;
  let server: StubModelServer;
  let models: SiteModels;
  let source: string;

  beforeAll(async () => {
    // The responses depend on the bytes of the picture.
    server = await StubModelServer.start({
      caption: ({ picture }) => `Crop ${numberOf(picture)}`,
      embedding: ({ picture }) => [1, numberOf(picture), 0, 0],
    });
    models = await SiteModels.make();
    await models.addCaptioner(CAPTIONER, server.url, { type: 'CAPTION_OBJECTS', dependencies: null });
    await models.addCaptioner(ENCODER, server.url, { type: 'MULTIMODEL_IMAGE_ENCODING', outputs: { dimension: 4 } });
    running = await startTestApp({ MODELS_DIR: models.folder });
    additions = new Additions(running);
    const folder = await additions.writeFolder('source', [...Array(PICTURES).keys()]);
    const lines = [...Array(PICTURES).keys()].flatMap((picture) =>
      BOXES.map(({ x, y }, box) => `${picture}.jpg,${x},${y},${60 + picture},50,box-${box}`),
    );
    await writeFile(
      join(folder, 'object_annotations.csv'),
      `filename,col_x,row_y,width,height,label\n${lines.join('\n')}\n`,
    );
    source = await additions.indexed('Source', folder);
  });

  afterAll(async () => {
    await running.close();
    await server.close();
    await models.remove();
  });

  it.each([
    ['CAPTION_OBJECTS', CAPTIONER, PICTURES],
    // The pictures are processed before their objects.
    ['MULTIMODEL_IMAGE_ENCODING', ENCODER, 2 * PICTURES],
  ])(
    'decode each picture once for all of its objects, and each object has its own results: %s',
    async (type, id, decoded) => {
      const rows = await additions.rows(source);
      const parents = rows.flatMap(({ kind, parentId }) => (kind === 'OBJECT' ? [parentId] : []));
      expect(parents).toHaveLength(PICTURES * BOXES.length);
      // In the table, objects are ordered by cluster.
      expect(parents.filter((parent, at) => parent !== parents[at - 1]).length).toBeGreaterThan(PICTURES);
      const encode = jest.spyOn(running.app.get(ComputePool), 'encode');
      const copy = await additions.api.enriched(source, { [type]: id });
      expect(encode).toHaveBeenCalledTimes(decoded);
      const expected = new Map<string, number>();
      for (const [at, [{ source: file, regions }]] of encode.mock.calls.entries()) {
        const result = (await encode.mock.results[at]!.value) as EncodedImage;
        regions.forEach((region, i) => expected.set(nameOf(file, region), numberOf(result.pictures[i]!.jpeg)));
      }
      encode.mockRestore();
      const given = new Map<string, number>();
      for (const { kind, source: file, box, generatedCaption, multimodalEmbedding } of await additions.rows(copy)) {
        if (type === 'CAPTION_OBJECTS' && kind === 'OBJECT')
          given.set(nameOf(file, box), Number(generatedCaption!.split(' ')[1]));
        if (type === 'MULTIMODEL_IMAGE_ENCODING')
          given.set(nameOf(file, box), Math.round(multimodalEmbedding![1]! / multimodalEmbedding![0]!));
      }
      expect(given.size).toBe(PICTURES * BOXES.length + (decoded - PICTURES));
      expect(given).toEqual(expected);
      expect(new Set(given.values()).size).toBeGreaterThan(PICTURES * 2);
    },
  );

  it('resume at any point', async () => {
    const { pointer } = await additions.get(source);
    const table = await running.app.get(MediaTableStore).open(pointer!);
    const order = await ObjectOrder.of(table, 'true');
    const pictures = picturesOfTable(table, 'any', undefined, order);
    const from = async (skip: number): Promise<string[]> => {
      const ids: string[] = [];
      for await (const { id } of pictures.rows(KINDS, skip)) ids.push(id);
      return ids;
    };
    const all = await from(0);
    expect(all).toHaveLength(PICTURES * (1 + BOXES.length));
    expect(all).toHaveLength(await pictures.count(KINDS));
    for (const skip of [1, PICTURES - 1, PICTURES, PICTURES + 5, all.length])
      expect(await from(skip)).toEqual(all.slice(skip));
    const rows = await additions.rows(source);
    const objects = rows.filter(({ kind }) => kind === 'OBJECT');
    objects.forEach(({ id }, nth) => expect(all[PICTURES + order.turnOf(nth)]).toBe(id));
  });
});
