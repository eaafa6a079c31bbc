import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { Additions } from '../../support/additions';
import { ExportClient } from '../../support/export-client';
import { SiteModels } from '../../support/site-models';
import { startTestApp, type TestApp } from '../../support/test-app';
import { writeTextModel } from '../../support/text-models';

const READER = 'bars_v00';
const SIZE = { width: 320, height: 192 };

interface Detail {
  readonly text_source: string | null;
  readonly text_lines: readonly { readonly text: string; readonly corners: readonly { x: number; y: number }[] }[];
}

interface Matched {
  readonly file_name: string;
  readonly matched?: readonly string[];
}

interface Cluster {
  readonly cluster_id: string;
  readonly previews: readonly Matched[];
}

/** As COCO has it. */
interface Line {
  readonly text: string;
  readonly source: string;
  readonly polygon: readonly number[];
}

/** Bars on black, from top to bottom, each of several colours. */
async function bars(path: string, lines: readonly (readonly string[])[]): Promise<void> {
  const parts = lines.flatMap((colours, line) =>
    colours.map((colour, part) => {
      const width = 240 / colours.length;
      return `<rect x="${40 + part * width}" y="${30 + line * 60}" width="${width}" height="24" fill="${colour}"/>`;
    }),
  );
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${SIZE.width}" height="${SIZE.height}"><rect width="100%" height="100%"/>${parts.join('')}</svg>`;
  await sharp(Buffer.from(svg)).png().toFile(path);
}

