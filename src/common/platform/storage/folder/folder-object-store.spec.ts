import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { AWAITED_CALLS, BLOCKING_CALLS } from './file-calls';
import { FolderObjectStore } from './folder-object-store';
import { describeObjectStore } from '../object-store.contract';
import { InvalidKeyError, StoreUnusableError } from '../object-store';
import { UrlSigner } from '../links/url-signer';

const made: string[] = [];
const signer = new UrlSigner(Buffer.alloc(32, 7));

async function makeStore(calls = AWAITED_CALLS): Promise<{ root: string; store: FolderObjectStore }> {
  const root = join(await mkdtemp(join(tmpdir(), 'folder-store-')), 'a store');
  made.push(root);
  return { root, store: new FolderObjectStore({ root, signer, baseUrl: 'http://127.0.0.1:3000' }, calls) };
}

afterAll(async () => {
  await Promise.all(made.map((root) => rm(join(root, '..'), { recursive: true, force: true })));
});

describeObjectStore('the folder store', async () => (await makeStore()).store);
describeObjectStore('the folder store of a compute child', async () => (await makeStore(BLOCKING_CALLS)).store);

describe('FolderObjectStore', () => {
  it('leaves no temporary files after a put that succeeds and one that fails', async () => {
    const { root, store } = await makeStore();
    await store.put('a', Buffer.from('1'));
    await expect(store.put('a', Buffer.from('2'), { ifAbsent: true })).rejects.toThrow('An object already exists at a');
    expect(await readdir(join(root, '.unfinished'))).toEqual([]);
  });

  it('removes temporary files of dead processes at its check, and keeps those of live ones', async () => {
    const { root, store } = await makeStore();
    await store.check();
    const host = encodeURIComponent(hostname());
    const names = {
      dead: `${host}~999999999~x`,
      ownFormerRun: `${host}~${process.pid}~former`,
      own: `${host}~${process.pid}~now`,
      parent: `${host}~${process.ppid}~y`,
      otherHost: `elsewhere~1~z`,
      otherHostOld: `elsewhere~1~old`,
    };
    for (const name of Object.values(names)) await writeFile(join(root, '.unfinished', name), 'half');
    const longAgo = new Date(Date.now() - 25 * 3_600_000);
    await utimes(join(root, '.unfinished', names.otherHostOld), longAgo, longAgo);
    const beforeThisRun = new Date(performance.timeOrigin - 5000);
    await utimes(join(root, '.unfinished', names.ownFormerRun), beforeThisRun, beforeThisRun);
    await store.check();
    expect((await readdir(join(root, '.unfinished'))).sort()).toEqual(
      [names.own, names.parent, names.otherHost].sort(),
    );
  });

  it('does not list the folder of temporary files', async () => {
    const { store } = await makeStore();
    await store.check();
    await expect(store.put('.unfinished/x', Buffer.from('1'))).rejects.toBeInstanceOf(InvalidKeyError);
    expect(await store.list('')).toEqual({ objects: [] });
  });

  it('rejects an object below another object', async () => {
    const { store } = await makeStore();
    await store.put('a', Buffer.from('1'));
    await expect(store.put('a/b', Buffer.from('2'))).rejects.toBeInstanceOf(InvalidKeyError);
    await store.put('c/d', Buffer.from('1'));
    await expect(store.put('c', Buffer.from('2'))).rejects.toBeInstanceOf(InvalidKeyError);
  });

  it('reports an unusable folder in one sentence', async () => {
    const { root } = await makeStore();
    await writeFile(root, 'a file where the folder should be');
    const store = new FolderObjectStore({ root, signer, baseUrl: '' });
    await expect(store.check()).rejects.toBeInstanceOf(StoreUnusableError);
    await expect(store.check()).rejects.toThrow(`The folder ${root} can't be used as the store`);
  });
});
