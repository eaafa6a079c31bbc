import { spawnSync } from 'node:child_process';
import { link, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { crc32, deflateSync } from 'node:zlib';
import { ApiClient, formOf } from '../../support/api-client';
import { pictureBytes, writePicture } from '../../support/pictures';
import { sameInstallation, startTestApp, type TestApp } from '../../support/test-app';
import { waitUntil } from '../../support/wait-until';

interface Task {
  readonly task_id: string;
  readonly status: string;
  readonly warnings: string[];
  readonly error_message: string | null;
  readonly status_message: string;
}

interface Quarantined {
  readonly file: string;
  readonly reason: string;
}

const taskOf = async (api: ApiClient, id: string): Promise<Task> =>
  (await api.must<{ tasks: Task[] }>(200, 'GET', `/api/v1/tasks?dataset_id=${id}`)).tasks[0]!;
const quarantineOf = async (api: ApiClient, id: string): Promise<Quarantined[]> =>
  (await api.must<{ files: Quarantined[] }>(200, 'GET', `/api/v1/dataset/${id}/quarantine?page_size=100`)).files;
const clustersOf = async (api: ApiClient, id: string, level: number): Promise<{ n_images: number }[]> =>
  (await api.must<{ clusters: { n_images: number }[] }>(200, 'GET', `/api/v1/explore/${id}?threshold=${level}`))
    .clusters;

/** Hard links to one picture. */
async function writeLinks(folder: string, count: number): Promise<void> {
  await writePicture(join(folder, 'original.jpg'), 1);
  for (let at = 1; at < count; at += 1) await link(join(folder, 'original.jpg'), join(folder, `copy-${at}.jpg`));
}

describe('a source', () => {
  let running: TestApp;
  let api: ApiClient;

  beforeAll(async () => {
    running = await startTestApp();
    api = new ApiClient(running.url);
  });

  afterAll(() => running.close());

  const newFolder = async (name: string): Promise<string> => {
    const folder = join(running.folder, name);
    await mkdir(folder, { recursive: true });
    return folder;
  };
  const ready = async (folder: string): Promise<{ id: string; images: unknown }> => {
    const id = await api.createFromFolder('Edge', folder);
    return { id, images: (await api.untilStatus(id, ['READY']))['n_images'] };
  };
  const refusal = async (path: string, status = 500): Promise<unknown> =>
    (
      await api.must<{ detail: string }>(
        status,
        'POST',
        '/api/v1/dataset',
        formOf({ dataset_name: 'x', bucket_path: path }),
      )
    ).detail;

  it('quarantines files that were removed after listing, and indexes the rest', async () => {
    const folder = await newFolder('vanishing');
    const count = 120;
    for (let seed = 0; seed < count; seed += 1) await writePicture(join(folder, `${seed}.jpg`), seed % 50);
    const id = await api.createFromFolder('Vanishing', folder);
    const work = join(running.folder, 'data', 'store', 'work', (await taskOf(api, id)).task_id);
    let list: string | undefined;
    await waitUntil(async () => {
      list = (await readdir(work).catch(() => [])).find((name) => name.endsWith('files.ndjson'));
      return list !== undefined;
    });
    const listed = (await readFile(join(work, list!), 'utf8')).trim().split('\n');
    const gone = listed.slice(-20).map((line) => (JSON.parse(line) as { path: string }).path);
    for (const path of gone) await rm(join(folder, path));
    expect(await api.untilStatus(id, ['READY'])).toMatchObject({ n_images: count - gone.length });
    const quarantine = await quarantineOf(api, id);
    expect(quarantine.map(({ file }) => file).sort()).toEqual(gone.sort());
    expect(new Set(quarantine.map(({ reason }) => reason))).toEqual(new Set(['missing']));
  });

  it('reports unlistable folders in a warning', async () => {
    const folder = await newFolder('odd-names');
    await writePicture(join(folder, 'good.jpg'), 1);
    await writeFile(Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0xff, 0xfe]), Buffer.from('.jpg')]), 'x');
    const { id, images } = await ready(folder);
    expect(images).toBe(1);
    expect((await taskOf(api, id)).warnings).toEqual([
      expect.stringMatching(/^1 folder or file of the source could not be read: .*not valid UTF-8/),
    ]);
  });

  it('reports the number of files ignored by extension, and accepts alternative extensions', async () => {
    const folder = await newFolder('other-extensions');
    await writePicture(join(folder, 'good.jpg'), 1);
    await writePicture(join(folder, 'several.MPO'), 2);
    for (const name of ['a.txt', 'b.txt', 'drawing.svg', 'README']) await writeFile(join(folder, name), 'x');
    const { id, images } = await ready(folder);
    expect(images).toBe(2);
    expect((await taskOf(api, id)).warnings).toEqual([
      '4 files skipped by extension: 2 .txt, 1 without extension, 1 .svg.',
    ]);
  });

  it('is refused with the reason if it cannot be listed', async () => {
    const folder = await newFolder('only-odd-names');
    await writeFile(Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0xff]), Buffer.from('.jpg')]), 'x');
    expect(await refusal(folder)).toMatch(/^Nothing can be read at .*: 1 folder or file .* not valid UTF-8/);
  });

  it('follows links within the roots only', async () => {
    const outside = await mkdtemp(join(tmpdir(), 'dms-outside-'));
    try {
      await writePicture(join(outside, 'secret.jpg'), 7);
      const folder = await newFolder('links');
      await writePicture(join(await newFolder('elsewhere'), 'inside.jpg'), 8);
      await symlink(join(running.folder, 'elsewhere', 'inside.jpg'), join(folder, 'inside.jpg'));
      await symlink(join(outside, 'secret.jpg'), join(folder, 'secret.jpg'));
      await symlink(outside, join(folder, 'secrets'));
      await symlink(folder, join(folder, 'ring'));
      const { id, images } = await ready(folder);
      expect(images).toBe(1);
      expect(await quarantineOf(api, id)).toEqual([]);
      await symlink(outside, join(running.folder, 'way-out'));
      expect(await refusal(join(running.folder, 'way-out'))).toMatch(/MEDIA_ROOTS/);
    } finally {
      await rm(outside, { recursive: true });
    }
  });

  it('is offered folder by folder, and never outside the roots', async () => {
    interface List {
      readonly parent: string | null;
      readonly folders: { readonly name: string; readonly path: string }[];
      readonly n_media: number;
      readonly total: number;
      readonly total_pages: number;
    }
    const ask = (path: string, more = '', status = 200): Promise<List> =>
      api.must(status, 'GET', `/api/v1/ingestion/roots?path=${encodeURIComponent(path)}${more}`);
    const outside = await mkdtemp(join(tmpdir(), 'dms-outside-'));
    try {
      const folder = await newFolder('offered');
      for (const name of ['b10', 'b9', '.hidden', 'a']) await mkdir(join(folder, name));
      await writePicture(join(folder, 'a.jpg'), 11);
      await writeFile(join(folder, 'notes.txt'), 'x');
      await symlink(outside, join(folder, 'way-out'));
      await symlink(join(folder, 'a'), join(folder, 'linked'));
      await symlink(join(folder, 'nowhere'), join(folder, 'broken'));
      const list = await ask(folder);
      expect(list).toMatchObject({ parent: running.folder, n_media: 1, total: 4 });
      expect(list.folders.map(({ name }) => name)).toEqual(['a', 'b9', 'b10', 'linked']);
      const second = await ask(folder, '&limit=3&page_number=1');
      expect(second).toMatchObject({ total_pages: 2, folders: [{ name: 'linked', path: join(folder, 'linked') }] });
      expect(await ask(join(folder, 'linked'))).toMatchObject({ parent: folder, total: 0 });
      for (const path of [outside, join(folder, 'way-out'), `${running.folder}/..`, '/proc/self/cwd', '/'])
        await ask(path, '', 403);
      for (const path of [join(folder, 'broken'), join(folder, 'a.jpg'), join(running.folder, 'data', 'store')])
        await ask(path, '', 404);
      const data = await ask(join(running.folder, 'data'));
      expect(data.folders.map(({ name }) => name)).not.toContain('store');
    } finally {
      await rm(outside, { recursive: true });
    }
  });

  it("does not offer the service's own thumbnails and uploads", async () => {
    const store = join(running.folder, 'data', 'store');
    const folder = await newFolder('plain');
    await writePicture(join(folder, 'a.jpg'), 9);
    await ready(folder);
    expect(await readdir(join(store, 'thumbs'))).not.toEqual([]);
    expect(await refusal(join(store, 'thumbs'), 400)).toContain('contains no supported image or video');
    await writePicture(join(store, 'frames', 'camera', 'a.jpg'), 10);
    expect((await ready(store)).images).toBe(1);
  });

  it('may contain the same picture 300 times', async () => {
    const folder = await newFolder('identical');
    await writeLinks(folder, 300);
    const { id, images } = await ready(folder);
    expect(images).toBe(300);
    for (const level of [0, 4]) {
      expect(await clustersOf(api, id, level)).toEqual([expect.objectContaining({ n_images: 300 })]);
    }
  });

  it('may contain three dissimilar pictures', async () => {
    const folder = await newFolder('three');
    for (const seed of [3, 21, 47]) await writePicture(join(folder, `${seed}.jpg`), seed);
    const { id, images } = await ready(folder);
    expect(images).toBe(3);
    expect(await clustersOf(api, id, 0)).toHaveLength(3);
  });

  it('may contain files with wrong extensions', async () => {
    const folder = await newFolder('mislabelled');
    await writeFile(join(folder, 'really-jpeg.png'), await pictureBytes(11));
    await writeFile(join(folder, 'text.jpg'), 'this is a text, and long enough to be read as anything');
    await writeFile(
      join(folder, 'page.png'),
      '<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100"></svg>',
    );
    await writeFile(join(folder, 'empty.jpg'), '');
    await writeFile(join(folder, 'cut.jpg'), (await pictureBytes(12)).subarray(0, 300));
    await writeFile(join(folder, 'enormous.png'), pngOf(60_000, 60_000));
    await writeFile(join(folder, 'tiny.png'), pngOf(1, 1));
    const { id, images } = await ready(folder);
    expect(images).toBe(1);
    const found = Object.fromEntries((await quarantineOf(api, id)).map(({ file, reason }) => [file, reason]));
    expect(found).toEqual({
      'text.jpg': 'unsupported',
      'page.png': 'unsupported',
      'empty.jpg': 'unreadable',
      'cut.jpg': 'unreadable',
      'enormous.png': 'too_large',
      'tiny.png': 'too_small',
    });
  });

  it('may lack annotated files', async () => {
    const folder = await newFolder('annotated');
    await writePicture(join(folder, 'here.jpg'), 13);
    await writeFile(join(folder, 'image_annotations.csv'), 'filename,label\nhere.jpg,ball\nnowhere.jpg,ball\n');
    const { id } = await ready(folder);
    expect((await taskOf(api, id)).warnings).toEqual([expect.stringContaining('"nowhere.jpg"')]);
  });
});