describe('text in pictures', () => {
  let running: TestApp;
  let additions: Additions;
  let models: SiteModels;
  let folder: string;
  let copy: string;

  const found = (id: string, words: string): Promise<string[]> => {
    const vql = JSON.stringify([{ text: { op: 'fts', value: words } }]);
    return additions.filesFound(id, `vql=${encodeURIComponent(vql)}`);
  };
  const matchedBy = async (filters: readonly object[]): Promise<Readonly<Record<string, readonly string[]>>> => {
    const vql = encodeURIComponent(JSON.stringify(filters));
    const { clusters } = await additions.api.must<{ clusters: Cluster[] }>(
      200,
      'GET',
      `/api/v1/explore/${copy}?threshold=0&entity_type=IMAGES&vql=${vql}`,
    );
    const found: [string, readonly string[]][] = [];
    for (const { cluster_id: id, previews } of clusters) {
      const path = `/api/v1/explore/${copy}/clusters/${id}?vql=${vql}`;
      const { members } = await additions.api.must<{ members: Matched[] }>(200, 'GET', path);
      expect(members.map(({ matched: places }) => places)).toEqual(previews.map(({ matched: places }) => places));
      for (const { file_name: file, matched: places } of previews) if (places !== undefined) found.push([file, places]);
    }
    return Object.fromEntries(found);
  };
  const matched = (words: string) => matchedBy([{ text: { op: 'fts', value: words } }]);
  const detailOf = (id: string, file: string): Promise<Detail> => additions.detailOf<Detail>(id, file);

  beforeAll(async () => {
    models = await SiteModels.make();
    await writeTextModel(models.folder, READER);
    running = await startTestApp({ MODELS_DIR: models.folder });
    additions = new Additions(running);
    folder = additions.place('bars');
    await mkdir(folder, { recursive: true });
    await bars(join(folder, 'two.png'), [
      ['red', 'lime', 'red'],
      ['lime', 'red'],
    ]);
    await bars(join(folder, 'none.png'), []);
    await writeFile(
      join(folder, 'image_annotations.csv'),
      'filename,label,caption\ntwo.png,bars,Two bars\nnone.png,none,A picture without gr\n',
    );
    const source = await additions.indexed('Bars', folder);
    const made = await additions.api.must<{ dataset_id: string }>(
      200,
      'POST',
      `/api/v1/dataset/${source}/enrich_dataset`,
      { enrichment_models: { TEXT_RECOGNITION: READER } },
    );
    copy = made.dataset_id;
    await additions.api.untilStatus(copy, ['READY']);
  });

  afterAll(async () => {
    await running.close();
    await models.remove();
  });

  it('is in the details, line by line with its place', async () => {
    const { text_source, text_lines } = await detailOf(copy, 'two.png');
    expect(text_source).toBe(READER);
    expect(text_lines.map(({ text }) => text)).toEqual(['rgr', 'gr']);
    const [start, end] = text_lines[0]!.corners;
    expect(start!.x).toBeLessThan(40 / SIZE.width);
    expect(end!.x).toBeGreaterThan(280 / SIZE.width);
    expect(await detailOf(copy, 'none.png')).toMatchObject({ text_source: READER, text_lines: [] });
  });

  it('is found by keywords', async () => {
    expect(await found(copy, 'rgr')).toEqual(['two.png']);
    expect(await found(copy, 'rgr AND gr')).toEqual(['two.png']);
    expect(await found(copy, 'rgr -gr')).toEqual([]);
  });

  it('says whether words are in the caption, in the picture, or in both', async () => {
    expect(await matched('rgr')).toEqual({ 'two.png': ['text'] });
    expect(await matched('bar')).toEqual({ 'two.png': ['caption'] });
    expect(await matched('rgr bars -nothing')).toEqual({ 'two.png': ['caption', 'text'] });
    expect(await matched('gr')).toEqual({ 'two.png': ['text'], 'none.png': ['caption'] });
    // From the end of the caption to the beginning of the text.
    expect(await matched('"bars rgr"')).toEqual({ 'two.png': ['caption', 'text'] });
    expect(await matchedBy([{ media_type: { op: 'is', value: 'image' } }])).toEqual({});
    const either = [{ text: { op: 'fts', value: 'rgr' } }, { files: { op: 'one_of', value: ['none.png'] } }];
    expect(await matchedBy([{ or: either }])).toEqual({ 'two.png': ['text'] });
  });

  it('is exported with its model', async () => {
    const client = new ExportClient(additions.api);
    const exported = async (format: string): Promise<string> => {
      const archive = await client.archive(copy, await client.start(copy, `export_format=${format}`));
      return [...archive.values()][0]!.toString();
    };
    expect(await exported('json')).toContain(
      `{"type":"text_line","properties":{"text":"rgr","source":"${READER}","confidence":`,
    );
    expect(await exported('csv')).toContain('"[""rgr"",""gr""]"');
    const { images } = JSON.parse(await exported('coco')) as { images: { file_name: string; text_lines: Line[] }[] };
    const { text_lines: lines } = images.find(({ file_name: file }) => file === 'two.png')!;
    expect(lines.map(({ text, source }) => [text, source])).toEqual([
      ['rgr', READER],
      ['gr', READER],
    ]);
    // The right end of the bar, in pixels.
    expect(lines[0]!.polygon[2]).toBeGreaterThan(280);
  });

  it('is a finding, which the list of media has if it is asked for', async () => {
    const path = `/api/v1/enrichment/${copy}/findings`;
    const { text } = await additions.api.must<{ text: { media_ids: string[] } }>(200, 'GET', path);
    expect(text).toEqual({ model_id: READER, count: 1, media_ids: [expect.any(String)] });
    const listed = (query: string) =>
      additions.api.must<{ media: { file_name: string; text?: Detail }[] }>(
        200,
        'GET',
        `/api/v1/dataset/${copy}/media?media_ids=${text.media_ids[0]!}${query}`,
      );
    expect((await listed('')).media[0]!.text).toBeUndefined();
    const [medium] = (await listed('&with_text=true')).media;
    expect(medium!.file_name).toBe('two.png');
    const { text_source: source, text_lines: lines } = await detailOf(copy, 'two.png');
    expect(medium!.text).toEqual({ text_source: source, text_lines: lines });
  });

  it('is read in media that are added, and searched', async () => {
    const more = additions.place('more');
    await mkdir(more, { recursive: true });
    await bars(join(more, 'added.png'), [['lime', 'red', 'lime', 'red']]);
    await additions.addFolder(copy, more);
    expect(await additions.ended(copy)).toMatchObject({ status: 'COMPLETED', warnings: [], quarantined_count: 0 });
    expect(await found(copy, 'grgr')).toEqual(['added.png']);
    expect(await found(copy, 'rgr')).toEqual(['two.png']);
  });
});
