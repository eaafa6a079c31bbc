import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { hasVideoSupport } from '../../../src/common/engine/compute/video-tools';
import { EXPORT_FORMATS } from '../../../src/modules/export/archive/formats';
import { ExportSweep } from '../../../src/modules/export/export.sweep';
import { GenerationSweep } from '../../../src/modules/ingestion/sweeps/table.sweeps';
import { TagFileSweep } from '../../../src/modules/versions/tags/tag-files';
import { ApiClient } from '../../support/api-client';
import { ARCHIVE_PROGRAMS } from '../../support/archive-programs';
import { ExportClient } from '../../support/export-client';
import { writePicture } from '../../support/pictures';
import { readZip } from '../../support/read-zip';
import { SnapshotClient } from '../../support/snapshot-client';
import { storedKeys } from '../../support/stored-keys';
import { runningApp } from '../../support/test-app';
import { waitUntil } from '../../support/wait-until';

const DAY_MS = 24 * 60 * 60 * 1000;
const PICTURES = ['a/1.jpg', 'b/1.jpg', 'b/2.jpg', 'c, "d"/3.jpg'];
const CLIP = join(__dirname, '../../fixtures/clip.mp4');

interface Item {
  readonly type: string;
  readonly properties: Readonly<Record<string, unknown>>;
}

interface Media {
  readonly media_id: string;
  readonly media_type: string;
  readonly file_name: string;
  readonly file_path: string;
  readonly image_filename?: string;
  readonly metadata_items: readonly Item[];
}

interface Metadata {
  readonly info: Readonly<Record<string, unknown>>;
  readonly media_items: readonly Media[];
}

const jsonOf = (archive: ReadonlyMap<string, Buffer>, name = 'metadata.json'): unknown =>
  JSON.parse(archive.get(name)!.toString());
const metadataOf = (archive: ReadonlyMap<string, Buffer>): Metadata => jsonOf(archive) as Metadata;
const ofType = ({ metadata_items: items }: Media, type: string): Item[] => items.filter((each) => each.type === type);

