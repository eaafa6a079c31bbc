import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, realpath, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { createStorage } from '../create-storage';
import { RangeNotSatisfiableError } from '../object-store';
import { SourceNotAllowedError, SourceNotFoundError, type EnumeratedFile, type EnumerateOptions } from './source-files';
import { fileSource, parseSource } from './source-location';

let folder: string;
let root: string;
const made: string[] = [];

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'media-sources-')));
  made.push(folder);
  root = join(folder, 'root');
  await mkdir(root);
});

// Paths in these tests are longer than the system accepts in one call; rm can remove them.
afterAll(() => {
  execFileSync('rm', ['-rf', ...made]);
});

const storage = (mediaRoots = [root]) =>
  createStorage({
    storageUrl: pathToFileURL(join(folder, 'store')).href,
    s3: null,
    mediaRoots,
    mediaBuckets: ['allowed'],
    secretKey: Buffer.alloc(32),
    baseUrl: 'http://127.0.0.1:3000',
  });
const sources = (mediaRoots = [root]) => storage(mediaRoots).sources;

async function all(uri: string, options: EnumerateOptions = {}, from = sources()): Promise<EnumeratedFile[]> {
  const found: EnumeratedFile[] = [];
  for await (const file of from.enumerate(uri, options)) found.push(file);
  return found.sort((a, b) => (a.path < b.path ? -1 : 1));
}
const paths = async (uri: string, options: EnumerateOptions = {}, from = sources()) =>
  (await all(uri, options, from)).map(({ path }) => path);

async function put(path: string, content = path): Promise<string> {
  const whole = join(root, path);
  await mkdir(join(whole, '..'), { recursive: true });
  await writeFile(whole, content);
  return whole;
}