describe('a source with too many files', () => {
  it('is listed up to the limit, and reported', async () => {
    const running = await startTestApp({ MAX_NUM_OF_IMAGES: '4999' });
    try {
      const api = new ApiClient(running.url);
      await writeLinks(join(running.folder, 'many'), 5_000);
      const id = await api.createFromFolder('Many', join(running.folder, 'many'));
      await expect(api.untilStatus(id, ['READY'])).rejects.toThrow(
        'Image limit exceeded: a dataset may hold 4999 files',
      );
      expect(await readdir(join(running.folder, 'data', 'store', '.unfinished'))).toEqual([]);
      expect(await clustersOf(api, id, 0)).toEqual([]);
    } finally {
      await running.close();
    }
  });
});

describe('the folders offered as sources', () => {
  it('are those of MEDIA_ROOTS, even if one is unavailable, and the sample if it exists', async () => {
    const roots = await mkdtemp(join(tmpdir(), 'dms-roots-'));
    const away = join(tmpdir(), 'dms-away');
    const running = await startTestApp({ MEDIA_ROOTS: `${roots},${away}` });
    try {
      const api = new ApiClient(running.url);
      const listed = async (): Promise<string[]> =>
        (await api.must<{ folders: { path: string }[] }>(200, 'GET', '/api/v1/ingestion/roots')).folders.map(
          ({ path }) => path,
        );
      expect(await listed()).toEqual([roots, away]);
      const sample = join(running.folder, 'data', 'sample');
      await mkdir(sample);
      expect(await listed()).toEqual([roots, away, sample]);
    } finally {
      await running.close();
      await rm(roots, { recursive: true });
    }
  });
});