describe('exports', () => {
  const running = runningApp();
  let api: ApiClient;
  let client: SnapshotClient;
  let exports: ExportClient;
  let source: string;
  let dataset: string;
  let whole: Metadata;

  const store = (): string => join(running.folder, 'data', 'store');
  const pathed = (path: string, { media_items: items } = whole): Media =>
    items.find((each) => each.file_path === path)!;

  beforeAll(async () => {
    api = new ApiClient(running.url);
    client = new SnapshotClient(api);
    exports = new ExportClient(api);
    source = join(running.folder, 'source');
    for (const [seed, path] of PICTURES.entries()) await writePicture(join(source, path), seed);
    await copyFile(CLIP, join(source, 'clip.mp4'));
    await writeFile(
      join(source, 'image_annotations.csv'),
      'filename,label,caption\na/1.jpg,disc,"a ""round"" disc"\nb/1.jpg,disc,\n',
    );
    await writeFile(
      join(source, 'object_annotations.csv'),
      'filename,col_x,row_y,width,height,label\na/1.jpg,16,12,40,30,ball\na/1.jpg,80,60,32,24,box\nb/2.jpg,0,0,80,60,ball\n',
    );
    dataset = await client.indexed('Exported', source);
    whole = metadataOf(await exports.archive(dataset, await exports.start(dataset, 'export_format=json')));
  });

  it('contain every image and frame in JSON, with its objects', async () => {
    expect(whole.info).toMatchObject({
      schema_version: '1.1',
      dataset: 'Exported',
      dataset_url: `${running.url}/dataset/${dataset}/data`,
      total_media_items: whole.media_items.length,
    });
    const images = whole.media_items.filter((each) => each.media_type === 'image');
    expect(images.map((each) => each.file_path).sort()).toEqual([...PICTURES].sort());
    const first = pathed('a/1.jpg');
    const { size } = { size: (await readFile(join(source, 'a/1.jpg'))).length };
    expect(first).toMatchObject({
      file_name: '1.jpg',
      file_size: `${(size / 1024).toFixed(2)}KB`,
      width: 160,
      height: 120,
      url: `${running.url}/dataset/${dataset}/data/image/${first.media_id}`,
      cluster_id: expect.stringMatching(/^[0-9a-f-]{36}$/) as unknown,
      uniqueness_score: expect.any(Number) as unknown,
    });
    expect(first).not.toHaveProperty('image_filename');
    expect(ofType(first, 'image_label')).toMatchObject([{ properties: { category_name: 'disc', original_id: -1 } }]);
    expect(ofType(first, 'caption')).toEqual([
      { type: 'caption', properties: { text: 'a "round" disc', source: 'User' } },
    ]);
    const objects = ofType(first, 'object_label').map(({ properties }) => properties);
    expect(objects.map((each) => [each['category_name'], each['bbox']]).sort()).toEqual([
      ['ball', [16, 12, 40, 30]],
      ['box', [80, 60, 32, 24]],
    ]);
    expect(objects[0]!['url']).toMatch(new RegExp(`/data/image/${first.media_id}\\?object_id=[0-9a-f-]{36}$`));
    if (!(await hasVideoSupport())) return;
    const frame = pathed('clip.mp4/output_000001.jpg');
    expect(frame).toMatchObject({ media_type: 'video_frame', file_name: 'output_000001.jpg' });
    expect(ofType(frame, 'video_info')).toMatchObject([
      { properties: { video_name: 'clip.mp4', frame_number: 1, timestamp: '00:00:00.000' } },
    ]);
  });

  it('contain the same data in Parquet and CSV', async () => {
    const parquet = (await exports.archive(dataset, await exports.start(dataset, 'export_format=parquet'))).get(
      'metadata.parquet',
    )!;
    const file = new Uint8Array(parquet).buffer;
    const rows = await parquetReadObjects({ file, compressors: { ZSTD: (bytes) => zstdDecompressSync(bytes) } });
    expect(rows).toHaveLength(whole.media_items.length);
    for (const [at, row] of rows.entries()) {
      const media = whole.media_items[at]!;
      expect(row).toMatchObject({ media_id: media.media_id, file_path: media.file_path, image_filename: null });
      expect(JSON.parse(row['metadata_items'] as string)).toEqual(media.metadata_items);
      expect(row['labels']).toEqual(ofType(media, 'image_label').map(({ properties }) => properties['category_name']));
    }
    const [info] = parquetMetadata(file).key_value_metadata!.filter(({ key }) => key === 'info');
    expect(JSON.parse(info!.value!)).toMatchObject({ dataset: 'Exported', schema_version: '1.1' });
    const csv = (await exports.archive(dataset, await exports.start(dataset, 'export_format=csv')))
      .get('metadata.csv')!
      .toString();
    expect(csv.trim().split('\n')).toHaveLength(whole.media_items.length + 1);
    expect(csv).toContain('"a ""round"" disc",[],"[""disc""]","[""ball"",""box""]"');
    expect(csv).toContain('"c, ""d""/3.jpg"');
  });

  it('contain the vectors of the images in Parquet if requested', async () => {
    const started = await exports.start(dataset, 'export_format=parquet&with_embeddings=true');
    const file = new Uint8Array((await exports.archive(dataset, started)).get('metadata.parquet')!).buffer;
    const rows = await parquetReadObjects({ file, compressors: { ZSTD: (bytes) => zstdDecompressSync(bytes) } });
    expect(rows).toHaveLength(whole.media_items.length);
    for (const { embedding } of rows as { embedding: number[] }[]) {
      expect(embedding.length).toBeGreaterThan(100);
      expect(Math.hypot(...embedding)).toBeCloseTo(1, 3);
    }
    const [model] = parquetMetadata(file).key_value_metadata!.filter(({ key }) => key === 'embedding_model');
    expect(model!.value).toMatch(/_v\d+$/);
  });

  it('contain boxes in the conventions of COCO and YOLO', async () => {
    const coco = jsonOf(
      await exports.archive(dataset, await exports.start(dataset, 'export_format=coco')),
      'annotations.json',
    ) as {
      images: { id: number; file_name: string }[];
      annotations: { image_id: number; category_id: number; bbox: number[]; area: number }[];
      categories: { id: number; name: string }[];
    };
    expect(coco.images).toHaveLength(whole.media_items.length);
    const nameOf = (id: number): string => coco.images.find((each) => each.id === id)!.file_name;
    const labelOf = (id: number): string => coco.categories.find((each) => each.id === id)!.name;
    const boxes = coco.annotations.map((each) => [
      nameOf(each.image_id),
      labelOf(each.category_id),
      each.bbox,
      each.area,
    ]);
    expect(boxes.sort()).toEqual([
      ['a/1.jpg', 'ball', [16, 12, 40, 30], 1200],
      ['a/1.jpg', 'box', [80, 60, 32, 24], 768],
      ['b/2.jpg', 'ball', [0, 0, 80, 60], 4800],
    ]);
    const [onFirst] = coco.images.filter((each) => each.file_name === 'a/1.jpg');
    expect(onFirst).toMatchObject({ labels: ['disc'], caption: 'a "round" disc' });
    const yolo = await exports.archive(dataset, await exports.start(dataset, 'export_format=yolo'));
    const classes = yolo.get('classes.txt')!.toString().trim().split('\n');
    const lines = yolo.get('labels/2.txt')!.toString();
    expect(lines).toBe(`${classes.indexOf('ball')} 0.250000000000 0.250000000000 0.500000000000 0.500000000000\n`);
    expect([...yolo.keys()].filter((name) => name.startsWith('labels/'))).toHaveLength(whole.media_items.length);
    expect(yolo.get('data.yaml')!.toString()).toContain(`${classes.indexOf('box')}: "box"`);
  });

  it('contain the originals under unique names, except missing ones', async () => {
    const gone = await client.indexed('Gone', await copyOf('gone'));
    await rm(join(running.folder, 'gone', 'b/2.jpg'));
    const task = await exports.start(gone, 'export_format=json&include_images=true');
    const archive = await exports.archive(gone, task);
    const metadata = metadataOf(archive);
    const shown = metadata.media_items.filter((each) => each.image_filename !== undefined);
    expect(shown).toHaveLength(metadata.media_items.length - 1);
    for (const media of shown) {
      const bytes = archive.get(`images/${media.image_filename}`)!;
      if (media.media_type === 'image')
        expect(bytes).toEqual(await readFile(join(running.folder, 'gone', media.file_path)));
      expect([media.file_name, `${media.media_id}_${media.file_name}`]).toContain(media.image_filename);
    }
    const names = [pathed('a/1.jpg', metadata), pathed('b/1.jpg', metadata)].map((each) => each.image_filename);
    expect(names.filter((name) => name === '1.jpg')).toHaveLength(1);
    expect(new Set(names).size).toBe(2);
    expect(ofType(pathed('b/2.jpg', metadata), 'export_error')).toHaveLength(1);
    const total = metadata.media_items.length;
    expect(await exports.status(gone, task)).toMatchObject({
      result_message: `1 of ${total} images could not be read and are not in the archive`,
      entities_count: total,
      progress: 100,
    });
  });

  it('can be indexed again from COCO, with warnings about boxes outside their picture', async () => {
    const archive = await exports.archive(
      dataset,
      await exports.start(dataset, 'export_format=coco&include_images=true'),
    );
    const folder = join(running.folder, 'again');
    await mkdir(join(folder, 'images'), { recursive: true });
    for (const [name, bytes] of archive) await writeFile(join(folder, name), bytes);
    await copyFile(CLIP, join(folder, 'images', 'clip.mp4'));
    await writeFile(
      join(folder, 'object_annotations.csv'),
      'filename,col_x,row_y,width,height,label\nimages/2.jpg,5000,0,10,10,far\nimages/clip.mp4,0,0,5,5,film\n',
    );
    const again = await client.indexed('Again', folder);
    const { media_items: media } = metadataOf(
      await exports.archive(again, await exports.start(again, 'export_format=json')),
    );
    const said = (each: Media) => [
      ofType(each, 'caption').map(({ properties }) => properties['text']),
      ofType(each, 'image_label').map(({ properties }) => properties['category_name']),
      ofType(each, 'object_label').map(({ properties }) => [properties['category_name'], properties['bbox']]),
    ];
    const coco = jsonOf(archive, 'annotations.json') as { images: { file_name: string; media_id: string }[] };
    for (const { file_name: name, media_id: id } of coco.images) {
      const before = whole.media_items.find((each) => each.media_id === id)!;
      expect(said(media.find((each) => each.file_path === `images/${name}`)!)).toEqual(said(before));
    }
    const { tasks } = await api.must<{ tasks: { warnings: string[] }[] }>(
      200,
      'GET',
      `/api/v1/tasks?dataset_id=${again}&task_type=DATASET_CREATION`,
    );
    expect(tasks[0]!.warnings).toContain('1 annotated box left out: outside of the picture.');
    if (await hasVideoSupport())
      expect(tasks[0]!.warnings).toContain('Annotations of 1 video left out: only images take annotations.');
  });

  for (const { name, isInstalled: isThere, members } of ARCHIVE_PROGRAMS) {
    (isThere ? it : it.skip)(`are whole by ${name}`, async () => {
      for (const format of EXPORT_FORMATS) {
        const task = await exports.start(dataset, `export_format=${format}&include_images=true`);
        const { download_uri: uri } = await exports.untilCompleted(dataset, task);
        const bytes = Buffer.from(await (await fetch(uri!)).arrayBuffer());
        const path = join(running.folder, 'whole.zip');
        await writeFile(path, bytes);
        expect(members(path)).toEqual([...readZip(bytes).keys()]);
      }
    });
  }

  it('contain the selected media, each once', async () => {
    const [first, second] = [pathed('a/1.jpg'), pathed('b/1.jpg')];
    const { clusters } = await api.must<{ clusters: { cluster_id: string; previews: { media_id: string }[] }[] }>(
      200,
      'GET',
      `/api/v1/explore/${dataset}?threshold=0&entity_type=IMAGES`,
    );
    const cluster = clusters.find(({ previews }) => previews.some((each) => each.media_id === first.media_id))!;
    const task = await exports.select(
      dataset,
      'export_format=json',
      { type: 'media', payload: { media_ids: [second.media_id, first.media_id] } },
      {
        type: 'cluster',
        payload: {
          cluster_id: cluster.cluster_id,
          cluster_filters: { entity_type: 'IMAGES' },
          exclude_media_ids: cluster.previews.map((each) => each.media_id).filter((id) => id !== first.media_id),
        },
      },
    );
    expect(task).toMatchObject({ status: 'INIT', entities_count: 2, download_uri: null, result_message: null });
    const { media_items: items } = metadataOf(await exports.archive(dataset, task));
    expect(items.map((each) => each.media_id).sort()).toEqual([first.media_id, second.media_id].sort());
    expect(items.find((each) => each.media_id === first.media_id)).toEqual(first);
    const objectUrl = ofType(first, 'object_label')[0]!.properties['url'] as string;
    const object = objectUrl.slice(-36);
    const ofObject = metadataOf(
      await exports.archive(
        dataset,
        await exports.select(dataset, 'export_format=json', { type: 'media', payload: { media_ids: [object] } }),
      ),
    ).media_items;
    expect(ofObject.map((each) => each.media_id)).toEqual([first.media_id]);
    expect(ofType(ofObject[0]!, 'object_label').map(({ properties }) => properties['url'])).toEqual([objectUrl]);
  });

  it('contain the tags at their start, and expire after a day', async () => {
    const media = pathed('a/1.jpg').media_id;
    const tag = await client.makeTag(dataset, 'then');
    await client.assign(dataset, tag, 'assign', [media]);
    const task = await exports.start(dataset, 'export_format=json');
    await api.must(200, 'PATCH', `/api/v1/dataset/${dataset}/tags/${tag.id}`, { name: 'now' });
    await client.assign(dataset, tag, 'unassign', [media]);
    for (const days of [0, 1]) {
      const now = new Date(Date.now() + (days * DAY_MS) / 2);
      for (const sweep of [GenerationSweep, TagFileSweep, ExportSweep]) await running.app.get(sweep).sweep(now);
    }
    const shown = pathed('a/1.jpg', metadataOf(await exports.archive(dataset, task)));
    expect(ofType(shown, 'user_tag')).toMatchObject([{ properties: { tag_name: 'then' } }]);
    const { download_uri: uri } = await exports.status(dataset, task);
    const part = await fetch(uri!, { headers: { range: 'bytes=0-3' } });
    expect([part.status, await part.text()]).toEqual([206, 'PK\u0003\u0004']);
    expect(part.headers.get('content-disposition')).toContain('all.zip');
    expect(await running.app.get(ExportSweep).sweep(new Date(Date.now() + 2 * DAY_MS))).toBeGreaterThan(0);
    expect(await storedKeys(store(), 'exports')).toEqual([]);
    expect(await exports.status(dataset, task)).toMatchObject({ status: 'COMPLETED', download_uri: null });
  });

  it('are deleted with their dataset', async () => {
    const folder = join(running.folder, 'short-lived');
    await writePicture(join(folder, '1.jpg'), 1);
    const id = await client.indexed('Short-lived', folder);
    const task = await exports.start(id, 'export_format=json');
    await exports.untilOver(id, task);
    const { download_uri: uri } = await exports.status(id, task);
    const archive = (): Promise<number> => fetch(uri!, { method: 'HEAD' }).then(({ status }) => status);
    expect(await archive()).toBe(200);
    await api.must(204, 'DELETE', `/api/v1/dataset/${id}`);
    await waitUntil(async () => (await archive()) === 404);
    expect((await storedKeys(store(), 'exports')).filter((key) => key.includes(task.id))).toEqual([]);
  });

  it('are tasks, and can be cancelled while they run', async () => {
    const task = await exports.start(dataset, 'export_format=json&include_images=true');
    const answer = await api.ask('DELETE', exports.statusPath(dataset, task));
    const over = await exports.untilOver(dataset, task);
    if (answer.status === 200) expect(over).toMatchObject({ status: 'FAILED', result_message: 'Cancelled' });
    else expect([answer.status, over.status]).toEqual([409, 'COMPLETED']);
    await api.must(409, 'DELETE', exports.statusPath(dataset, task));
    await waitUntil(async () => {
      const jobs = await running.database.dataSource.query<unknown[]>(
        "SELECT 1 FROM job_run WHERE type = 'export' AND finished_at IS NULL",
      );
      return jobs.length === 0;
    });
    await running.app.get(ExportSweep).sweep(new Date());
    if (over.status === 'FAILED')
      expect((await storedKeys(store(), 'exports')).filter((key) => key.includes(task.id))).toEqual([]);
    expect((await client.tasks(dataset, 'EXPORT')).length).toBeGreaterThan(0);
  });

  it('list the ids of media', async () => {
    const { body } = await api.ask('GET', `/api/v1/dataset/${dataset}/export_media_id`);
    const lines = String(body).trim().split('\n');
    expect(lines[0]).toBe('filename,media_id');
    const videos = (await hasVideoSupport()) ? 1 : 0;
    expect(lines).toHaveLength(1 + whole.media_items.length + videos);
    expect(lines).toContain(`a/1.jpg,${pathed('a/1.jpg').media_id}`);
  });

  const copyOf = async (name: string): Promise<string> => {
    for (const path of [...PICTURES, 'clip.mp4']) {
      const target = join(running.folder, name, path);
      await mkdir(join(target, '..'), { recursive: true });
      await copyFile(join(source, path), target);
    }
    return join(running.folder, name);
  };
});