describe('enumerating a folder', () => {
  it('finds every file below it, and returns locations that can be read', async () => {
    const names = [
      'a.jpg',
      'sub/b.jpg',
      'sub/deep/er/c.png',
      'with space.jpg',
      'quo\'te".jpg',
      'new\nline.jpg',
      'ünï 日本 😀.jpg',
      '50%.jpg',
      '#?&.jpg',
      'back\\slash.jpg',
      `${'x'.repeat(250)}.jpg`,
    ];
    for (const name of names) await put(name);
    const from = sources();
    const found = await all(root);
    expect(found.map(({ path }) => path)).toEqual([...names].sort());
    for (const file of found) {
      expect(await text(await from.open(file.source))).toBe(file.path);
      expect(await from.stat(file.source)).toEqual({
        size: file.size,
        etag: file.etag,
        lastModified: file.lastModified,
      });
      expect(await from.localPath(file.source)).toBe(join(root, file.path));
    }
  });

  it('accepts file:// URIs and single files', async () => {
    await put('a b/c.jpg');
    expect(await paths(pathToFileURL(root).href)).toEqual(['a b/c.jpg']);
    expect(await paths(`${root}/`)).toEqual(['a b/c.jpg']);
    expect(await paths(join(root, 'a b', 'c.jpg'))).toEqual(['c.jpg']);
  });

  it('skips hidden files', async () => {
    for (const name of ['.hidden.jpg', '.thumbs/a.jpg', 'sub/.DS_Store', 'sub/seen.jpg']) await put(name);
    expect(await paths(root)).toEqual(['sub/seen.jpg']);
  });

  it('follows links within the roots once, and no links out of them', async () => {
    await put('real/a.jpg');
    await mkdir(join(folder, 'outside'));
    await writeFile(join(folder, 'outside', 'secret.jpg'), 'secret');
    await symlink(join(folder, 'outside'), join(root, 'escape'));
    await symlink(join(folder, 'outside', 'secret.jpg'), join(root, 'escape.jpg'));
    await symlink('../../outside', join(root, 'real', 'relative-escape'));
    await symlink(root, join(root, 'real', 'loop'));
    await symlink(join(root, 'real'), join(root, 'again'));
    await symlink(join(root, 'real', 'a.jpg'), join(root, 'inside.jpg'));
    await symlink(join(root, 'nowhere'), join(root, 'dangling.jpg'));
    expect(await paths(root)).toEqual(['inside.jpg', 'real/a.jpg']);
    const other = join(folder, 'second root');
    await mkdir(other);
    await writeFile(join(other, 'b.jpg'), 'b');
    await symlink(other, join(root, 'linked'));
    expect(await paths(root, {}, sources([root, other]))).toEqual(['inside.jpg', 'linked/b.jpg', 'real/a.jpg']);
  });

  it('works if the root itself is a link', async () => {
    await put('a.jpg');
    await symlink(root, join(folder, 'link'));
    expect(await paths(join(folder, 'link'), {}, sources([join(folder, 'link')]))).toEqual(['a.jpg']);
    expect(await paths(join(folder, 'link'))).toEqual(['a.jpg']);
  });

  it('streams thousands of files of one folder', async () => {
    const names = Array.from({ length: 3000 }, (_, i) => `many/${i}.jpg`);
    await put(names[0]!);
    await Promise.all(names.map((name) => writeFile(join(root, name), '')));
    expect(await paths(root)).toEqual([...names].sort());
    let seen = 0;
    for await (const { path } of sources().enumerate(root)) {
      expect(path).toMatch(/^many\//);
      if (++seen === 10) break;
    }
  });

  it('reports names that are not UTF-8', async () => {
    await put('good.jpg');
    await writeFile(Buffer.concat([Buffer.from(`${root}/bad-`), Buffer.from([0xff, 0xfe]), Buffer.from('.jpg')]), 'x');
    const unreadable: string[] = [];
    expect(await paths(root, { onUnreadable: (_path, reason) => unreadable.push(reason) })).toEqual(['good.jpg']);
    expect(unreadable).toEqual(['its name is not valid UTF-8']);
    await expect(paths(root)).rejects.toThrow(/can't be read: its name is not valid UTF-8\.$/);
  });

  it('reports folders without read permission', async () => {
    await put('good.jpg');
    const name = 'x'.repeat(200);
    execFileSync('bash', ['-c', `for i in {1..25}; do mkdir ${name} && cd ${name} || exit 1; done`], { cwd: root });
    const unreadable: string[] = [];
    expect(await paths(root, { onUnreadable: (path) => unreadable.push(path) })).toEqual(['good.jpg']);
    expect(unreadable).toHaveLength(1);
    await expect(paths(root)).rejects.toBeInstanceOf(SourceNotAllowedError);
  });
});

describe('access to sources', () => {
  it.each(['/etc/passwd', '/etc', '/', 'file:///etc/hosts', '/no/such/place'])(
    'rejects %s outside the roots',
    async (source) => {
      const acts = [
        () => sources().open(source),
        () => sources().read(source),
        () => sources().stat(source),
        () => sources().localPath(source),
        () => all(source),
      ];
      for (const act of acts) {
        const refusal = act();
        await expect(refusal).rejects.toBeInstanceOf(SourceNotAllowedError);
        await expect(refusal).rejects.toThrow(
          /is outside the folders that this service may read\. Add its folder to MEDIA_ROOTS\.$/,
        );
      }
    },
  );

  it('rejects paths that leave a root', async () => {
    await writeFile(join(folder, 'rootless.jpg'), 'x');
    await mkdir(join(folder, 'root-sibling'));
    await writeFile(join(folder, 'root-sibling', 'a.jpg'), 'x');
    await symlink(join(folder, 'rootless.jpg'), join(root, 'link.jpg'));
    const escapes = [
      `${root}/../rootless.jpg`,
      `${root}-sibling/a.jpg`,
      join(root, 'link.jpg'),
      `file://${root}/%2e%2e/rootless.jpg`,
    ];
    for (const source of escapes) {
      await expect(sources().open(source)).rejects.toBeInstanceOf(SourceNotAllowedError);
      await expect(sources().read(source)).rejects.toBeInstanceOf(SourceNotAllowedError);
    }
  });

  it('allows names that only resemble parent folders', async () => {
    const path = await put('..not-a-parent/..a.jpg', 'fine');
    expect(await text(await sources().open(path))).toBe('fine');
  });

  it('rejects all paths without roots, and allows all with the root /', async () => {
    const path = await put('a.jpg', 'fine');
    await expect(sources([]).open(path)).rejects.toBeInstanceOf(SourceNotAllowedError);
    expect(await text(await sources(['/']).open(path))).toBe('fine');
  });

  it('reports missing paths and paths that are not files', async () => {
    for (const source of [join(root, 'none.jpg'), fileSource(join(root, 'none.jpg')), root, 'store:none.jpg']) {
      await expect(sources().open(source)).rejects.toBeInstanceOf(SourceNotFoundError);
      await expect(sources().read(source)).rejects.toBeInstanceOf(SourceNotFoundError);
      await expect(sources().stat(source)).rejects.toBeInstanceOf(SourceNotFoundError);
    }
    await expect(all(join(root, 'no-folder'))).rejects.toThrow(`Nothing is at ${join(root, 'no-folder')}.`);
    await expect(all(join(root, 'x'.repeat(300)))).rejects.toBeInstanceOf(SourceNotFoundError);
  });

  it.each(['relative/path', '', 'http://example.com/a.jpg', 'file://other-host/a', 'file:///a%2Fb', '/a\0b'])(
    'rejects the location %j',
    (source) => {
      expect(() => parseSource(source)).toThrow(SourceNotFoundError);
    },
  );

  it('rejects buckets that are not allowed, and any bucket without a store', async () => {
    await expect(sources().open('s3://other/a.jpg')).rejects.toThrow(
      'The bucket "other" is not one that this service may read. Add it to MEDIA_BUCKETS.',
    );
    await expect(all('s3://allowed/prefix')).rejects.toThrow(
      'No S3 store is configured (S3_ENDPOINT), so no bucket can be read.',
    );
  });
});

describe('reading', () => {
  it('reads whole local files and objects of the store', async () => {
    const path = await put('digits', '0123456789');
    const { store, sources: from } = storage();
    await store.put('folder/digits', Buffer.from('0123456789'));
    for (const source of [path, 'store:folder/digits']) expect((await from.read(source)).toString()).toBe('0123456789');
    await expect(from.read('store:folder')).rejects.toBeInstanceOf(SourceNotFoundError);
  });

  it('reads ranges of local files and of the store', async () => {
    const path = await put('digits', '0123456789');
    const { store, sources: from } = storage();
    await store.put('digits', Buffer.from('0123456789'));
    for (const source of [path, 'store:digits']) {
      expect(await text(await from.open(source, { start: 2, end: 4 }))).toBe('234');
      await expect(from.open(source, { start: 10, end: 12 })).rejects.toBeInstanceOf(RangeNotSatisfiableError);
    }
    expect(await from.localPath('store:digits')).toBe(join(folder, 'store', 'digits'));
    expect((await from.stat('store:digits')).size).toBe(10);
  });
});