describe('a source removed before it is listed', () => {
  it('leaves the dataset in ERROR with the reason, and READY after its return', async () => {
    const front = await startTestApp({ ROLE: 'api' });
    let worker: TestApp | undefined;
    try {
      const api = new ApiClient(front.url);
      const folder = join(front.folder, 'gone');
      await writePicture(join(folder, 'a.jpg'), 1);
      const id = await api.createFromFolder('Gone', folder);
      await rm(folder, { recursive: true });
      worker = await startTestApp({
        ROLE: 'worker',
        ...sameInstallation(front),
      });
      await expect(api.untilStatus(id, ['READY'])).rejects.toThrow(`Nothing is at ${folder}`);
      await writePicture(join(folder, 'a.jpg'), 1);
      await api.must(200, 'POST', `/api/v1/tasks/${(await taskOf(api, id)).task_id}/retry`);
      expect(await api.untilStatus(id, ['READY'])).toMatchObject({ n_images: 1, fatal_error_msg: null });
    } finally {
      await worker?.close();
      await front.close();
    }
  });
});

// Only root may mount the small file system that the tests need; otherwise they are skipped.
const probe = spawnSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0;
const onSmallDisk = probe ? it.each : it.skip.each;

describe('a source larger than the store', () => {
  onSmallDisk([64, 384, 608])(
    'waits when there is room for only %i KiB of it, and is READY once there is more',
    async (kibibytes) => {
      const disk = await mkdtemp(join(tmpdir(), 'dms-small-disk-'));
      expect(spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', disk]).status).toBe(0);
      const running = await startTestApp({ STORAGE_URL: pathToFileURL(disk).href });
      try {
        const api = new ApiClient(running.url);
        for (let seed = 0; seed < 100; seed += 1)
          await writePicture(join(running.folder, 'source', `${seed}.jpg`), seed);
        await writeFile(join(disk, 'ballast'), Buffer.alloc((8 * 1024 - 64 - kibibytes) * 1024));
        const id = await api.createFromFolder('Full', join(running.folder, 'source'));
        await waitUntil(async () =>
          /^Waiting for room in the store .* since /.test((await taskOf(api, id)).status_message),
        );
        expect(await api.must(200, 'GET', `/api/v1/dataset/${id}`)).toMatchObject({
          n_images: 0,
          fatal_error_msg: null,
        });
        expect(await clustersOf(api, id, 0)).toEqual([]);
        await rm(join(disk, 'ballast'));
        expect(await api.untilStatus(id, ['READY'])).toMatchObject({ n_images: 100, fatal_error_msg: null });
      } finally {
        await running.close();
        spawnSync('umount', [disk]);
        await rm(disk, { recursive: true });
      }
    },
  );
});

/** A grey PNG whose header has these dimensions, with as few pixels as possible. */
function pngOf(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 0, 0, 0, 0], 8);
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    check.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, check]);
  };
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc(2))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}
