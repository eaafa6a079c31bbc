import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { FolderObjectStore } from '../../../common/platform/storage/folder/folder-object-store';
import { UrlSigner } from '../../../common/platform/storage/links/url-signer';
import type { SourceFile } from './domain/source-file';
import { partsOf, readFileList, writeFileList, type FilePart } from './file-list';

const KEY = 'work/list.ndjson';
const MIB = 1024 * 1024;

describe('a file list', () => {
  let folder: string;
  let store: FolderObjectStore;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dms-file-list-'));
    store = new FolderObjectStore({ root: folder, signer: new UrlSigner(Buffer.alloc(32, 7)), baseUrl: '' });
  });

  afterAll(() => rm(folder, { recursive: true, force: true }));

  const write = (files: readonly SourceFile[]): Promise<void> =>
    writeFileList(store, KEY, Readable.from(files) as AsyncIterable<SourceFile>);

  const parts = async (weight: number): Promise<FilePart[]> => {
    const found: FilePart[] = [];
    for await (const part of partsOf(store, KEY, weight)) found.push(part);
    return found;
  };

  const read = async (part?: FilePart): Promise<SourceFile[]> => {
    const files: SourceFile[] = [];
    for await (const file of readFileList(store, KEY, part?.range)) files.push(file);
    return files;
  };

  const picture = (path: string, size = 1000): SourceFile => ({ source: `file:///${path}`, path, size, version: null });

  it('is read in parts, each file once and in order, with any names', async () => {
    const files = ['a.jpg', 'ü-日本-\u2028-\n.jpg', '😀.png', 'd.jpg', 'e.jpg'].map((path) => picture(path));
    await write(files);
    expect(await read()).toEqual(files);
    const cut = await parts(2);
    expect(cut.map((part) => part.files)).toEqual([2, 2, 1]);
    expect((await Promise.all(cut.map(read))).flat()).toEqual(files);
    expect(await parts(2)).toEqual(cut);
  });

  it('has fewer files per part if they are videos or large', async () => {
    await write([
      picture('a.mp4'),
      picture('b.mp4'),
      ...Array.from({ length: 20 }, (_, at) => picture(`${at}.jpg`, 9 * MIB)),
    ]);
    expect((await parts(30)).map(({ files }) => files)).toEqual([2, 10, 10]);
  });

  it('changes the digest of a part with the versions of its files, and has no digest if a file has no version', async () => {
    const versioned = (name: string, version: string | null): SourceFile => ({ ...picture(`${name}.jpg`), version });
    const digestsOf = async (files: readonly SourceFile[]): Promise<(string | null)[]> => {
      await write(files);
      return (await parts(2)).map(({ digest }) => digest);
    };
    const upload: SourceFile = { ...picture('d.jpg'), source: 'store:blobs/d' };
    const files = [versioned('a', '1'), versioned('b', '1'), versioned('c', '1'), upload];
    const [first, second] = await digestsOf(files);
    expect(first).not.toBe(second);
    expect(await digestsOf(files)).toEqual([first, second]);
    expect(await digestsOf([...files.slice(0, 2), versioned('c', '2'), upload])).toEqual([first, expect.any(String)]);
    expect(await digestsOf([...files.slice(0, 2), versioned('c', '2'), upload])).not.toContain(second);
    expect(await digestsOf([versioned('a', null), ...files.slice(1)])).toEqual([null, second]);
  });

  it('has no parts if it is empty', async () => {
    await write([]);
    expect(await parts(30)).toEqual([]);
  });
});
