import { mkdir, mkdtemp, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { outageOf } from '../../outage/outage';
import { MediaRootOutageError, MediaRoots } from './media-roots';
import { fileSource } from './source-location';

describe('media folders', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'media-roots-')));
    await mkdir(join(folder, 'share', 'cats'), { recursive: true });
  });
  afterEach(() => rm(folder, { recursive: true }));

  const share = (): string => join(folder, 'share');
  const cat = (): string => fileSource(join(share(), 'cats', '1.jpg'));

  it('are available if they contain any file', async () => {
    await expect(new MediaRoots([share()]).assertReachable(cat())).resolves.toBeUndefined();
  });

  it('are unavailable if they are missing or empty', async () => {
    const roots = new MediaRoots([share()]);
    await rm(join(share(), 'cats'), { recursive: true });
    await expect(roots.assertReachable(cat())).rejects.toThrow(
      `The media folder ${share()} is empty: check that its file system is mounted.`,
    );
    await rm(share(), { recursive: true });
    const missing = roots.assertReachable(cat());
    await expect(missing).rejects.toThrow(`The media folder ${share()} is missing: `);
    expect(outageOf(await missing.catch((error: unknown) => error))?.awaited).toBe(`the media folder ${share()}`);
  });

  it('are checked one by one, and only those that contain the file', async () => {
    const empty = join(folder, 'empty');
    await mkdir(empty);
    const roots = new MediaRoots([empty, share(), folder]);
    await expect(roots.assertReachable(cat())).resolves.toBeUndefined();
    await expect(roots.assertReachable(fileSource(join(empty, 'a.jpg')))).rejects.toThrow(MediaRootOutageError);
    await expect(roots.assertReachable(fileSource('/elsewhere/a.jpg'))).resolves.toBeUndefined();
    await expect(roots.assertReachable('s3://bucket/a.jpg')).resolves.toBeUndefined();
    await expect(roots.assertReachable('store:uploads/a.jpg')).resolves.toBeUndefined();
  });

  it('may be links, whose files are identified by their real path', async () => {
    const link = join(folder, 'link');
    await symlink(share(), link);
    const roots = new MediaRoots([link]);
    await expect(roots.assertReachable(cat())).resolves.toBeUndefined();
    await rename(share(), join(folder, 'away'));
    await expect(roots.assertReachable(cat())).rejects.toThrow(`The media folder ${link} is missing`);
  });

  it('that are missing affect files below a link to their place, but no files elsewhere', async () => {
    const link = join(folder, 'link');
    await symlink(share(), link);
    const roots = new MediaRoots([join(folder, 'missing', 'sample'), join(link, 'dogs')]);
    await expect(roots.assertReachable(cat())).resolves.toBeUndefined();
    const dog = fileSource(join(share(), 'dogs', '1.jpg'));
    await expect(roots.assertReachable(dog)).rejects.toThrow(`The media folder ${join(link, 'dogs')} is missing`);
  });

  it('that are files or not readable do not count as unavailable', async () => {
    const file = join(folder, 'one.jpg');
    await writeFile(file, 'bytes');
    await expect(new MediaRoots([file]).assertReachable(fileSource(file))).resolves.toBeUndefined();
  });

  it('that do not respond are unavailable, and use at most one thread', async () => {
    let looks = 0;
    const roots = new MediaRoots([share()], 20, () => {
      looks += 1;
      return new Promise(() => undefined);
    });
    await expect(roots.assertReachable(cat())).rejects.toThrow('does not answer');
    await expect(Promise.all([roots.assertReachable(cat()), roots.assertReachable(cat())])).rejects.toThrow(
      'does not answer',
    );
    expect(looks).toBe(1);
  });
});
