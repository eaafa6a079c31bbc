import { droppedFiles } from './picked-files';

const file = (path: string): FileSystemEntry =>
  ({
    isFile: true,
    fullPath: path,
    file: (resolve: (found: File) => void) => resolve(new File([], path.split('/').at(-1)!)),
  }) as unknown as FileSystemEntry;

const unreadable = (path: string): FileSystemEntry =>
  ({
    isFile: true,
    fullPath: path,
    file: (_: unknown, reject: (error: Error) => void) => reject(new Error('NotReadableError')),
  }) as unknown as FileSystemEntry;

/** Browsers return a hundred entries at a time. */
const folder = (path: string, entries: readonly FileSystemEntry[], fails = false): FileSystemEntry =>
  ({
    isFile: false,
    fullPath: path,
    createReader: () => {
      let at = 0;
      return {
        readEntries: (resolve: (some: FileSystemEntry[]) => void, reject: (error: Error) => void) =>
          fails ? reject(new Error('NotReadableError')) : resolve(entries.slice(at, (at += 100))),
      };
    },
  }) as unknown as FileSystemEntry;

const drop = (...entries: (FileSystemEntry | null)[]): DataTransfer =>
  ({ items: entries.map((entry) => ({ webkitGetAsEntry: () => entry })) }) as unknown as DataTransfer;

describe('dropped files', () => {
  it('keep the paths of their folders', async () => {
    const { files, unreadable: left } = await droppedFiles(
      drop(folder('/a', [folder('/a/b', [file('/a/b/1.jpg')]), file('/a/2.jpg')]), file('/3.jpg'), null),
    );
    expect(files.map(({ path }) => path).sort()).toEqual(['3.jpg', 'a/2.jpg', 'a/b/1.jpg']);
    expect(left).toEqual([]);
  });

  it('can be two hundred thousand in a folder below the dropped one', async () => {
    const many = Array.from({ length: 200_000 }, (_, at) => file(`/a/b/${at}.jpg`));
    const found: number[] = [];
    const { files } = await droppedFiles(drop(folder('/a', [folder('/a/b', many)])), (count) => found.push(count));
    expect(files).toHaveLength(200_000);
    expect([found[1], found[2], found.at(-1)]).toEqual([100, 200, 200_000]);
  });

  it('can be ten thousand folders deep', async () => {
    let deepest = folder('/deep', [file('/deep/1.jpg')]);
    for (let depth = 0; depth < 10_000; depth += 1) deepest = folder('/deep', [deepest]);
    expect((await droppedFiles(drop(deepest))).files).toHaveLength(1);
  });

  it('exclude files that the browser cannot read, which are listed', async () => {
    const entries = [unreadable('/a/locked.jpg'), file('/a/1.jpg'), folder('/a/closed', [], true)];
    const { files, unreadable: left } = await droppedFiles(drop(folder('/a', entries)));
    expect(files.map(({ path }) => path)).toEqual(['a/1.jpg']);
    expect([...left].sort()).toEqual(['a/closed', 'a/locked.jpg']);
  });
});
